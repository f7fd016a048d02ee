"""Files that a pattern names, as npm's `glob` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.javascript.npm_glob import globbed
from promptscope_engine.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in ("a.md", ".b.md", "docs/c.md", "docs/deep/d.md", "docs/e.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    (tmp_path / "link").symlink_to("docs")
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("a.md", ["a.md"]),
        ("*.md", [".b.md", "a.md"]),
        ("docs/*.{md,txt}", ["docs/c.md", "docs/e.txt"]),
        ("**/d.md", ["docs/deep/d.md"]),
        ("link/*.md", ["link/c.md"]),
        ("docs", []),
    ],
)
def test_files_are_named_with_hidden_ones_and_through_links_that_are_written_out(
    folder: Path, pattern: str, named: list[str]
) -> None:
    workspace = Workspace()
    workspace.allow([str(folder)])
    found = globbed(workspace, str(folder), pattern, most=10)
    assert [path.removeprefix(f"{folder}/") for path in found] == named


def test_a_pattern_names_no_more_files_than_it_may(folder: Path) -> None:
    workspace = Workspace()
    workspace.allow([str(folder)])
    assert len(globbed(workspace, str(folder), "**", most=2)) == 2
