"""The files that say what the structure of the folders leaves out (docs/agents/gemini.md#folders)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
    said,
)

from promptscope_engine import Workspace
from promptscope_engine.agents.gemini.gather.folders import IgnoreRules
from promptscope_engine.agents.kit.disk.rows import Found

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("lines", "cut"), [(99_999, False), (100_000, False), (100_001, True)])
def test_so_many_lines_of_an_ignore_file_count(project: Project, lines: int, cut: bool) -> None:
    project.write({"workspace/.geminiignore": "\n" * (lines - 1) + "x.log", "workspace/x.log": "x"})
    assert bool(said(project, "ignore-file")) is cut
    [tree] = project.gathered().materials.trees
    assert ("└───x.log" in tree.lines) is cut


@pytest.mark.parametrize(
    ("path", "hidden"),
    [
        ("out/", True), ("out", False), ("out/x", True), ("out/a/b/x", True), ("a/out/x", True), ("outer/x", False),
        ("a/b/x.log", True), ("a/b/x.log/y", True), ("a/keep.log", False), ("a/b/c/", False), ("", False),
        ("a/x.tmp", True), ("a/b/x.tmp", True), ("x.tmp", False), ("../out/x", False),
    ],
)  # fmt: skip
def test_what_lies_in_an_ignored_folder_is_left_out(project: Project, path: str, hidden: bool) -> None:
    project.write({"workspace/.gitignore": "out/\n*.log\n!keep.log\n", "workspace/a/.gitignore": "*.tmp"})
    workspace = Workspace()
    workspace.allow([str(project.root)])
    rules = IgnoreRules(project.cwd, git=True, found=Found(workspace=workspace))
    assert rules.hides(f"{project.cwd}/{path}".replace("workspace/../", "")) is hidden


@pytest.mark.parametrize(("text", "counts"), [("x", True), ("# x\n", False)])
def test_the_row_of_an_ignore_file(project: Project, text: str, counts: bool) -> None:
    row = project.write({"workspace/.geminiignore": text}).file("workspace/.geminiignore")
    assert (row.present, row.raw_chars, row.injected_chars) == (counts, len(text), 0)


@pytest.mark.parametrize(
    ("read", "settings", "loads"),
    [
        ("out/x", {}, False),
        ("out/x", {"respectGitIgnore": False}, True),
        ("vendored/x", {}, False),
        ("vendored/x", {"respectGeminiIgnore": False}, True),
        ("vendored", {}, True),
        ("src/x", {"customIgnoreFilePaths": [".others"]}, False),
        ("src/x", {}, True),
    ],
)
def test_a_file_that_is_ignored_is_not_read(project: Project, read: str, settings: object, loads: bool) -> None:
    folder = read.partition("/")[0]
    project.write(
        {
            "workspace/.git/HEAD": "ref: refs/heads/main\n",
            "workspace/.gitignore": "out/\n",
            "workspace/.geminiignore": "vendored/\n",
            "workspace/.others": "src/\n",
            f"workspace/{folder}/x": "x",
            f"workspace/{folder}/GEMINI.md": "nested",
        }
    )
    found = project.gathered(reads=[read], settings={"context": {"fileFiltering": settings}}).materials.discovered
    shown = [file.path.removeprefix(f"{project.cwd}/") for each in found for file in each.files]
    assert shown == ([f"{folder}/GEMINI.md"] if loads else [])
