"""What is there to be named in a repository: its files, its folders, and what is near to what is not there."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from posixpath import dirname, join, normpath, splitext

from msgspec import Struct

from promptscope_engine.javascript.ignore import read_patterns, within_limits
from promptscope_engine.nearest import nearest
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList

from .references import MADE, is_placeholder

LIKE = 0.75
"""How like two names are, from 0 to 1, of which one is meant by the other."""

_MOST = 500
"""Names that one is compared with."""

_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""The files that an import names by what they are compiled to."""

_UP = re.compile(r"(?:\.{1,2}/)+")


class Names(Struct, frozen=True, dict=True):
    """The names of a repository's files and folders, relative to its root."""

    listing: FileList

    @cached_property
    def files(self) -> frozenset[str]:
        """All files of git's, or found by walking."""
        return frozenset(self.listing.files)

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that hold them."""
        found: set[str] = set()
        for file in self.listing.files:
            folder = dirname(file)
            while folder and folder not in found:
                found.add(folder)
                folder = dirname(folder)
        return frozenset(found)

    @cached_property
    def called(self) -> dict[str, list[str]]:
        """Files and folders by their last name."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in (*self.listing.files, *sorted(self.folders)):
            found[path.rpartition("/")[2]].append(path)
        return found

    @cached_property
    def inside(self) -> dict[str, list[str]]:
        """The names in each folder."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in (*self.listing.files, *sorted(self.folders)):
            folder, _, name = path.rpartition("/")
            found[folder].append(name)
        return found

    def nearest(self, place: str) -> str | None:
        """What is most likely meant: a like name in the same folder, or the same name elsewhere."""
        folder, _, name = place.rpartition("/")
        if close := nearest(name, self.inside.get(folder, ())[:_MOST], 1, cutoff=LIKE):
            return join(folder, close[0])
        same = self.called.get(name, [])[:_MOST]
        moved = same if len(same) == 1 else [path for path in same if _is_within(place.split("/"), path.split("/"))]
        return min(moved, key=len, default=None)


def _is_within(parts: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the parts are among the others, in their order."""
    rest = iter(others)
    return all(part in rest for part in parts)


class Repository(Struct, frozen=True):
    """The names, and the disk for what git ignores. `start`: the agent's folder below the root, "" for the root."""

    names: Names
    workspace: Workspace
    start: str = ""

    def missing(self, name: str, file: str, *, is_link: bool) -> str | None:
        """Where a path that a file names would be, relative to the root; None where it is there or may be.

        A link leads on from its file; other paths may be meant from any folder around it, and shortened in front.
        """
        folder, plain = dirname(file), _UP.sub("", name.rstrip("/"), count=1)
        bases = [folder, ""] if is_link else [*_with_parents(folder), self.start]
        places = [normpath(join(base, name)) for base in bases]
        if any(place.startswith("..") or self.is_there(place) for place in places):
            return None
        if is_link:
            return None if any(map(is_placeholder, plain.split("/"))) else places[0]
        if any(f"/{path}".endswith(f"/{plain}") for path in self.names.called.get(plain.rpartition("/")[2], ())):
            return None
        begins = plain.partition("/")[0]  # a path of this repository begins with one of its folders
        for base, place in zip(bases, places, strict=True):
            if place.count("/") and join(base, begins) in self.names.folders:
                return None if self._may_be_made(place) else place
        return None

    def is_there(self, place: str) -> bool:
        """Whether a path leads to a file or folder, ignored or not, or is what an import makes of a file's name."""
        stem, ending = splitext(place)
        if place in self.names.files or place in self.names.folders:
            return True
        if any(stem + other in self.names.files for other in _COMPILED.get(ending, ())):
            return True
        return self.workspace.kind(join(self.names.listing.root, place)) is not None

    def _may_be_made(self, place: str) -> bool:
        """Whether it is a placeholder, made by a tool, somebody's own, or ignored by git."""
        parts = place.split("/")
        there = next(n for n in range(len(parts)) if "/".join(parts[: n + 1]) not in self.names.folders)
        if any(map(is_placeholder, parts[there:])) or not MADE.isdisjoint(parts):
            return True
        if parts[0].startswith(".") and not self.names.nearest(place):
            return True
        return any(self.ignores("/".join(parts[:n]), "/".join(parts[n:])) for n in range(there + 1))

    def ignores(self, folder: str, rest: str) -> bool:
        """Whether the .gitignore of a folder hides a path below it."""
        file = join(folder, ".gitignore")
        if file not in self.names.files:
            return False
        lines, _ = within_limits(self.workspace.read(join(self.names.listing.root, file)).text.splitlines())
        patterns = read_patterns(lines, "git")
        return patterns.hides(rest) or patterns.hides(f"{rest}/")


def _with_parents(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""
