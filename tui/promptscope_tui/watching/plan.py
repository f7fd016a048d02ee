"""What to watch for the paths that a workspace was asked for, and what an event there is about."""

import os
import stat
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from msgspec import Struct

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk
from promptscope_engine.workspace.paths import path_in

_FEW = 10
"""Names of a listed folder that are looked at one by one; for more of them it is listed again."""

_MOST_LINKS = 40  # as many as the kernel follows

_DISK = RealDisk()

Look = tuple[int, int, int, int] | None
"""What differs when a file may have changed: mode, time, size and inode; None if there is none."""

Looks = dict[str, tuple[Look, Look]]
"""By path: the look of what is there, and of what it leads to."""

Place = tuple[int, int, int] | None
"""What differs when a folder or a link may be another one: mode, device and inode; None if there is none."""


class Unseen(Struct, frozen=True):
    """What no event reports: asked paths, and names on which the plan depends."""

    asked: Collection[str] = ()
    anchors: Collection[str] = ()


@dataclass(slots=True)
class Plan:
    """What to watch for a set of asked paths."""

    asked: frozenset[str] = frozenset()
    listed_folders: frozenset[str] = frozenset()

    shared: frozenset[int] = frozenset()
    """The devices that other machines may write to."""

    looks: Looks = field(default_factory=dict)
    """How the asked paths looked before the plan was made, or at the last update since."""

    folders: set[str] = field(default_factory=set)
    """Existing folders, each watched by itself. No link leads to one: the kernel knows a folder by one name."""

    anchors: dict[str, Place] = field(default_factory=dict)
    """Names on which the plan depends: watched folders, links, missing folders. If one changes, plan again."""

    inside: dict[str, str] = field(default_factory=dict)
    """By asked path: the folder in which it is, or would be, behind all links."""

    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By the name behind all links, which an event has: the asked paths that lead there."""

    listed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The same for directories whose entries matter."""

    files: set[str] = field(default_factory=set)
    """The asked paths that lead to a file."""

    def covers(self, asked: frozenset[str], directories: frozenset[str], looks: Looks) -> bool:
        """Whether it still serves: nothing more was asked for, and each path that was looked at is what it was.

        What is not asked for any more is being read again.
        """
        if not (asked <= self.asked and directories <= self.listed_folders):
            return False
        return all(list(map(_kind, look)) == list(map(_kind, self.looks[path])) for path, look in looks.items())

    def touched(self, paths: Collection[str], seen: Workspace) -> set[str]:
        """The asked paths that events with these paths may have changed. A file that is saved is listed as before."""
        found: set[str] = set()
        for path in paths:
            found |= self.names.get(path, set())
            name = path.rpartition("/")[2]
            listed = self.listed.get(_folder_of(path), set()) - found
            found.update(each for each in listed if len(paths) > _FEW or not seen.still_lists(each, name))
        return found

    def ordered(self) -> list[str]:
        """The folders, those that hold something first: there may not be a watch for each."""
        full = {self.inside[path] for path in self.files}
        return sorted(self.folders, key=lambda folder: (folder not in full and folder not in self.listed, folder))

    def on_shared(self) -> set[str]:
        """The folders that other machines may write to."""
        places = ((folder, self.anchors[folder]) for folder in self.folders) if self.shared else ()
        return {folder for folder, place in places if place and place[1] in self.shared}

    def unseen(self, folders: Collection[str]) -> Unseen:
        """What no event reports if none reports what happens in these folders."""
        listed = (asked for folder, asked in self.listed.items() if folder in folders)
        return Unseen(
            {path for path, folder in self.inside.items() if folder in folders}.union(*listed),
            [anchor for anchor in self.anchors if anchor in folders or _folder_of(anchor) in folders],
        )


def plan_of(seen: Workspace, looks: Looks, shared: frozenset[int]) -> Plan:
    """The folders to watch and what their events mean. Nothing is read.

    `shared` are the devices that other machines may write to.
    """
    plan = Plan(seen.asked, seen.directories, shared, looks)
    places = _Places(shared)
    for path in plan.asked:
        way = _way(path, places)
        for name in (*way.links, way.end):
            parent = _folder_of(name)
            if parent not in plan.folders:
                _watch_upwards(parent, plan, places)
        plan.names[way.end].add(path)
        plan.inside[path] = _folder_of(way.end)
        if path in seen.directories:
            plan.listed[way.end].add(path)
            if places.are(stat.S_ISDIR, way.end):
                _watch_upwards(way.end, plan, places)
        plan.anchors.update((link, places[link]) for link in way.links)
        if places.are(stat.S_ISREG, way.end):
            plan.files.add(path)
    return plan


class _Places(dict[str, Place]):
    """What is where, looked up once for each path of a plan."""

    def __init__(self, shared: frozenset[int]) -> None:
        super().__init__()
        self._shared = shared

    def __missing__(self, path: str) -> Place:
        self[path] = place_of(path, self._shared)
        return self[path]

    def are(self, kind: Callable[[int], bool], path: str) -> bool:
        """Whether the path itself, not its target, is of a kind."""
        place = self[path]
        return place is not None and kind(place[0])


def _watch_upwards(folder: str, plan: Plan, places: _Places) -> None:
    """Watch a folder and all above it: when one of them is moved, no event comes from below."""
    for each in (folder, *map(str, PurePosixPath(folder).parents)):
        if each in plan.folders:
            return
        plan.anchors[each] = places[each]
        if places.are(stat.S_ISDIR, each):
            plan.folders.add(each)


class _Way(Struct, frozen=True):
    """How a path resolves: the links on the way, and its name behind all of them."""

    links: list[str]
    end: str


def _way(path: str, places: _Places) -> _Way:
    links: list[str] = []
    while len(links) < _MOST_LINKS:
        around = map(str, reversed(PurePosixPath(path).parents))
        link = next((each for each in (*around, path) if places.are(stat.S_ISLNK, each)), None)
        if link is None:
            break
        try:
            target = _DISK.readlink(link)
        except OSError:
            break
        links.append(link)
        path = path_in(path_in(_folder_of(link), target), f".{path[len(link) :]}")
    return _Way(links, path)


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _kind(look: Look) -> int | None:
    return stat.S_IFMT(look[0]) if look else None


def place_of(path: str, shared: frozenset[int]) -> Place:
    """What is at a path now, links not followed."""
    return place_and_time(path, shared)[0]


def place_and_time(path: str, shared: frozenset[int]) -> tuple[Place, int]:
    """What is at a path now, links not followed, and when it last changed, in nanoseconds."""
    found = _stat(_DISK.lstat, path)
    return ((found.st_mode, found.st_dev, _inode(found, shared)), found.st_mtime_ns) if found else (None, 0)


def looks_of(paths: Iterable[str], shared: frozenset[int]) -> Looks:
    """How paths look now."""
    found = {}
    for path in paths:
        here = there = _look(_DISK.lstat, path, shared)
        if here is not None and stat.S_ISLNK(here[0]):
            there = _look(_DISK.stat, path, shared)
        found[path] = here, there
    return found


def _look(how: Callable[[str], os.stat_result], path: str, shared: frozenset[int]) -> Look:
    found = _stat(how, path)
    return (found.st_mode, found.st_mtime_ns, found.st_size, _inode(found, shared)) if found else None


def _stat(how: Callable[[str], os.stat_result], path: str) -> os.stat_result | None:
    try:
        return how(path)
    except (OSError, ValueError):
        return None


def _inode(found: os.stat_result, shared: frozenset[int]) -> int:
    """The inode; 0 where a file has another one now and then, as with sshfs."""
    return 0 if found.st_dev in shared else found.st_ino
