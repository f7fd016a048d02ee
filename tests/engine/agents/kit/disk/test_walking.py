"""Searches below a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.disk.walking import (
    Reach,
    beyond,
    folders_in,
    folders_with,
    git_walk,
    linked_below,
    upwards,
    walk,
)  # fmt: skip
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name in ("a.md", "b/c.md", "b/d/e.md", "b/x.txt", ".hidden/h.md", "node_modules/n.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    (tmp_path / "link").symlink_to("b")
    (tmp_path / "back").symlink_to(".")
    made = Workspace()
    made.allow([str(tmp_path)])
    return made


def test_folders_are_named_but_for_hidden_ones(tmp_path: Path, workspace: Workspace) -> None:
    assert folders_in(workspace, str(tmp_path)) == ["b", "back", "link"]
    assert folders_in(workspace, str(tmp_path / "none")) == []


@pytest.mark.parametrize(
    ("depth", "folders", "found"),
    [
        (9, 9, [".hidden/h.md", "a.md", "b/c.md", "b/d/e.md", "node_modules/n.md"]),
        (1, 9, [".hidden/h.md", "a.md", "b/c.md", "node_modules/n.md"]),
        (0, 9, ["a.md"]),
        (9, 2, [".hidden/h.md", "a.md"]),
    ],
)
def test_links_to_folders_are_followed_once(
    tmp_path: Path, workspace: Workspace, depth: int, folders: int, found: list[str]
) -> None:
    paths = linked_below(workspace, str(tmp_path), ".md", Reach(depth, folders))
    assert [path.removeprefix(f"{tmp_path}/") for path in paths] == found


@pytest.fixture
def project(tmp_path: Path) -> Workspace:
    (tmp_path / "super/api").mkdir(parents=True)
    (tmp_path / "super/A.md").write_text("x", "utf-8")
    made = Workspace()
    made.allow([str(tmp_path)])
    return made


@pytest.mark.parametrize(
    ("marker", "why"),
    [
        ("folder", "api/.git makes api the project root (it is an empty folder, not a repository)"),
        ("gitdir: x", "api/.git makes api the project root (it is a file, not a folder)"),
        ("gitdir: ../.git/modules/api", "api/.git makes api the project root (it is a submodule's file)"),
        ("gitdir: /m/.git/worktrees/api", "api/.git makes api the project root (it is a linked worktree's file)"),
        ("repository", "api/.git makes api the project root"),
        ("none", "without .git above it, only the folder that it is started in counts"),
    ],
)
def test_what_ends_the_search_is_named(tmp_path: Path, project: Workspace, marker: str, why: str) -> None:
    git = tmp_path / "super/api/.git"
    if marker.startswith("gitdir"):
        git.write_text(marker, "utf-8")
    elif marker != "none":
        git.mkdir()
    if marker == "repository":
        (git / "HEAD").write_text("ref: x", "utf-8")
    walked = walk(project, str(tmp_path / "super/api"), [".git"])
    rows = beyond(project, walked, ("agents-md", lambda _, folder: iter([f"{folder}/A.md"])), (), "do this")
    assert [row.path for row in rows] == [f"{tmp_path}/super/A.md"]
    assert isinstance(rows[0].when, Fact)
    assert rows[0].when.no == f"not read: {why}"


@pytest.mark.parametrize(
    ("markers", "why"),
    [
        (["ROOT", ".hg"], "without ROOT or .hg above it, only the folder that it is started in counts"),
        ([], "no file marks a project's root: only the folder that it is started in counts"),
        (["A.md"], "A.md makes . the project root"),
    ],
)
def test_markers_of_ones_own_are_named(tmp_path: Path, project: Workspace, markers: list[str], why: str) -> None:
    walked = walk(project, str(tmp_path / "super/api"), markers)
    assert walked.ends(project, str(tmp_path / "super")) == why


def test_the_walk_goes_from_the_marker_down(tmp_path: Path, project: Workspace) -> None:
    (tmp_path / "super/.git").mkdir()
    assert walk(project, str(tmp_path / "super/api"), [".git"]).folders == (
        str(tmp_path / "super"),
        str(tmp_path / "super/api"),
    )
    assert walk(project, str(tmp_path / "super/api"), [".hg"]).folders == (str(tmp_path / "super/api"),)


def test_what_is_known_already_has_no_second_row(tmp_path: Path, project: Workspace) -> None:
    walked, path = walk(project, str(tmp_path / "super/api"), []), f"{tmp_path}/super/A.md"
    assert beyond(project, walked, ("agents-md", lambda *_: iter([path])), {path}, "") == []


@pytest.mark.parametrize(
    ("start", "top", "folders"),
    [
        ("/a/b", "/a", ["/a/b", "/a"]),
        ("/a/b", "/a/b", ["/a/b"]),
        ("/a/b", "/c", ["/a/b", "/a", "/"]),
        ("/", None, ["/"]),
    ],
)
def test_the_way_up_from_a_folder(start: str, top: str | None, folders: list[str]) -> None:
    assert upwards(start, top) == folders


def test_folders_below_that_hold_a_file_of_a_name_come_outer_first(tmp_path: Path, project: Workspace) -> None:
    for name in ("z/A.md", "z/deep/er/A.md", "b/B.md", "A.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    files = [str(tmp_path / name) for name in ("z/deep/er/x.py", "super/api/x.py", "b/x.py", "x.py")]
    found = folders_with(project, str(tmp_path), files, ["A.md"])
    assert [path.removeprefix(f"{tmp_path}/") for path in found] == ["super", "z", "z/deep/er"]


@pytest.mark.parametrize(
    ("text", "root", "lost"), [("gitdir: ../none", False, True), ("nothing", False, False), (None, False, False)]
)
def test_a_git_file_that_leads_nowhere(tmp_path: Path, text: str | None, root: bool, lost: bool) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    if text is not None:
        (tmp_path / "a/.git").write_text(text, "utf-8")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    start = str(tmp_path / "a/b")
    assert (git_walk(workspace, start).marker is not None) is root
    assert (git_walk(workspace, start, lost=True).marker is not None) is lost
