"""`why PATH`: whatever exists is answered with why it is read or not, and the very path that was typed comes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from promptscope_tui.cli import cli


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    for name in ("repo/Claude.md", "repo/.claude/claude.md", "repo/docs/notes.md", "home/.claude/CLAUDE.md", "home/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    (tmp_path / "repo/gone.md").symlink_to("nowhere")
    return tmp_path


def why(root: Path, item: str, agent: str = "claude-code") -> str:
    words = ["why", item, str(root / "repo"), "--agent", agent, "--home", str(root / "home")]
    return CliRunner().invoke(cli, words).output


@pytest.mark.parametrize("item", ["Claude.md", "./Claude.md", "{root}/repo/Claude.md"])
def test_the_file_that_was_typed_and_no_other_spelling(root: Path, item: str) -> None:
    said = why(root, item.replace("{root}", str(root)))
    assert "only the name CLAUDE.md counts (this is Claude.md)" in said
    assert said.count("✗ file ") == 1


def test_a_path_is_not_taken_for_one_that_ends_alike(root: Path) -> None:
    said = why(root, ".claude/claude.md")
    assert "this is claude.md" in said
    assert "~/" not in said


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "openclaw", "roo"])
@pytest.mark.parametrize("item", ["docs/notes.md", "~/x"])
def test_any_file_has_an_answer(root: Path, agent: str, item: str) -> None:
    said = why(root, item.replace("~", str(root / "home")), agent)
    assert "did you mean" not in said
    assert "does not look at" in said or "never looks at" in said


def test_a_link_that_leads_nowhere(root: Path) -> None:
    assert "the link leads nowhere: there is no nowhere" in why(root, "gone.md")


def test_what_does_not_exist_is_still_met_with_the_nearest(root: Path) -> None:
    assert "did you mean" in why(root, "Claud.md")


def test_a_tool_of_a_server_that_was_not_asked(root: Path) -> None:
    (root / "repo/.mcp.json").write_text('{"mcpServers": {"mail": {"command": "mail-server"}}}', "utf-8")
    assert "the tools of mail are not known yet: ask with `promptscope mcp-list`" in why(root, "send_mail")
