"""The door to the disk: what it reads, refuses, remembers and notices."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk


@pytest.fixture
def door(tmp_path: Path) -> Workspace:
    inside = tmp_path / "work" / "shop"
    inside.mkdir(parents=True)
    workspace = Workspace()
    workspace.allow([str(inside)], shallow=[str(tmp_path / "work")])
    return workspace


def test_a_file_is_read_once_and_again_after_it_was_forgotten(tmp_path: Path, door: Workspace) -> None:
    file = tmp_path / "work/shop/AGENTS.md"
    other = tmp_path / "work/shop/other.md"
    file.write_text("one")
    other.write_text("other")
    assert door.read(str(file)).text == "one"
    door.read(str(other))
    file.write_text("two")
    assert door.read(str(file)).text == "one"
    assert door.changed() == {str(file)}
    door.forget([str(file)])
    before = door.reads
    assert door.read(str(file)).text == "two"
    assert door.read(str(other)).text == "other"
    assert door.reads == before + 1


def test_bytes_that_are_not_utf8_are_replaced_and_a_bom_is_kept(tmp_path: Path, door: Workspace) -> None:
    file = tmp_path / "work/shop/a.md"
    file.write_bytes(b"\xef\xbb\xbfcaf\xe9\r\n\0")
    read = door.read(str(file))
    assert read.text == "\ufeffcaf\ufffd\r\n\0"
    assert read.looks_binary
    assert read.size == 10


def test_what_is_missing_is_remembered_and_noticed_when_it_appears(tmp_path: Path, door: Workspace) -> None:
    file = tmp_path / "work/CLAUDE.md"
    assert door.read(str(file)).problem == "missing"
    assert str(file) in door.asked
    file.write_text("now")
    assert door.changed([str(file), "/not/asked"]) == {str(file)}


def test_nothing_outside_the_allowed_places_is_read(tmp_path: Path, door: Workspace) -> None:
    secret = tmp_path / "secret" / "key"
    secret.parent.mkdir()
    secret.write_text("secret")
    (tmp_path / "work/shop/link.md").symlink_to(secret)
    read = door.read(str(tmp_path / "work/shop/link.md"))
    assert (read.problem, read.text, read.data) == ("outside", "", b"")
    assert str(secret) in read.detail
    assert door.list(str(secret.parent)).problem == "outside"


def test_links_may_lead_out_where_they_are_followed(tmp_path: Path, door: Workspace) -> None:
    shop, secret = tmp_path / "work/shop", tmp_path / "secret"
    secret.mkdir()
    (secret / "a.md").write_text("far")
    (shop / "link.md").symlink_to(secret / "a.md")
    (shop / "folder").symlink_to(secret)
    for follow in (False, True, False):
        door.follow_links(follow)
        assert door.read(str(shop / "link.md")).problem == (None if follow else "outside")
        assert door.list(str(shop / "folder")).problem == (None if follow else "outside")
        assert door.read(str(shop / "folder/a.md")).found is follow
        # Not by a link: that stays closed, and so does what only looks as if it lay inside.
        assert door.read(str(secret / "a.md")).problem == "outside"
        assert door.read(f"{shop}/../../secret/a.md").problem == "outside"
        assert door.leads_outside(str(shop / "link.md")) == str(secret / "a.md")
        assert door.leads_outside(str(secret / "a.md")) is None
        assert door.leads_outside(str(shop)) is None
    assert door.changed() == frozenset()


def test_parents_are_open_for_their_own_files_and_dot_folders_only(tmp_path: Path, door: Workspace) -> None:
    work = tmp_path / "work"
    (work / ".claude/rules").mkdir(parents=True)
    (work / "sibling").mkdir()
    for name in ("CLAUDE.md", ".claude/rules/a.md", "sibling/a.md"):
        (work / name).write_text("x")
    assert door.read(str(work / "CLAUDE.md")).found
    assert door.read(str(work / ".claude/rules/a.md")).found
    assert door.read(str(work / "sibling/a.md")).problem == "outside"
    assert door.list(str(work / ".claude")).problem is None
    assert door.list(str(work / "sibling")).problem == "outside"


def test_a_fifo_is_never_waited_on(tmp_path: Path, door: Workspace) -> None:
    fifo = tmp_path / "work/shop/pipe.md"
    os.mkfifo(fifo)
    result: list[object] = []
    thread = threading.Thread(target=lambda: result.append(door.read(str(fifo)).problem), daemon=True)
    thread.start()
    thread.join(timeout=5)
    assert result == ["special"]


def test_loops_directories_and_large_files_are_problems_not_errors(tmp_path: Path) -> None:
    door = Workspace(max_bytes=10)
    door.allow([str(tmp_path)])
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "dir").mkdir()
    (tmp_path / "big").write_text("12345678901")
    assert door.read(str(tmp_path / "a")).problem == "loop"
    assert door.read(str(tmp_path / "dir")).problem == "directory"
    assert door.read(str(tmp_path / "big")).problem == "too-large"
    assert door.read(str(tmp_path / "nul\0name")).problem == "missing"


def test_a_listing_is_byte_sorted_and_does_not_follow_links(tmp_path: Path, door: Workspace) -> None:
    root = tmp_path / "work/shop"
    (root / "b").mkdir()
    (root / "B").write_text("")
    (root / "a").symlink_to(root / "b")
    listing = door.list(str(root))
    assert [(e.name, e.kind) for e in listing.entries] == [("B", "file"), ("a", "link"), ("b", "directory")]
    (root / "c").write_text("")
    assert door.changed() == {str(root)}


def test_a_retargeted_link_is_a_change(tmp_path: Path, door: Workspace) -> None:
    root = tmp_path / "work/shop"
    (root / "one").write_text("same")
    (root / "two").write_text("same")
    link = root / "link"
    link.symlink_to("one")
    assert door.readlink(str(link)) == "one"
    assert door.read(str(link)).text == "same"
    link.unlink()
    link.symlink_to("two")
    assert door.changed() == {str(link)}


def test_a_memo_lives_until_something_is_forgotten(door: Workspace) -> None:
    made: list[int] = []

    def compute() -> int:
        made.append(1)
        return len(made)

    assert [door.memo("k", compute), door.memo("k", compute)] == [1, 1]
    door.forget([])
    assert door.memo("k", compute) == 2


def test_the_empty_disk_has_nothing() -> None:
    door = Workspace(EmptyDisk())
    door.allow(["/home/user"])
    assert door.read("/home/user/x").problem == "missing"
    assert door.kind("/home/user") is None
    assert door.list("/home/user").problem == "missing"


def test_two_threads_use_one_door(tmp_path: Path, door: Workspace) -> None:
    shop = tmp_path / "work/shop"
    paths = [str(shop / f"{n}.md") for n in range(40)]
    for path in paths[::2]:
        Path(path).write_text("x")
    failures: list[BaseException] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                assert door.changed() == frozenset()
                assert door.directories <= door.asked
                door.snapshot()
        except BaseException as error:
            failures.append(error)

    watcher = threading.Thread(target=look)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        watcher.start()
        for _ in range(30):
            for path in paths:
                door.kind(path)
                door.memo(path, lambda path=path: door.read(path).text)  # type: ignore[misc]
            door.list(str(shop))
            door.forget(paths)
    finally:
        done.set()
        watcher.join()
        sys.setswitchinterval(before)
    assert not failures


def test_a_saved_file_drops_what_was_computed_from_it_alone(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.write_text("1")
    other.write_text("2")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])

    def values() -> tuple[object, ...]:
        texts = [
            workspace.memo(path.name, lambda path=path: [workspace.read(str(path)).text], tracked=True)  # type: ignore[misc]
            for path in (one, other)
        ]
        both = workspace.memo("both", lambda: [workspace.read(str(p)).text for p in (one, other)], tracked=True)
        clock = workspace.memo("clock", lambda: [object()])
        return (*texts, both, clock)

    before = values()
    one.write_text("3")
    workspace.forget([str(one)])
    after = values()
    assert [a is b for a, b in zip(before, after, strict=True)] == [False, True, False, False]
    assert after[:3] == (["3"], ["2"], ["3", "2"])
    one.unlink()
    workspace.forget([str(one)])
    assert all(a is not b for a, b in zip(after, values(), strict=True))
