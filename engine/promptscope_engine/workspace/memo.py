"""What was made of the files that were read, kept until one of them is forgotten."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
F = TypeVar("F")

MANY = 100
"""Files from which on the values made of each file are kept together."""
_KEPT_LISTS = 64
"""Lists of such values that are kept."""
_ALIKE = 8
"""Values that `same` keeps under one name: a what-if makes others, and the next assembly has the first one again."""


class _Value(Struct, frozen=True):
    """A computed value and the files read for it; None if it may depend on anything."""

    value: Any
    paths: frozenset[str] | None

    def survives(self, changed: Iterable[str]) -> bool:
        """Whether it is still true once these files hold something else."""
        return self.paths is not None and self.paths.isdisjoint(changed)


class _PerFile(Generic[F]):
    """What was made of each of many files, in the order they were asked for."""

    def __init__(self, asked: Sequence[tuple[str, object]]) -> None:
        self.asked = asked
        self.paths = frozenset(path for path, _ in asked)
        self.values: tuple[Any, ...] = (None,) * len(asked)
        self.changed: set[str] | None = None
        """The paths forgotten since the values were made; None before they are made."""

    def stale(self) -> list[int]:
        """The indices whose values have to be looked up."""
        changed = self.changed
        if changed is None:
            return list(range(len(self.asked)))
        return [index for index, (path, _) in enumerate(self.asked) if path in changed] if changed else []


class Memo:
    """Values by key, by file, and by list of files. It never touches the disk."""

    def __init__(self) -> None:
        self._values: dict[Hashable, _Value] = {}
        self._of_file: dict[str, dict[object, Any]] = {}
        self._of_many: dict[int, _PerFile[Any]] = {}
        """By the identity of the tuple that was asked for, which is kept with it."""
        self._same: dict[str, list[Any]] = {}
        self._readers: list[set[str] | None] = []
        """For each computation under way, the paths it has read; None if they don't count."""

    def note_read(self, paths: Iterable[str]) -> None:
        """The computation under way, if there is one, has read these files."""
        if self._readers and (reader := self._readers[-1]) is not None:
            reader.update(paths)

    def get(self, key: Hashable, compute: Callable[[], T], *, tracked: bool) -> T:
        """The value of a key, computed once. `tracked`: it depends only on the files that `compute` reads."""
        known = self._values.get(key)
        if known is None:
            self._readers.append(set() if tracked else None)
            try:
                value = compute()
            finally:
                paths = self._readers.pop()
            known = self._values[key] = _Value(value, None if paths is None else frozenset(paths))
        if known.paths is not None:
            self.note_read(known.paths)
        elif self._readers:
            self._readers[-1] = None
        found: T = known.value
        return found

    def of_file(self, path: str, key: object, make: Callable[[], T]) -> T:
        """The value that was made of one file's content under a key."""
        made = self._of_file.setdefault(path, {})
        if key not in made:
            made[key] = make()
        found: T = made[key]
        return found

    def of_each(
        self, asked: Sequence[tuple[str, object]], make: Callable[[int, F], T], read: Callable[[str], F]
    ) -> tuple[T, ...]:
        """`of_file` for many (path, key) pairs; `make` gets the index of the pair and what `read` gives for its path.

        If the same tuple was asked for before, only what was forgotten since is looked up.
        """
        many = self._of_many.get(id(asked)) or _PerFile(asked)
        self.note_read(many.paths)
        stale = many.stale()
        if stale or many.changed is None:
            values = list(many.values)
            for index in stale:
                path, key = asked[index]
                made = self._of_file.setdefault(path, {})
                if key not in made:
                    made[key] = make(index, read(path))
                values[index] = made[key]
            many.values, many.changed = tuple(values), set()
        if isinstance(asked, tuple) and len(asked) >= MANY:
            self._of_many[id(asked)] = many
            while len(self._of_many) > _KEPT_LISTS:
                del self._of_many[next(iter(self._of_many))]
        return many.values

    def same(self, name: str, value: T) -> T:
        """A value given earlier under this name that equals this one, else this one: equal values become one object."""
        kept = self._same.setdefault(name, [])
        for index, other in enumerate(kept):
            if other == value and repr(other) == repr(value):  # True is 1, but is not written so
                kept.insert(0, kept.pop(index))
                return kept[0]  # type: ignore[no-any-return]  # the name determines the type
        kept.insert(0, value)
        del kept[_ALIKE:]
        return value

    def forget(self, paths: Sequence[str]) -> None:
        """Drop what was made of these files, whose content alone has changed."""
        self._values = {key: value for key, value in self._values.items() if value.survives(paths)}
        self.forget_files(paths)

    def forget_files(self, paths: Sequence[str]) -> None:
        """Drop what was made of these files one by one."""
        for many in self._of_many.values():
            if many.changed is not None:
                many.changed |= many.paths.intersection(paths)
        for path in paths:
            self._of_file.pop(path, None)

    def forget_computed(self) -> None:
        """Drop every value by key; what was made of one file's content stays."""
        self._values.clear()

    def clear(self) -> None:
        """Drop everything but the values that `same` compares with."""
        self._values.clear()
        self._of_file.clear()
        self._of_many.clear()
