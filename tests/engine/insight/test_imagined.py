"""A file that is not there: whether it would be read, when, and what the prompt would have of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import git

from promptscope_engine import Scenario, Workspace
from promptscope_engine.insight.imagined import Imagined, imagined


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/CLAUDE.md").write_text("Use tabs.\n")
    git(tmp_path / "repo", "init", "-q")
    return tmp_path


def asked(folder: Path, path: str, agent: str = "claude-code") -> Imagined | None:
    values = {"agent": agent, "workspace": str(folder / "repo"), "home": str(folder / "home"), "env": {}}
    return imagined(path, Scenario.model_validate(values), Workspace())


def test_one_that_would_be_read(folder: Path) -> None:
    found = asked(folder, "CLAUDE.local.md")
    assert found
    assert found.row
    assert found.is_read
    assert any("CLAUDE.local.md" in each for each in found.changes)


def test_one_in_folders_that_are_not_there_either(folder: Path) -> None:
    found = asked(folder, ".claude/skills/fold/SKILL.md")
    assert found
    assert found.changes == ("± Skills",)
    assert not (folder / "repo/.claude").exists()


def test_one_that_would_load_later(folder: Path) -> None:
    found = asked(folder, "pkg/CLAUDE.md")
    assert found
    assert found.later == f"loads when a file below {folder}/repo/pkg is read"


def test_one_that_nothing_reads(folder: Path) -> None:
    found = asked(folder, "docs/notes.md")
    assert found
    assert not found.is_read
    assert "does not look at this file" in found.unread


def test_what_is_there_is_not_imagined(folder: Path) -> None:
    assert asked(folder, "CLAUDE.md") is None
    assert asked(folder, "~/") is None
