"""The MCP servers of the configuration [2026.9.6]."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.prompt.model import Assembly, Lever

from .conftest import Claw

DOCS = {
    "name": "docs",
    "tools": [{"name": "find_page", "description": "finds"}, {"name": "list_pages"}],
    "resources": [{"uri": "x://a", "name": "a"}],
}


def sent(assembly: Assembly) -> list[str]:
    """The tools of the server that are sent, by their own names."""
    names = [str(tool["name"]) for tool in assembly.request.tools]
    return [name.removeprefix("docs__") for name in names if name.startswith("docs__")]


def with_server(claw: Claw, server: dict[str, Any], **given: Any) -> Assembly:
    config = {"mcp": {"servers": {"docs": server}}, "tools": {"toolSearch": False}}
    return claw(version="2026.9.6", config=config, **given)


@pytest.mark.parametrize(
    ("server", "tools"),
    [
        ({"command": "docs"}, ["find_page", "list_pages", "resources_list", "resources_read"]),
        ({"command": "docs", "enabled": False}, []),
        ({"command": "docs", "toolFilter": {"include": ["find_page"]}}, ["find_page"]),
        ({"command": "docs", "toolFilter": {"include": ["*list*"]}}, ["list_pages", "resources_list"]),
        ({"command": "docs", "toolFilter": {"include": ["FIND*"]}}, []),
        ({"command": "docs", "toolFilter": {"exclude": ["find*", "*_read"]}}, ["list_pages", "resources_list"]),
        ({"command": "docs", "toolFilter": {"include": ["*page*"], "exclude": ["find*"]}}, ["list_pages"]),
    ],
)
def test_a_servers_tools_are_offered_as_its_filter_says(claw: Claw, server: dict[str, Any], tools: list[str]) -> None:
    """Each was asked of 2026.9.6."""
    assert sent(with_server(claw, server, mcp_servers=[DOCS])) == tools


def test_a_tool_that_a_filter_takes_away_says_what_would_let_it_in(claw: Claw) -> None:
    server = {"command": "docs", "toolFilter": {"include": ["list*"], "exclude": ["find*"]}}
    assembly = with_server(claw, server, mcp_servers=[DOCS])
    found = next(tool for tool in assembly.tools if tool.name == "docs__find_page")
    assert "the filter of docs does not name it" in found.why.text
    assert "the filter of docs leaves it out" in found.why.text
    place = "configOverlay.mcp.servers.docs.toolFilter"
    assert found.why.levers == (Lever(f"{place}.include", ["list*", "find_page"]), Lever(f"{place}.exclude", []))


def test_a_server_that_was_not_asked_is_named_with_how_to_ask_it(claw: Claw) -> None:
    assembly = with_server(claw, {"command": "docs"})
    [server] = assembly.servers
    assert (server.name, server.present) == ("docs", False)
    assert [note.code for note in assembly.diagnostics if "docs" in note.message] == ["mcp-not-connected"]
    assert sent(assembly) == []


@pytest.mark.parametrize(("folder", "is_there"), [("below", True), ("none", False), ("", True)])
def test_a_server_starts_only_in_a_folder_that_is_there(claw: Claw, folder: str, is_there: bool) -> None:
    server = {"command": "docs", "cwd": folder}
    files: dict[str, str | bytes] = {"workspace/below/x": ""}
    assembly = with_server(claw, server, mcp_servers=[DOCS], files=files)
    assert bool(sent(assembly)) is is_there


def test_the_older_version_starts_none(claw: Claw) -> None:
    assembly = claw(config={"mcp": {"servers": {"docs": {"command": "docs"}}}})
    assert assembly.servers == ()
