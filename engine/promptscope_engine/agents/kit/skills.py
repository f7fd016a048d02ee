"""Skills that an agent lists by name and description: which of them its list has room for."""

from __future__ import annotations

from collections.abc import Iterable


def that_fit(costs: Iterable[int], room: int) -> list[bool]:
    """For each of the costs, in order, whether it is taken: one that is too large does not keep a later one out."""
    taken = []
    for cost in costs:
        taken.append(cost <= room)
        room -= cost if cost <= room else 0
    return taken
