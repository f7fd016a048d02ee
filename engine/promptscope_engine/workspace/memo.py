"""What was made of the files that were read, kept until one of them is forgotten."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")
F = TypeVar("F")

_ALIKE = 8
"""Values that `same` keeps under one name: a what-if makes others, and the next assembly has the first one again."""


class _Value(Struct, frozen=True):
    """A computed value and the files read for it; None if it may depend on anything."""

    value: Any
    paths: frozenset[str] | None

    def survives(self, changed: Iterable[str]) -> bool:
        """Whether it is still true once these files hold something else."""
        return self.paths is not None and self.paths.isdisjoint(changed)


class Memo:
    """Values by key, by file, and by list of files. It never touches the disk."""

    def __init__(self) -> None:
        self._values: dict[Hashable, _Value] = {}
        self._of_file: dict[str, dict[object, Any]] = {}
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
        """`of_file` for many (path, key) pairs; `make` gets the pair's index and what `read` gives for its path."""
        self.note_read(path for path, _ in asked)
        values: list[T] = []
        for index, (path, key) in enumerate(asked):
            made = self._of_file.setdefault(path, {})
            if key not in made:
                made[key] = make(index, read(path))
            values.append(made[key])
        return tuple(values)

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
        for path in paths:
            self._of_file.pop(path, None)

    def forget_computed(self) -> None:
        """Drop every value by key; what was made of one file's content stays."""
        self._values.clear()

    def clear(self) -> None:
        """Drop everything but the values that `same` compares with."""
        self._values.clear()
        self._of_file.clear()
