"""`promptscope report-issue`: a page that can be shown to strangers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.repository import write

from promptscope_engine import __version__
from promptscope_tui.cli import cli

PRIVATE = "quuxprivate"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, place in {"HOME": "home", "PROMPTSCOPE_STATE": "state", "PROMPTSCOPE_CACHE": "cache"}.items():
        monkeypatch.setenv(name, str(tmp_path / place))
    monkeypatch.setenv("CLAUDE_CODE_EXTRA_BODY", PRIVATE)
    folder = tmp_path / PRIVATE
    write(
        folder,
        {
            "CLAUDE.md": f"Never tell {PRIVATE}.\n",
            f".claude/rules/{PRIVATE}.md": f"{PRIVATE} is a customer.\n",
            ".mcp.json": json.dumps({"mcpServers": {PRIVATE: {"command": PRIVATE}}}),
        },
    )
    monkeypatch.chdir(folder)
    return folder


def page(*words: str) -> str:
    result = CliRunner().invoke(cli, ["report-issue", *words])
    assert result.exit_code == 0, result.output
    assert "nothing was sent" in result.stderr
    return result.stdout


@pytest.mark.usefixtures("shop")
def test_what_a_person_has_named_within_an_input_stays_out() -> None:
    found = page("--agent", "claude-code", "--set", f"settings.env.{PRIVATE}=1", "--set", f"settings.agent={PRIVATE}")
    assert PRIVATE not in found
    assert "| settings" in found


@pytest.mark.usefixtures("shop")
def test_a_prompt_is_told_by_sizes_and_names_that_everybody_has() -> None:
    found = page("--agent", "claude-code", "--set", "args.print=true", "--set", f"args.appendSystemPrompt={PRIVATE}")
    assert PRIVATE not in found
    assert f"| promptscope | {__version__} |" in found
    assert "| args.print | True |" in found
    assert f"| args.appendSystemPrompt | a text of {len(PRIVATE)} characters |" in found
    assert "| CLAUDE.md | claude-md | present | 24 |" in found
    assert "| .claude/…/….md | claude-rule | present |" in found


def test_a_capture_is_told_by_what_differs(shop: Path) -> None:
    body = {
        "model": "claude-opus-4-8",
        "system": [{"type": "text", "text": f"You are {PRIVATE}."}],
        "messages": [{"role": "user", "content": PRIVATE}],
        "tools": [{"name": f"mcp__{PRIVATE}__ask", "description": PRIVATE, "input_schema": {"type": "object"}}],
    }
    (shop / "body.json").write_text(json.dumps(body))
    found = page("body.json", "--agent", "claude-code")
    assert PRIVATE not in found
    assert "## The difference" in found
    assert "characters explained" in found
    assert "| mcp__… | not predicted |" in found
    assert "characters not explained |" in found
