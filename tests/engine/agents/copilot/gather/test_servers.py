"""Where MCP servers count, and what is said of those elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Assembled

CLOCK = {"clock": {"command": "clock", "tools": ["*"]}}
REPOSITORY = {"ws/.git/HEAD": "ref: refs/heads/main", "ws/.git/objects/x": "", "ws/.git/refs/x": ""}
TRUSTED = {"args": {"trustFolder": True}}


@pytest.mark.parametrize(
    ("path", "values", "counts"),
    [
        ("ws/.mcp.json", {"mcpServers": CLOCK}, True),
        ("ws/.mcp.json", CLOCK, True),
        ("ws/.mcp.json", {"servers": {"b": {"command": "b"}}, **CLOCK}, True),
        ("ws/.mcp.json", {"inputs": [], "$schema": "x", "other": {"x": 1}, **CLOCK}, True),
        ("ws/.github/mcp.json", CLOCK, True),
        ("ws/.mcp.json", {"mcpServers": {}, **CLOCK}, False),
        ("ws/.mcp.json", {"mcpServers": None, **CLOCK}, False),
        ("ws/.mcp.json", {"servers": CLOCK}, False),
        ("ws/.mcp.json", {"mcp": {"servers": CLOCK}}, False),
        ("home/.copilot/mcp-config.json", CLOCK, False),
        ("home/.copilot/mcp-config.json", {"servers": CLOCK}, False),
        ("home/.copilot/mcp-config.json", {"mcpServers": CLOCK}, True),
    ],
)
def test_the_project_may_do_without_the_key(assembled: Assembled, path: str, values: object, *, counts: bool) -> None:
    found = assembled({path: json.dumps(values)}, **TRUSTED)
    assert ("clock" in {server.name for server in found.servers if server.configured}) is counts


@pytest.mark.parametrize(
    ("path", "values", "said"),
    [
        ("ws/.mcp.json", {"servers": CLOCK}, "`servers` means nothing here: did you mean `mcpServers`?"),
        ("ws/.mcp.json", {"mcp": {"servers": CLOCK}}, "`mcp.servers` means nothing here: did you mean `mcpServers`?"),
        ("home/.copilot/mcp-config.json", CLOCK, "the servers of this file have to be in `mcpServers`"),
    ],
)
def test_servers_elsewhere_are_named(assembled: Assembled, path: str, values: object, said: str) -> None:
    found = assembled({path: json.dumps(values)}, **TRUSTED)
    (problem,) = (d for d in found.diagnostics if d.code == "mcp-misplaced")
    assert (problem.message, problem.line) == (f"{said} (not started: clock)", 1)
    assert "mcp:clock" in {tool.name for tool in found.tools}


@pytest.mark.parametrize(("value", "starts"), [(True, False), ("true", False), (1, False), (False, True)])
def test_a_server_may_be_disabled(assembled: Assembled, value: object, *, starts: bool) -> None:
    found = assembled({"ws/.mcp.json": json.dumps({"a": {"command": "a", "disabled": value}})}, **TRUSTED)
    assert any(d.code == "mcp-not-connected" for d in found.diagnostics) is starts


def test_each_folder_from_the_root_on_may_have_a_file(assembled: Assembled, tmp_path: Path) -> None:
    """In each the first of two files hides the other, and of one name the nearest counts."""
    servers = {
        name: json.dumps({"mcpServers": {each: {"command": name} for each in (name, "same")}}) for name in "abcd"
    }
    files = {
        **REPOSITORY, "ws/.mcp.json": servers["a"], "ws/.github/mcp.json": servers["b"],
        "ws/sub/.github/mcp.json": servers["c"], "ws/sub/deep/.mcp.json": servers["d"],
    }  # fmt: skip
    found = assembled(files, trustedFolders=[str(tmp_path)], args={"directory": "sub/deep"})
    assert sorted(server.name for server in found.servers if server.configured) == ["a", "c", "d", "same"]


def test_a_folder_above_is_trusted_by_itself(assembled: Assembled) -> None:
    files = {**REPOSITORY, "ws/.mcp.json": json.dumps(CLOCK), "ws/sub/x": ""}
    found = assembled(files, args={"directory": "sub", "trustFolder": True})
    (server,) = found.servers
    assert "the folder is not trusted" in server.why.text
