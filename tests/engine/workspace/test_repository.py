"""The files of a repository, through git or without it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace import repository as repository_files
from promptscope_engine.workspace.disk import EmptyDisk, Entry
from promptscope_engine.workspace.git import find_git
from promptscope_engine.workspace.repository import list_files, repository_root


def git(folder: Path, *words: str) -> None:
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, env=env, check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "repo"
    for name in ("a.txt", "sub/b.txt", "build/c.txt", "odd\nname.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    return root


def listed(folder: Path) -> repository_files.FileList:
    workspace = Workspace()
    workspace.allow([str(folder)])
    found = list_files(str(folder), str(folder), {}, workspace)
    assert workspace.asked == frozenset()
    return found


def test_git_lists_what_is_tracked_or_would_be(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / ".gitignore").write_text("build/\n")
    git(folder, "add", "a.txt", "sub")
    (folder / "a.txt").unlink()
    found = listed(folder)
    assert (found.source, found.complete) == ("git", True)
    assert found.files == (".gitignore", "odd\nname.txt", "sub/b.txt")
    workspace = Workspace()
    workspace.allow([str(folder)])
    assert list_files(f"{folder}/sub", str(folder), {}, workspace).root == str(folder)


def test_a_walk_leaves_out_what_git_would_ignore(folder: Path) -> None:
    found = listed(folder)
    assert (found.source, found.root) == ("folders", str(folder))
    assert found.files == ("a.txt", "odd\nname.txt", "sub/b.txt")
    assert found.absolute()[0] == f"{folder}/a.txt"


def test_git_is_not_asked_where_there_is_no_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promptscope_engine.workspace.git.find_git", lambda *_: pytest.fail("git is asked"))
    assert listed(folder).source == "folders"


def test_a_long_list_is_cut_and_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository_files, "MAX_FILES", 2)
    assert not listed(folder).complete
    git(folder, "init", "-q")
    found = listed(folder)
    assert (len(found.files), found.complete) == (2, False)


def test_git_runs_nothing_of_the_repository(folder: Path) -> None:
    git(folder, "init", "-q")
    witness = folder.parent / "ran"
    script = folder.parent / "monitor"
    script.write_text(f"#!/bin/sh\ntouch {witness}\n")
    script.chmod(0o755)
    git(folder, "config", "core.fsmonitor", str(script))
    git(folder, "config", "filter.x.clean", str(script))
    (folder / ".gitattributes").write_text("* filter=x\n")
    git(folder, "-c", "core.fsmonitor=false", "-c", "filter.x.clean=", "add", "a.txt")
    assert "a.txt" in listed(folder).files
    program = find_git(str(folder), str(folder), {})
    assert program is not None
    settings = program.settings()
    assert settings is not None
    assert settings["filter.x.clean"] == str(script)
    safe = program.without_filters(settings)
    assert safe is not None
    (folder / "a.txt").write_text("changed")
    assert "a.txt" in (safe.text("status", "--short") or "")
    assert not witness.exists()
    assert safe.ask("status", "--short", limit=1) is None


@pytest.mark.parametrize("levels", [3, 4, 5])
def test_the_repository_is_searched_upwards(folder: Path, levels: int) -> None:
    git(folder, "init", "-q")
    deep = folder / "a/b/c"
    deep.mkdir(parents=True)
    assert repository_root(str(deep), Workspace()) == str(folder)
    assert repository_root(str(deep), Workspace(), levels=levels) == (str(folder) if levels > 3 else None)
    (deep / ".git").write_text("gitdir: elsewhere")
    assert repository_root(str(deep), Workspace(), levels=1) == str(deep)


def test_what_counts_as_a_repository_is_the_callers(folder: Path) -> None:
    git(folder, "init", "-q")
    inner = folder / "sub"
    (inner / ".git").symlink_to("nowhere")
    assert repository_root(str(inner), Workspace()) == str(folder)
    (inner / ".git").unlink()
    (inner / ".git").write_text("gitdir: elsewhere")
    assert repository_root(str(inner), Workspace()) == str(inner)
    assert repository_root(str(inner), Workspace(), kinds=("directory",)) == str(folder)


def test_no_repository_at_all() -> None:
    workspace = Workspace()
    assert repository_root("/", workspace) is None
    assert workspace.asked == {"/.git"}


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_a_list_is_complete_up_to_its_limit(folder: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(repository_files, "MAX_FILES", most)
    three = ("a.txt", "odd\nname.txt", "sub/b.txt")
    found = listed(folder)
    assert (found.files, found.source, found.complete) == (three[:most], "folders", most >= 3)
    (folder / "build/c.txt").unlink()
    git(folder, "init", "-q")
    found = listed(folder)
    assert (found.files, found.source, found.complete) == (three[:most], "git", most >= 3)


@pytest.mark.parametrize(("folders", "files"), [(1, ["top"]), (2, ["a/one", "top"]), (3, ["a/one", "b/two", "top"])])
def test_a_walk_enters_only_so_many_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: int, files: list[str]
) -> None:
    for name in ("top", "a/one", "b/two"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.setattr(repository_files, "MAX_FOLDERS", folders)
    found = listed(tmp_path)
    assert (list(found.files), found.complete) == (files, folders == 3)


def test_a_walk_enters_20_000_folders() -> None:
    class Wide(EmptyDisk):
        def scan(self, path: str) -> list[Entry]:  # type: ignore[override]
            return [Entry(str(number), "directory") for number in range(20_000)] if path == "/work" else []

    workspace = Workspace(Wide())
    workspace.allow(["/work"])
    assert not list_files("/work", "/home", {}, workspace).complete


def test_a_walk_lists_links_and_does_not_enter_them(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a").write_text("")
    (tmp_path / "link").symlink_to("real")
    os.mkfifo(tmp_path / "pipe")
    assert listed(tmp_path).files == ("link", "real/a")


def test_a_walk_with_as_many_files_as_it_may_have_looks_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository_files, "MAX_FILES", 1)
    (tmp_path / "file").write_text("")
    assert listed(tmp_path).complete
    (tmp_path / "folder").mkdir()
    assert not listed(tmp_path).complete  # nobody knows what is in there


@pytest.mark.slow
@pytest.mark.parametrize(("names", "complete"), [(99_999, True), (100_000, True), (100_001, False)])
def test_a_list_has_at_most_100_000_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch, names: int, complete: bool
) -> None:
    def ask(*_: object, limit: int) -> bytes | None:  # noqa: ARG001
        return b"\0".join(b"H %d" % number for number in range(names))

    monkeypatch.setattr("promptscope_engine.workspace.git.Git.ask", ask)
    git(folder, "init", "-q")
    found = listed(folder)
    assert (len(found.files), found.complete) == (min(names, 100_000), complete)


def test_a_repository_in_which_git_would_wait_is_walked(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / ".git/index").unlink(missing_ok=True)
    os.mkfifo(folder / ".git/index")
    assert listed(folder).source == "folders"


@pytest.mark.parametrize("more", [0, 1])
def test_git_may_list_32_mebibytes_of_names(folder: Path, monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    def ask(*_: object, limit: int) -> bytes | None:
        return b"H from-git" if 32 * 1024 * 1024 + more <= limit else None

    monkeypatch.setattr("promptscope_engine.workspace.git.Git.ask", ask)
    git(folder, "init", "-q")
    assert listed(folder).source == ("folders" if more else "git")
