"""What was made of a gathered value, kept as long as the value lives.

An agent's materials are data and hold no caches; but a prompt may hold thousands of files, of which one was saved.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, TypeVar
from weakref import ref

K = TypeVar("K")
V = TypeVar("V")


class KeptWith(Generic[K, V]):
    """A value per object, by identity, and a detail under which it was made: only the last detail's is kept."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[ref[K], object, V]] = {}

    def get(self, item: K, detail: object, make: Callable[[], V]) -> V:
        """The value of an object, which is made now unless it was made under an equal detail."""
        kept = self._kept.get(id(item))
        if kept is not None and kept[0]() is item and kept[1] == detail:
            return kept[2]
        return self._keep(item, detail, make())

    def each(self, items: Iterable[K], detail: object, make: Callable[[K], V]) -> list[V]:
        """The same for each of thousands of objects."""
        known, found = self._kept, list[V]()
        for item in items:
            kept = known.get(id(item))
            if kept is not None and kept[0]() is item and kept[1] == detail:
                found.append(kept[2])
            else:
                found.append(self._keep(item, detail, make(item)))
        return found

    def _keep(self, item: K, detail: object, value: V) -> V:
        number = id(item)
        self._kept[number] = (ref(item, partial(self._forget, number)), detail, value)
        return value

    def _forget(self, number: int, gone: ref[K]) -> None:
        """The object is gone; another one may have its identity already."""
        kept = self._kept.get(number)
        if kept is not None and kept[0] is gone:
            del self._kept[number]
