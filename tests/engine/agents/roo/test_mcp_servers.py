"""MCP SERVERS, byte for byte where the text is the servers' own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.javascript.json import stringify
from promptscope_engine.prompt.model import Assembly, Section

Roo = Callable[..., Assembly]


def mcp(assembly: Assembly) -> Section:
    found = assembly.section("mcp_servers")
    assert found is not None
    return found


def body(assembly: Assembly) -> str:
    """What is between the fixed sentence and the tail."""
    text = mcp(assembly).text.removesuffix("\n\n").partition("\n## Creating an MCP Server\n")[0]
    return text.partition("# Connected MCP Servers\n\n")[2].partition("\n\n")[2]


def server(name: str = "s", **given_parts: Any) -> dict[str, Any]:
    return {"name": name, "status": "connected", **given_parts}


SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": []}


@pytest.mark.parametrize(
    ("servers", "wanted"),
    [
        ([server()], "## s"),
        ([server(config={"command": "node", "args": ["w.js", "-f"], "env": {"K": "v"}})], "## s (`node w.js -f`)"),
        ([server(config={"url": "https://example.invalid"})], "## s"),
        ([server(config={"command": "x", "args": []})], "## s (`x `)"),
        ([server("a"), server("b")], "## a\n\n## b"),
        ([server("a"), server("down", status="disconnected"), server("b")], "## a\n\n## b"),
        ([server("down", status="connecting"), server("b")], "## b"),
        ([server("down", status="disconnected")], ""),
        ([server(instructions="Ask first.")], "## s\n\n### Instructions\nAsk first."),
        ([server(tools=[{"name": "t"}])], "## s\n\n### Available Tools\n- t: undefined\n"),
        ([server(tools=[{"name": "t", "description": None}])], "## s\n\n### Available Tools\n- t: null\n"),
        ([server(tools=[{"name": "t", "description": "d", "enabledForPrompt": False}])], "## s"),
        ([server(tools=[{"name": "t", "description": "d"}], config={"disabledTools": ["t"]})], "## s"),
        (
            [server(tools=[{"name": "h", "enabledForPrompt": False}, {"name": "a"}, {"name": "b"}])],
            "## s\n\n### Available Tools\n- a: undefined\n\n\n- b: undefined\n",
        ),
        (
            [server(tools=[{"name": "t", "description": "d", "inputSchema": SCHEMA}])],
            '## s\n\n### Available Tools\n- t: d\n    Input Schema:\n\t\t{\n      "type": "object",\n'
            '      "properties": {\n        "city": {\n          "type": "string"\n        }\n      },\n'
            '      "required": []\n    }',
        ),
        (
            [server(tools=[{"name": "t", "inputSchema": {}}])],
            "## s\n\n### Available Tools\n- t: undefined\n    Input Schema:\n\t\t{}",
        ),
        (
            [
                server(
                    resources=[{"uri": "w://a", "name": "A", "description": "first"}, {"uri": "w://b", "name": "B"}],
                    resourceTemplates=[{"uriTemplate": "w://{c}", "name": "C", "description": "any"}],
                )
            ],
            "## s\n\n### Resource Templates\n- w://{c} (C): any"
            "\n\n### Direct Resources\n- w://a (A): first\n- w://b (B): undefined",
        ),
    ],
)
def test_servers_as_the_prompt_shows_them(roo: Roo, servers: list[dict[str, Any]], wanted: str) -> None:
    assert body(roo(mcp_servers=servers)) == wanted


@pytest.mark.parametrize("creation", [True, False, None])
def test_the_tail_needs_a_setting_that_is_really_on(roo: Roo, creation: bool | None) -> None:
    text = mcp(roo(mcp_servers=[server()], enableMcpServerCreation=creation)).text
    assert ("\n\n## s\n## Creating an MCP Server\n\n" in text) is (creation is True)
    assert text.endswith("\n\n")
    assert not text.endswith("\n\n\n")


@pytest.mark.parametrize(
    ("mode", "servers", "why"),
    [
        ("code", None, "absent: no MCP server is configured"),
        ("code", [server(disabled=True)], "absent: every configured MCP server is disabled"),
        ("orchestrator", [server()], "absent: the mode lacks the group mcp"),
        ("code", [server(status="disconnected")], "the mode has the group mcp and an MCP server is enabled"),
    ],
)
def test_why_the_section_is_there_or_not(roo: Roo, mode: str, servers: list[Any] | None, why: str) -> None:
    assert mcp(roo(mode=mode, mcp_servers=servers)).why.text.endswith(why)


def test_what_is_held_back_says_why(roo: Roo) -> None:
    tools = [{"name": "t", "enabledForPrompt": False}]
    absent = mcp(roo(mcp_servers=[server(tools=tools), server("down", status="disconnected")])).absent
    reasons = {a.why.text for a in absent}
    assert any("the tool t of s is disabled for the prompt" in text for text in reasons)
    assert any("the server down is disconnected" in text for text in reasons)


def test_text_of_a_server_is_told_apart_from_wording(roo: Roo) -> None:
    found = mcp(roo(mcp_servers=[server("weather", instructions="Ask for one city.")]))
    named = {f.text for f in found.fragments if f.origin.name == "mcp.weather"}
    assert named == {"weather", "Ask for one city."}


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e-7, "1.5e-7"),
        (0.000001, "0.000001"),
        (2**60, "1152921504606847000"),
        (float("nan"), "null"),
        (10**400, "null"),
        (True, "true"),
        (None, "null"),
        ([], "[]"),
        ({}, "{}"),
        ({"b": 1, "10": 2, "9": 3}, '{\n  "9": 3,\n  "10": 2,\n  "b": 1\n}'),
        ("é\ud800\n", '"é\\ud800\\n"'),
    ],
)
def test_json_as_javascript_writes_it(value: Any, wanted: str) -> None:
    assert stringify(value) == wanted


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(JSON)
@pytest.mark.slow
def test_stringified_values_read_back_as_they_were(value: Any) -> None:
    assert json.loads(stringify(value), parse_int=float) == value  # a JavaScript number is a double
