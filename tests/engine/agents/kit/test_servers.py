"""MCP servers that offer nothing: never sent, whatever is wrong with them, and known by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.servers import foreign, idle, not_started, some
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


@pytest.mark.parametrize(("count", "more"), [(19, ""), (20, ""), (21, " and 1 more"), (1_021, " and 1,001 more")])
def test_twenty_servers_are_named(count: int, more: str) -> None:
    names = [f"s{number}" for number in range(count)]
    assert some(names) == ", ".join(names[:20]) + more


def test_what_is_not_started_is_told_with_its_place() -> None:
    found = not_started("servers are configured", ["a", "b"], "/w/.mcp.json", 3)
    assert (found.path, found.line, found.message.partition(";")[0]) == (
        "/w/.mcp.json",
        3,
        "servers are configured: a, b",
    )
