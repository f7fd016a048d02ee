"""A repository's own files, read without git."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.dot_git import git_folder, on_github, remotes

CONFIG = """\
[core]
\tbare = false
[remote "fork"]
\turl = https://example.org/a/b.git
[remote "origin"]
\turl = git@github.com:owner/name.git
\tfetch = +refs/heads/*
[branch "main"]
\turl = no
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "repo/.git/worktrees/w").mkdir(parents=True)
    (tmp_path / "repo/.git/config").write_text(CONFIG)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/.git").write_text(f"gitdir: {tmp_path}/repo/.git/worktrees/w\n")
    made = Workspace()
    made.allow([str(tmp_path)])
    return made


def test_a_linked_worktree_leads_to_its_repository(tmp_path: Path, workspace: Workspace) -> None:
    folder = git_folder(workspace, f"{tmp_path}/linked/.git")
    assert folder == f"{tmp_path}/repo/.git/worktrees/w"
    assert remotes(workspace, folder) == {
        "fork": "https://example.org/a/b.git",
        "origin": "git@github.com:owner/name.git",
    }


def test_the_repository_on_github_is_that_of_origin(tmp_path: Path, workspace: Workspace) -> None:
    assert on_github(workspace, f"{tmp_path}/repo/.git") == "owner/name"
    (tmp_path / "repo/.git/config").write_text(CONFIG.replace("github.com", "example.org"))
    workspace.forget([f"{tmp_path}/repo/.git/config"])
    assert on_github(workspace, f"{tmp_path}/repo/.git") == ""


def test_an_address_may_be_in_quotes(tmp_path: Path, workspace: Workspace) -> None:
    (tmp_path / "repo/.git/config").write_text('[remote "origin"]\n\turl = "https://h.example/a;b/\\"c\\".git"\n')
    assert remotes(workspace, f"{tmp_path}/repo/.git") == {"origin": 'https://h.example/a;b/"c".git'}
