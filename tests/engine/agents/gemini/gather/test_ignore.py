"""The files that say what the structure of the folders leaves out (specs/gemini.md 8.2)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
    said,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("lines", "cut"), [(99_999, False), (100_000, False), (100_001, True)])
def test_so_many_lines_of_an_ignore_file_count(project: Project, lines: int, cut: bool) -> None:
    project.write({"workspace/.geminiignore": "\n" * (lines - 1) + "x.log", "workspace/x.log": "x"})
    assert bool(said(project, "ignore-file")) is cut
    [tree] = project.gathered().materials.trees
    assert ("└───x.log" in tree.lines) is cut
