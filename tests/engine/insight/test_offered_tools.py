"""What settings make of a tool of a server that was not asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace
from promptscope_engine.insight.offered_tools import as_offered, is_singled_out


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    (tmp_path / "home/.claude").mkdir(parents=True)
    (tmp_path / "home/.claude.json").write_text(json.dumps({"mcpServers": {"mail": {"command": "none"}}}))
    (tmp_path / "home/.claude/settings.json").write_text(json.dumps({"permissions": {"deny": ["mcp__mail__send"]}}))
    values = {"agent": "claude-code", "workspace": str(tmp_path), "home": str(tmp_path / "home"), "env": {}}
    return Scenario.model_validate(values)


def test_a_denied_tool_is_denied_whatever_its_server_says(scenario: Scenario) -> None:
    tool = as_offered("mail", "send", scenario, Workspace())
    assert tool is not None
    assert (tool.name, tool.present) == ("mcp__mail__send", False)
    assert "`permissions.deny` names mcp__mail__send" in tool.why.text


def test_only_what_is_named_is_singled_out(scenario: Scenario) -> None:
    found = {name: is_singled_out("mail", name, scenario, Workspace()) for name in ("send", "read")}
    assert [name for name, tool in found.items() if tool] == ["send"]
