"""A prediction and a text cut at the same headings and tags, so that each section is compared with its own words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from .text_difference import rising

_RULE = "=-_* \t"
"""What a line above a heading is made of that belongs to it: a rule, or nothing."""


class Heading(Struct, frozen=True):
    """The line that a section begins with.

    `present`: the section is predicted. `is_text`: it is the first line of a section without a heading, which may be
    there in other words.
    """

    section: str
    line: str
    present: bool = True
    is_text: bool = False


Range = tuple[int, int]
"""Lines from the first up to the last, which is not among them; from 0."""


class Cut(Struct, frozen=True):
    """How the text's sections match the predicted ones.

    `pairs`: lines of the prediction and the text that belong together, in the text's order. `extra`: sections that are
    not predicted, with their lines in the text. `missing`: predicted sections whose heading is not in the text.
    `moved`: predicted sections that are elsewhere in the text, each with the one before it there ("": it is the first).
    `last`: the last of the predicted sections in their order; `end`: the one in which the text ends.
    """

    pairs: tuple[tuple[Range, Range], ...]
    extra: tuple[tuple[str, Range], ...]
    missing: frozenset[str]
    moved: dict[str, str]
    last: str | None
    end: str | None


def by_heading(
    headings: Sequence[Heading],
    ours: Sequence[tuple[str, str]],
    theirs: Sequence[str],
    alike: Callable[[str, Range], bool],
) -> Cut:
    """Cut the prediction's lines, each with its section, and the text's lines at the headings that both have.

    `alike`: whether lines of the text may be a section; asked of those that begin with its heading and are elsewhere.
    """
    lines = {heading.section: heading.line for heading in headings}
    own = {section: at for at, (section, line) in reversed(list(enumerate(ours))) if lines.get(section) == line}
    above = {section: _above(ours, section, at) for section, at in own.items()}
    usable = [heading for heading in headings if not heading.present or heading.section in own]
    places = dict(_matched(usable, theirs))
    elsewhere = dict(_elsewhere(usable, theirs, places))
    numbers = {usable[number].section: number for number in elsewhere}
    for section, span in _spans(_cuts(usable, {**places, **elsewhere}), theirs, above):
        if section in numbers and not alike(section, span):
            del elsewhere[numbers[section]]
    cuts = _cuts(usable, {**places, **elsewhere})
    moved = {usable[number].section for number in elsewhere}

    spans = list(_spans(cuts, theirs, above))
    starts = {h.section: own[h.section] - above[h.section] for h, _ in cuts if h.present}
    ordered = sorted([*starts.values(), len(ours)])
    mine = {section: (at, ordered[ordered.index(at) + 1]) for section, at in starts.items()}
    head = (0, ordered[0]), (0, spans[0][1][0] if spans else len(theirs))
    before = dict(zip((section for section, _ in spans), ("", *(section for section, _ in spans)), strict=False))
    found = {heading.section for heading, _ in cuts}
    in_order = [heading.section for heading, _ in cuts if heading.present and heading.section not in moved]
    return Cut(
        pairs=(head, *((mine[section], span) for section, span in spans if section in mine)),
        extra=tuple((section, span) for section, span in spans if section not in mine),
        missing=frozenset(h.section for h in headings if h.present and not h.is_text and h.section not in found),
        moved={section: before[section] for section, _ in spans if section in moved},
        last=in_order[-1] if in_order else None,
        end=spans[-1][0] if spans and spans[-1][0] in mine else None,
    )


def matches(headings: Iterable[Heading], lines: Sequence[str]) -> tuple[int, int]:
    """How many of the predicted headings are in the text, and how many there are."""
    predicted = {heading.line for heading in headings if heading.present}
    return len(predicted & set(lines)), len(predicted)


_Cuts = list[tuple[Heading, int]]
"""Headings with their lines in the text, in the text's order."""


def _cuts(headings: Sequence[Heading], places: dict[int, int]) -> _Cuts:
    return sorted(((headings[number], at) for number, at in places.items()), key=lambda cut: cut[1])


def _spans(cuts: _Cuts, theirs: Sequence[str], above: Mapping[str, int]) -> Iterator[tuple[str, Range]]:
    """Each section's lines in the text: up to those of the next one."""
    starts = [_start(theirs, at, above.get(heading.section)) for heading, at in cuts]
    for (heading, _), span in zip(cuts, zip(starts, [*starts[1:], len(theirs)], strict=False), strict=False):
        yield heading.section, span


def _matched(headings: Sequence[Heading], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """As many headings as can be that are in the text in their order, by number, each with its line."""
    places: dict[str, list[int]] = {heading.line: [] for heading in headings}
    for at, line in enumerate(theirs):
        if line in places and len(places[line]) < _MOST:
            places[line].append(at)
    # Of one heading's lines the later ones come first, so that none of them rises behind another.
    found = [(number, at) for number, heading in enumerate(headings) for at in reversed(places[heading.line])]
    return [found[n] for n in rising([at for _, at in found])]


_MOST = 100
"""Lines of a text that may be one heading; more are not looked at."""


def _elsewhere(headings: Sequence[Heading], theirs: Sequence[str], places: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The predicted headings that are in the text once, and not in their order."""
    taken = set(places.values())
    lines: dict[str, list[int]] = {}
    for at, line in enumerate(theirs):
        if at not in taken:
            lines.setdefault(line, []).append(at)
    for number, heading in enumerate(headings):
        if heading.present and number not in places and len(found := lines.get(heading.line, [])) == 1:
            yield number, found[0]


def _above(ours: Sequence[tuple[str, str]], section: str, at: int) -> int:
    """How many lines of a section are above its heading at `at`: a rule, and blank lines."""
    start = at
    while start > 0 and ours[start - 1][0] == section and not ours[start - 1][1].strip(_RULE):
        start -= 1
    return at - start


def _start(lines: Sequence[str], at: int, most: int | None) -> int:
    """The first line of what begins with the heading at `at`.

    Blank lines and a rule above it are its own, as many as it has in the prediction; for one that is not predicted, the
    rule.
    """
    start = at
    while start > 0 and not lines[start - 1].strip(_RULE) and (most is None or at - start < most):
        start -= 1
    while most is None and not lines[start].strip():
        start += 1
    return start
