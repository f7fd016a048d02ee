"""Which files of the workspace the first message lists, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.crowd import CrowdedDisk

from promptscope_engine.agents.roo.gather.editor import Listing, workspace_files
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Disk

List = Callable[..., Listing]


@pytest.fixture
def listed(tmp_path: Path) -> List:
    """Lists a workspace of empty files; a name that ends in `/` is a folder, one with `=` has that text."""

    def make(*names: str, limit: int = 200, disk: Disk | None = None) -> Listing:
        for name in names:
            path, _, text = name.partition("=")
            target = tmp_path / path
            if path.endswith("/"):
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)
        workspace = Workspace(disk)
        workspace.allow([str(tmp_path)])
        found = workspace_files(workspace, str(tmp_path), "/home/nobody", limit)
        paths = tuple(path.removeprefix(f"{tmp_path}/") for path in found.paths)
        return Listing(paths, found.did_hit_limit)

    return make


def test_folders_come_first_and_hidden_files_count(listed: List) -> None:
    assert listed("b.ts", ".env", "src/a.ts").paths == ("src/", ".env", "b.ts", "src/a.ts")


def test_hidden_folders_are_listed_and_not_entered(listed: List) -> None:
    assert listed(".github/w.yml", "a").paths == (".github/", "a")


def test_folders_of_dependencies_and_builds_are_left_out(listed: List) -> None:
    found = listed("node_modules/x/i.js", "lib/vendor/y.go", ".git/config", "a")
    assert found.paths == ("lib/", "a")


@pytest.mark.parametrize("name", [".ignore", ".rgignore"])
def test_ignore_files_count_everywhere_and_gitignore_in_a_repository_only(listed: List, name: str) -> None:
    assert listed("a.log", "sub/b.log", "sub/c.log", f"{name}=*.log\n", "sub/.ignore=!c.log\n").paths == (
        ("sub/", name, "sub/.ignore", "sub/c.log") if name == ".ignore" else ("sub/", name, "sub/.ignore")
    )


def test_gitignore_counts_in_a_repository_only(listed: List) -> None:
    assert "a.log" in listed("a.log", ".gitignore=*.log\nkept/\n", "kept/x").paths
    assert listed(".git/HEAD", ".git/info/exclude=x\n").paths == (".gitignore",)


def test_a_pattern_that_cannot_be_read_is_no_pattern(listed: List) -> None:
    assert listed("a.log", "b.md", ".ignore=!\n*.log\n").paths == (".ignore", "b.md")


def test_the_limit_counts_folders_and_keeps_those_at_the_top(listed: List) -> None:
    found = listed("a/x", "b/y", "c.md", "d.md", "e.md", limit=4)
    assert found.did_hit_limit
    assert len(found.paths) == 4
    assert {"a/", "b/"} <= set(found.paths)
    assert not listed(limit=7 + 1).did_hit_limit
    assert listed(limit=7).did_hit_limit, "exactly full counts as truncated"
    assert listed(limit=0) == Listing((), False)


def test_links_are_followed_once(listed: List, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x").touch()
    (tmp_path / "real" / "back").symlink_to(tmp_path)
    (tmp_path / "file").symlink_to(tmp_path / "real" / "x")
    assert listed().paths == ("real/", "file", "real/x")


def test_the_home_folder_is_not_looked_into(tmp_path: Path) -> None:
    workspace = Workspace()
    assert workspace_files(workspace, str(tmp_path), str(tmp_path), 200) == Listing((str(tmp_path),), False)
    assert workspace.directories == frozenset()


def test_the_repositorys_own_list_is_anchored_at_its_root(tmp_path: Path) -> None:
    for name in ("repo/pkg/a.log", "repo/pkg/b.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "repo/.git/info").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").touch()
    (tmp_path / "repo/.git/info/exclude").write_text("/pkg/a.log\n/b.log\n")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    cwd = tmp_path / "repo/pkg"
    assert workspace_files(workspace, str(cwd), "/home/nobody", 9).paths == (str(cwd / "b.log"),)


@pytest.mark.parametrize(("crowd", "is_searched"), [(4_996, True), (4_997, False)])
def test_the_number_of_folders_that_are_searched_is_limited(
    listed: List, tmp_path: Path, crowd: int, is_searched: bool
) -> None:
    disk = CrowdedDisk(tmp_path / "a", crowd)
    found = listed("a/0/1", "a/0/2", "a/0/3", limit=2, disk=disk)
    assert found.paths == (("a/0/1", "a/") if is_searched else ("a/", "a/0/")), "the workspace's folder counts too"


@pytest.mark.parametrize(("crowd", "is_entered"), [(4_998, True), (4_999, False)])
def test_the_number_of_folders_that_are_listed_is_limited(
    listed: List, tmp_path: Path, crowd: int, is_entered: bool
) -> None:
    found = listed("a/b/", limit=6_000, disk=CrowdedDisk(tmp_path, crowd, name=".{}"))
    assert ("a/b/" in found.paths) is is_entered


@pytest.mark.parametrize(("length", "is_entered"), [(1_024, True), (1_025, False)])
def test_a_folder_with_a_very_long_path_is_not_entered(
    listed: List, tmp_path: Path, length: int, is_entered: bool
) -> None:
    left = length - len(f"{tmp_path}/")
    folder = "/".join(["x" * 200] * (left // 201))
    folder = f"{folder}/{'y' * (left - len(folder) - 1)}"
    assert len(f"{tmp_path}/{folder}") == length
    paths = listed(f"{folder}/inner/file.ts").paths
    assert f"{folder}/" in paths
    assert [f"{folder}/inner/" in paths, f"{folder}/inner/file.ts" in paths] == [is_entered, False]
    assert (f"{folder}/file.ts" in listed(f"{folder}/file.ts").paths) is is_entered


def test_one_entry_is_a_limit_too(listed: List) -> None:
    assert listed("a", "b", limit=1) == Listing(("a",), True)


def test_a_gitignore_above_the_repository_does_not_count(listed: List, tmp_path: Path) -> None:
    listed(
        "work/.git/HEAD", "work/a.log", "work/.gitignore=b\n", "work/b", ".gitignore=*.log\n", ".ignore=c\n", "work/c"
    )
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    found = workspace_files(workspace, f"{tmp_path}/work", "/home/nobody", 9).paths
    assert [path.rpartition("/")[2] for path in found] == [".gitignore", "a.log"]


def test_the_repositorys_own_list_comes_before_the_users(listed: List, tmp_path: Path) -> None:
    listed("work/.git/info/exclude=!a.log\n", "work/.git/HEAD", "work/a.log", "work/b.log")
    listed("home/.config/git/ignore=*.log\n")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    found = workspace_files(workspace, f"{tmp_path}/work", f"{tmp_path}/home", 9).paths
    assert found == (f"{tmp_path}/work/a.log",)
