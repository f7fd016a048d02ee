"""A prediction and a text cut at the same headings and tags, so that each section is compared with its own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from promptscope_engine.frozen import frozen

from .text_difference import text_difference

_RULE = "=-_* \t"
"""What a line above a heading is made of that belongs to it: a rule, or nothing."""


@frozen
class Heading:
    """The line that a section begins with. `present`: the section is predicted."""

    section: str
    line: str
    present: bool = True


Range = tuple[int, int]
"""Lines from the first up to the last, which is not among them; from 0."""


@frozen
class Cut:
    """`pairs`: lines of the prediction and the text that belong together. `extra`: sections that are not predicted,
    with their lines in the text. `missing`: predicted sections whose heading is not in the text. `last`: the predicted
    section in which the text ends."""

    pairs: tuple[tuple[Range, Range], ...]
    extra: tuple[tuple[str, Range], ...]
    missing: frozenset[str]
    last: str | None


def by_heading(headings: Sequence[Heading], ours: Sequence[tuple[str, str]], theirs: Sequence[str]) -> Cut:
    """Cut the prediction's lines, each with its section, and the text's lines at the headings that both have."""
    places = dict(_matched(headings, theirs))
    lines = {heading.section: heading.line for heading in headings}
    own = {section: at for at, (section, line) in reversed(list(enumerate(ours))) if lines.get(section) == line}
    cuts = [(heading, places[n]) for n, heading in enumerate(headings) if n in places]
    cuts = [(heading, at) for heading, at in cuts if not heading.present or heading.section in own]
    starts = [0, *(_start(theirs, at) for _, at in cuts)]
    ends = [*starts[1:], len(theirs)]
    text = [line for _, line in ours]
    mine = [0, *(_start(text, own[h.section]) for h, _ in cuts if h.present)]
    predicted = iter(zip(mine, [*mine[1:], len(ours)], strict=True))
    pairs: list[tuple[Range, Range]] = []
    extra: list[tuple[str, Range]] = []
    for heading, span in zip([None, *(h for h, _ in cuts)], zip(starts, ends, strict=True), strict=True):
        if heading is None or heading.present:
            pairs.append((next(predicted), span))
        else:
            extra.append((heading.section, span))
    found = {heading.section for heading, _ in cuts}
    missing = frozenset(h.section for h in headings if h.present and h.section not in found)
    last = next((heading.section for heading, _ in reversed(cuts) if heading.present), None)
    return Cut(tuple(pairs), tuple(extra), missing, last)


def matches(headings: Iterable[Heading], lines: Sequence[str]) -> tuple[int, int]:
    """How many of the predicted headings stand in the text, and how many there are."""
    predicted = {heading.line for heading in headings if heading.present}
    return len(predicted & set(lines)), len(predicted)


def _matched(headings: Sequence[Heading], theirs: Sequence[str]) -> Iterable[tuple[int, int]]:
    """The headings that stand in the text in their order, by number, each with its line."""
    wanted = {heading.line for heading in headings}
    places = [at for at, line in enumerate(theirs) if line in wanted]
    for pair in text_difference("\n".join([h.line for h in headings]), "\n".join([theirs[at] for at in places])):
        if pair.kind == "same" and pair.before and pair.after:
            yield pair.before.number - 1, places[pair.after.number - 1]


def _start(lines: Sequence[str], at: int) -> int:
    """The first line of what begins with the heading at `at`: blank lines and a rule above it are its own."""
    while at > 0 and not lines[at - 1].strip(_RULE):
        at -= 1
    return at
