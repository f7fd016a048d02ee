"""The gatherer as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.gather import added_directories
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.assembly.resolve import resolve

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ("~", "{root}/home"),
        ("~/more", "{root}/home/more"),
        ("~more", "{root}/workspace/~more"),
        ("more/", "{root}/workspace/more"),
        ("../more", "{root}/more"),
        (".", "{root}/workspace"),
        ("/more/./a/..", "/more"),
    ],
)
def test_added_folders_are_absolute(project: Project, given: str, folder: str) -> None:
    _, inputs = resolve(project.scenario(params={"args": {"addDir": [given]}}), project.workspace)
    assert isinstance(inputs.params, ClaudeCodeParams)
    assert added_directories(inputs, inputs.params) == (folder.format(root=project.root),)
