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
from watchfiles._rust_notify import WatchfilesRustInternalError

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk
from promptscope_tui import watching as watcher_module
from promptscope_tui.watching import Watcher, WatchStatus

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
        before = len(room.statuses)
        room.watcher.update()
        if step == rules.mkdir:
            room.until(lambda before=before: len(room.statuses) > before)  # type: ignore[misc]


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


@pytest.mark.parametrize(
    "error",
    [OSError(28, "OS file watch limit reached"), WatchfilesRustInternalError("too many instances")],
)
def test_polling_where_watching_fails(room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(*_: Any, **__: Any) -> Iterator[Any]:
        raise error
        yield

    monkeypatch.setattr(watchfiles, "watch", fails)
    monkeypatch.setattr(watcher_module, "POLL_SECONDS", 0.02)
    (room.folder / "a.md").write_text("one")
    room.read("a.md", "b.md")
    room.watch("polling")
    assert "every second" in room.statuses[-1].detail
    assert str(error.args[-1]) in room.statuses[-1].detail
    (room.folder / "a.md").write_text("second")
    room.expect("a.md")
    (room.folder / "b.md").write_text("new")
    room.expect("b.md")


def test_watching_resumes_when_it_can(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    real = watchfiles.watch
    failed: list[bool] = []

    def fails_once(*args: Any, **options: Any) -> Iterator[Any]:
        if not failed:
            failed.append(True)
            raise OSError(28, "OS file watch limit reached")
        yield from real(*args, **options)

    monkeypatch.setattr(watchfiles, "watch", fails_once)
    room.read("a.md")
    room.watch("polling")
    room.watcher.update()
    room.until(lambda: room.statuses[-1].state == "live")


def test_a_folder_that_vanishes_during_the_set_up_does_not_end_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    real = watchfiles.watch
    (room.folder / "gone").mkdir()

    def watch(*args: Any, **options: Any) -> Iterator[Any]:
        shutil.rmtree(room.folder / "gone", ignore_errors=True)
        yield from real(*args, **options)

    monkeypatch.setattr(watchfiles, "watch", watch)
    room.read("gone/a.md")
    room.watch("live")


def test_what_nobody_foresaw_is_said_in_the_status(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("how odd")

    monkeypatch.setattr(watcher_module, "plan_of", broken)
    room.watch("off")
    assert room.statuses[-1].detail == "ZeroDivisionError: how odd"


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


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_left_out(room: Room) -> None:
    closed = room.folder / "closed"
    closed.mkdir(mode=0o000)
    room.read("closed/a.md", "b.md")
    room.watch()
    (room.folder / "b.md").write_text("b")
    room.expect("b.md")
