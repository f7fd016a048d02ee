"""The MCP servers that a captured request tells of, by its tools, its lists and its instructions."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.claude_code.features.sent_servers import servers_in
from promptscope_engine.agents.kit.captured import sent_servers
from promptscope_engine.captures.content import Block, Content, Message, SentTool
from promptscope_engine.inputs.scenario import McpServer


def tool(name: str) -> SentTool:
    return SentTool(name, "Does it.", {"type": "object"}, "custom")


def names(servers: tuple[McpServer, ...]) -> dict[str, list[str]]:
    return {server.name: [str(each["name"]) for each in server.tools] for server in servers}


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ([], {}),
        (["mcp__a__x"], {"a": ["x"]}),
        (["mcp__a__x", "mcp__b__x", "mcp__a__y"], {"a": ["x", "y"], "b": ["x"]}),
        (["mcp__a__x", "mcp__a__x"], {"a": ["x"]}),
        (["mcp__a__x__y"], {"a": ["x__y"]}),
        (["Read", "mcp__a", "mcp____x", "mcp__a__", "amcp__a__x", "mcp_a__x"], {}),
    ],
)
def test_servers_by_the_names_of_their_tools(sent: list[str], found: dict[str, list[str]]) -> None:
    assert names(sent_servers(map(tool, sent), [], {}, prefix="mcp__", separator="__")) == found
    assert names(sent_servers([], sent, {}, prefix="mcp__", separator="__")) == found


def test_what_was_sent_of_a_tool_stands_in_for_it() -> None:
    (server,) = sent_servers(
        [tool("mcp__a__x")], ["mcp__a__x", "mcp__a__y"], {"a": "Ask a."}, prefix="mcp__", separator="__"
    )
    assert server.tools == [
        {"name": "x", "description": "Does it.", "inputSchema": {"type": "object"}},
        {"name": "y", "description": ""},
    ]
    assert server.instructions == "Ask a."


@pytest.mark.parametrize(("count", "servers"), [(199, 199), (200, 200), (201, 200)])
def test_so_many_servers_are_told(count: int, servers: int) -> None:
    found = sent_servers([], [f"mcp__s{n}__x" for n in range(count)], {}, prefix="mcp__", separator="__")
    assert len(found) == servers


@pytest.mark.parametrize(("count", "tools"), [(1_999, 1_999), (2_000, 2_000), (2_001, 2_000)])
def test_so_many_tools_are_told(count: int, tools: int) -> None:
    (server,) = sent_servers([], [f"mcp__s__{n}" for n in range(count)], {}, prefix="mcp__", separator="__")
    assert len(server.tools) == tools


# --- the instructions of Claude Code ----------------------------------------------------------------------------------

HEADING = "# MCP Server Instructions\n\n"


def told(text: str, *tools: str) -> dict[str, str | None]:
    """What servers say of themselves in a message with this text."""
    content = Content(
        "anthropic", messages=(Message("user", (Block(text), Block(text, "image"))),), tools=tuple(map(tool, tools))
    )
    return {server.name: server.instructions for server in servers_in(content)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("## a\nAsk a.", {}),
        (f"{HEADING}## a\nAsk a.", {"a": "Ask a."}),
        (
            f"{HEADING}Intro.\n\n## a\nAsk a.\n\nAnd more.\n\n## b c\nAsk b.",
            {"a": "Ask a.\n\nAnd more.", "b c": "Ask b."},
        ),
        (f"before\n{HEADING}## a\nAsk a.", {"a": "Ask a."}),
        (f"before {HEADING}## a\nAsk a.", {}),
        (f"{HEADING}## a\nAsk a.\n\nThese skills can be used:\n\n- x: y\n\n## b\nno", {"a": "Ask a."}),
        (f"{HEADING}## a\nAsk a.\n\nToday's date is today.", {"a": "Ask a."}),
        (f"{HEADING}## a\nAsk a.\n## b\nno server", {"a": "Ask a.\n## b\nno server"}),
        (f"{HEADING}## {'n' * 200}\nAsk.", {"n" * 200: "Ask."}),
        (f"{HEADING}## {'n' * 201}\nAsk.", {}),
    ],
)
def test_what_servers_say_of_themselves(text: str, found: dict[str, str]) -> None:
    assert told(text) == found


def test_servers_with_tools_come_first_and_are_called_by_their_own_names() -> None:
    text = f"{HEADING}## my server\nAsk.\n\n## silent\nHush."
    assert told(text, "mcp__my_server__x", "mcp__other__y") == {"my server": "Ask.", "other": None, "silent": "Hush."}


def test_deferred_tools_are_known_by_their_names() -> None:
    content = Content(
        "anthropic", messages=(Message("user", (Block("listed:\nmcp__a__x\n mcp__a__no\nmcp__a__y z"),)),)
    )
    assert names(servers_in(content)) == {"a": ["x"]}
