"""Files that a pattern names, as Node's `fs.glob` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.openclaw.gather import bootstrap as extra_files
from promptscope_engine.agents.openclaw.gather.bootstrap import glob
from promptscope_engine.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a.md", "docs/b.md", "docs/deep/c.md", ".hidden/d.md", "docs/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "link").symlink_to("docs")
    return tmp_path


def found(root: Path, pattern: str) -> list[str]:
    workspace = Workspace()
    workspace.allow([str(root)])
    return list(glob(workspace, str(root), pattern))


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("a.md", ["a.md"]),
        ("./a.md", ["a.md"]),
        ("docs//b.md", ["docs/b.md"]),
        ("missing.md", []),
        ("*.md", ["a.md"]),
        ("?.md", ["a.md"]),
        ("[!a].md", []),
        ("*", ["a.md", "docs", "link"]),
        ("docs/*.md", ["docs/b.md"]),
        ("*/b.md", ["docs/b.md", "link/b.md"]),
        ("**/*.md", ["a.md", "docs/b.md", "docs/deep/c.md"]),
        ("**/c.md", ["docs/deep/c.md"]),
        ("docs/**/*.md", ["docs/b.md", "docs/deep/c.md"]),
        ("{a,docs/b}.md", ["a.md", "docs/b.md"]),
        ("{a,?}.md", ["a.md"]),
        ("{a}.md", []),  # as the next ones: tried with Node 24
        ("docs/[^x]*.md", ["docs/b.md"]),
        ("docs/[!b]*.md", []),
        ("@(a|b).md", ["a.md"]),
        ("docs/!(x).md", ["docs/b.md"]),
        ("[[:alpha:]].md", ["a.md"]),
        ("docs/**", ["docs", "docs/b.md", "docs/deep", "docs/deep/c.md", "docs/notes.txt"]),
        ("*/", []),
        ("*/d.md", []),
        (".hidden/*.md", [".hidden/d.md"]),
        (".*/*.md", [".hidden/d.md"]),
        ("**/d.md", []),
        ("../*", []),
        ("docs/../*.md", []),
    ],
)
def test_what_a_pattern_names(root: Path, pattern: str, paths: list[str]) -> None:
    assert found(root, pattern) == paths


@pytest.mark.parametrize(
    ("folders", "paths"),
    [
        (0, []),
        (1, []),
        (2, ["a.md"]),
        (3, ["a.md"]),
        (4, ["a.md", "docs/b.md"]),
        (5, ["a.md", "docs/b.md"]),
        (6, ["a.md", "docs/b.md", "docs/deep/c.md"]),
    ],
)
def test_a_pattern_looks_into_so_many_folders(
    root: Path, monkeypatch: pytest.MonkeyPatch, folders: int, paths: list[str]
) -> None:
    """`**` looks into each folder for folders, and what follows it once more for names."""
    monkeypatch.setattr(extra_files, "MAX_FOLDERS", folders)
    assert found(root, "**/*.md") == paths


@pytest.mark.slow
def test_a_pattern_looks_two_thousand_times(tmp_path: Path) -> None:
    """That is a thousand folders, with the one it starts in."""
    for number in range(1_000):
        (tmp_path / f"{number:03}").mkdir()
    for number in (998, 999):
        (tmp_path / f"{number}/a.md").write_text("")
    assert found(tmp_path, "**/*.md") == ["998/a.md"]


@pytest.mark.parametrize(("options", "is_found"), [(63, True), (64, True), (65, False)])
def test_so_many_choices_are_tried(root: Path, options: int, is_found: bool) -> None:
    choices = ",".join(["x"] * (options - 1) + ["a"])
    assert found(root, f"{{{choices}}}.md") == (["a.md"] if is_found else [])
