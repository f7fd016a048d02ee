"""A prediction laid beside the text that was sent: cut at the same headings, or found by its exact parts."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf

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


MAX_STEPS = 1_000_000
"""Pairs of places that are weighed for one block; a text that would take more is given up."""

_MAX_PLACES = 4_000
"""Places of one exact part in a text."""

_SKIPPED = 2_000
"""What it costs to leave an exact part out, besides its length: as much as a stretch that is that much off."""
_MOST_SKIPPED = 3
_APART = 6
"""What a character costs between two exact parts that should be neighbours."""


class Item(Struct, frozen=True):
    """Exact text to be found, or (`text` None) prose that is expected to be `size` characters long."""

    text: str | None
    size: float = 0.0


def aligned(items: Sequence[Item], text: str) -> list[tuple[int, int] | None]:
    """The span of each item in the text; None for one whose place is not certain.

    The exact items are found in order such that the prose between them comes closest to its expected sizes. Prose is
    certain where both of its neighbours, or the text's ends, were found and nothing else is between them.
    """
    exact = [number for number, item in enumerate(items) if item.text]
    places = {number: _places(items[number].text or "", text) for number in exact}
    chain = _best([number for number in exact if places[number]], items, places, len(text))
    found: list[tuple[int, int] | None] = [None] * len(items)
    ends = [(-1, 0), *((number, at) for number, at in chain), (len(items), len(text))]
    for (number, at), (following, next_at) in pairwise(ends):
        size = len(items[number].text or "") if number >= 0 else 0
        if number >= 0:
            found[number] = (at, at + size)
        if number + 2 == following:  # one item of prose is between them
            found[number + 1] = (at + size, next_at)
    return found


def _places(part: str, text: str) -> list[int]:
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < _MAX_PLACES:
        found.append(at)
        at = text.find(part, at + 1)
    return found


class _Chains:
    """The cheapest chains of exact items at places: `costs` of each, and the state `before` it."""

    def __init__(self, exact: Sequence[int], items: Sequence[Item], places: dict[int, list[int]], length: int) -> None:
        self.items = items
        self.order = [-1, *exact, len(items)]  # the text's start is the first state
        self.places = [[0], *(places[number] for number in exact), [length]]
        self.costs: list[list[float]] = [[0.0], *([inf] * len(each) for each in self.places[1:])]
        self.before: dict[tuple[int, int], tuple[int, int]] = {}
        self.steps = 0

    def follow(self, i: int) -> bool:
        """Continue all chains that end with the item `i`. False once that takes too long."""
        order, items = self.order, self.items
        size = len(items[order[i]].text or "") if order[i] >= 0 else 0
        skipped = 0.0
        for j in range(i + 1, min(i + 2 + _MOST_SKIPPED, len(order))):
            between = items[order[i] + 1 : order[j]]
            expected = sum(item.size if item.text is None else len(item.text) for item in between)
            for n, (at, cost) in enumerate(zip(self.places[i], self.costs[i], strict=True)):
                if cost != inf and not self._extend(
                    (i, n), j, at + size, cost + skipped, expected if between else None
                ):
                    return False
            if order[j] < len(items):
                skipped += _SKIPPED + len(items[order[j]].text or "")
        return True

    def _extend(self, state: tuple[int, int], j: int, end: int, cost: float, expected: float | None) -> bool:
        """Try the places of the item `j` behind a state that ends at `end`; None is expected between neighbours."""
        apart, reach = (_APART, 400) if expected is None else (1, int(expected * 4 + 2_000))
        places, costs = self.places[j], self.costs[j]
        first, last = bisect_left(places, end), bisect_right(places, end + reach)
        self.steps += last - first
        if self.steps > MAX_STEPS:
            return False
        for k in range(first, last):
            total = cost + abs(places[k] - end - (expected or 0)) * apart
            if total < costs[k]:
                costs[k], self.before[j, k] = total, state
        return True

    def best(self) -> list[tuple[int, int]]:
        """The exact items and their places, in order, at the least cost."""
        if self.costs[-1][0] == inf:
            return []
        chain: list[tuple[int, int]] = []
        i, n = self.before[len(self.order) - 1, 0]
        while i > 0:
            chain.append((self.order[i], self.places[i][n]))
            i, n = self.before[i, n]
        return chain[::-1]


def _best(
    exact: Sequence[int], items: Sequence[Item], places: dict[int, list[int]], length: int
) -> list[tuple[int, int]]:
    """The exact items and their places, in order, at the least cost; an item may be left out."""
    chains = _Chains(exact, items, places, length)
    within = all(chains.follow(i) for i in range(len(chains.order) - 1))
    return chains.best() if within else []
