"""Findings in the text of loaded files: secrets, characters that nobody sees, passages that are there twice."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.insight.repeats import Copy, Repeat

from .context import Context, Passage
from .findings import Finding

# --- secrets ----------------------------------------------------------------------------------------------------------

_SECRETS: dict[str, str] = tomllib.loads(Path(__file__).with_name("secrets.toml").read_text("utf-8"))
_SECRET = re.compile("|".join(f"(?:(?<![A-Za-z0-9]){pattern})" for pattern in _SECRETS.values()))
_LONG = re.compile(r"[A-Za-z0-9+/_.=-]{15}")
"""As much of a key as the shortest of them has without a mark (see `_may_hold_one`)."""
_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|your|xxx|\.\.\.|dummy|changeme|redacted|process\.env|environ|secrets\."
)


def secrets(context: Context, passages: Iterable[Passage] | None = None) -> Iterator[Finding]:
    """Lines, of all passages or of these, that hold what looks like a key. What it is is said, never the key."""
    for passage in context.passages if passages is None else passages:
        for number, line in enumerate(passage.text.split("\n"), passage.start):
            for found in _SECRET.finditer(line) if _may_hold_one(line) else ():
                value = found["value"] or found["password"] or found[0]
                if not _PLACEHOLDER.search(value) and _is_random(value):
                    kind = next(name for name, pattern in _SECRETS.items() if re.match(pattern, found[0]))
                    text = f"this looks like {kind}, and every request sends it"
                    yield context.finding("secret", text, passage.path, number)


def _may_hold_one(line: str) -> bool:
    """Whether the patterns, which take long, have to be tried: each wants a long run of a key's letters, or a mark."""
    return "://" in line or "-----" in line or _LONG.search(line) is not None


def _is_random(value: str) -> bool:
    """Whether it is more than a word or a path: keys mix letters with digits."""
    return value.startswith("-----") or (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))


# --- invisible characters ---------------------------------------------------------------------------------------------

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_NO_WIDTH = "\u00ad\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\uffa0\ufeff"
_TAGS = "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_UNSEEN = re.compile(f"[{_BIDI}{_NO_WIDTH}{_TAGS}]+")
_JOINERS = frozenset("\u200c\u200d")
"""They belong between the letters of some scripts and the parts of an emoji."""


def invisible(context: Context, passages: Iterable[Passage] | None = None) -> Iterator[Finding]:
    """Lines, of all passages or of these, with characters that nobody sees or that turn the order of others around."""
    for passage in context.passages if passages is None else passages:
        for number, line in enumerate(passage.text.split("\n"), passage.start):
            names = [name for found in _UNSEEN.finditer(line) for name in _names(found, line)]
            if names:
                shown = ", ".join(dict.fromkeys(names))[:200]
                yield context.finding("invisible-characters", f"{len(names)} × {shown}", passage.path, number)


def _names(found: re.Match[str], line: str) -> Iterator[str]:
    before, after = line[: found.start()][-1:], line[found.end() :][:1]
    if found[0] in _JOINERS and before > "\u02ff" and after > "\u02ff":
        return
    for character in found[0]:
        yield f"U+{ord(character):04X} {unicodedata.name(character, '').lower()}".strip()


# --- passages that are there twice ------------------------------------------------------------------------------------


def duplicates(context: Context, repeats: Sequence[Repeat] | None = None) -> Iterator[Finding]:
    """Each further copy of a passage that is in a file here: of the agent's own text, or of another file's.

    `repeats` are those of the prompt, where they are known already.
    """
    for each in find_repeats(context.assembly, context.counter.count) if repeats is None else repeats:
        if each.kind == "same words":
            here = [copy for copy in each.copies if copy.path is not None and context.relative(copy.path) is not None]
            first = next((copy for copy in each.copies if copy not in here), each.copies[0])
            for copy in here:
                is_same = (copy.path, copy.file_line) == (first.path, first.file_line)  # a file that is sent twice
                if copy is not first and not is_same:
                    yield context.finding("duplicate-lines", _also(first, copy, context), copy.path, copy.file_line)


def _also(first: Copy, copy: Copy, context: Context) -> str:
    lines = f"lines {copy.file_line}-{copy.file_end} are" if copy.file_end != copy.file_line else "the line is"
    cost = f" ({copy.tokens:,} tokens)" if copy.tokens else ""
    if first.path is None:
        return f"{lines} also in the agent's own text, in {first.title}{cost}"
    return f"{lines} also in {context.relative(first.path) or first.path}:{first.file_line}{cost}"
