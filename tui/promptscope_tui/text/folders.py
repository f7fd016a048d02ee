"""Paths as a tree: a folder has those below it, and a folder with one file is part of that file's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from .short_names import ALSO

FEW = 10
"""Files of a folder up to which it is open until somebody folds it."""

_SKILL = "/SKILL.md"
"""How the path of a skill ends: it is known by its folder."""


class Leaf(Struct, frozen=True):
    """A file: its name below the folder around it, and its index among the paths."""

    label: str
    index: int


class Folder(Struct, frozen=True, dict=True):
    """A folder with at least two files below it; the root, whose path is "", may have fewer.

    `label` is its path below the folder around it. Entries are in the order in which the paths were given.
    """

    path: str
    label: str
    entries: tuple[Folder | Leaf, ...]

    @cached_property
    def indexes(self) -> tuple[int, ...]:
        """The indexes of all files below it."""
        return tuple(
            index
            for entry in self.entries
            for index in (entry.indexes if isinstance(entry, Folder) else (entry.index,))
        )

    @property
    def is_small(self) -> bool:
        """Whether it is open until somebody folds it."""
        return len(self.indexes) <= FEW


Choices = Mapping[str, bool]
"""By the path of a folder: whether somebody opened or folded it."""


class Entry(Struct, frozen=True):
    """A line of a tree: a folder or a file, how deep it is, and the folders around it, the outermost first."""

    node: Folder | Leaf
    around: tuple[Folder, ...]

    @property
    def depth(self) -> int:
        """How many folders are around it, without the root."""
        return len(self.around) - 1


def tree_of(paths: Iterable[tuple[int, str]]) -> Folder:
    """The tree of paths as a person reads them, each with its index: absolute, relative, or below `~`."""
    root: _Names = {}
    for index, path in paths:
        *folders, name = _parts(path)
        at = root
        for folder in folders:
            at = at.setdefault((folder, True), {})  # type: ignore[assignment]
        at.setdefault((name, False), []).append(index)  # type: ignore[union-attr]
    return Folder("", "", tuple(_entries("", root)))


def visible(folder: Folder, is_open: Callable[[Folder], bool], around: tuple[Folder, ...] = ()) -> Iterator[Entry]:
    """The lines of a tree in which some folders are open, without the root's own."""
    inside = (*around, folder)
    for node in folder.entries:
        yield Entry(node, inside)
        if isinstance(node, Folder) and is_open(node):
            yield from visible(node, is_open, inside)


_Names = dict[tuple[str, bool], "_Names | list[int]"]
"""What is in a folder, by its name and whether it is a folder: of a file the indexes of its paths."""


def _parts(path: str) -> list[str]:
    first, *rest = path.lstrip("/").split("/")
    return [f"/{first}" if path[:1] == "/" else first, *rest]


def _entries(base: str, names: _Names) -> Iterator[Folder | Leaf]:
    for (name, _), inner in names.items():
        label = name
        while isinstance(inner, dict) and len(inner) == 1:
            ((name, _), inner) = next(iter(inner.items()))
            label += f"/{name}"
        if isinstance(inner, dict):
            path = base + label
            yield Folder(path, label, tuple(_entries(f"{path}/", inner)))
        else:
            yield from (Leaf(label.removesuffix(_SKILL) or label, index) for index in inner)


# --- files with several names ----------------------------------------------------------------------------------------


class Labels:
    """What the lines of a tree say where files have several names: links, and what they lead to."""

    def __init__(self, names: Callable[[int], Sequence[str]]) -> None:
        """`names` gives those of a file by its index; the first one is its place in the tree."""
        self._names = names
        self._links: dict[str, list[str]] = {}

    def folder(self, folder: Folder, around: Sequence[Folder]) -> str:
        """A folder's name, how many files it has, and the folders that are the same, unless one around it says so."""
        count, known = len(folder.indexes), self._explained(folder.path, around)
        also = [f"{other}/" for other in self._others(folder) if other not in known]
        return ALSO.join([f"{folder.label}/  {count:,} {'file' if count == 1 else 'files'}", *also])

    def file(self, leaf: Leaf, around: Sequence[Folder]) -> str:
        """A file's name below a folder, and its other ones in few words, but for those that a folder explains."""
        name, *further = self._names(leaf.index)
        if not further:
            return leaf.label
        known, here = self._explained(name, around), name[: name.rfind("/") + 1]
        below = f"{around[-1].path}/"
        left = [other for other in further if other not in known]
        return ALSO.join(
            [leaf.label, *(other.removeprefix(here if other.startswith(here) else below) for other in left)]
        )

    def _explained(self, path: str, around: Sequence[Folder]) -> set[str]:
        """The other paths that follow from the folders around it."""
        return {other + path[len(folder.path) :] for folder in around[1:] for other in self._others(folder)}

    def _others(self, folder: Folder) -> list[str]:
        """The other folders in which all of its files are: it, or one around it, is a link."""
        if folder.path not in self._links:
            others: set[str] | None = None
            for index in folder.indexes:
                name, *further = self._names(index)
                below = name[len(folder.path) :]
                found = {each.removesuffix(below) for each in further if each.endswith(below)}
                others = found if others is None else others & found
                if not others:
                    break
            self._links[folder.path] = sorted(others or ())
        return self._links[folder.path]


def dearest_first(folder: Folder, cost: Callable[[int], int]) -> Folder:
    """The tree with what costs most first in each folder; `cost` is that of a file by its index."""

    def of(node: Folder | Leaf) -> int:
        return sum(map(cost, node.indexes)) if isinstance(node, Folder) else cost(node.index)

    inner = [dearest_first(node, cost) if isinstance(node, Folder) else node for node in folder.entries]
    return Folder(folder.path, folder.label, tuple(sorted(inner, key=of, reverse=True)))
