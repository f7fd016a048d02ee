"""Tells which of the files behind a prompt changed, while the app runs.

It watches every path that the workspace was asked for, found or not. Events only say where to look: what counts is
whether the content differs from what was read. What gets no watch, or is on a disk that other machines write to, is
checked every second, and the status says so.
"""

import json
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import from_system, to_system

from .mounts import shared_devices
from .plan import Plan, Unseen, looks_of, plan_of
from .rounds import Rounds
from .status import Polled, WatchStatus, Why

DEBOUNCE = 200
"""Milliseconds over which a burst of events is collected at most."""

STEP = 20
"""Milliseconds of silence that end a burst, and after which the thread looks whether it should end: a save is seen
after 21 ms, at rest it costs 0.2 % of a core."""

POLL_SECONDS = 1.0
"""How often what is not watched is checked."""

RETRY = 5
"""Every which of those rounds tries again to watch it."""

_RELEASE = 0.03
"""Seconds until closed watches no longer count: watchfiles gives them back in a thread of its own, after some 5 ms."""

_PATIENCE = 2.0
"""Seconds that the thread may take to end: a disk of another machine may not answer."""

_MOUNTS, _LIMITS = Path("/proc/self/mountinfo"), Path("/proc/sys/fs/inotify")

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
        self._plan = Plan()
        self._refused: dict[str, Exception] = {}
        self.seconds = POLL_SECONDS
        """Between two looks at what is not watched."""
        self._rounds = Rounds(self._plan, Unseen(), self.seconds)
        self._armed = self._over = False
        self._since = 0.0
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
            self._thread.join(_PATIENCE)

    # --- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._wake.clear()
                seen, shared = self._workspace.snapshot(), _shared()
                self._watch(plan_of(seen, looks_of(seen.asked, shared), shared))
            except BaseException as error:  # a thread that ended would look like one that sees no change
                self._tell(WatchStatus("off", 0, 0, failure=f"{type(error).__name__}: {error}"))
                self._stop.wait(RETRY * self.seconds)

    def _watch(self, plan: Plan) -> None:
        """Watch until the plan no longer fits, or the end."""
        self._plan, self._refused = plan, {}
        ordered = plan.ordered()
        while True:
            folders = [each for each in ordered if each not in self._refused]
            try:
                self._follow(folders)
                return
            # OSError: no watch for a folder. RuntimeError: watchfiles' own, for instances and what it does not know.
            except (OSError, RuntimeError, ImportError) as error:
                if not folders:
                    raise
                if self._armed and time.monotonic() - self._since > RETRY * self.seconds:
                    return  # it worked until now: set it up again
                self._refused |= dict.fromkeys(folders, error) if self._armed else _refused(folders, error)

    def _follow(self, folders: list[str]) -> None:
        """Watch these folders, and check what is in others."""
        self._armed = False
        with closing(self._batches(folders)) as batches:
            for paths in batches:
                if not self._plan.anchors.keys().isdisjoint(paths):
                    return
                self._compare(self._plan.touched(paths, self._workspace))
        if not self._over:
            raise RuntimeError("watchfiles stopped by itself")

    def _batches(self, folders: list[str]) -> Generator[set[str], None, None]:
        """The paths that changed together."""
        if not folders:
            while not self._is_over():
                self._wake.wait(self.seconds / 4)
            return
        try:
            with closing(_events(folders, self._is_over)) as events:
                yield from events
        finally:
            self._stop.wait(_RELEASE)

    def _is_over(self) -> bool:
        """Whether the watch should end; asked at every step, mostly with nothing to do."""
        if self._armed and not self._wake.is_set() and time.monotonic() < self._rounds.due:
            return False
        self._over = self._stop.is_set() or self._must_plan_again()
        return self._over

    def _must_plan_again(self) -> bool:
        """Do what is due, and say whether other folders are to be watched after it."""
        plan = self._plan
        if not self._armed:
            self._armed, self._since = True, time.monotonic()
            self._settle(plan)
            self._compare(plan.asked)  # what changed before the watch was set up
            return self._stop.is_set()
        if self._wake.is_set():
            self._wake.clear()
            self.follow_plan(plan)
            return self._plan.folders != plan.folders
        changed, is_moved = self._rounds.look()
        self._compare(changed)
        return is_moved or (self._rounds.number % RETRY == 0 and self._has_room())

    def follow_plan(self, plan: Plan) -> None:
        """Follow what was asked for since, and compare what looks different.

        What is saved while the app reads cannot be compared when the event comes. An event that comes while others are
        handed over is lost, so everything is looked at.
        """
        asked, directories = self._workspace.asked, self._workspace.directories
        looks = looks_of(asked, plan.shared)
        changed = {path for path, look in looks.items() if look != plan.looks.get(path)}
        if plan.covers(asked, directories, looks):
            plan.looks.update(looks)
        else:
            seen = self._workspace.snapshot()
            looks = {**looks_of(seen.asked - looks.keys(), plan.shared), **looks}
            self._plan = plan_of(seen, looks, plan.shared)
        if self._plan.folders == plan.folders:  # else all of them are compared when the new folders are watched
            self._settle(self._plan)
            self._compare(changed)

    def _settle(self, plan: Plan) -> None:
        """Say what is watched, and begin to check what is not."""
        shared = plan.on_shared()
        self._rounds = Rounds(plan, plan.unseen(self._refused.keys() | shared), self.seconds)
        watched = len(plan.folders - self._refused.keys())
        polled = tuple(_polled(plan, self._refused, shared))
        self._tell(WatchStatus("live" if watched else "polling", len(plan.files), len(plan.asked), watched, polled))

    def _has_room(self) -> bool:
        """Whether a folder that was refused a watch would get one now."""
        tried = (each for each, error in self._refused.items() if not isinstance(error, _ITS_OWN))
        folder = next(tried, None)
        if folder is None:
            return False
        try:
            return not list(_events([folder], lambda: True))
        except (OSError, RuntimeError, ImportError):
            return False

    def _compare(self, paths: Iterable[str]) -> None:
        paths = frozenset(paths)
        if not paths or self._stop.is_set():
            return
        changed = self._workspace.changed(paths)
        if changed and not self._stop.is_set():
            self._on_change(changed)

    def _tell(self, status: WatchStatus) -> None:
        if status != self._told and not self._stop.is_set():
            self._told = status
            self._on_status(status)


_ITS_OWN = (PermissionError, FileNotFoundError)
"""What is wrong with the folder that an error names; any other holds for all that come after it."""


def _refused(folders: list[str], error: Exception) -> dict[str, Exception]:
    """The folders that get no watch: the one that the error names, at a limit those after it too; all if it names none.

    watchfiles sets up watches in the order of the folders, and stops at the first that fails.
    """
    text = str(error)
    named = (at for at, each in enumerate(folders) if json.dumps(to_system(each), ensure_ascii=False) in text)
    at = next(named, None)
    if at is None:
        return dict.fromkeys(folders, error)
    return dict.fromkeys(folders[at : at + 1] if isinstance(error, _ITS_OWN) else folders[at:], error)


def _polled(plan: Plan, refused: dict[str, Exception], shared: set[str]) -> Generator[Polled, None, None]:
    """What is checked every second, by reason. Where nothing is yet, only what can be raised is worth a word."""
    groups: dict[Why, dict[str, Exception | None]] = {"limit": {}, "failure": {}, "unreadable": {}}
    reasons = {error: _why(error) for error in set(refused.values())}
    for folder, error in refused.items():
        if not isinstance(error, FileNotFoundError):  # it is gone, and so is what was in it
            groups[reasons[error]][folder] = error
    groups["shared"] = dict.fromkeys(sorted(shared - refused.keys()))
    counted: set[str] = set()
    for why, folders in groups.items():
        asked = set(plan.unseen(folders).asked) - counted
        counted |= asked
        if asked & plan.files or (asked and why in ("limit", "failure")):
            folder, first = next(iter(folders.items()))
            about = (_sysctl(first) or str(first)) if why in ("limit", "failure") else folder
            yield Polled(why, len(asked & plan.files), len(asked), about)


def _why(error: Exception) -> Why:
    if isinstance(error, PermissionError):
        return "unreadable"
    return "limit" if _sysctl(error) else "failure"


_SYSCTLS = {"file watch limit reached": ("max_user_watches", 524_288), "os error 24": ("max_user_instances", 1024)}
"""What an error says when a limit is reached: which, and what is enough for most."""


def _sysctl(error: Exception | None) -> str:
    """What raises the limit that an error is about; "" if it is about none, and on systems without such limits."""
    for words, (name, enough) in _SYSCTLS.items():
        if words in str(error):
            with suppress(OSError, ValueError):
                return f"fs.inotify.{name}={max(enough, 2 * int((_LIMITS / name).read_text()))}"
    return ""


def _shared() -> frozenset[int]:
    """The devices that other machines may write to; none on systems that don't list their mounts."""
    try:
        return shared_devices(_MOUNTS.read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError:
        return frozenset()


def _events(folders: list[str], is_over: Callable[[], bool]) -> Generator[set[str], None, None]:
    """The paths that changed together. Raises the errors of the first folder that can't be watched."""
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
        ignore_permission_denied=False,  # else it keeps quiet about any folder that it gets no watch for
    )
    with closing(changes):
        for batch in changes:
            yield {from_system(path) for _, path in batch}


class _Event(Struct, frozen=True):
    """What watchfiles takes for an event: something to ask."""

    is_set: Callable[[], bool]
