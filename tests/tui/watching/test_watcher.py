"""The watcher on real files: whatever way a file changes, the asked path is named; nothing waits by the clock."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import watchfiles
from tests.tui.support.capabilities import reading_as_anyone
from watchfiles._rust_notify import WatchfilesRustInternalError

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk
from promptscope_tui.watching import rounds as rounds_module
from promptscope_tui.watching import watcher as watcher_module
from promptscope_tui.watching.status import WatchStatus
from promptscope_tui.watching.watcher import Watcher

PATIENCE = 60.0
"""Seconds after which an event that did not come is a failure; they come within 0.3."""


class HoldingDisk(RealDisk):
    """A disk that can hold a file as it was: what a read that a save overtakes comes back with."""

    def __init__(self) -> None:
        self.held: dict[str, tuple[os.stat_result, bytes]] = {}

    def hold(self, path: str) -> None:
        self.held[path] = self.lstat(path), self.read(path, 1000)

    def lstat(self, path: str) -> os.stat_result:
        return self.held[path][0] if path in self.held else super().lstat(path)

    def stat(self, path: str) -> os.stat_result:
        return self.held[path][0] if path in self.held else super().stat(path)

    def read(self, path: str, limit: int) -> bytes:
        return self.held[path][1] if path in self.held else super().read(path, limit)


class Room:
    """A workspace with a watcher, and what it said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.disk = HoldingDisk()
        self.workspace = Workspace(self.disk)
        self.workspace.allow([str(folder)])
        self.told = threading.Condition()
        self.changes: set[str] = set()
        self.statuses: list[WatchStatus] = []
        self.watcher = Watcher(self.workspace, self._changed, self._status)

    def _changed(self, paths: frozenset[str]) -> None:
        with self.told:
            self.changes |= paths
            self.told.notify_all()

    def _status(self, status: WatchStatus) -> None:
        with self.told:
            self.statuses.append(status)
            self.told.notify_all()

    def until(self, holds: Callable[[], bool]) -> None:
        with self.told:
            assert self.told.wait_for(holds, PATIENCE), (self.changes, self.statuses)

    def read(self, *names: str) -> None:
        for name in names:
            self.workspace.read(self.path(name))

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def watch(self, state: str = "live") -> None:
        self.watcher.start()
        self.until(lambda: bool(self.statuses) and self.statuses[-1].state == state)

    def expect(self, *names: str) -> None:
        """Wait until all of these changed, then read them as the app would."""
        wanted = {self.path(name) for name in names}
        self.until(lambda: wanted <= self.changes)
        self.workspace.forget(wanted)
        self.read(*names)
        self.changes.clear()
        self.watcher.update()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path.resolve())
    yield made
    made.watcher.stop()
    assert "promptscope-watcher" not in {thread.name for thread in threading.enumerate()}


@pytest.fixture
def without_root() -> Iterator[None]:
    """Read only what the modes of files allow."""
    with reading_as_anyone():
        yield


def test_a_write_is_named(room: Room) -> None:
    (room.folder / "AGENTS.md").write_text("one")
    room.read("AGENTS.md", "missing.md")
    room.watch()
    assert room.statuses[-1].files == 1
    (room.folder / "AGENTS.md").write_text("two")
    room.expect("AGENTS.md")
    (room.folder / "AGENTS.md").write_text("three")
    room.expect("AGENTS.md")


def test_atomic_saves_one_after_the_other(room: Room) -> None:
    target = room.folder / "CLAUDE.md"
    target.write_text("0")
    room.read("CLAUDE.md")
    room.watch()
    for number in range(1, 4):
        draft = room.folder / f".CLAUDE.md.{number}.tmp"
        draft.write_text(str(number))
        draft.replace(target)
        room.expect("CLAUDE.md")
        assert room.workspace.read(str(target)).text == str(number)


def test_what_was_touched_but_not_changed_is_not_named(room: Room) -> None:
    (room.folder / "same.md").write_text("same")
    (room.folder / "other.md").write_text("other")
    room.read("same.md", "other.md")
    room.watch()
    (room.folder / "draft").write_text("same")
    (room.folder / "draft").replace(room.folder / "same.md")
    (room.folder / "unasked.md").write_text("nobody asked")
    (room.folder / "other.md").write_text("changed")
    room.until(lambda: bool(room.changes))
    assert room.changes == {room.path("other.md")}


def test_a_missing_file_appears_in_a_parent_folder(room: Room) -> None:
    package = room.folder / "packages" / "shop"
    package.mkdir(parents=True)
    room.read("packages/shop/CLAUDE.md", "packages/CLAUDE.md", "CLAUDE.md")
    room.watch()
    (room.folder / "packages" / "CLAUDE.md").write_text("for all packages")
    room.expect("packages/CLAUDE.md")


def test_a_missing_folder_appears_with_its_files(room: Room) -> None:
    room.read(".roo/rules/deep/a.md")
    room.workspace.list(room.path(".roo/rules"))
    room.watch()
    (room.folder / ".roo" / "rules" / "deep").mkdir(parents=True)
    (room.folder / ".roo" / "rules" / "deep" / "a.md").write_text("rule")
    room.expect(".roo/rules/deep/a.md")


def test_a_new_name_in_a_listed_folder(room: Room) -> None:
    rules = room.folder / "rules"
    rules.mkdir()
    room.workspace.list(str(rules))
    room.watch()
    (rules / "b.md").write_text("new")
    room.until(lambda: str(rules) in room.changes)


def test_a_save_does_not_list_the_folder_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[str] = []
    scan = room.disk.scan
    monkeypatch.setattr(room.disk, "scan", lambda path: listed.append(path) or scan(path))
    (room.folder / "a.md").write_text("one")
    room.read("a.md")
    room.workspace.list(str(room.folder))
    room.watch()
    room.until(lambda: len(room.statuses) > 0)
    (room.folder / "a.md").write_text("two")
    room.expect("a.md")
    before = len(listed)
    draft = room.folder / ".a.tmp"
    draft.write_text("three")
    draft.replace(room.folder / "a.md")
    room.expect("a.md")
    (room.folder / "a.md").write_text("four")
    room.until(lambda: room.path("a.md") in room.changes)
    assert str(room.folder) not in room.changes
    assert len(listed) <= before + 1, "at most for the draft, while that stood there"


def test_a_folder_is_deleted_and_made_again(room: Room) -> None:
    rules = room.folder / "rules"
    rules.mkdir()
    (rules / "a.md").write_text("one")
    room.read("rules/a.md")
    room.watch()
    shutil.rmtree(rules)
    room.expect("rules/a.md")
    rules.mkdir()
    (rules / "a.md").write_text("two")
    room.expect("rules/a.md")
    (rules / "a.md").write_text("three")
    room.expect("rules/a.md")


def test_a_folder_far_above_is_moved_away_and_back(room: Room) -> None:
    deep = room.folder / "a" / "b" / "c"
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("x")
    room.read("a/b/c/x.md")
    room.watch()
    (room.folder / "a").rename(room.folder / "z")
    room.expect("a/b/c/x.md")
    (room.folder / "z").rename(room.folder / "a")
    room.expect("a/b/c/x.md")


def test_a_link_is_retargeted(room: Room) -> None:
    for name in ("one", "two"):
        (room.folder / name).mkdir()
        (room.folder / name / "rules.md").write_text(name)
    link = room.folder / "current"
    link.symlink_to("one")
    (room.folder / "AGENTS.md").symlink_to("current/rules.md")
    room.read("AGENTS.md")
    room.watch()
    (room.folder / "new").symlink_to("two")
    (room.folder / "new").replace(link)
    room.expect("AGENTS.md")
    assert room.workspace.read(room.path("AGENTS.md")).text == "two"


def test_the_file_behind_a_link_is_written(room: Room) -> None:
    elsewhere = room.folder / "dotfiles"
    elsewhere.mkdir()
    (elsewhere / "rules.md").write_text("one")
    (room.folder / "w").mkdir()
    (room.folder / "w" / "AGENTS.md").symlink_to(elsewhere / "rules.md")
    room.read("w/AGENTS.md")
    room.watch()
    (elsewhere / "rules.md").write_text("two")
    room.expect("w/AGENTS.md")


def test_a_link_comes_where_nothing_was(room: Room) -> None:
    (room.folder / "docs").mkdir()
    (room.folder / "docs" / "style.md").write_text("one")
    room.read("AGENTS.md")
    room.watch()
    (room.folder / "AGENTS.md").symlink_to("docs/style.md")
    room.expect("AGENTS.md")
    room.until(lambda: room.statuses[-1].files == 1)
    (room.folder / "docs" / "style.md").write_text("two")
    room.expect("AGENTS.md")


def test_a_listed_folder_is_made_and_then_filled(room: Room) -> None:
    rules = room.folder / "rules"
    room.workspace.list(str(rules))
    room.watch()
    for step in (rules.mkdir, (rules / "a.md").touch, (rules / "b.md").touch):
        step()
        room.until(lambda: str(rules) in room.changes)
        room.workspace.forget([str(rules)])
        room.workspace.list(str(rules))
        room.changes.clear()
        folders = room.statuses[-1].folders
        room.watcher.update()
        if step == rules.mkdir:
            room.until(lambda folders=folders: room.statuses[-1].folders > folders)  # type: ignore[misc]


def test_what_changed_before_the_watch_was_set_up(room: Room) -> None:
    (room.folder / "a.md").write_text("one")
    room.read("a.md")
    (room.folder / "a.md").write_text("two")
    room.watch()
    room.expect("a.md")


def test_update_follows_new_questions(room: Room) -> None:
    (room.folder / "a").mkdir()
    (room.folder / "a" / "x.md").write_text("x")
    room.read("other.md")
    room.watch()
    room.read("a/x.md")
    room.watcher.update()
    room.until(lambda: room.statuses[-1].files == 1)
    (room.folder / "a" / "x.md").write_text("y")
    room.expect("a/x.md")


def test_a_save_while_the_app_was_reading_is_not_lost(room: Room) -> None:
    path = room.path("a.md")
    Path(path).write_text("one")
    room.read("a.md", "b.md")
    room.watch()
    Path(room.path("b.md")).write_text("once")
    room.expect("b.md")  # the first look at everything is over
    room.workspace.forget([path])
    room.disk.hold(path)
    Path(path).write_text("two")
    Path(room.path("b.md")).write_text("twice")
    room.until(lambda: room.path("b.md") in room.changes)  # by now the event of a.md has come and gone
    assert path not in room.changes
    room.read("c.md", "d.md")
    room.watcher.update()  # about something else, while it is read still
    room.until(lambda: room.statuses[-1].places == 3)
    assert room.workspace.read(path).text == "one"
    room.disk.held.clear()
    room.watcher.update()
    room.until(lambda: path in room.changes)


def test_an_event_that_never_came_is_made_up_for_at_the_next_update(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(*_: Any, stop_event: Any, **__: Any) -> Iterator[Any]:
        while not stop_event.is_set():
            asked.release()
        yield from ()

    asked = threading.Semaphore(0)
    monkeypatch.setattr(watchfiles, "watch", deaf)
    (room.folder / "a.md").write_text("one")
    room.read("a.md")
    room.watch()
    asked.acquire()  # the first look at everything is over
    (room.folder / "a.md").write_text("two")
    room.watcher.update()
    room.expect("a.md")


def test_what_was_read_and_saved_before_the_watch_was_set_up_but_after_it_was_planned(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = watchfiles.watch

    def watch(*args: Any, **options: Any) -> Iterator[Any]:
        if not room.statuses:
            room.read("b.md")
            (room.folder / "b.md").write_text("two")
        yield from real(*args, **options)

    monkeypatch.setattr(watchfiles, "watch", watch)
    (room.folder / "b.md").write_text("one")
    room.read("a.md")
    room.watch()
    room.watcher.update()
    room.expect("b.md")


class Failing:
    """watchfiles with errors of ours instead, for as long as there are any."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.real = watchfiles.watch

    def watch(self, *folders: Any, **options: Any) -> Iterator[Any]:
        if self.errors:
            raise self.errors.pop(0)
        yield from self.real(*folders, **options)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("OS file watch limit reached. about []"), "limit: fs.inotify.max_user_watches=600000"),
        (WatchfilesRustInternalError("Too many open files (os error 24)"), "limit: fs.inotify.max_user_instances=1024"),
        (WatchfilesRustInternalError("what nobody knows"), "failure: what nobody knows"),
        (ImportError("no watchfiles"), "failure: no watchfiles"),
    ],
)
def test_polling_where_watching_fails_and_watching_again_when_it_can(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, error: Exception, said: str
) -> None:
    limits = tmp_path_factory.mktemp("inotify")
    (limits / "max_user_watches").write_text("300000\n")
    (limits / "max_user_instances").write_text("128\n")
    monkeypatch.setattr(watcher_module, "_LIMITS", limits)
    failing = Failing(*[error] * 100_000)
    monkeypatch.setattr(watchfiles, "watch", failing.watch)
    (room.folder / "a.md").write_text("one")
    room.read("a.md", "b.md")
    room.watcher.seconds = 0.02
    room.watch("polling")
    assert room.statuses[-1].problems == {said}
    (room.folder / "a.md").write_text("second")
    room.expect("a.md")
    (room.folder / "b.md").write_text("new")
    room.expect("b.md")
    failing.errors.clear()
    room.until(lambda: room.statuses[-1].state == "live" and not room.statuses[-1].problems)
    (room.folder / "a.md").write_text("third")
    room.expect("a.md")


def test_a_system_without_such_limits_has_none_to_raise(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setattr(watcher_module, "_LIMITS", tmp_path_factory.mktemp("no") / "inotify")
    monkeypatch.setattr(watchfiles, "watch", Failing(*[OSError("(os error 24)")] * 100_000).watch)
    room.read("a.md")
    room.watch("polling")
    assert room.statuses[-1].problems == {"failure: (os error 24)"}


@pytest.mark.parametrize("error", [WatchfilesRustInternalError("error in underlying watcher"), None])
def test_a_watch_that_ends_by_itself_is_set_up_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    real = watchfiles.watch
    ends = threading.Event()
    begun: list[None] = []

    def watch(*folders: Any, stop_event: Any, **options: Any) -> Iterator[Any]:
        if len(begun) > 1:
            yield from real(*folders, stop_event=stop_event, **options)
            return
        begun.append(None)
        while not stop_event.is_set():
            if ends.is_set():
                if error:
                    raise error
                return

    monkeypatch.setattr(watchfiles, "watch", watch)
    (room.folder / "a.md").write_text("one")
    room.read("a.md")
    room.watcher.seconds = 0.02
    room.watch()
    ends.set()
    room.until(lambda: room.statuses[-1].state == "polling")
    assert room.statuses[-1].problems == {f"failure: {error or 'watchfiles stopped by itself'}"}
    room.until(lambda: room.statuses[-1].state == "live")
    (room.folder / "a.md").write_text("two")
    room.expect("a.md")


@pytest.mark.parametrize("error", [ZeroDivisionError("how odd"), SystemExit("how odd")])
def test_a_thread_that_would_end_says_so_and_begins_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    monkeypatch.setattr(watchfiles, "watch", Failing(error).watch)
    (room.folder / "a.md").write_text("one")
    room.read("a.md")
    room.watcher.seconds = 0.02
    room.watch("off")
    assert room.statuses[-1].detail == f"not watching: {type(error).__name__}: how odd"
    room.until(lambda: room.statuses[-1].state == "live")
    (room.folder / "a.md").write_text("two")
    room.expect("a.md")


def test_what_no_event_told_of_is_found_at_last(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(*_: Any, stop_event: Any, **__: Any) -> Iterator[Any]:
        while not stop_event.is_set():
            pass
        yield from ()

    monkeypatch.setattr(watchfiles, "watch", deaf)
    (room.folder / "a.md").write_text("one")
    room.read("a.md", "b.md", "c/d.md")
    room.watcher.seconds = 0.001
    room.watch()
    (room.folder / "a.md").write_text("two")
    room.expect("a.md")
    (room.folder / "b.md").write_text("new")
    room.expect("b.md")
    (room.folder / "c").mkdir()
    (room.folder / "c" / "d.md").write_text("new")
    room.expect("c/d.md")
    assert not room.statuses[-1].problems


def test_a_folder_that_has_two_names_is_heard_of_by_both(room: Room) -> None:
    (room.folder / "real" / "sub").mkdir(parents=True)
    (room.folder / "z").mkdir()
    (room.folder / "z" / "link").symlink_to("../real")
    names = ("real/sub/a.md", "z/link/sub/b.md", "z/link/sub/c.md")
    room.read(*names)
    room.workspace.list(room.path("z/link/sub"))
    room.watch()
    for name in names:
        (room.folder / name).write_text("new")
        room.until(lambda name=name: {room.path(name), room.path("z/link/sub")} <= room.changes)  # type: ignore[misc]
        room.workspace.forget([room.path("z/link/sub")])
        room.workspace.list(room.path("z/link/sub"))
        room.expect(name)


def test_a_folder_that_vanishes_during_the_set_up_does_not_end_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    real = watchfiles.watch
    (room.folder / "gone").mkdir()

    def watch(*args: Any, **options: Any) -> Iterator[Any]:
        shutil.rmtree(room.folder / "gone", ignore_errors=True)
        yield from real(*args, **options)

    monkeypatch.setattr(watchfiles, "watch", watch)
    room.read("gone/a.md")
    room.watch("live")


def test_stop_leaves_no_thread_and_says_nothing_more(room: Room) -> None:
    (room.folder / "a.md").write_text("one")
    room.read("a.md")
    before = threading.active_count()
    room.watch()
    room.watcher.stop()
    assert threading.active_count() <= before
    (room.folder / "a.md").write_text("two")
    assert not room.changes


def test_a_callback_may_stop_the_watcher(tmp_path: Path) -> None:
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    path = tmp_path / "a.md"
    path.write_text("one")
    workspace.read(str(path))
    path.write_text("two")
    stopped = threading.Event()

    def stop(_: frozenset[str]) -> None:
        watcher.stop()
        stopped.set()

    watcher = Watcher(workspace, stop, lambda _: None)
    watcher.start()
    assert stopped.wait(PATIENCE)
    watcher.stop()


@pytest.mark.slow
def test_the_app_may_read_and_forget_while_the_watcher_compares(room: Room) -> None:
    names = [f"{number}.md" for number in range(200)]
    for name in names:
        (room.folder / name).write_text("one")
    room.read(*names)
    room.watch()
    for turn in range(20):
        (room.folder / names[turn]).write_text(f"turn {turn}")
        room.workspace.forget(map(room.path, names))
        room.read(*names)
        room.watcher.update()
    (room.folder / "199.md").write_text("last")
    room.until(lambda: room.path("199.md") in room.changes)
    assert all(status.state == "live" for status in room.statuses)


@pytest.mark.usefixtures("without_root")
def test_a_folder_that_may_not_be_entered_leaves_the_rest_watched(room: Room) -> None:
    closed = room.folder / "closed"
    closed.mkdir()
    (closed / "a.md").write_text("a")
    closed.chmod(0o000)
    room.read("closed/a.md", "b.md")
    room.watch()
    assert not room.statuses[-1].problems, "nothing in it is a file of ours as long as it is closed"
    (room.folder / "b.md").write_text("b")
    room.expect("b.md")
    closed.chmod(0o755)
    room.expect("closed/a.md")
    (closed / "a.md").write_text("saved")
    room.expect("closed/a.md")


@pytest.mark.usefixtures("without_root")
def test_files_of_a_folder_that_may_not_be_listed_are_polled(room: Room) -> None:
    closed = room.folder / "closed"
    closed.mkdir()
    (closed / "a.md").write_text("a")
    closed.chmod(0o311)
    room.read("closed/a.md", "closed/new.md", "b.md")
    room.watcher.seconds = 0.02
    room.watch()
    assert room.statuses[-1].problems == {f"unreadable: {closed}"}
    (closed / "a.md").write_text("saved")
    room.expect("closed/a.md")
    (closed / "new.md").write_text("new")
    room.expect("closed/new.md")
    closed.chmod(0o755)
    room.until(lambda: not room.statuses[-1].problems)


def test_files_that_another_machine_may_save_are_polled(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(*_: Any, stop_event: Any, **__: Any) -> Iterator[Any]:
        while not stop_event.is_set():
            pass
        yield from ()

    device = room.folder.stat().st_dev
    mounts = room.folder / "mountinfo"
    mounts.write_text(f"29 1 {os.major(device)}:{os.minor(device)} / {room.folder} rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(watcher_module, "_MOUNTS", mounts)
    monkeypatch.setattr(watchfiles, "watch", deaf)
    monkeypatch.setattr(rounds_module, "AT_EVERYTHING", 1_000_000)
    (room.folder / "a.md").write_text("one")
    room.read("a.md", "b.md", "c/d.md")
    room.watcher.seconds = 0.02
    room.watch()
    (problem,) = room.statuses[-1].problems
    assert problem.startswith("shared: ")
    (room.folder / "a.md").write_text("two")
    room.expect("a.md")
    (room.folder / "b.md").write_text("new")
    room.expect("b.md")
    (room.folder / "c").mkdir()
    (room.folder / "c" / "d.md").write_text("new")
    room.expect("c/d.md")


def test_a_disk_that_does_not_answer_does_not_keep_the_app_from_ending(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, answers = threading.Event(), threading.Event()

    def status(_: WatchStatus) -> None:
        stuck.set()
        answers.wait()

    monkeypatch.setattr(watcher_module, "_PATIENCE", 0.01)
    room.read("a.md")
    watcher = Watcher(room.workspace, room.changes.update, status)
    watcher.start()
    assert stuck.wait(PATIENCE)
    (room.folder / "a.md").write_text("new")
    watcher.stop()
    answers.set()
    watcher._thread.join()
    assert not room.changes
