"""MCP servers that offer nothing: never sent, whatever is wrong with them, and known by name."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from promptscope_engine.agents.claude_code.captured import servers
from promptscope_engine.agents.copilot.agent import COPILOT, Copilot
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.agents.kit.disk.servers import (
    Configured,
    OfferedTool,
    foreign,
    idle,
    not_started,
    offering,
    sent_servers,
    some,
)
from promptscope_engine.agents.opencode.agent import OPENCODE, OpenCode
from promptscope_engine.captures.model import Block, Content, Message, SentTool
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Environment, McpServer
from promptscope_engine.prompt.conditions import ALWAYS, Fact, Facts
from promptscope_engine.wire.request import wire_tool
from promptscope_engine.workspace import Workspace

INPUTS = Inputs("1", "/w", "/h", None, None, None, Params(), Environment(), {}, None, ())
FACTS = Facts({}, {}, None, (), None, "1")


@pytest.mark.parametrize("when", [ALWAYS, Fact("mcp", "x", False, "on", "it is off")])
def test_an_idle_server_is_never_sent(when: Fact) -> None:
    server = idle("docs", when)
    assert (server.name, server.when.holds(FACTS)) == ("docs", False)


def test_servers_answer_or_say_why_they_do_not(tmp_path: Path) -> None:
    found = Found(workspace=written(tmp_path, '{"mcpServers": {"a": {}, "d": {}}}'))
    off = Fact("flag", "off", False, "", "it is off")
    own = [Configured("a", {}, "/w"), Configured("b", {}, "/w", "/w/s.json"), Configured("c", {}, "/w", when=off)]
    up, silent = offering(found, INPUTS, own, {"a": McpServer(name="a")}, {f"{tmp_path}/.mcp.json": "why"})
    assert [(each.name, server.name) for each, server in up] == [("a", "a")]
    assert [each.name for each in silent] == ["b", "c", "d"]
    assert [(d.code, d.path) for d in found.diagnostics] == [("mcp-not-connected", "/w/s.json")]


def test_a_tool_of_a_server_is_sent_under_its_name_on_the_wire() -> None:
    told = {"name": "find", "description": "finds", "inputSchema": {"properties": {"q": {}}, "required": ["q"]}}
    tool = OfferedTool.of("docs", told, "docs_find")
    draft = tool.draft(partial(wire_tool, tool.name), tool.schema)
    assert (draft.name, draft.server, draft.group) == ("docs_find", "docs", "MCP")
    assert [(each.name, each.required) for each in draft.parameters] == [("q", True)]


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
    return {server.name: server.instructions for server in servers(content)}


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
    assert names(servers(content)) == {"a": ["x"]}


@pytest.mark.parametrize(
    ("agent", "system", "tools", "instructions"),
    [
        (
            OPENCODE,
            '<mcp_instructions>\n  <server name="my">\n    Ask.\n      Twice.\n  </server>\n',
            ["my_x"],
            "Ask.\n  Twice.\n",
        ),
        (COPILOT, "<tools>\n<my-*>\nAsk.\n  Twice.\n</my-*>\n", ["my-x"], "Ask.\n  Twice."),
    ],
)
def test_a_request_tells_what_servers_say(
    agent: OpenCode | Copilot, system: str, tools: list[str], instructions: str
) -> None:
    sent = tuple(map(tool, [*tools, "list_mcp_resources"]))
    [server] = agent.servers(Content("chat", system=(Block(system),), tools=sent))
    assert (server.name, [each["name"] for each in server.tools], server.instructions) == ("my", ["x"], instructions)
