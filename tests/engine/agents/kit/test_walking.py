"""Searches below a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.walking import folders_in, linked_below
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
    paths = linked_below(workspace, str(tmp_path), ".md", depth=depth, folders=folders)
    assert [path.removeprefix(f"{tmp_path}/") for path in paths] == found
