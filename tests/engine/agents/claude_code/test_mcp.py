from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.mcp import wire_name

if TYPE_CHECKING:
    from .conftest import Project

SERVERS: list[dict[str, Any]] = [
    {"name": "zed srv", "instructions": "Zed speaks. ", "tools": [{"name": "a.b", "inputSchema": {"type": "object"}}]},
    {"name": "alpha", "tools": [{"name": "echo", "description": "Echo"}]},
    {"name": "gone", "status": "disconnected", "instructions": "no", "tools": [{"name": "x"}]},
]


def test_wire_names() -> None:
    assert wire_name("zed srv", "zeta.dot") == "mcp__zed_srv__zeta_dot"


def test_tools_follow_the_built_in_ones(project: Project) -> None:
    names = [t["name"] for t in project.assemble("2.1.100", mcp_servers=SERVERS).request.tools]
    assert names[-2:] == ["mcp__alpha__echo", "mcp__zed_srv__a_b"]


def test_deferred_tools_are_named(project: Project) -> None:
    assembly = project.assemble("2.1.329", mcp_servers=SERVERS)
    section = assembly.section("deferred_tools")
    assert section is not None
    assert section.text.endswith("WebSearch\nmcp__alpha__echo\nmcp__zed_srv__a_b")
    tool = next(t for t in assembly.tools if t.name == "mcp__alpha__echo")
    assert (tool.present, tool.variant) == (False, "deferred")


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329"])
def test_instructions(project: Project, version: str) -> None:
    section = project.assemble(version, mcp_servers=SERVERS).section("mcp_instructions")
    assert section is not None
    assert "\n## zed srv\nZed speaks." in section.text
    assert "alpha" not in section.text
    assert "gone" not in section.text


def test_configured_servers_wait_for_approval(project: Project) -> None:
    project.write({"workspace/.mcp.json": '{"mcpServers": {"fx": {"command": "x"}}}'})
    assembly = project.assemble(mcp_servers=None)
    assert "mcp-approval" in {d.code for d in assembly.diagnostics}
    lever = project.file("workspace/.mcp.json").why.levers[0]
    assert (lever.param, lever.value) == ("settings.enableAllProjectMcpServers", True)
    approved = project.assemble(mcp_servers=None, params={"settings": {"enableAllProjectMcpServers": True}})
    assert {d.code for d in approved.diagnostics} == {"mcp-not-connected"}


def test_each_server_says_its_state(project: Project) -> None:
    project.write(
        {
            "workspace/.mcp.json": '{"mcpServers": {"on": {}, "off": {}, "new": {}}}',
            "home/.claude.json": '{"mcpServers": {"own": {"command": "never-run"}}}',
        }
    )
    settings = {"enabledMcpjsonServers": ["on"], "disabledMcpjsonServers": ["off"]}
    assembly = project.assemble(mcp_servers=None, params={"settings": settings})
    file = next(f for f in assembly.files if f.path.endswith("/.mcp.json"))
    assert file.present
    assert "on (approved), off (switched off), new (waits for approval)" in file.why.text
    told = {(d.code, (d.path or "").rpartition("/")[2]): d.message for d in assembly.diagnostics}
    assert told["mcp-approval", ".mcp.json"].endswith("not connected: new")
    assert "approval: on; none is started" in told["mcp-not-connected", ".mcp.json"]
    assert "approval: own; none is started" in told["mcp-not-connected", ".claude.json"]


def test_a_broken_configuration_is_a_diagnostic(project: Project) -> None:
    project.write({"workspace/.mcp.json": '{"mcpServers":\n {{'})
    found = [d for d in project.assemble().diagnostics if d.code == "bad-mcp-config"]
    assert [d.line for d in found] == [2]


def test_thousands_of_servers_are_counted_and_not_all_named(project: Project) -> None:
    names = [f"s{n}" for n in range(3_000)]
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": {name: {} for name in names}})})
    settings = {"disabledMcpjsonServers": [*names[:1_000], [], {}], "enabledMcpjsonServers": names[1_000:1_001]}
    assembly = project.assemble(params={"settings": settings})
    [waiting] = [d.message for d in assembly.diagnostics if d.code == "mcp-approval"]
    assert waiting.endswith("s1049, s1050 and 1,949 more")


@pytest.mark.parametrize(("count", "more"), [(49, ""), (50, ""), (51, " and 1 more"), (1_060, " and 1,010 more")])
def test_so_many_servers_are_named(project: Project, count: int, more: str) -> None:
    servers = {f"s{number}": {"command": "x"} for number in range(count)}
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": servers})})
    (said,) = [d.message for d in project.assemble().diagnostics if d.code == "mcp-approval"]
    named = ", ".join(f"s{number}" for number in range(min(count, 50)))
    assert said == f"waiting for approval, so not connected: {named}{more}"
