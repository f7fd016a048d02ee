"""A text that takes another's place: the lines that both have keep their origin, and the line feeds around it stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import Origin
from promptscope_engine.prompt.spans import Spans, cut, joined

_MOST_COMPARED = 4_000
"""Lines of either text that are compared: more would take seconds."""


def between_line_feeds(text: str) -> tuple[str, str, str]:
    """The line feeds before a text, the text, and those behind it; of nothing but line feeds all stand before."""
    start = len(text) - len(text.lstrip("\n"))
    end = max(len(text.rstrip("\n")), start)
    return text[:start], text[start:end], text[end:]


def in_place_of(old: str, text: str) -> str:
    """A text with the line feeds that stand around the one whose place it takes."""
    before, _, behind = between_line_feeds(old)
    return before + text.strip("\n") + behind


def standing(spans: Sequence[Span], facts: Facts) -> Spans:
    """The spans that the facts let through."""
    return tuple(span for span in spans if span.text and span.when.holds(facts))


def aligned(old: Sequence[Span], text: str, origin: Origin) -> Spans:
    """The text as spans: of the new origin, but for lines that stood in the old one, where they are most of it.

    So one corrected word does not make the wording around it a stranger's; a text that is new is new as a whole.
    """
    before, after = joined(old).splitlines(keepends=True), text.splitlines(keepends=True)
    if max(len(before), len(after)) > _MOST_COMPARED:
        return (Span(text, origin),)
    blocks = list(_same(before, after))
    kept = sum(len("".join(after[to : to + size])) for _, to, size in blocks)
    if kept * 2 < len(text):
        return (Span(text, origin),)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    found: list[Span] = []
    at = 0
    for first, to, size in blocks:
        found.append(Span("".join(after[at:to]), origin))
        found += cut(old, starts[first], starts[first + size])
        at = to + size
    found.append(Span("".join(after[at:]), origin))
    return tuple(span for span in found if span.text)


def _same(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int]]:
    """Stretches of lines that both have: where they begin in either, and how many lines they are."""
    from difflib import SequenceMatcher  # only where something is edited

    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        if any(line.strip() for line in before[block.a : block.a + block.size]):
            yield block.a, block.b, block.size
