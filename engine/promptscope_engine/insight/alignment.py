"""Where a block's exact parts are in the text that was sent, so that what is between them is the agent's prose."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from msgspec import Struct

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
