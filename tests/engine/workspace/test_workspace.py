"""The only access to the disk: what it reads, refuses, remembers and notices."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from pathlib import Path
from typing import NoReturn

import pytest

from promptscope_engine.workspace import FileText, Workspace, reader
from promptscope_engine.workspace.access import AccessPolicy
from promptscope_engine.workspace.disk import EmptyDisk, Entry, RealDisk, chunks_from, made_stat
from promptscope_engine.workspace.reader import MAX_PATH

pytestmark = pytest.mark.slow

MIB = 1024 * 1024


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    inside = tmp_path / "work" / "shop"
    inside.mkdir(parents=True)
    workspace = Workspace()
    workspace.allow([str(inside)], shallow=[str(tmp_path / "work")])
    return workspace


class Sized(EmptyDisk):
    """Files of zeros that are as long as they are called: `/work/12` has twelve bytes."""

    def stat(self, path: str) -> os.stat_result:  # type: ignore[override]
        return made_stat(stat.S_IFREG | 0o644, int(path.rpartition("/")[2]))

    def read(self, path: str, limit: int) -> bytes:  # type: ignore[override]
        return bytes(min(self.stat(path).st_size, limit))


def test_a_file_is_read_once_and_again_after_it_was_forgotten(tmp_path: Path, workspace: Workspace) -> None:
    file = tmp_path / "work/shop/AGENTS.md"
    other = tmp_path / "work/shop/other.md"
    file.write_text("one")
    other.write_text("other")
    assert workspace.read(str(file)).text == "one"
    workspace.read(str(other))
    file.write_text("two")
    assert workspace.read(str(file)).text == "one"
    assert workspace.changed() == {str(file)}
    assert workspace.reads == 2
    workspace.forget([str(file)])
    assert workspace.read(str(file)).text == "two"
    assert workspace.read(str(other)).text == "other"
    assert workspace.reads == 3


def test_bytes_that_are_not_utf8_are_replaced_and_a_bom_is_kept(tmp_path: Path, workspace: Workspace) -> None:
    file = tmp_path / "work/shop/a.md"
    file.write_bytes(b"\xef\xbb\xbfcaf\xe9\r\n\0")
    read = workspace.read(str(file))
    assert read.text == "\ufeffcaf\ufffd\r\n\0"
    assert read.looks_binary
    assert read.size == 10


def test_what_is_missing_is_remembered_and_noticed_when_it_appears(tmp_path: Path, workspace: Workspace) -> None:
    file = tmp_path / "work/CLAUDE.md"
    assert workspace.read(str(file)).problem == "missing"
    assert str(file) in workspace.asked
    file.write_text("now")
    assert workspace.changed([str(file), "/not/asked"]) == {str(file)}


def test_nothing_outside_the_allowed_places_is_read(tmp_path: Path, workspace: Workspace) -> None:
    secret = tmp_path / "secret" / "key"
    secret.parent.mkdir()
    secret.write_text("secret")
    (tmp_path / "work/shop/link.md").symlink_to(secret)
    read = workspace.read(str(tmp_path / "work/shop/link.md"))
    assert (read.problem, read.text, read.data) == ("outside", "", b"")
    assert str(secret) in read.detail
    assert workspace.list(str(secret.parent)).problem == "outside"


def test_links_may_lead_out_where_they_are_followed(tmp_path: Path, workspace: Workspace) -> None:
    shop, secret = tmp_path / "work/shop", tmp_path / "secret"
    secret.mkdir()
    (secret / "a.md").write_text("far")
    (shop / "link.md").symlink_to(secret / "a.md")
    (shop / "folder").symlink_to(secret)
    for follow in (False, True, False):
        workspace.admit(AccessPolicy(follows_links=follow))
        assert workspace.read(str(shop / "link.md")).problem == (None if follow else "outside")
        assert workspace.list(str(shop / "folder")).problem == (None if follow else "outside")
        assert workspace.read(str(shop / "folder/a.md")).found is follow
        # Not by a link: that stays closed, and so does what only looks as if it lay inside.
        assert workspace.read(str(secret / "a.md")).problem == "outside"
        assert workspace.read(f"{shop}/../../secret/a.md").problem == "outside"
        assert workspace.leads_outside(str(shop / "link.md")) == str(secret / "a.md")
        assert workspace.leads_outside(str(secret / "a.md")) is None
        assert workspace.leads_outside(str(shop)) is None
    assert workspace.changed() == frozenset()


def test_parents_are_open_for_their_own_files_and_dot_folders_only(tmp_path: Path, workspace: Workspace) -> None:
    work = tmp_path / "work"
    (work / ".claude/rules").mkdir(parents=True)
    (work / "sibling").mkdir()
    for name in ("CLAUDE.md", ".claude/rules/a.md", "sibling/a.md"):
        (work / name).write_text("x")
    assert workspace.read(str(work / "CLAUDE.md")).found
    assert workspace.read(str(work / ".claude/rules/a.md")).found
    assert workspace.read(str(work / "sibling/a.md")).problem == "outside"
    assert workspace.list(str(work / ".claude")).problem is None
    assert workspace.list(str(work / "sibling")).problem == "outside"


def test_a_fifo_is_never_waited_on(tmp_path: Path, workspace: Workspace) -> None:
    fifo = tmp_path / "work/shop/pipe.md"
    os.mkfifo(fifo)
    result: list[object] = []
    thread = threading.Thread(target=lambda: result.append(workspace.read(str(fifo)).problem), daemon=True)
    thread.start()
    thread.join(timeout=5)
    assert result == ["special"]


def test_loops_directories_and_large_files_are_problems_not_errors(tmp_path: Path) -> None:
    workspace = Workspace(max_bytes=10)
    workspace.allow([str(tmp_path)])
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "dir").mkdir()
    (tmp_path / "big").write_text("12345678901")
    assert workspace.read(str(tmp_path / "a")).problem == "loop"
    assert workspace.read(str(tmp_path / "dir")).problem == "directory"
    assert workspace.read(str(tmp_path / "big")).problem == "too-large"
    assert workspace.read(str(tmp_path / "nul\0name")).problem == "missing"


def test_a_listing_is_byte_sorted_and_does_not_follow_links(tmp_path: Path, workspace: Workspace) -> None:
    root = tmp_path / "work/shop"
    (root / "b").mkdir()
    (root / "B").write_text("")
    (root / "a").symlink_to(root / "b")
    listing = workspace.list(str(root))
    assert [(e.name, e.kind) for e in listing.entries] == [("B", "file"), ("a", "link"), ("b", "directory")]
    (root / "c").write_text("")
    assert workspace.changed() == {str(root)}


def test_a_retargeted_link_is_a_change(tmp_path: Path, workspace: Workspace) -> None:
    root = tmp_path / "work/shop"
    (root / "one").write_text("same")
    (root / "two").write_text("same")
    link = root / "link"
    link.symlink_to("one")
    assert workspace.readlink(str(link)) == "one"
    assert workspace.read(str(link)).text == "same"
    link.unlink()
    link.symlink_to("two")
    assert workspace.changed() == {str(link)}


def test_a_memo_lives_until_something_is_forgotten(workspace: Workspace) -> None:
    made: list[int] = []

    def compute() -> int:
        made.append(1)
        return len(made)

    assert [workspace.memo("k", compute), workspace.memo("k", compute)] == [1, 1]
    workspace.forget([])
    assert workspace.memo("k", compute) == 2


def test_a_memo_of_files_is_computed_anew_when_anything_may_have_changed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])

    def memo() -> object:
        return workspace.memo("a", lambda: [workspace.read(f"{tmp_path}/a").text], tracked=True)

    def is_computed_anew() -> bool:
        before = memo()
        workspace.forget(forgotten)
        return memo() is not before

    forgotten: list[str] = []
    assert is_computed_anew()
    forgotten = [f"{tmp_path}/b"]
    assert is_computed_anew(), "nobody has read it"
    workspace.read(forgotten[0])
    (tmp_path / "b").write_text("b")
    assert is_computed_anew(), "it was not there"
    workspace.read(forgotten[0])
    assert not is_computed_anew(), "it is another file"
    (tmp_path / "b").unlink()
    workspace.forget(forgotten)
    assert workspace.kind(forgotten[0]) is None
    (tmp_path / "b").write_text("b")
    assert workspace.read(forgotten[0]).found
    assert is_computed_anew(), "it was asked for before it was there"


def test_a_memo_depends_on_the_files_of_what_it_was_made_of(tmp_path: Path) -> None:
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    paths = [f"{tmp_path}/{name}" for name in "abc"]
    for path in paths:
        Path(path).write_text("x")

    def inner() -> list[str]:
        return [workspace.read(paths[0]).text]

    def outer() -> list[object]:
        each = workspace.made_of_each([(paths[1], "key")], lambda _, file: file.text)
        return [workspace.memo("inner", inner, tracked=True), each]

    before = workspace.memo("outer", outer, tracked=True)
    for path, stands in zip(paths, (False, False, True), strict=True):
        workspace.read(path)
        workspace.forget([path])
        after = workspace.memo("outer", outer, tracked=True)
        assert (after is before) is stands, path
        before = after


def test_a_link_that_leads_elsewhere_is_followed_anew(tmp_path: Path, workspace: Workspace) -> None:
    shop, link = tmp_path / "work/shop", tmp_path / "work/shop/link.md"
    (shop / "in.md").write_text("in")
    (tmp_path / "out.md").write_text("out")
    link.symlink_to("in.md")
    assert workspace.read(str(link)).text == "in"
    link.unlink()
    link.symlink_to(tmp_path / "out.md")
    workspace.forget([str(link)])
    assert workspace.read(str(link)).problem == "outside"


def test_what_was_made_of_a_file_is_kept_with_it(tmp_path: Path, workspace: Workspace) -> None:
    path = f"{tmp_path}/work/shop/a.md"
    Path(path).write_text("a")
    file = workspace.read(path)
    made = workspace.made_of(file, "key", lambda: [file.text])
    assert workspace.made_of(file, "key", lambda: [file.text]) is made
    assert workspace.made_of(file, "another key", lambda: [file.text]) is not made
    assert workspace.made_of_each([(path, "key"), (path, "third")], lambda number, _: [number]) == (made, [1])
    workspace.forget([path])
    assert workspace.made_of(file, "key", lambda: [file.text]) is not made, "it was forgotten"
    assert workspace.made_of(workspace.read(path), "key", lambda: ["new"]) == ["new"]


def test_the_empty_disk_has_nothing() -> None:
    workspace = Workspace(EmptyDisk())
    workspace.allow(["/home/user"])
    assert workspace.read("/home/user/x").problem == "missing"
    assert workspace.kind("/home/user") is None
    assert workspace.list("/home/user").problem == "missing"


def test_two_threads_use_one_workspace(tmp_path: Path, workspace: Workspace) -> None:
    shop = tmp_path / "work/shop"
    paths = [str(shop / f"{n}.md") for n in range(40)]
    for path in paths[::2]:
        Path(path).write_text("x")
    failures: list[BaseException] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                assert workspace.changed() == frozenset()
                assert workspace.directories <= workspace.asked
                workspace.snapshot()
        except BaseException as error:
            failures.append(error)

    watcher = threading.Thread(target=look)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        watcher.start()
        for _ in range(30):
            for path in paths:
                workspace.kind(path)
                workspace.memo(path, lambda path=path: workspace.read(path).text)  # type: ignore[misc]
            workspace.list(str(shop))
            workspace.forget(paths)
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


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "problem"), [(9, None), (10, None), (11, "too-large")])
def test_a_file_may_be_as_long_as_the_limit(tmp_path: Path, size: int, problem: str | None) -> None:
    workspace = Workspace(max_bytes=10)
    workspace.allow([str(tmp_path)])
    (tmp_path / "a.md").write_text("x" * size)
    read = workspace.read(str(tmp_path / "a.md"))
    assert (read.problem, read.size, len(read.text)) == (problem, size, 0 if problem else size)


def test_a_file_may_have_32_mebibytes() -> None:
    workspace = Workspace(Sized())
    workspace.allow(["/work"])
    assert workspace.read(f"/work/{32 * MIB}").found
    assert workspace.read(f"/work/{32 * MIB + 1}").detail == "33,554,433 bytes"


def test_all_files_together_may_have_32_mebibytes() -> None:
    workspace = Workspace(Sized())
    workspace.allow(["/work"])
    first, rest, more = f"/work/{MIB}", f"/work/{31 * MIB}", f"/work/{31 * MIB + 1}"
    assert workspace.read(first).found
    too_large = workspace.read(more)
    assert too_large.problem == "too-large"
    assert too_large.detail == "32,505,857 bytes: with the files read before more than 33,554,432"
    assert workspace.read(rest).found
    assert not workspace.read("/work/1").found
    workspace.forget([first, "/work/1"])  # what is not kept any more makes room
    assert workspace.read("/work/1").found


@pytest.mark.parametrize("count", [49_999, 50_000, 50_001])
def test_a_listing_has_at_most_50_000_entries(count: int) -> None:
    class Full(EmptyDisk):
        def scan(self, path: str) -> list[Entry]:  # type: ignore[override]  # noqa: ARG002
            return [Entry("a", "file")] * count

    workspace = Workspace(Full())
    workspace.allow(["/work"])
    listing = workspace.list("/work")
    assert len(listing.entries) == min(count, 50_000)
    cut = ("too-many", "50,001 entries, the first 50,000 are used")
    assert (listing.problem, listing.detail) == (cut if count > 50_000 else (None, ""))


@pytest.mark.parametrize("length", [4_095, 4_096, 4_097])
def test_links_in_a_path_that_is_too_long_are_not_followed(tmp_path: Path, length: int) -> None:
    (tmp_path / "link").symlink_to("/elsewhere")
    short = f"{tmp_path}/link"
    path = str(tmp_path) + "/" * (length - len(short) + 1) + "link"
    assert len(path) == length
    assert Workspace().real_path(path) == ("/elsewhere" if length <= 4_096 else path)


@pytest.mark.parametrize("at", [8_190, 8_191, 8_192])
def test_a_nul_among_the_first_8192_bytes_looks_binary(tmp_path: Path, workspace: Workspace, at: int) -> None:
    (tmp_path / "work/shop/a").write_bytes(b"x" * at + b"\0" + b"x" * 9)
    assert workspace.read(str(tmp_path / "work/shop/a")).looks_binary is (at < 8_192)


@pytest.mark.parametrize(
    ("limit", "chunks"), [(4, ["012", "3"]), (5, ["012", "34"]), (6, ["012", "345"]), (7, ["012", "345", "6"])]
)
def test_a_file_in_chunks_ends_at_the_limit(
    tmp_path: Path, workspace: Workspace, limit: int, chunks: list[str]
) -> None:
    file = tmp_path / "work/shop/long"
    file.write_text("0123456789")
    assert [chunk.decode() for chunk in workspace.chunks(str(file), 3, limit)] == chunks
    assert workspace.asked == frozenset()


@pytest.mark.parametrize(("start", "chunks"), [(0, ["abc", "d"]), (3, ["d"]), (4, []), (9, [])])
def test_what_a_file_has_grown_by_is_read(tmp_path: Path, start: int, chunks: list[str]) -> None:
    (tmp_path / "log").write_text("abcd")
    assert [chunk.decode() for chunk in chunks_from(str(tmp_path / "log"), 3, start)] == chunks
    with pytest.raises(OSError, match="not a regular file"):
        next(chunks_from(str(tmp_path), 3, start))


def test_a_file_in_chunks_is_read_in_an_allowed_place_only(tmp_path: Path, workspace: Workspace) -> None:
    (tmp_path / "secret").write_text("x")
    with pytest.raises(OSError, match="leads to"):
        next(workspace.chunks(str(tmp_path / "secret"), 3, 10))


# --- what is there ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "problem", "detail"),
    [
        (OSError(errno.EACCES, "Permission denied", "/work/a"), "unreadable", "Permission denied"),
        (OSError("the disk is odd"), "unreadable", "the disk is odd"),
        (OSError(errno.ENAMETOOLONG, "File name too long"), "missing", "File name too long"),
        (ValueError("embedded null byte"), "missing", "embedded null byte"),
    ],
)
def test_what_the_disk_says_is_a_problem_in_its_words(error: Exception, problem: str, detail: str) -> None:
    class Broken(EmptyDisk):
        def _raise(self, path: str, *_: object) -> NoReturn:  # noqa: ARG002
            raise error

        stat = read = scan = _raise

    workspace = Workspace(Broken())
    workspace.allow(["/work"])
    read, listing = workspace.read("/work/a"), workspace.list("/work")
    assert (read.problem, read.detail, read.size) == (problem, detail, 0)
    assert (listing.problem, listing.detail) == (problem, detail)


def test_what_is_no_file_has_no_size(tmp_path: Path, workspace: Workspace) -> None:
    os.mkfifo(tmp_path / "work/shop/pipe")
    assert [workspace.read(f"{tmp_path}/work/shop{name}").size for name in ("", "/pipe", "/missing")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("mode", "executable"), [(0o666, False), (0o667, True), (0o676, True), (0o766, True), (0o100, True)]
)
def test_a_program_is_a_file_that_somebody_may_execute(
    tmp_path: Path, workspace: Workspace, mode: int, executable: bool
) -> None:
    program = tmp_path / "work/shop/run"
    program.write_text("")
    program.chmod(mode)
    assert workspace.is_executable(str(program)) is executable
    assert not workspace.is_dir(str(program))


def test_a_folder_is_no_program(tmp_path: Path, workspace: Workspace) -> None:
    assert workspace.is_dir(str(tmp_path))
    assert not workspace.is_executable(str(tmp_path))
    assert not workspace.is_executable(str(tmp_path / "missing"))


# --- links ------------------------------------------------------------------------------------------------------------


def test_the_real_path_below_a_link_that_was_looked_at(tmp_path: Path, workspace: Workspace) -> None:
    far, link = tmp_path / "far/folder", tmp_path / "work/shop/link"
    far.mkdir(parents=True)
    link.symlink_to(far)
    assert workspace.real_path(str(link)) == str(far)
    assert workspace.real_path(f"{link}/missing") == f"{far}/missing"
    assert workspace.real_path(f"{link}/..") == str(far.parent)
    assert workspace.real_path(f"{link}/.") == str(far)
    assert workspace.real_path(f"{link}/") == str(far)
    assert workspace.real_path("/no\0where") == "/no\0where"


class Counting(RealDisk):
    """Counts the walks from the top, and the looks at single paths; `reads` are the files that were read."""

    walks = looks = stats = 0

    def __init__(self) -> None:
        self.reads: list[str] = []

    def realpath(self, path: str) -> str:
        self.walks += 1
        return super().realpath(path)

    def lstat(self, path: str) -> os.stat_result:
        self.looks += 1
        return super().lstat(path)

    def stat(self, path: str) -> os.stat_result:
        self.stats += 1
        return super().stat(path)

    def read(self, path: str, limit: int) -> bytes:
        self.reads.append(path)
        return super().read(path, limit)


def test_a_file_is_looked_at_once_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "link.md").symlink_to("a.md")
    disk = Counting()
    workspace = Workspace(disk)
    workspace.allow([str(tmp_path)])
    assert workspace.real_path(f"{tmp_path}/none") == f"{tmp_path}/none"  # the folders around it are looked at once
    before = disk.looks
    assert workspace.read(f"{tmp_path}/a.md").text == "a"
    assert (disk.looks - before, disk.stats) == (1, 0)
    assert workspace.read(f"{tmp_path}/link.md").real_path == f"{tmp_path}/a.md"
    assert disk.stats == 1, "a link is looked at where it leads"


@pytest.mark.parametrize("data", [b"", b"plain", b"\xef\xbb\xbfs\xc3\xbc\r\n", b"bad \xff end", b"\xed\xa0\x80"])
def test_a_file_gives_its_bytes_however_they_are_kept(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    read = workspace.read(f"{tmp_path}/a.md")
    assert (read.data, read.text, read.size) == (data, data.decode("utf-8", "replace"), len(data))
    assert read.not_utf8 is None or read.text.encode() != data, "what the text says is not kept twice"


@pytest.mark.parametrize("before", ["x" * 8191, "ü" * 4095 + "x", "\udcff" * 8191])
def test_what_looks_binary_has_a_nul_among_its_first_bytes(tmp_path: Path, before: str) -> None:
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    for name, more, is_told in (("a.md", "", True), ("b.md", "x", False)):
        (tmp_path / name).write_bytes(f"{more}{before}\0".encode("utf-8", "surrogateescape"))
        assert workspace.read(f"{tmp_path}/{name}").looks_binary is is_told


def test_the_real_path_of_many_files_is_one_look_at_each(tmp_path: Path) -> None:
    disk = Counting()
    workspace = Workspace(disk)
    workspace.real_path(str(tmp_path))
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        assert workspace.real_path(f"{tmp_path}/{name}") == f"{tmp_path}/{name}"
    assert disk.walks == 1


def test_a_copy_knows_where_paths_lead(tmp_path: Path) -> None:
    disk = Counting()
    workspace = Workspace(disk)
    workspace.allow([str(tmp_path)])
    names = [str(tmp_path / f"{number}.md") for number in range(20)]
    for name in names:
        Path(name).write_text("x\n")
        assert workspace.read(name).found
    copy, disk.walks, disk.looks = workspace.snapshot(), 0, 0
    copy.allow([str(tmp_path.parent / "elsewhere")])
    assert copy.read(names[7]).found
    assert disk.walks + disk.looks == 1, "the new place alone was looked for"


def test_the_target_of_a_followed_link_may_be_read_by_its_own_path(tmp_path: Path, workspace: Workspace) -> None:
    shop, far = tmp_path / "work/shop", tmp_path / "far"
    (far / "deep").mkdir(parents=True)
    (tmp_path / "far-off").mkdir()
    (tmp_path / "far-off/a.md").write_text("not linked")
    (far / "deep/a.md").write_text("linked")
    (shop / "link").symlink_to(far)
    (shop / "plain").mkdir()
    workspace.admit(AccessPolicy(follows_links=True))
    assert not workspace.allows(str(far))  # nobody has looked at the link
    assert workspace.readlink(str(shop / "link")) == str(far)
    assert workspace.readlink(str(shop / "plain")) is None
    assert workspace.list(str(far)).problem is None
    assert workspace.read(str(far / "deep/a.md")).text == "linked"
    assert workspace.read(str(tmp_path / "far-off/a.md")).problem == "outside"
    assert not workspace.allows(str(tmp_path))


# --- what changed -----------------------------------------------------------------------------------------------------


def test_a_link_of_which_only_the_target_was_asked(tmp_path: Path, workspace: Workspace) -> None:
    link = tmp_path / "work/shop/link"
    link.symlink_to("one")
    assert workspace.readlink(str(link)) == "one"
    assert workspace.changed() == frozenset()
    link.unlink()
    link.symlink_to("two")
    assert workspace.changed() == {str(link)}


@pytest.mark.parametrize("follow", [True, False])
def test_a_path_of_which_only_the_kind_was_asked(tmp_path: Path, workspace: Workspace, follow: bool) -> None:
    path = tmp_path / "work/shop/a"
    assert workspace.kind(str(path), follow=follow) is None
    assert workspace.changed() == frozenset()
    path.mkdir()
    assert workspace.changed() == {str(path)}


def test_what_changed_of_some_paths_takes_no_look_at_others(tmp_path: Path) -> None:
    disk = Counting()
    workspace = Workspace(disk)
    workspace.allow([str(tmp_path)])
    for name in ("a", "b"):
        (tmp_path / name).write_text("x\n")
        workspace.read(str(tmp_path / name))
    (tmp_path / "b").write_text("y\n")
    disk.reads.clear()
    assert workspace.changed([str(tmp_path / "a")]) == frozenset()
    assert disk.reads == [str(tmp_path / "a")]


def test_a_listed_folder_is_as_it_was_while_a_name_stands_for_the_same(tmp_path: Path) -> None:
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    folder, file = str(tmp_path), tmp_path / "a"
    file.write_text("x\n")
    assert not workspace.still_lists(folder, "a"), "it was not listed yet"
    workspace.list(folder)
    file.write_text("y\n")
    assert workspace.still_lists(folder, "a")
    assert workspace.still_lists(folder, "b")
    (tmp_path / "b").mkdir()
    assert not workspace.still_lists(folder, "b")
    file.unlink()
    assert not workspace.still_lists(folder, "a")
    file.symlink_to("b")
    assert not workspace.still_lists(folder, "a")


def test_a_file_that_is_too_large_changes_with_its_size(tmp_path: Path) -> None:
    file = tmp_path / "big"
    file.write_text("x" * 11)
    workspace = Workspace(max_bytes=10)
    workspace.allow([str(tmp_path)])
    assert workspace.read(str(file)).problem == "too-large"
    file.write_text("y" * 11)
    assert workspace.changed() == frozenset()
    file.write_text("y" * 12)
    assert workspace.changed() == {str(file)}


def test_what_one_scenario_names_is_not_read_for_the_next(tmp_path: Path) -> None:
    for name in ("in", "named", "found"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("a")
    inside, named, found = (f"{tmp_path}/{name}" for name in ("in", "named", "found"))
    workspace = Workspace()

    def problems() -> list[str | None]:
        read = [workspace.read(f"{folder}/a").problem for folder in (inside, named, found)]
        assert [workspace.list(folder).problem for folder in (inside, named, found)] == read
        return [*read]

    workspace.confine(AccessPolicy.of([inside]))
    assert problems() == [None, "outside", "outside"]
    workspace.confine(AccessPolicy.of([inside, named]))
    assert problems() == [None, None, "outside"]
    workspace.allow([found])
    assert problems() == [None, None, None]
    workspace.confine(AccessPolicy.of([inside, named]))
    assert problems() == [None, None, None]
    workspace.confine(AccessPolicy.of([inside]))
    assert problems() == [None, "outside", "outside"]
    assert workspace.memo("kept", lambda: 1) == 1
    workspace.confine(AccessPolicy.of([inside]))
    assert workspace.memo("kept", lambda: 2) == 1


def test_it_counts_how_often_something_seen_was_forgotten(tmp_path: Path) -> None:
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("a")
    inside, out = (f"{tmp_path}/{name}" for name in ("in", "out"))
    workspace, seen = Workspace(), []
    for step in (
        lambda: workspace.confine(AccessPolicy.of([inside])),
        lambda: workspace.read(f"{inside}/a"),
        lambda: workspace.list(inside),
        lambda: workspace.read(f"{out}/a"),
        lambda: workspace.confine(AccessPolicy.of([inside])),
        lambda: workspace.admit(AccessPolicy(follows_links=False)),
        lambda: workspace.allow([f"{inside}/deeper"]),
        lambda: workspace.allow([out]),  # what was refused there is forgotten
        lambda: workspace.admit(AccessPolicy(follows_links=True)),
        lambda: workspace.forget([f"{inside}/a"]),
    ):
        step()
        seen.append(workspace.forgotten)
    assert seen == [0, 0, 0, 0, 0, 0, 0, 1, 2, 3]


def test_of_many_files_only_the_forgotten_are_made_anew(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"{number}.md").write_text(str(number))
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    asked = tuple((str(tmp_path / f"{number}.md"), "text") for number in range(150))
    made: list[int] = []

    def make(number: int, file: FileText) -> str:
        made.append(number)
        return file.text

    first = workspace.made_of_each(asked, make)
    assert first == tuple(map(str, range(150)))
    made.clear()
    assert workspace.made_of_each(asked, make) == first
    assert made == [], "nothing was forgotten"
    (tmp_path / "7.md").write_text("seven")
    workspace.forget([asked[7][0]])
    assert workspace.made_of_each(asked, make)[6:9] == ("6", "seven", "8")
    assert made == [7]
    workspace.forget([str(tmp_path)])  # no file: anything below may be another one, but what was read is kept
    workspace.admit(AccessPolicy(follows_links=True))
    made.clear()
    assert len(workspace.made_of_each(asked, make)) == 150
    assert len(made) == 150, "all that was made is dropped with the places"


def _zeros() -> Workspace:
    workspace = Workspace(Sized())
    workspace.allow(["/work"])
    return workspace


def test_a_list_may_have_changed_since_it_was_asked_for() -> None:
    workspace = _zeros()
    asked = [(f"/work/{number}", "key") for number in range(100)]
    workspace.made_of_each(asked, lambda number, _: number)
    asked.reverse()
    assert workspace.made_of_each(asked, lambda *_: -1) == tuple(reversed(range(100)))


def test_files_are_allowed_by_their_folder_as_they_are_alone(tmp_path: Path) -> None:
    """Places are changed for each scenario; files that the next one may not read are forgotten, the others are not."""
    for path in ("a/x.md", "a/b/y.md", "c/z.md", "c/.d/w.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    workspace = Workspace()
    paths = [str(tmp_path / path) for path in ("a/x.md", "a/b/y.md", "c/z.md", "c/.d/w.md")]
    places = [
        ([str(tmp_path)], []),
        ([str(tmp_path / "a")], []),
        ([str(tmp_path / "a/x.md")], [str(tmp_path / "c")]),
        ([str(tmp_path / "c/.d/w.md"), str(tmp_path / "a/b")], []),
    ]
    for roots, shallow in (*places, *reversed(places)):
        workspace.confine(AccessPolicy.of(roots, shallow))
        fresh = Workspace()
        fresh.confine(AccessPolicy.of(roots, shallow))
        for path in paths:
            assert workspace.read(path).problem == fresh.read(path).problem, (path, roots)


def test_of_many_paths_those_that_lead_outside_are_found(tmp_path: Path, workspace: Workspace) -> None:
    shop, secret = tmp_path / "work/shop", tmp_path / "secret"
    secret.mkdir()
    (secret / "a.md").write_text("far")
    (shop / "own.md").write_text("near")
    (shop / "link.md").symlink_to(secret / "a.md")
    (shop / "inner.md").symlink_to(shop / "own.md")
    names = (
        "own.md",
        "link.md",
        "inner.md",
        "missing.md",
        "../shop/own.md",
        "../shop/link.md",
        f"../shop/{'x' * MAX_PATH}",
    )
    paths = [*(f"{shop}/{name}" for name in names), f"{secret}/../work/shop/{'x' * MAX_PATH}", str(secret / "a.md")]
    found = workspace.leading_outside(paths)
    for _ in range(2):  # what was seen already is known
        assert workspace.leading_outside(paths) == found
        assert found == {path for path in paths if workspace.leads_outside(path) is not None}
    assert {str(shop / "link.md"), f"{shop}/../shop/link.md"} <= found
    assert found.isdisjoint(
        {str(shop / "own.md"), str(shop / "inner.md"), str(shop / "missing.md"), str(secret / "a.md")}
    )


@pytest.mark.parametrize(("most", "is_read"), [(8, False), (9, True), (10, True)])
def test_all_files_together_have_a_largest_size(
    tmp_path: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, most: int, is_read: bool
) -> None:
    monkeypatch.setattr(reader, "MAX_TOTAL_BYTES", most)
    shop = tmp_path / "work/shop"
    (shop / "a.md").write_text("1234")
    (shop / "b.md").write_text("12345")
    assert workspace.read(str(shop / "a.md")).found
    assert workspace.read(str(shop / "b.md")).problem == (None if is_read else "too-large")


def test_of_equal_values_the_first_one_is_given_while_it_is_one_of_the_last_eight(workspace: Workspace) -> None:
    first = [0]
    assert workspace.same("name", first) is first
    for number in range(1, 8):
        workspace.same("name", [number])
    assert workspace.same("name", [0]) is first  # and is the latest again
    for number in range(11, 18):
        workspace.same("name", [number])
    assert workspace.same("name", [0]) is first
    for number in range(21, 29):
        workspace.same("name", [number])
    assert workspace.same("name", [0]) is not first


def test_values_that_are_written_otherwise_are_not_the_same(workspace: Workspace) -> None:
    one, other = [1], [True]
    assert workspace.same("name", one) is one
    assert workspace.same("name", other) is other
    assert workspace.same("another", [1]) is not one


def test_what_is_on_no_disk_has_a_mode_and_a_size() -> None:
    assert tuple(made_stat(stat.S_IFREG, 12)) == (stat.S_IFREG, 0, 0, 0, 0, 0, 12, 0, 0, 0)


@pytest.mark.parametrize("size", [0, 1, 5, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
@pytest.mark.parametrize("less", [1, 0, -1])
def test_a_file_is_read_up_to_the_limit(tmp_path: Path, size: int, less: int) -> None:
    (tmp_path / "a").write_bytes(bytes(range(256)) * (size // 256) + bytes(range(size % 256)))
    limit = max(size - less, 0)
    assert RealDisk().read(str(tmp_path / "a"), limit) == (tmp_path / "a").read_bytes()[:limit]


def test_a_file_that_does_not_tell_its_size_is_read_as_a_whole() -> None:
    status = RealDisk().read("/proc/self/status", 1 << 20)
    assert status.startswith(b"Name:")
    assert status.endswith(b"\n")
    assert RealDisk().read("/proc/self/status", 5) == b"Name:"


def test_what_is_not_there_is_no_change_under_another_policy(tmp_path: Path, workspace: Workspace) -> None:
    for place in (missing := tmp_path / "etc" / "agents", missing.parent):
        assert workspace.list(str(place)).problem == "missing"
    workspace.permit(AccessPolicy())
    assert workspace.changed() == frozenset()
