"""A repository as it was at a revision, read through git's objects."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.objects import GitOf
from tests.support.repository import commit, git, write

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Entry
from promptscope_engine.workspace.git import Git
from promptscope_engine.workspace.objects import Objects
from promptscope_engine.workspace.revision import (
    Revision,
    RevisionDisk,
    RevisionError,
    commits_touching,
    find_merge_base,
    find_revision,
    revision_names,
)

pytestmark = pytest.mark.slow

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

FILES = {
    "CLAUDE.md": "first\n",
    "docs/deep/rule.md": "rule\n",
    "AGENTS.md": "-> CLAUDE.md",
    "docs/up.md": "-> ../CLAUDE.md",
    "folder": "-> docs/deep",
    "out.md": "-> ../outside.md",
    "loop": "-> loop",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose work tree has nothing of what its first commit has."""
    place = tmp_path_factory.mktemp("revision")
    folder = place / "repo"
    write(folder, {"run.sh": "#!/bin/sh\n"})
    (folder / "run.sh").chmod(0o755)
    (place / "outside.md").write_text("outside\n")
    commit(folder, FILES, "first")
    git(folder, "tag", "first")
    for name in FILES:
        (folder / name).unlink()
    commit(folder, {"CLAUDE.md": "second\n"}, "second")
    write(folder, {"CLAUDE.md": "not committed\n", "new.md": "untracked\n"})
    return folder


_OPENED: list[RevisionDisk] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while _OPENED:
        _OPENED.pop().close()


def disk_of(folder: Path, name: str) -> RevisionDisk:
    _OPENED.append(RevisionDisk(find_revision(name, str(folder), str(folder), os.environ)))
    return _OPENED[-1]


def text(disk: RevisionDisk, path: Path) -> str:
    return disk.read(str(path), 1_000).decode()


def test_files_are_those_of_the_revision(repo: Path) -> None:
    disk = disk_of(repo, "first")
    assert text(disk, repo / "CLAUDE.md") == "first\n"
    assert text(disk, repo / "docs" / ".." / "docs" / "deep" / "rule.md") == "rule\n"
    assert text(disk_of(repo, "HEAD"), repo / "CLAUDE.md") == "second\n"
    with pytest.raises(FileNotFoundError):
        disk.stat(str(repo / "new.md"))
    with pytest.raises(NotADirectoryError):
        disk.stat(str(repo / "CLAUDE.md" / "below"))
    kinds = {entry.name: entry.kind for entry in disk.scan(str(repo))}
    assert kinds == {
        ".git": "directory", "docs": "directory", "AGENTS.md": "link", "CLAUDE.md": "file", "folder": "link",
        "loop": "link", "out.md": "link", "run.sh": "file",
    }  # fmt: skip
    assert disk.scan(str(repo / "docs" / "deep")) == [Entry("rule.md", "file")]
    assert (repo / "CLAUDE.md").read_text() == "not committed\n"
    disk.close()


def test_folders_are_listed_in_the_order_of_the_work_tree(tmp_path: Path) -> None:
    commit(tmp_path, dict.fromkeys(("b.md", "d.md", "a.md", "c.md"), "text\n"), "first")
    (tmp_path / "c.md").unlink()
    left = [entry.name for entry in os.scandir(tmp_path) if entry.name != ".git"]
    listed = [entry.name for entry in disk_of(tmp_path, "HEAD").scan(str(tmp_path)) if entry.name != ".git"]
    assert listed == [*left, "c.md"]


def test_sizes_and_programs_are_as_on_a_disk(repo: Path) -> None:
    workspace = Workspace(disk_of(repo, "first"))
    workspace.allow([str(repo)])
    assert workspace.disk.stat(str(repo / "docs" / "deep" / "rule.md")).st_size == len("rule\n")
    assert workspace.is_executable(str(repo / "run.sh"))
    assert not workspace.is_executable(str(repo / "CLAUDE.md"))
    assert workspace.is_dir(str(repo / "docs"))


def test_links_are_followed_in_the_revision_and_out_of_it(repo: Path) -> None:
    disk = disk_of(repo, "first")
    assert text(disk, repo / "AGENTS.md") == "first\n"
    assert text(disk, repo / "docs" / "up.md") == "first\n"
    assert text(disk, repo / "folder" / "rule.md") == "rule\n"
    assert text(disk, repo / "out.md") == "outside\n"
    assert disk.readlink(str(repo / "docs" / "up.md")) == "../CLAUDE.md"
    real = Path(os.path.realpath(repo))
    assert disk.realpath(str(repo / "folder" / "rule.md")) == str(real / "docs" / "deep" / "rule.md")
    assert disk.realpath(str(repo / "folder" / "none" / "x")) == str(real / "docs" / "deep" / "none" / "x")
    assert disk.realpath(str(repo / "out.md")) == str(real.parent / "outside.md")
    with pytest.raises(OSError, match="links") as raised:
        disk.stat(str(repo / "loop"))
    assert raised.value.errno == errno.ELOOP
    workspace = Workspace(disk)
    workspace.allow([str(repo)])
    assert workspace.read(str(repo / "loop")).problem == "loop"
    assert workspace.read(str(repo / "out.md")).problem == "outside"
    assert workspace.read(str(repo / "docs" / "up.md")).text == "first\n"


@pytest.mark.parametrize(("links", "is_followed"), [(39, True), (40, True), (41, False)])
def test_40_links_are_followed_as_the_system_does(tmp_path: Path, links: int, is_followed: bool) -> None:
    chain = {f"link{n}": f"-> link{n - 1}" for n in range(2, links + 1)}
    commit(tmp_path, {"link0": "end\n", "link1": "-> link0", **chain})
    disk = disk_of(tmp_path, "HEAD")
    if is_followed:
        assert text(disk, tmp_path / f"link{links}") == "end\n"
    else:
        with pytest.raises(OSError, match="too many links"):
            disk.stat(str(tmp_path / f"link{links}"))


def test_links_that_lead_out_and_in_again_end(tmp_path: Path) -> None:
    """Outside lies a link to the first one, which is not in the work tree."""
    commit(tmp_path / "repo", {"a": "-> ../out"})
    (tmp_path / "out").symlink_to("repo/a")
    (tmp_path / "repo" / "a").unlink()
    with pytest.raises(OSError, match="too many links"):
        disk_of(tmp_path / "repo", "HEAD").stat(str(tmp_path / "repo" / "a"))


def test_a_link_outside_is_a_link_until_it_is_followed(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo)
    (tmp_path / "link.md").symlink_to(repo / "CLAUDE.md")
    disk = disk_of(repo, "first")
    assert stat.S_ISLNK(disk.lstat(str(tmp_path / "link")).st_mode)
    assert disk.readlink(str(tmp_path / "link.md")) == str(repo / "CLAUDE.md")
    for path in ("link", "link/", "link/docs/.."):
        assert stat.S_ISDIR(disk.stat(str(tmp_path / path)).st_mode)
    assert stat.S_ISREG(disk.lstat(str(tmp_path / "link" / "CLAUDE.md")).st_mode)
    assert stat.S_ISLNK(disk.lstat(str(tmp_path / "link" / "AGENTS.md")).st_mode)
    assert stat.S_ISDIR(disk.lstat(str(tmp_path / "link" / "..")).st_mode)
    with pytest.raises(FileNotFoundError):
        disk.lstat(str(tmp_path / "link" / "new.md"))


def test_what_is_said_of_the_things_of_a_revision(repo: Path) -> None:
    disk = disk_of(repo, "first")
    for path, kind, mode, size in (
        ("docs", stat.S_IFDIR, 0o755, 0),
        ("AGENTS.md", stat.S_IFLNK, 0o777, len("CLAUDE.md")),
        ("CLAUDE.md", stat.S_IFREG, 0o644, len("first\n")),
        ("run.sh", stat.S_IFREG, 0o755, len("#!/bin/sh\n")),
    ):
        found = disk.lstat(str(repo / path))
        assert (stat.S_IFMT(found.st_mode), stat.S_IMODE(found.st_mode), found.st_size) == (kind, mode, size), path
    assert list(disk.chunks(str(repo / "CLAUDE.md"), 4)) == [b"firs", b"t\n"]
    assert list(disk.chunks(str(repo.parent / "outside.md"), 4)) == [b"outs", b"ide\n"]
    with pytest.raises(OSError, match="is a directory"):
        disk.read(str(repo / "docs"), 10)
    with pytest.raises(OSError, match="is not a directory"):
        disk.scan(str(repo / "CLAUDE.md"))
    with pytest.raises(OSError, match="is not a link"):
        disk.readlink(str(repo / "CLAUDE.md"))


def test_a_link_to_the_repository_leads_into_the_revision(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo)
    disk = disk_of(repo, "first")
    assert text(disk, tmp_path / "link" / "CLAUDE.md") == "first\n"
    assert text(disk_of(tmp_path / "link", "first"), tmp_path / "link" / "CLAUDE.md") == "first\n"
    assert text(disk, repo.parent / "outside.md") == "outside\n"


@pytest.mark.parametrize("bare", ["", "-x", "mian", "HEAD:CLAUDE.md", "0" * 40, "a\0b"])
def test_what_is_no_revision_is_said(repo: Path, bare: str) -> None:
    with pytest.raises(RevisionError, match="revision"):
        find_revision(bare, str(repo), str(repo), os.environ)


@pytest.mark.parametrize("name", ["", "-x", "a\0b"])
def test_git_is_not_asked_for_what_is_no_name(repo: Path, name: str) -> None:
    with pytest.raises(RevisionError, match="is not the name of a revision"):
        find_revision(name, str(repo), str(repo), os.environ)


@pytest.mark.parametrize(("tags", "known"), [(498, 499), (499, 500), (500, 500)])
def test_500_names_are_known(tmp_path: Path, tags: int, known: int) -> None:
    commit(tmp_path, {"a": "a\n"})
    first = git(tmp_path, "rev-parse", "HEAD").strip()
    (tmp_path / ".git" / "packed-refs").write_text("".join(f"{first} refs/tags/t{n:03}\n" for n in range(tags)))
    assert len(revision_names(str(tmp_path), str(tmp_path), os.environ)) == known


def test_names_are_known_for_a_misspelt_one(repo: Path) -> None:
    assert set(revision_names(str(repo), str(repo), os.environ)) == {"main", "first"}
    with pytest.raises(RevisionError) as raised:
        find_revision("mian", str(repo), str(repo), os.environ)
    assert "main" in raised.value.known


def test_without_git_or_a_repository_or_a_commit(repo: Path, tmp_path: Path) -> None:
    with pytest.raises(RevisionError, match="not installed"):
        find_revision("HEAD", str(repo), str(repo), {"PATH": str(tmp_path)})
    with pytest.raises(RevisionError, match="no git repository"):
        find_revision("HEAD", str(tmp_path), str(tmp_path), os.environ)
    assert revision_names(str(tmp_path), str(tmp_path), os.environ) == ()
    git(tmp_path, "init", "-q")
    with pytest.raises(RevisionError, match="no commit yet"):
        find_revision("HEAD", str(tmp_path), str(tmp_path), os.environ)
    (tmp_path / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(RevisionError, match="does not read"):
        find_revision("HEAD", str(tmp_path), str(tmp_path), os.environ)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    os.mkfifo(tmp_path / ".git" / "refs" / "heads" / "main")
    with pytest.raises(RevisionError, match=r"would wait on .*/refs/heads/main"):
        find_revision("HEAD", str(tmp_path), str(tmp_path), os.environ)
    (tmp_path / ".git" / "HEAD").unlink()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    with pytest.raises(RevisionError, match="would wait"):
        find_revision("HEAD", str(tmp_path), str(tmp_path), os.environ)


def test_a_shallow_clone_says_how_to_get_more(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo}", "clone")
    clone = tmp_path / "clone"
    assert text(disk_of(clone, "HEAD"), clone / "CLAUDE.md") == "second\n"
    with pytest.raises(RevisionError, match=r"shallow clone has no revision 'HEAD~1': fetch .*--unshallow"):
        find_revision("HEAD~1", str(clone), str(clone), os.environ)
    git(clone, "commit", "-q", "--allow-empty", "-m", "mine")
    git(clone, "checkout", "-q", "--orphan", "other")
    git(clone, "commit", "-q", "--allow-empty", "-m", "alone")
    with pytest.raises(RevisionError, match="no common commit in this shallow clone"):
        find_merge_base("main", "other", str(clone), str(clone), os.environ)


def test_the_commit_where_a_branch_left(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repo), "clone")
    clone = tmp_path / "clone"
    start = git(clone, "rev-parse", "HEAD").strip()
    git(clone, "checkout", "-q", "-b", "topic")
    commit(clone, {"x": "topic\n"})
    git(clone, "checkout", "-q", "main")
    commit(clone, {"y": "main\n"})
    assert find_merge_base("main", "topic", str(clone), str(clone), os.environ).commit == start


def test_a_submodule_is_an_empty_folder_that_is_noted(repo: Path, tmp_path: Path) -> None:
    commit(tmp_path / "top", {"CLAUDE.md": "top\n"})
    git(tmp_path / "top", "submodule", "--quiet", "add", str(repo), "sub")
    commit(tmp_path / "top", {})
    disk = disk_of(tmp_path / "top", "HEAD")
    sub = Path(os.path.realpath(tmp_path)) / "top" / "sub"
    assert disk.submodules == {}
    with pytest.raises(FileNotFoundError):
        disk.stat(str(sub / "CLAUDE.md"))
    assert disk.scan(str(sub)) == []
    assert disk.submodules == {str(sub): git(repo, "rev-parse", "HEAD").strip()}
    linked = disk_of(sub, "first")  # where the work tree is the submodule's, so are the revisions
    assert text(linked, sub / "CLAUDE.md") == "first\n"


def test_a_pointer_of_git_lfs_gives_its_content_or_says_why_not(tmp_path: Path) -> None:
    content = b"large\n"
    oid = hashlib.sha256(content).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {len(content)}\n"
    commit(tmp_path, {"CLAUDE.md": pointer})
    disk = disk_of(tmp_path, "HEAD")
    with pytest.raises(OSError, match="Git LFS keeps its content"):
        disk.read(str(tmp_path / "CLAUDE.md"), 1_000)
    workspace = Workspace(disk)
    workspace.allow([str(tmp_path)])
    assert "git lfs fetch" in workspace.read(str(tmp_path / "CLAUDE.md")).detail
    store = tmp_path / ".git" / "lfs" / "objects" / oid[:2] / oid[2:4]
    store.mkdir(parents=True)
    (store / oid).write_bytes(content)
    assert text(disk, tmp_path / "CLAUDE.md") == "large\n"
    assert disk.stat(str(tmp_path / "CLAUDE.md")).st_size == len(content)


@pytest.mark.parametrize(("size", "is_pointer"), [(1_023, True), (1_024, True), (1_025, False)])
def test_a_pointer_of_git_lfs_has_at_most_1024_bytes(tmp_path: Path, size: int, is_pointer: bool) -> None:
    """Of a longer text nothing is elsewhere."""
    first, rest = "version https://git-lfs.github.com/spec/v1\n", f"oid sha256:{'0' * 64}\nsize 7\n"
    commit(tmp_path, {"CLAUDE.md": f"{first}{'x' * (size - len(first) - len(rest) - 1)}\n{rest}"})
    disk = disk_of(tmp_path, "HEAD")
    assert disk.stat(str(tmp_path / "CLAUDE.md")).st_size == (7 if is_pointer else size)


def test_an_object_that_is_gone_is_said_and_the_others_are_read(tmp_path: Path) -> None:
    commit(tmp_path, {"CLAUDE.md": "gone\n", "kept.md": "kept\n"})
    oid = git(tmp_path, "rev-parse", "HEAD:CLAUDE.md").strip()
    (tmp_path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    disk = disk_of(tmp_path, "HEAD")
    with pytest.raises(OSError, match="partial, or damaged"):
        disk.read(str(tmp_path / "CLAUDE.md"), 1_000)
    assert text(disk, tmp_path / "kept.md") == "kept\n"
    disk.close()
    with pytest.raises(OSError, match="was closed"):
        disk.stat(str(tmp_path / "CLAUDE.md"))


def test_a_file_over_the_limit_is_not_read(repo: Path) -> None:
    workspace = Workspace(disk_of(repo, "first"), max_bytes=3)
    workspace.allow([str(repo)])
    assert workspace.read(str(repo / "CLAUDE.md")).problem == "too-large"
    with pytest.raises(OSError, match="more than 3"):
        workspace.disk.read(str(repo / "CLAUDE.md"), 3)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_filters_and_hooks_of_the_repository_do_not_run(tmp_path: Path) -> None:
    commit(tmp_path, {"CLAUDE.md": "text\n", ".gitattributes": "* filter=trap diff=trap\n"})
    trap = f"touch {tmp_path / 'sprung'}; cat"
    for name in ("filter.trap.smudge", "filter.trap.clean", "diff.trap.textconv", "core.fsmonitor", "core.pager"):
        git(tmp_path, "config", name, trap)
    assert text(disk_of(tmp_path, "HEAD"), tmp_path / "CLAUDE.md") == "text\n"
    assert not (tmp_path / "sprung").exists()


def test_a_git_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promptscope_engine.workspace.objects.TIMEOUT", 0.2)
    objects = Objects(Git(("/bin/sh", "-c", "exec sleep 60"), "/", {"PATH": os.environ["PATH"]}))
    for _ in range(2):
        with pytest.raises(OSError, match="did not answer in time"):
            objects.size("0" * 40)
    objects.close()


FIRST, SECOND = "1" * 40, "2" * 40


def of_trees(root: Path, trees: dict[str, list[tuple[str, bytes, str]]], **contents: bytes) -> RevisionDisk:
    """A revision of these trees, the first of them its root: mode, name and object of each entry."""
    listed = {
        oid: b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(of) for mode, name, of in entries)
        for oid, entries in trees.items()
    }
    objects = GitOf({**listed, **{name * 40: content for name, content in contents.items()}})
    _OPENED.append(RevisionDisk(Revision("name", "0123456789" * 4, FIRST, str(root), f"{root}/.git", objects)))
    return _OPENED[-1]


def test_a_commit_is_shown_by_its_first_digits(tmp_path: Path) -> None:
    assert of_trees(tmp_path, {FIRST: []}).revision.short == "012345678"


def test_what_git_keeps_at_the_root_alone_is_that_of_the_disk(tmp_path: Path) -> None:
    for folder in (".git", "sub/.git"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "config").write_text("on the disk")
    disk = of_trees(tmp_path, {FIRST: [("40000", b"sub", SECOND)], SECOND: [("100644", b"ok", "a" * 40)]}, a=b"ok")
    assert text(disk, tmp_path / ".git/config") == "on the disk"
    assert text(disk, tmp_path / "sub/ok") == "ok"
    with pytest.raises(FileNotFoundError):
        disk.stat(str(tmp_path / "sub/.git/config"))


@pytest.mark.parametrize(("tree", "shared"), [(None, ".git\n"), ("1" * 40, None), (None, None)])
def test_a_commit_whose_files_git_has_not_got_is_no_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: str | None, shared: str | None
) -> None:
    class Broken(GitOf):
        def text(self, *_: str) -> str:
            return "c" * 40

        def texts(self, *_: tuple[str, ...]) -> list[str | None]:
            return [tree, shared]

    (tmp_path / ".git").mkdir()
    monkeypatch.setattr("promptscope_engine.workspace.revision.find_git", lambda *_: Broken({}))
    with pytest.raises(RevisionError, match="git has not got the files of main"):
        find_revision("main", str(tmp_path), str(tmp_path), {})


def test_names_that_git_would_not_check_out_are_not_there(tmp_path: Path) -> None:
    """They would lead out of the repository, or into what git itself keeps."""
    names = (b"", b".", b"..", b".git", b"a/b", b"/etc", b"ok")
    disk = of_trees(tmp_path, {FIRST: [("100644", name, "a" * 40) for name in names]}, a=b"text\n")
    assert disk.scan(str(tmp_path)) == [Entry("ok", "file")]
    assert text(disk, tmp_path / "ok") == "text\n"


def test_the_commits_that_changed_some_files_come_latest_first(tmp_path: Path) -> None:
    commit(tmp_path, {"CLAUDE.md": "one\n", "a*.md": "star\n"}, "first")
    commit(tmp_path, {"other.txt": "no instructions\n"}, "elsewhere")
    commit(tmp_path, {"ab.md": "matches the name above as a pattern\n"}, "a file that a pattern would match")
    commit(tmp_path, {"CLAUDE.md": "two\n"}, "second: with | and : in it")

    def touching(*names: str, most: int = 10) -> list[tuple[str, bool]]:
        found = commits_touching(names, str(tmp_path), str(tmp_path), {}, most)
        return [(each.subject, each.parent is not None) for each in found]

    assert touching("CLAUDE.md") == [("second: with | and : in it", True), ("first", False)]
    assert touching("CLAUDE.md", most=1) == [("second: with | and : in it", True)]
    assert touching("a*.md") == [("first", False)], "a name is no pattern"
    assert touching("gone.md") == []
    assert touching() == [], "and not every commit"


def test_without_git_there_are_no_commits(tmp_path: Path) -> None:
    assert commits_touching(["CLAUDE.md"], str(tmp_path), str(tmp_path), {}, 1) == ()
