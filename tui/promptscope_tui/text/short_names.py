"""Names in little room, cut where they are alike: what tells two of them apart stays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

from rich.cells import cell_len, set_cell_size

from .escape import visible
from .spans import tail

ALSO = " = "
"""Between the names of one file."""

_BEGINNING = 4
"""Cells of the beginning of a path that are worth showing."""


class ShortNames:
    """Cuts paths that are shown together, all to one width."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names

    def cut(self, name: str, width: int) -> str:
        """The name in at most `width` cells, as indented as it was.

        Of a file with several names, those that fit and how many there are besides. Of a path, where it begins and how
        it ends, as far as no other one ends so; if that is too much, the beginning that no other one has.
        """
        name = visible(name)
        if cell_len(name) <= width:
            return name
        bare = name.lstrip(" ")
        indent = " " * min(len(name) - len(bare), max(width - 1, 0))
        first, *others = bare.split(ALSO)
        room = width - len(indent)
        return indent + (_with_others(first, others, room) if cell_len(first) <= room else self._path(first, room))

    def _path(self, path: str, room: int) -> str:
        most = room - 1
        apart = cell_len(path[len(path) - _same(path[::-1], self._backwards) - 1 :])
        if apart > most:
            start = _same(path, self._forwards)
            if cell_len(path[: start + 1]) <= most or room < _BEGINNING:
                return set_cell_size(path, max(most, 0)) + "…"
            return f"…{set_cell_size(path[start:], most - 1).rstrip()}…"
        named = cell_len(path[path.rfind("/", 0, max(len(path) - apart, 0)) + 1 :])
        usual = max(named, cell_len(path[path.rfind("/") :]), most * 2 // 3)
        with_beginning = (end for end in (usual, named) if end <= most - _BEGINNING)
        end = next(with_beginning, most if named <= most else max(apart, most // 3))
        return set_cell_size(path, most - end) + tail(path, end + 1)

    @cached_property
    def _firsts(self) -> set[str]:
        return {visible(name).strip(" ").split(ALSO)[0] for name in self._names}

    @cached_property
    def _forwards(self) -> list[str]:
        return sorted(self._firsts)

    @cached_property
    def _backwards(self) -> list[str]:
        return sorted(path[::-1] for path in self._firsts)


def _same(text: str, others: Sequence[str]) -> int:
    """How many characters at the beginning of a text some other one of these, which are sorted, has as well."""
    at = bisect_left(others, text)
    near = {others[n] for n in (at - 1, at, at + 1) if 0 <= n < len(others)} - {text}
    return max((_alike(text, other) for other in near), default=0)


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common at the beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _with_others(first: str, others: Sequence[str], room: int) -> str:
    """The first name, as many others as fit, and how many more there are."""
    shorter = (
        f"{ALSO.join([first, *others[:count]])}{ALSO}{len(others) - count} more"
        for count in range(len(others) - 1, -1, -1)
    )
    return next((text for text in shorter if cell_len(text) <= room), first)
