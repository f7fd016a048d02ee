"""What --agents, --json-schema, --mcp-config, --plugin-dir and --settings hold, and what stops the start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.model import Assembly

if TYPE_CHECKING:
    from .conftest import Project

VERSION = "2.1.332"
ONE = {"rev": {"description": "ZQ does", "prompt": "Review."}}
SHOP = {"mcpServers": {"shop": {"command": "x"}}}


def started(project: Project, *, env: dict[str, str] | None = None, **args: Any) -> Assembly:
    project.workspace.forget(project.workspace.asked)
    params = {"args": {"print": True, **args}}
    return project.assemble(VERSION, params=params, **({"env": env} if env else {}))


def refused(found: Assembly) -> list[str]:
    stop = "Claude Code does not start: "
    return [each.message.removeprefix(stop) for each in found.diagnostics if each.code == "agent-refuses"]


def rows(found: Assembly, section: str) -> list[str]:
    (text,) = (each.text for each in found.sections if each.id == section)
    return [line for line in text.split("\n") if "ZQ" in line]


@pytest.mark.parametrize("given", [ONE, json.dumps(ONE), "a.json"])
def test_agents_are_json_or_a_file(project: Project, given: Any) -> None:
    project.write({"workspace/a.json": json.dumps(ONE)})
    found = started(project, agents=given)
    assert rows(found, "agents") == ["- rev: ZQ does (Tools: All tools)"]
    assert not refused(found)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("none.json", "--agents names a file that cannot be read"),
        ("[]", "--agents names a file that cannot be read"),
        ({"a": {"description": "d"}}, "`a.prompt` of --agents "),
        ({"a": {"description": "", "prompt": "p"}}, "`a.description` of --agents "),
        ({"a": {"description": "d", "prompt": "p", "tools": "Read"}}, "`a.tools` of --agents "),
        ({"a": 5}, "`a` of --agents "),
    ],
)
def test_agents_that_stop_the_start(project: Project, given: Any, says: str) -> None:
    (why,) = refused(started(project, agents=given))
    assert why.startswith(says)


def test_a_file_of_agents_counts_in_a_headless_session_alone(project: Project) -> None:
    project.write({"workspace/a.json": json.dumps(ONE)})
    assert refused(started(project, agents="a.json", print=False))
    assert not refused(started(project, agents=ONE, print=False))


def test_agents_of_arguments_come_before_those_of_the_project(project: Project) -> None:
    project.write({"workspace/.claude/agents/rev.md": "---\nname: rev\ndescription: ZQ file\n---\nbody"})
    found = started(project, agents=ONE)
    assert rows(found, "agents") == ["- rev: ZQ does (Tools: All tools)"]
    (row,) = (each for each in found.files if each.path.endswith("rev.md"))
    assert row.why.text == "absent: another agent is called rev already"
    assert rows(started(project, agents=ONE, env={"CLAUDE_CODE_SAFE_MODE": "1"}), "agents") == []


def test_an_agent_of_an_argument_drives_the_session(project: Project) -> None:
    found = started(project, agents=ONE, agent="rev")
    assert any(section.text == "Review." for section in found.sections if section.present)


def test_the_answer_s_schema_is_a_tool_s(project: Project) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    for given in (schema, json.dumps(schema)):
        found = started(project, jsonSchema=given, tools=["Read"], disallowedTools=["StructuredOutput"])
        (tool,) = (each for each in found.tools if each.present and each.name == "StructuredOutput")
        assert tool.input_schema == schema
    assert refused(started(project, jsonSchema="s.json")) == ["--json-schema is not a JSON object"]
    watched = started(project, jsonSchema=schema, print=False)
    assert not [each for each in watched.tools if each.present and each.name == "StructuredOutput"]


def test_a_settings_file_counts_like_values_of_one(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "hi", "shared/s.json": '{"claudeMdExcludes": ["**/CLAUDE.md"]}'})
    assert project.loaded(VERSION, params={"args": {"print": True, "settings": "../shared/s.json"}}) == []
    found = started(project, settings="../shared/s.json")
    assert [each.why.ok for each in found.files if each.path.endswith("/s.json")] == [True]
    assert refused(started(project, settings="none.json")) == ["--settings names a file that cannot be read"]
    project.write({"workspace/s.json": "{"})
    assert not refused(started(project, settings="s.json")), "a file that is cut off sets nothing"


def test_plugins_of_arguments(project: Project) -> None:
    project.write(
        {
            "p/.claude-plugin/plugin.json": '{"name": "pp"}',
            "p/agents/a.md": "---\nname: a\ndescription: ZQ one\n---\nx",
            "q/.claude-plugin/plugin.json": '{"name": "pp"}',
            "q/agents/a.md": "---\nname: a\ndescription: ZQ two\n---\nx",
            "all/c/.claude-plugin/plugin.json": '{"name": "cc"}',
            "all/c/agents/a.md": "---\nname: a\ndescription: ZQ child\n---\nx",
            "bad/.claude-plugin/plugin.json": "{",
            "bad/agents/a.md": "---\nname: a\ndescription: ZQ bad\n---\nx",
        }
    )
    assert rows(started(project, pluginDir=["../p"]), "agents") == ["- pp:a: ZQ one (Tools: All tools)"]
    assert rows(started(project, pluginDir=["../p", "../q"]), "agents") == ["- pp:a: ZQ two (Tools: All tools)"]
    assert rows(started(project, pluginDir=["../all"]), "agents") == ["- cc:a: ZQ child (Tools: All tools)"]
    for folder in ("../bad", "../none"):
        found = started(project, pluginDir=[folder])
        assert rows(found, "agents") == []
        assert [each.code for each in found.diagnostics if each.severity == "warning"] == ["plugin-missing"]
    project.write({"workspace/.claude/settings.json": '{"enabledPlugins": {"pp@inline": false}}'})
    found = started(project, pluginDir=["../p"])
    assert rows(found, "agents") == []
    (row,) = (each for each in found.files if each.path.endswith("a.md"))
    assert "`enabledPlugins` switches pp@inline off" in row.why.text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([json.dumps(SHOP)], []),
        (["none.json"], ["--mcp-config names a file that cannot be read"]),
        (["{}"], ["--mcp-config has no `mcpServers`"]),
    ],
)
def test_servers_of_arguments(project: Project, given: list[str], says: list[str]) -> None:
    assert refused(started(project, mcpConfig=given)) == says


def test_bare_mode_keeps_the_servers_of_arguments_and_strict_leaves_no_others(project: Project) -> None:
    tool = {"name": "buy", "description": "Buys.", "inputSchema": {"type": "object"}}
    servers = [McpServer(name=name, tools=[tool]).model_dump() for name in ("shop", "own")]
    project.write({"home/.claude.json": json.dumps({"mcpServers": {"own": {"command": "y"}}})})

    def sent(**args: Any) -> list[str]:
        params = {"args": {"print": True, "mcpConfig": [json.dumps(SHOP)], **args}}
        found = project.assemble(VERSION, params=params, mcp_servers=servers, env={"ENABLE_TOOL_SEARCH": "false"})
        return [each.name for each in found.tools if each.present and each.name.startswith("mcp__")]

    assert sent() == ["mcp__own__buy", "mcp__shop__buy"]
    assert sent(strictMcpConfig=True) == ["mcp__shop__buy"]
    assert sent(bare=True) == ["mcp__shop__buy"]
    project.write({"managed/managed-mcp.json": '{"mcpServers": {}}'})
    assert any("refused" in why for why in refused(started(project, mcpConfig=[json.dumps(SHOP)])))


def test_servers_of_plugins_have_the_plugin_s_name(project: Project) -> None:
    tool = {"name": "buy", "description": "Buys.", "inputSchema": {"type": "object"}}
    servers = [McpServer(name=f"plugin:pp:{name}", tools=[tool]).model_dump() for name in ("one", "two", "three")]
    manifest = {"name": "pp", "mcpServers": {"two": {"command": "x"}}}
    project.write(
        {
            "p/.claude-plugin/plugin.json": json.dumps(manifest),
            "p/.mcp.json": json.dumps({"one": {"command": "x"}}),
            "workspace/.claude/settings.json": json.dumps({"deniedMcpServers": [{"serverName": "plugin:pp:two"}]}),
        }
    )

    def found(**args: Any) -> Assembly:
        params = {"args": {"print": True, "pluginDir": ["../p"], **args}}
        return project.assemble(VERSION, params=params, mcp_servers=servers, env={"ENABLE_TOOL_SEARCH": "false"})

    def sent(**args: Any) -> list[str]:
        return [each.name for each in found(**args).tools if each.present and each.name.startswith("mcp__")]

    assert sent() == ["mcp__plugin_pp_one__buy", "mcp__plugin_pp_three__buy"]
    assert sent(strictMcpConfig=True) == ["mcp__plugin_pp_three__buy"], "one that nobody configured may be anyone's"
    assert [each.kind for each in found().files if each.path.endswith("p/.mcp.json")] == ["mcp-config"]
