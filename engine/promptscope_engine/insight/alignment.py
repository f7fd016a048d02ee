"""Where a block's exact parts stand in the text that was sent, so that what lies between them is the agent's prose."""

from __future__ import annotations

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
    certain where both of its neighbours, or the text's ends, were found and nothing else lies between them.
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
        if following - number == 2:
            found[number + 1] = (at + size, next_at)
    return found


def _places(part: str, text: str) -> list[int]:
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < _MAX_PLACES:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def _best(
    exact: Sequence[int], items: Sequence[Item], places: dict[int, list[int]], length: int
) -> list[tuple[int, int]]:
    """The exact items and their places, in order, at the least cost; an item may be left out."""
    # each state: (cost, the state before) of an exact item at a place; the text's start is the first
    order = [-1, *exact, len(items)]
    at_places = [[0], *(places[number] for number in exact), [length]]
    costs: list[list[float]] = [[0.0], *([inf] * len(each) for each in at_places[1:])]
    before: dict[tuple[int, int], tuple[int, int]] = {}
    steps = 0
    for i in range(len(order) - 1):
        size = len(items[order[i]].text or "") if order[i] >= 0 else 0
        skipped = 0.0
        for j in range(i + 1, min(i + 2 + _MOST_SKIPPED, len(order))):
            between = items[order[i] + 1 : order[j]]
            expected = sum(item.size if item.text is None else len(item.text) for item in between)
            apart = 1 if between else _APART
            reach = int(expected * 4 + 2_000 if between else 400)
            for n, (at, cost) in enumerate(zip(at_places[i], costs[i], strict=True)):
                if cost == inf:
                    continue
                end = at + size
                first, last = bisect_left(at_places[j], end), bisect_right(at_places[j], end + reach)
                steps += last - first
                if steps > MAX_STEPS:
                    return []
                for k in range(first, last):
                    total = cost + skipped + abs(at_places[j][k] - end - expected) * apart
                    if total < costs[j][k]:
                        costs[j][k], before[j, k] = total, (i, n)
            if order[j] < len(items):
                skipped += _SKIPPED + len(items[order[j]].text or "")
    if costs[-1][0] == inf:
        return []
    chain: list[tuple[int, int]] = []
    i, n = before[len(exact) + 1, 0]
    while i > 0:
        chain.append((order[i], at_places[i][n]))
        i, n = before[i, n]
    return chain[::-1]
