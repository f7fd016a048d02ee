"""MCP servers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import MANIFEST, SERVER, SETTINGS, UNTRUSTED, Project, said, tools_of

from promptscope_engine.agents.gemini.gather.servers import wire_name

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("config", "own", "tools"),
    [
        (None, {}, ["a", "b"]),
        (None, {"includeTools": ["a"]}, ["a"]),
        ({"excludeTools": ["a"]}, {"includeTools": ["a"]}, ["b"]),
        ({"includeTools": "a"}, {}, ["a", "b"]),
        ({"includeTools": [], "excludeTools": "b"}, {}, []),
        (5, {"includeTools": ["b"]}, ["a", "b"]),
    ],
)
def test_the_tools_that_a_servers_configuration_lets_through(
    project: Project, config: object, own: dict[str, Any], tools: list[str]
) -> None:
    if config is not None:
        project.write({SETTINGS: json.dumps({"mcpServers": {"fx": config}})})
    server = {"name": "fx", "config": own, "tools": [{"name": "a"}, {"name": "b"}]}
    found = project.gathered(mcp_servers=[server])
    assert [tool.own_name for tool in found.materials.mcp_tools if tool.offered.holds(found.facts)] == tools


@pytest.mark.parametrize(
    ("server", "given", "connects"),
    [
        ({}, {}, True),
        ({"status": "disconnected"}, {}, False),
        ({"status": "connecting"}, {}, False),
        ({"disabled": True}, {}, False),
        ({}, {"settings": {"mcp": {"allowed": []}}}, True),
        ({}, {"settings": {"mcp": {"allowed": ["fx"]}}}, True),
        ({}, {"settings": {"mcp": {"allowed": ["x"]}}}, False),
        ({}, {"settings": {"mcp": {"excluded": ["fx"]}}}, False),
        ({}, {"settings": {"mcp": {"excluded": ["x"]}}}, True),
        ({}, {"settings": {"mcp": {"allowed": ["fx"], "excluded": ["fx"]}}}, False),
        ({}, {"args": {"allowedMcpServerNames": []}, "settings": {"mcp": {"excluded": ["fx"]}}}, True),
        ({}, {"args": {"allowedMcpServerNames": ["x"]}}, False),
    ],
)
def test_which_servers_are_started(
    project: Project, server: dict[str, Any], given: dict[str, Any], connects: bool
) -> None:
    found = project.gathered(
        mcp_servers=[{"name": "fx", "instructions": "Ask.", "resources": [{"uri": "x"}], **server}], **given
    )
    [connected] = found.materials.servers or [None]
    assert (connected is not None) is connects
    assert not connected or (connected.instructions, connected.has_resources) == ("Ask.", True)
    assert found.materials.gates["resources"].holds(found.facts) is connects


@pytest.mark.parametrize(
    ("tool", "schema", "description", "read_only"),
    [
        ({}, {"type": "object", "properties": {}}, "", False),
        ({"inputSchema": {"type": "object"}}, {"type": "object", "properties": {}}, "", False),
        ({"inputSchema": {"properties": 5}, "description": None}, {"properties": {}}, "", False),
        ({"inputSchema": {"properties": {"q": {}}}, "description": "d"}, {"properties": {"q": {}}}, "d", False),
        ({"annotations": {"readOnlyHint": True}}, {"type": "object", "properties": {}}, "", True),
        ({"annotations": {"readOnlyHint": "true"}}, {"type": "object", "properties": {}}, "", False),
        ({"annotations": [], "inputSchema": 5}, {"type": "object", "properties": {}}, "", False),
    ],
)
def test_a_tool_as_its_server_tells_of_it(
    project: Project, tool: dict[str, Any], schema: dict[str, Any], description: str, read_only: bool
) -> None:
    [found] = project.gathered(mcp_servers=[{"name": "fx", "tools": [{"name": "t", **tool}]}]).materials.mcp_tools
    assert (found.name, found.input_schema, found.description, found.read_only) == (
        "mcp_fx_t", schema, description, read_only,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "extension", "given", "named"),
    [
        ({}, {}, {}, None),
        ({"fx": {}}, {}, {}, "fx"),
        ({"fx": {}}, {"of": {}, "fx": 5}, {}, "of, fx"),
        ({}, {"of": 5}, {}, "of"),
        ({"fx": {}}, {}, {"mcp_servers": []}, None),
    ],
)
def test_servers_for_which_nothing_stands_in(
    project: Project, settings: dict[str, Any], extension: dict[str, Any], given: dict[str, Any], named: str | None
) -> None:
    project.write({SETTINGS: json.dumps({"mcpServers": settings})})
    project.write({MANIFEST.format("e"): json.dumps({"name": "e", "mcpServers": extension})})
    found = said(project, "mcp-not-connected", **{"mcp_servers": None, **given})
    assert [message.partition("; ")[0] for _, _, message in found] == (
        [f"MCP servers are configured: {', '.join(sorted(named.split(', '), key=lambda name: name != 'of'))}"]
        if named
        else []
    )


def test_an_untrusted_folder_names_the_servers_that_it_keeps_from_starting(project: Project) -> None:
    project.write({"workspace/.gemini/settings.json": json.dumps({"mcpServers": {"proj": {}}})})
    project.write({"home/.gemini/settings.json": json.dumps({"mcpServers": {"notes": {}}})})
    [(_, _, message)] = said(project, "mcp-not-connected", **{"mcp_servers": None, **UNTRUSTED})
    assert message == "MCP servers are configured and not started, for the folder is not trusted: notes, proj"
    rows = {tool.name: tool.why.text for tool in project.assemble(mcp_servers=None, **UNTRUSTED).tools}
    assert "trust" in rows["mcp:notes"]
    assert "trust" in rows["mcp:proj"]


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("fx", "find", "mcp_fx_find"),
        ("mcp_srv", "t", "mcp_srv_t"),
        ("my server", "do it!", "mcp_my_server_do_it_"),
        ("s", "名🎉", "mcp_s____"),
        ("s", "x" * 57, f"mcp_s_{'x' * 57}"),
        ("s", "x" * 58, f"mcp_s_{'x' * 24}...{'x' * 30}"),
    ],
)
def test_names_of_servers_tools(server: str, tool: str, name: str) -> None:
    assert wire_name(server, tool) == name


@pytest.mark.parametrize(
    ("config", "given", "tools"),
    [
        ({}, {}, []),
        ({"trust": True}, {}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True}, {"mode": "plan"}, []),
        ({}, {"mode": "plan", "dialog": True}, ["mcp_fx_find"]),
        ({}, {"dialog": True}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True, "excludeTools": ["find"]}, {}, ["mcp_fx_put"]),
        ({"trust": True, "includeTools": ["find"]}, {}, ["mcp_fx_find"]),
        ({"trust": True, "includeTools": ["find(x)"]}, {}, ["mcp_fx_find"]),
        ({"trust": True, "excludeTools": ["find(x)"]}, {}, ["mcp_fx_find", "mcp_fx_put"]),
        ({}, {"settings": {"mcp": {"allowed": []}}, "dialog": True}, ["mcp_fx_find", "mcp_fx_put"]),
        ({}, {"settings": {"mcp": {"excluded": ["*"]}}, "dialog": True}, []),
        ({}, {"args": {"allowedMcpServerNames": ["fx"]}}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True}, {"args": {"allowedMcpServerNames": ["other"]}}, []),
        ({}, {"settings": {"mcp": {"allowed": ["fx"]}}}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True}, {"settings": {"mcp": {"excluded": ["fx"]}}}, []),
        ({"trust": True}, {"settings": {"tools": {"core": ["glob"]}}}, []),
    ],
)
def test_servers_tools(project: Project, config: dict[str, Any], given: dict[str, Any], tools: list[str]) -> None:
    settings = {**given.pop("settings", {}), "mcpServers": {"fx": {"command": "x", **config}}}
    assembly = project.assemble(mcp_servers=[SERVER], settings=settings, **given)
    assert [name for name in tools_of(assembly) if name.startswith("mcp_")] == tools


def test_the_argument_starts_a_server_that_is_excluded_but_brings_no_tools(project: Project) -> None:
    settings = {"mcp": {"excluded": ["fx"]}}
    assembly = project.assemble(mcp_servers=[SERVER], settings=settings, args={"allowedMcpServerNames": ["fx"]})
    assert assembly.section("mcp_instructions:fx").present  # type: ignore[union-attr]
    assert "mcp_fx_find" not in tools_of(assembly)


@pytest.mark.parametrize(
    ("length", "name"),
    [
        (50, f"mcp_server_{'t' * 50}"),
        (52, f"mcp_server_{'t' * 52}"),
        (53, f"mcp_server_{'t' * 19}...{'t' * 30}"),
    ],
)
def test_so_long_a_tools_name_is_sent(length: int, name: str) -> None:
    assert wire_name("server", "t" * length) == name
    assert len(name) <= 63


@pytest.mark.parametrize(("count", "more"), [(19, ""), (20, ""), (21, " and 1 more")])
def test_of_the_servers_for_which_nothing_stands_in_twenty_are_named(project: Project, count: int, more: str) -> None:
    servers = {f"s{number}": {} for number in range(count)}
    [(_, _, text)] = said(project, "mcp-not-connected", mcp_servers=None, settings={"mcpServers": servers})
    assert text.partition(";")[0] == f"MCP servers are configured: {', '.join([*servers][:20])}{more}"


@pytest.mark.parametrize(
    ("lists", "why"),
    [
        ({"excluded": ["x", "fx"]}, ("`mcp.excluded` names fx", 5)),
        ({"allowed": ["x", "y"]}, ("`mcp.allowed` does not name fx", 3)),
        ({"allowed": ["x", "fx"], "excluded": ["x"]}, None),
    ],
)
def test_the_list_that_keeps_a_server_out_is_named_with_its_line(
    project: Project, lists: dict[str, list[str]], why: tuple[str, int] | None
) -> None:
    project.write({SETTINGS: json.dumps({"mcp": lists}, indent=1)})
    found = project.gathered(mcp_servers=[{"name": "fx", "tools": [{"name": "t"}]}])
    [tool] = found.materials.mcp_tools
    failed = [each for each in tool.offered.evaluate(found.facts).children if not each.ok]
    assert [(each.text, each.source and each.source.line) for each in failed] == ([why] if why else [])


@pytest.mark.parametrize(
    ("core", "mode", "named"),
    [
        (None, None, False),
        ([], None, True),
        (["read_file"], None, True),
        (["fx"], None, True),
        (["find"], None, True),
        (["mcp_fx_find"], None, False),
        (["mcp_fx_*"], None, False),
        (["mcp_*"], None, False),
        (["*"], None, False),
        ([], "plan", False),
    ],
)
def test_a_server_that_the_list_of_tools_leaves_out_says_so(
    project: Project, core: list[str] | None, mode: str | None, *, named: bool
) -> None:
    tools = {} if core is None else {"tools": {"core": core}}
    project.write({SETTINGS: json.dumps({**tools, "mcpServers": {"fx": {"command": "fx"}}})})
    (server,) = project.gathered(mode=mode, mcp_servers=None).idle
    assert ("`tools.core` names no tool of fx" in str(server.when)) is named


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ('{"fx": {"enabled": false}}', False),
        ('{"fx": {"enabled": 0}}', False),
        ('{"fx": {"enabled": null}}', True),
        ('{"fx": {}}', True),
        ('{"FX": {"enabled": false}}', True),
        ('{"fx": {"enabled": false}} // off', True),
        ("[]", True),
    ],
)
def test_a_server_that_was_disabled_stays_off(project: Project, text: str, starts: bool) -> None:
    """Its file holds names in small letters, and no comments."""
    project.write({"home/.gemini/mcp-server-enablement.json": text})
    assert [s.name for s in project.gathered(mcp_servers=[SERVER]).materials.servers] == ["fx"] * starts


@pytest.mark.parametrize(("folder", "starts"), [("there", True), ("none", False), (5, True)])
def test_a_server_is_started_in_a_folder_that_is_there(project: Project, folder: object, starts: bool) -> None:
    (project.root / "workspace/there").mkdir()
    project.write({SETTINGS: json.dumps({"mcpServers": {"fx": {"command": "x", "cwd": folder}}})})
    assert [s.name for s in project.gathered(mcp_servers=[SERVER]).materials.servers] == ["fx"] * starts
