"""What each MCP server takes of a prompt, for every agent that has servers."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.learned import ServerAnswer
from promptscope_engine.prompt.model import Server

SCHEMA = {"type": "object", "properties": {"q": {"type": "string", "description": "what to look for"}}}
TOOLS = [{"name": name, "description": f"Will {name} words.", "inputSchema": SCHEMA} for name in ("find", "look")]
DOCS = {"name": "docs", "instructions": "Ask docs for words.", "tools": TOOLS}
MUTE = {"name": "mute", "tools": TOOLS[:1]}
SEARCH = {"env": {"ENABLE_TOOL_SEARCH": "true"}}
WHOLE = {"env": {"ENABLE_TOOL_SEARCH": "false"}}
AGENTS: dict[str, dict[str, Any]] = {
    "claude-code": WHOLE,
    "codex": {"model": "another-model", "params": {"args": {"trust": True}}},
    "gemini": {"mode": "yolo", "params": {"trusted": True}},
    "roo": {},
}


def asked(folder: Path, agent: str, **more: Any) -> Assembly:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    values = {"workspace": str(folder), "home": str(home), "agent": agent, "mcp_servers": [DOCS, MUTE], **more}
    return assemble(Scenario.model_validate(values))


def of(assembly: Assembly, name: str) -> Server:
    found = assembly.server(name)
    assert found is not None
    return found


@pytest.mark.parametrize("agent", AGENTS)
def test_a_server_costs_about_what_the_prompt_is_shorter_without_it(agent: str, tmp_path: Path) -> None:
    both, alone = (asked(tmp_path, agent, **AGENTS[agent], mcp_servers=servers) for servers in ([DOCS, MUTE], [MUTE]))
    docs = of(both, "docs")
    saved = (both.tokens.expected or 0) - (alone.tokens.expected or 0)
    assert docs.present
    assert docs.tools == 2
    # What introduces the instructions of all servers goes with the last; tokens may join at a border.
    assert 0 < (docs.tokens.expected or 0) <= saved + 1
    assert of(both, "mute").tokens == of(alone, "mute").tokens


def test_deferred_tools_cost_their_names_until_they_are_loaded(tmp_path: Path) -> None:
    late, whole = (of(asked(tmp_path, "claude-code", **env), "docs") for env in (SEARCH, WHOLE))
    assert (late.deferred, whole.deferred) == (2, 0)
    assert (late.tokens.tools, late.tokens.deferred) == (0, whole.tokens.tools)
    assert (whole.tokens.text or 0) < (late.tokens.text or 0) < (whole.tokens.expected or 0)


def test_a_configured_server_that_nobody_asked_says_so(tmp_path: Path) -> None:
    (tmp_path / ".roo").mkdir()
    (tmp_path / ".roo/mcp.json").write_text('{"mcpServers": {"docs": {"command": "docs"}}}')
    docs = of(asked(tmp_path, "roo", mcp_servers=None), "docs")
    assert (docs.present, docs.known, docs.tokens.expected) == (False, "", 0)
    assert "not asked" in docs.why.text
    assert "--mcp docs" in docs.why.remedy
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"other": {"command": "docs"}}}')
    assert not of(asked(tmp_path, "roo", mcp_servers=None), "other").configured


def test_a_denied_tool_costs_nothing(tmp_path: Path) -> None:
    denied = {"params": {"args": {"disallowedTools": ["mcp__docs"]}}}
    docs = of(asked(tmp_path, "claude-code", **SEARCH, **denied), "docs")
    assert (docs.deferred, docs.tokens.tools, docs.tokens.deferred) == (0, 0, 0)


CONFIGURED: dict[str, tuple[str, str]] = {
    "claude-code": ("home/.claude.json", '{"mcpServers": {"docs": {"command": "docs", "args": ["${WHERE:-here}"]}}}'),
    "codex": ("home/.codex/config.toml", '[mcp_servers.docs]\ncommand = "docs"\nargs = ["here"]\n'),
    "gemini": ("home/.gemini/settings.json", '{"mcpServers": {"docs": {"command": "docs", "args": ["here"]}}}'),
    "roo": (".roo/mcp.json", '{"mcpServers": {"docs": {"command": "docs", "args": ["here"]}}}'),
}


ENVIRONMENT: dict[str, tuple[list[str], list[str]]] = {
    "claude-code": (["HOME", "LANG", "AUTHOR", "PLAIN", "MY_TOKEN"], ["CLAUDE_PROJECT_DIR", "CLAUDECODE"]),
    "codex": (["HOME", "LANG"], []),
    "gemini": (["HOME", "LANG", "PLAIN"], ["GEMINI_CLI"]),
    "roo": (["HOME"], []),
}
"""What a server is given of the variables of the agent, as clients gave it, and what they add; of Roo it is assumed."""


@pytest.mark.parametrize("agent", CONFIGURED)
def test_what_a_server_answered_stands_in_for_it(agent: str, tmp_path: Path) -> None:
    place, text = CONFIGURED[agent]
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text(text)
    workspace = Workspace()
    answer = ServerAnswer("docs", tuple(TOOLS), "Ask docs for words.", "asked", "2026-11-26T09:00:00+00:00")
    answers = {str(tmp_path): {"docs": answer, "other": replace(answer, name="other")}}.__getitem__
    knowledge = Knowledge(answers=answers)
    values = {"workspace": str(tmp_path), "home": str(tmp_path / "home"), "agent": agent, **AGENTS[agent]}
    scenario = Scenario.model_validate({**values, "attended": True})
    known = assemble(scenario, workspace, knowledge=knowledge)
    docs = of(known, "docs")
    assert (docs.present, docs.known, docs.tools) == (True, "asked on 2026-11-26", 2)
    own = {"name": "docs", "instructions": "Ask docs for words.", "tools": TOOLS}
    config = {"command": "docs", "args": ["here"]}
    given = scenario.model_copy(update={"mcp_servers": [McpServer.model_validate({**own, "config": config})]})
    stand_in = assemble(given, workspace, knowledge=knowledge)
    assert docs.tokens == of(stand_in, "docs").tokens
    assert known.tokens.expected == stand_in.tokens.expected
    assert known.server("other") is None
    assert [d.code for d in known.diagnostics if " other " in d.message] == ["mcp-not-configured"]
    alone = scenario.model_copy(update={"attended": False})
    assert not of(assemble(alone, workspace, knowledge=knowledge), "docs").known

    choice, inputs = resolve(scenario, workspace, knowledge)
    [server] = choice.gather(inputs, workspace).configured
    assert (server.command, server.folder) == (("docs", "here"), str(tmp_path))
    passed, added = ENVIRONMENT[agent]
    assert [name for name in ("HOME", "LANG", "AUTHOR", "PLAIN", "MY_TOKEN") if server.inherits(name)] == passed
    assert list(server.adds) == added


APPROVED = ('{"enableAllProjectMcpServers": true}', '{"enabledMcpjsonServers": ["docs"]}', "{}")


@pytest.mark.parametrize("approved", APPROVED)
def test_a_server_of_the_project_that_is_approved_offers_what_it_answered(approved: str, tmp_path: Path) -> None:
    """Where somebody's own settings have a server of that name, it needs no approval."""
    own = "{}" if approved != "{}" else '{"mcpServers": {"docs": {"command": "docs"}}}'
    (tmp_path / "home/.claude").mkdir(parents=True)
    (tmp_path / "home/.claude/settings.json").write_text(approved)
    (tmp_path / "home/.claude.json").write_text(own)
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"docs": {"command": "docs"}}}')
    answer = ServerAnswer("docs", tuple(TOOLS), "", "asked", "2026-11-26T09:00:00+00:00")
    known = Knowledge(answers={str(tmp_path): {"docs": answer}}.__getitem__)
    values = {"workspace": str(tmp_path), "home": str(tmp_path / "home"), "agent": "claude-code"}
    scenario = Scenario.model_validate({**values, **AGENTS["claude-code"], "attended": True})
    docs = of(assemble(scenario, knowledge=known), "docs")
    assert (docs.present, docs.tools) == (True, 2)


def test_an_agent_that_does_not_start_loads_no_tool_and_has_no_server(tmp_path: Path) -> None:
    config = tmp_path / "home/.codex/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[mcp_servers.docs]\ncommand = "docs"\nrequired = true\n')
    known = asked(tmp_path, "codex", mcp_servers=[DOCS])
    assert any(tool.variant == "deferred" for tool in known.tools)
    refused = asked(tmp_path, "codex", mcp_servers=[{**DOCS, "status": "disconnected"}, MUTE])
    assert refused.tokens.expected == 0
    assert not any(tool.variant == "deferred" for tool in refused.tools)
    assert {(s.present, s.deferred, s.tokens.expected) for s in refused.servers} == {(False, 0, 0)}


OFF = {
    "claude-code": (".mcp.json", '{"mcpServers": {"docs": {"command": "docs"}}}'),
    "codex": ("home/.codex/config.toml", '[mcp_servers.docs]\ncommand = "docs"\nenabled = false\n'),
    "gemini": (".gemini/settings.json", '{"mcpServers": {"docs": {"command": "docs"}}, "mcp": {"excluded": ["docs"]}}'),
    "roo": (".roo/mcp.json", '{"mcpServers": {"docs": {"command": "docs", "disabled": true}}}'),
}
"""A server that nobody has approved, and servers that are switched off."""


@pytest.mark.parametrize("agent", OFF)
def test_what_a_server_once_answered_does_not_switch_it_on(agent: str, tmp_path: Path) -> None:
    place, text = OFF[agent]
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text(text)
    workspace = Workspace()
    values = {"workspace": str(tmp_path), "home": str(tmp_path / "home"), "agent": agent, **AGENTS[agent]}
    scenario = Scenario.model_validate({**values, "attended": True})
    without = assemble(scenario, workspace).tokens.expected
    answer = ServerAnswer("docs", tuple(TOOLS), "Ask docs for words.", "asked", "2026-11-26T09:00:00+00:00")
    found = assemble(scenario, workspace, knowledge=Knowledge(answers={str(tmp_path): {"docs": answer}}.__getitem__))
    assert found.tokens.expected == without
    assert (of(found, "docs").present, of(found, "docs").tokens.expected) == (False, 0)
