"""What the budget took out of a bootstrap file: which stretches, and under which limits (specs/openclaw.md 4)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.levers import overlay, split
from promptscope_engine.agents.openclaw.materials import Injection, Part
from promptscope_engine.javascript.text import js_trim_end, utf16_len, utf16_slice
from promptscope_engine.prompt.model import Lever, Limit, Stretch

PER_FILE, IN_TOTAL = "bootstrapMaxChars", "bootstrapTotalMaxChars"


def with_gaps(content: str, injection: Injection) -> Iterator[tuple[Part, bool]]:
    """The injected parts, each stretch that is lost between them at its place: (part, whether it is kept)."""
    at = 0
    whole = utf16_len(js_trim_end(content)) if injection.lost else 0
    for number, part in enumerate(injection.parts):
        # the agent's own words stand for what is lost, so the gap comes before them
        following = (later.start for later in injection.parts[number:] if later.start is not None)
        start = next(following, whole)
        if start > at:
            yield _gap(content, at, start), False
        yield part, True
        # a tail of no length gives the whole text once more: nothing is lost then
        at = max(at, part.end or start)
    if whole > at:
        yield _gap(content, at, whole), False


def _gap(content: str, start: int, end: int) -> Part:
    return Part(utf16_slice(content, start, end), start, end)


def stretches(content: str, injection: Injection) -> Iterator[Stretch]:
    """The file's text as it was kept and lost; nothing for a file that was injected whole."""
    if not injection.lost:
        return
    content = js_trim_end(content)
    for part, kept in with_gaps(content, injection):
        match part:
            case Part(text=text, start=int(start), end=int(end)):
                before, rest = utf16_slice(content, 0, start), utf16_slice(content, end, end + 1)
                first = 1 + before.count("\n")
                yield Stretch(
                    start_line=first,
                    end_line=first + text.removesuffix("\n").count("\n"),
                    chars=end - start,
                    kept=kept,
                    partial_start=bool(before) and not before.endswith("\n"),
                    partial_end=not text.endswith("\n") and rest not in ("", "\n"),
                )


def limits(content: str, injection: Injection, max_chars: int, total: int) -> tuple[Limit, Limit]:
    """The two limits, with what the file has and what all files up to it had come to."""
    length = utf16_len(js_trim_end(content))
    return Limit(PER_FILE, max_chars, length), Limit(IN_TOTAL, total, injection.used + length)


def widen(length: int, whole: int, max_chars: int, total: int) -> tuple[Lever, ...]:
    """The limits that a file of `length` needs; `whole` is what all files up to it come to."""
    levers = (
        overlay(split(f"agents.defaults.{name}"), wanted)
        for name, wanted, limit in ((PER_FILE, length, max_chars), (IN_TOTAL, whole, total))
        if wanted > limit
    )
    return tuple(lever for lever in levers if lever)
