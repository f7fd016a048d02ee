"""MCP servers that offer nothing: never sent, whatever is wrong with them, and known by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.servers import foreign, idle
from promptscope_engine.prompt.conditions import ALWAYS, Facts, Observed
from promptscope_engine.workspace import Workspace

FACTS = Facts({}, {}, None, (), None, "1")


@pytest.mark.parametrize("when", [ALWAYS, Observed("mcp", "x", False, "on", "it is off")])
def test_an_idle_server_is_never_sent(when: Observed) -> None:
    server = idle("docs", when)
    assert (server.name, server.when.holds(FACTS)) == ("docs", False)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mcpServers": []}', "[" * 100_000])
def test_a_file_that_names_no_servers(tmp_path: Path, text: str) -> None:
    assert list(foreign(written(tmp_path, text), str(tmp_path / ".mcp.json"), "why", ())) == []


def test_the_servers_of_another_agent_but_for_those_that_are_known(tmp_path: Path) -> None:
    workspace = written(tmp_path, '{"mcpServers": {"a": {}, "b": 5}}')
    assert [server.name for server in foreign(workspace, str(tmp_path / ".mcp.json"), "why", ["b"])] == ["a"]


def written(folder: Path, text: str) -> Workspace:
    (folder / ".mcp.json").write_text(text, "utf-8")
    workspace = Workspace()
    workspace.allow([str(folder)])
    return workspace
