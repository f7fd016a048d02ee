"""Tells which of the files behind a prompt changed, while the app runs.

It watches every path that the workspace was asked for, found or not. Events only say where to look: what counts is
whether the content differs from what was read. If the system has no watches left, the known files are checked every
second, and the status says so.
"""

import stat
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk
from promptscope_engine.workspace.paths import from_system, path_in, to_system

DEBOUNCE = 200
"""Milliseconds over which a burst of events is collected at most."""

STEP = 20
"""Milliseconds of silence that end a burst, and after which the thread looks whether it should end: a save is seen
after 21 ms, at rest it costs 0.2 % of a core."""

POLL_SECONDS = 1.0
"""How often the known files are checked if watching fails."""

_FEW = 10
"""Names of a listed folder that are looked at one by one; for more of them it is listed again."""

_MOST_LINKS = 40  # as many as the kernel follows
_MOST_ATTEMPTS = 3  # a folder may vanish while the watch is set up


class WatchStatus(Struct, frozen=True):
    """How changes are noticed: `live`, `polling` (every second) or `off` (reload by hand).

    `places` counts the paths that were asked for, `files` those that exist as files.
    """

    state: Literal["live", "polling", "off"]
    files: int
    places: int
    detail: str = ""


_DISK = RealDisk()

Look = tuple[int, int, int, int] | None
"""What differs when a file may have changed: mode, time, size and inode; None if there is none."""

Looks = dict[str, tuple[Look, Look]]
"""By path: the look of what is there, and of what it leads to."""


@dataclass(slots=True)
class _Plan:
    """What to watch for a set of asked paths."""

    asked: frozenset[str] = frozenset()
    listed_folders: frozenset[str] = frozenset()

    looks: Looks = field(default_factory=dict)
    """How the asked paths looked before the plan was made, or at the last update since."""

    folders: set[str] = field(default_factory=set)
    """Existing folders, each watched by itself."""

    anchors: set[str] = field(default_factory=set)
    """Names on which the plan depends: watched folders, links, missing folders. If one changes, plan again."""

    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By the name that an event may have: the asked paths it is about, through links."""

    listed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The same for directories whose entries matter."""

    files: int = 0

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


OnChange = Callable[[frozenset[str]], None]
OnStatus = Callable[[WatchStatus], None]
WatcherFactory = Callable[[Workspace, OnChange, OnStatus], "Watcher"]


class Watcher:
    """Watches what a workspace was asked for, in a thread of its own, from which the callbacks come.

    `on_change` gets the asked paths that differ on disk from what was read; the app forgets them, assembles again and
    calls `update`. A change is reported again until it is read.
    """

    def __init__(self, workspace: Workspace, on_change: OnChange, on_status: OnStatus) -> None:
        self._workspace, self._on_change, self._on_status = workspace, on_change, on_status
        self._told: WatchStatus | None = None
        self._plan = _Plan()
        self._armed = False
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="promptscope-watcher", daemon=True)

    def start(self) -> None:
        """Begin to watch. Call it once, when the first assembly is made."""
        self._thread.start()

    def update(self) -> None:
        """Follow what the latest assembly asked for. Returns at once; safe from any thread."""
        self._wake.set()

    def stop(self) -> None:
        """End the thread and wait for it (a step). No callback comes after this returns."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    # --- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            attempts = 0
            while not self._stop.is_set():
                self._wake.clear()
                seen = self._workspace.snapshot()
                plan = plan_of(seen, _looks(seen.asked))
                try:
                    self._watch(plan)
                    attempts = 0
                except FileNotFoundError as error:
                    attempts += 1
                    if attempts == _MOST_ATTEMPTS:
                        attempts = 0
                        self._poll(plan, error)
                # OSError: no watches left. RuntimeError: watchfiles' own, for instances and what it does not know.
                except (OSError, RuntimeError, ImportError) as error:
                    self._poll(plan, error)
        except Exception as error:
            self._tell("off", _Plan(), f"{type(error).__name__}: {error}")

    def _watch(self, plan: _Plan) -> None:
        """Watch until the plan no longer fits, or the end."""
        self._plan, self._armed = plan, False
        with closing(_batches(sorted(plan.folders), self._is_over)) as batches:
            for paths in batches:
                if paths & self._plan.anchors:
                    return
                self._compare(self._plan.touched(paths, self._workspace))

    def _is_over(self) -> bool:
        """Whether the watch should end; asked at every step."""
        if self._stop.is_set():
            return True
        plan = self._plan
        if not self._armed:
            self._armed = True
            self._tell("live", plan, f"{len(plan.folders)} folders")
            self._compare(plan.asked)  # what changed before the watch was set up
        if self._wake.is_set():
            self._wake.clear()
            self.follow_plan(plan)
            return self._plan.folders != plan.folders
        return False

    def follow_plan(self, plan: _Plan) -> None:
        """Follow what was asked for since, and compare what looks different.

        What is saved while the app reads cannot be compared when the event comes. An event that comes while others are
        handed over is lost, so everything is looked at.
        """
        asked, directories = self._workspace.asked, self._workspace.directories
        looks = _looks(asked)
        changed = {path for path, look in looks.items() if look != plan.looks.get(path)}
        if plan.covers(asked, directories, looks):
            plan.looks.update(looks)
        else:
            seen = self._workspace.snapshot()
            self._plan = plan_of(seen, {**_looks(seen.asked - looks.keys()), **looks})
        if self._plan.folders == plan.folders:  # else all of them are compared when the new folders are watched
            self._tell("live", self._plan, f"{len(plan.folders)} folders")
            self._compare(changed)

    def _poll(self, plan: _Plan, error: Exception) -> None:
        """Check the known files every second, until `update` or `stop`."""
        self._tell("polling", plan, f"checking every second: {error}")
        before = plan.looks
        self._compare(plan.asked)
        while not self._wake.wait(POLL_SECONDS):
            now = _looks(plan.asked)
            self._compare({path for path in plan.asked if now[path] != before[path]})
            before = now

    def _compare(self, paths: Iterable[str]) -> None:
        paths = frozenset(paths)
        if not paths or self._stop.is_set():
            return
        changed = self._workspace.changed(paths)
        if changed and not self._stop.is_set():
            self._on_change(changed)

    def _tell(self, state: Literal["live", "polling", "off"], plan: _Plan, detail: str) -> None:
        status = WatchStatus(state, plan.files, len(plan.asked), detail)
        if status != self._told and not self._stop.is_set():
            self._told = status
            self._on_status(status)


def _batches(folders: list[str], is_over: Callable[[], bool]) -> Generator[set[str], None, None]:
    """The paths that changed together."""
    from watchfiles import watch  # 31 ms: after the first frame

    changes = watch(
        *map(to_system, folders),
        watch_filter=None,
        debounce=DEBOUNCE,
        step=STEP,
        stop_event=_Event(is_over),
        rust_timeout=0,
        raise_interrupt=False,
        force_polling=False,
        recursive=False,
        ignore_permission_denied=True,
    )
    with closing(changes):
        for batch in changes:
            yield {from_system(path) for _, path in batch}


class _Event(Struct, frozen=True):
    """What watchfiles takes for an event: something to ask."""

    is_set: Callable[[], bool]


def plan_of(seen: Workspace, looks: Looks) -> _Plan:
    """The folders to watch and what their events mean. Nothing is read."""
    plan = _Plan(seen.asked, seen.directories, looks)
    kinds: dict[str, int | None] = {}
    for path in plan.asked:
        way = _way(path, kinds)
        for name in way.names:
            plan.names[name].add(path)
            parent = _folder_of(name)
            if parent not in plan.folders:
                _watch_upwards(parent, plan, kinds)
        if path in seen.directories:
            end = way.names[-1]
            for name in way.names:
                plan.listed[name].add(path)
            if _is(stat.S_ISDIR, end, kinds):
                _watch_upwards(end, plan, kinds)
        plan.anchors |= way.links
        if _is(stat.S_ISREG, way.names[-1], kinds):
            plan.files += 1
    return plan


def _watch_upwards(folder: str, plan: _Plan, kinds: dict[str, int | None]) -> None:
    """Watch a folder and all above it: when one of them is moved, no event comes from below."""
    for each in (folder, *map(str, PurePosixPath(folder).parents)):
        if each in plan.anchors and each in plan.folders:
            return
        plan.anchors.add(each)
        if _is(stat.S_ISDIR, each, kinds):
            plan.folders.add(each)


class _Way(Struct, frozen=True):
    """How a path resolves: its name, then its name behind each link; and the links."""

    names: list[str]
    links: set[str]


def _way(path: str, kinds: dict[str, int | None]) -> _Way:
    way = _Way([path], set())
    for _ in range(_MOST_LINKS):
        here = way.names[-1]
        around = map(str, reversed(PurePosixPath(here).parents))
        link = next((path for path in (*around, here) if _is(stat.S_ISLNK, path, kinds)), None)
        if link is None:
            break
        try:
            target = _DISK.readlink(link)
        except OSError:
            break
        way.links.add(link)
        way.names.append(path_in(path_in(_folder_of(link), target), f".{here[len(link) :]}"))
    return way


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _is(kind: Callable[[int], bool], path: str, kinds: dict[str, int | None]) -> bool:
    """Whether the path itself, not its target, is of a kind; checked once for each path of a plan."""
    if path not in kinds:
        look = look_at(path, follow=False)
        kinds[path] = look[0] if look else None
    mode = kinds[path]
    return mode is not None and kind(mode)


def _looks(paths: Iterable[str]) -> Looks:
    return {path: (look_at(path, follow=False), look_at(path, follow=True)) for path in paths}


def _kind(look: Look) -> int | None:
    return stat.S_IFMT(look[0]) if look else None


def look_at(path: str, *, follow: bool) -> Look:
    """How a path looks now."""
    try:
        found = _DISK.stat(path) if follow else _DISK.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_mode, found.st_mtime_ns, found.st_size, found.st_ino
