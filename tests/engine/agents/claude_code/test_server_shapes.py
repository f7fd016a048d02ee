"""Entries that are no servers to the client: each was written into a `.mcp.json` of its own run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.server_shapes import flaw_of

if TYPE_CHECKING:
    from .conftest import Project

STARTED: dict[str, Any] = {"command": "python3", "args": ["s.py"]}
ASKED: dict[str, Any] = {"type": "http", "url": "http://127.0.0.1:9"}


@pytest.mark.parametrize(
    "entry",
    [
        STARTED,
        {**STARTED, "type": "stdio"},
        {"command": " "},
        {**STARTED, "env": {"A": "b"}, "alwaysLoad": False, "timeout": 60_000},
        {**STARTED, "url": 7, "headers": 7, "oauth": 7, "cwd": 7, "disabled": True, "unknown": 7},
        ASKED,
        {**ASKED, "url": "zz"},
        *({**ASKED, "type": kind} for kind in ("sse", "ws", "streamable-http")),
        {**ASKED, "command": 7, "args": 7},
    ],
)
def test_an_entry_that_the_client_starts(entry: Any) -> None:
    assert flaw_of("docs", entry) == ""


@pytest.mark.parametrize(
    "entry",
    [
        *({**STARTED, "type": kind} for kind in ("http", "sse", "ws", "sdk", "nope", "STDIO", "", 7, None)),
        *({**STARTED, "command": command} for command in ("", 7, None)),
        *({**STARTED, "args": args} for args in ("x", [7], {}, None)),
        *({**STARTED, "env": env} for env in ("x", 7, [], {"A": 7}, {"A": None}, {"A": True}, None)),
        *({**STARTED, "alwaysLoad": value} for value in ("x", 1, 0, None)),
        *({**STARTED, "timeout": value} for value in ("x", -1, 0, 1.5, True, None)),
        {},
        {"url": "http://127.0.0.1:9"},
        {"type": "http"},
        *({**ASKED, key: 7} for key in ("url", "headers", "headersHelper", "oauth", "alwaysLoad")),
        {**ASKED, "headers": {"a": 7}},
        {**ASKED, "url": ""},
        *({**ASKED, "type": kind} for kind in ("sse-ide", "ws-ide", "claudeai-proxy")),
        *(7, "x", None, [], True),
    ],
)
def test_an_entry_that_the_client_drops(entry: Any) -> None:
    assert flaw_of("docs", entry)


@pytest.mark.parametrize("name", ["workspace", "claude-in-chrome", "computer-use", "__proto__"])
def test_a_name_that_is_reserved(name: str) -> None:
    assert flaw_of(name, STARTED) == "the name is reserved"


@pytest.mark.parametrize("name", ["Ide", "cli", "mcp", "constructor", "", "a/b", "claude-in-chrome2", "ünï"])
def test_any_other_name_will_do(name: str) -> None:
    assert flaw_of(name, STARTED) == ""


def test_what_is_dropped_has_a_reason_and_no_tools(project: Project) -> None:
    entries = {"good": STARTED, "bad": {**STARTED, "args": "x"}}
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": entries})})
    servers = [{"name": name, "tools": [{"name": "t"}]} for name in entries]
    found = project.assemble(mcp_servers=servers, params={"args": {"print": True}})
    assert [tool.name for tool in found.tools if tool.name.startswith("mcp__")] == ["mcp__good__t"]
    (reason,) = (tool.why.text for tool in found.tools if tool.name == "mcp:bad")
    assert "bad is dropped: its `args` must be a list" in reason


def test_a_server_called_ide_brings_two_tools_at_most(project: Project) -> None:
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": {"ide": STARTED}})})
    tools = [{"name": name} for name in ("getDiagnostics", "executeCode", "openDiff", "one")]
    found = project.assemble(mcp_servers=[{"name": "ide", "tools": tools}], params={"args": {"print": True}})
    names = [tool.name for tool in found.tools if tool.name.startswith("mcp__")]
    assert names == ["mcp__ide__executeCode", "mcp__ide__getDiagnostics"]


def test_a_stand_in_has_what_is_configured_for_it(project: Project) -> None:
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": {"docs": {**STARTED, "alwaysLoad": True}}})})
    found = project.assemble(mcp_servers=[{"name": "docs", "tools": [{"name": "t"}]}], params={"args": {"print": True}})
    assert [tool.present for tool in found.tools if tool.name == "mcp__docs__t"] == [True]
