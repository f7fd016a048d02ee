from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.mcp import wire_name

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

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
    assert "WebSearch\nmcp__alpha__echo\nmcp__zed_srv__a_b\n" in section.text
    tool = next(t for t in assembly.tools if t.name == "mcp__alpha__echo")
    assert (tool.present, tool.variant) == (False, "deferred")


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329"])
def test_instructions(project: Project, version: str) -> None:
    section = project.assemble(version, mcp_servers=SERVERS).section("mcp_instructions")
    assert section is not None
    assert "\n## zed srv\nZed speaks." in section.text
    assert "alpha" not in section.text
    assert "gone" not in section.text


@pytest.mark.parametrize(
    ("text", "kept"), [("z" * 4096, 4096), ("z" * 4097, 4096), ("🎉" * 3000, 2048), ("z" + "🎉" * 3000, 2048)]
)
def test_long_texts_of_a_server_are_cut(project: Project, text: str, kept: int) -> None:
    assembly = project.assemble("2.1.332", mcp_servers=[{"name": "srv", "instructions": text}])
    section = assembly.section("mcp_instructions")
    assert section is not None
    is_cut = kept < len(text)
    assert section.text.split("## srv\n")[1].startswith(text[:kept] + "… [truncated]" * is_cut)
    assert [d.code for d in assembly.diagnostics if d.code == "mcp-cut"] == ["mcp-cut"] * is_cut
    assert assembly.servers[0].limits[0].allowed == 4096


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
    settings = {"disabledMcpjsonServers": names[:1_000], "enabledMcpjsonServers": names[1_000:1_001]}
    assembly = project.assemble(params={"settings": settings})
    [waiting] = [d.message for d in assembly.diagnostics if d.code == "mcp-approval"]
    assert waiting.endswith("s1019, s1020 and 1,979 more")


@pytest.mark.parametrize(("count", "more"), [(19, ""), (20, ""), (21, " and 1 more"), (1_030, " and 1,010 more")])
def test_so_many_servers_are_named(project: Project, count: int, more: str) -> None:
    servers = {f"s{number}": {"command": "x"} for number in range(count)}
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": servers})})
    (said,) = [d.message for d in project.assemble().diagnostics if d.code == "mcp-approval"]
    named = ", ".join(f"s{number}" for number in range(min(count, 20)))
    assert said == f"waiting for approval, so not connected: {named}{more}"


@pytest.mark.parametrize(("count", "named"), [(0, False), (1, True)])
def test_a_configuration_has_a_row_where_it_is_there(project: Project, count: int, named: bool) -> None:
    assert [f for f in project.gathered().files if f.path.endswith(("/.mcp.json", "/.claude.json"))] == []
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": {"fx": {}} if count else {}})})
    project.write({"home/.claude.json": "{}"})
    project.workspace.forget(project.workspace.asked)
    row = project.file("workspace/.mcp.json", params={"settings": {"enableAllProjectMcpServers": True}})
    assert (row.present, row.injected_chars) == (named, 0)
    assert named or row.why.text == "absent: it configures no server"
    assert project.file("home/.claude.json").kind == "settings"


@pytest.mark.parametrize(
    ("tool", "schema", "description"),
    [
        ({}, {"type": "object", "properties": {}}, ""),
        ({"inputSchema": {"type": "object"}, "description": "d"}, {"type": "object"}, "d"),
        ({"inputSchema": None, "description": None}, {"type": "object", "properties": {}}, ""),
    ],
)
def test_a_tool_as_its_server_tells_of_it(
    project: Project, tool: dict[str, Any], schema: dict[str, Any], description: str
) -> None:
    servers = [{"name": "fx", "tools": [{"name": "t", **tool}, {"name": "off", "enabledForPrompt": False}]}]
    [found] = project.materials(mcp_servers=servers).mcp_tools
    assert (found.name, found.input_schema, found.description) == ("mcp__fx__t", schema, description)


@pytest.mark.parametrize(
    ("server", "connects"),
    [
        ({}, True), ({"status": "disconnected"}, False), ({"status": "connecting"}, False), ({"disabled": True}, False),
    ],
)  # fmt: skip
def test_which_servers_answer(project: Project, server: dict[str, Any], connects: bool) -> None:
    found = project.materials(mcp_servers=[{"name": "fx", "tools": [{"name": "t"}], **server}])
    assert bool(found.mcp_tools) is connects


@pytest.mark.parametrize(
    ("settings", "present", "levers"),
    [
        ({}, False, ["settings.enableAllProjectMcpServers"]),
        ({"enableAllProjectMcpServers": True}, True, ["settings.enableAllProjectMcpServers"]),
        ({"enableAllProjectMcpServers": "yes"}, False, ["settings.enableAllProjectMcpServers"]),
        ({"enabledMcpjsonServers": ["fx"]}, True, []),
        ({"enabledMcpjsonServers": ["other"]}, False, ["settings.enableAllProjectMcpServers"]),
        ({"enabledMcpjsonServers": "fx"}, True, []),
        ({"enabledMcpjsonServers": "a fx"}, False, ["settings.enableAllProjectMcpServers"]),
        ({"disabledMcpjsonServers": "fx", "enableAllProjectMcpServers": True}, False, []),
        ({"disabledMcpjsonServers": ["fx"]}, False, []),
        ({"disabledMcpjsonServers": ["fx"], "enableAllProjectMcpServers": True}, False, []),
        ({"disabledMcpjsonServers": ["fx"], "enabledMcpjsonServers": ["fx"]}, False, []),
    ],
)
def test_what_approves_a_server(project: Project, settings: dict[str, Any], present: bool, levers: list[str]) -> None:
    project.write(
        {"workspace/.mcp.json": '{"mcpServers": {"fx": {}}}', "home/.claude/settings.json": json.dumps(settings)}
    )
    row = project.file("workspace/.mcp.json")
    assert row.present is present
    assert [lever.param for lever in row.why.levers] == levers


@pytest.mark.parametrize(
    ("off", "started"),
    [
        (["fx"], False),
        ("fx", False),
        ("a fx b", True),
        (["fx", 7], False),
        (["FX"], True),
        ({"fx": 1}, True),
        (7, True),
    ],
)
def test_the_folders_own_list_switches_a_server_off(project: Project, off: Any, started: bool) -> None:
    """As 2.1.332 answered: beside the setting of that name, and be it a text."""
    here = {"disabledMcpjsonServers": off, "hasTrustDialogAccepted": True}
    project.write({"home/.claude.json": json.dumps({"projects": {str(project.cwd): here}})})
    project.write({"workspace/.mcp.json": '{"mcpServers": {"fx": {"command": "fx"}}}'})
    servers = [{"name": "fx", "tools": [{"name": "t"}]}]
    found = project.assemble(mcp_servers=servers, params={"args": {"print": True}})
    assert ("mcp__fx__t" in [tool.name for tool in found.tools]) is started


@pytest.mark.parametrize(
    ("here", "state", "levers"),
    [
        ({}, "waits", ["settings.enableAllProjectMcpServers"]),
        ({"enabledMcpjsonServers": ["fx"]}, "approved", []),
        ({"enabledMcpjsonServers": ["other"]}, "waits", ["settings.enableAllProjectMcpServers"]),
        ({"enabledMcpjsonServers": "fx"}, "waits", ["settings.enableAllProjectMcpServers"]),
        ({"enableAllProjectMcpServers": True}, "approved", []),
        ({"enableAllProjectMcpServers": "yes"}, "waits", ["settings.enableAllProjectMcpServers"]),
        ({"disabledMcpjsonServers": "fx"}, "off", []),
        ({"enabledMcpjsonServers": ["fx"], "disabledMcpjsonServers": ["fx"]}, "off", []),
    ],
)
def test_a_terminal_asks_of_no_server_that_the_folder_has_an_answer_for(
    project: Project, here: dict[str, Any], state: str, levers: list[str]
) -> None:
    """As 2.1.332 answered in a terminal: it sent nothing before it was told of each server."""
    entry = {**here, "hasTrustDialogAccepted": True}
    project.write({"home/.claude.json": json.dumps({"projects": {str(project.cwd): entry}})})
    project.write({"workspace/.mcp.json": '{"mcpServers": {"fx": {"command": "fx"}}}'})
    assembly = project.assemble()
    row = next(file for file in assembly.files if file.path.endswith("/.mcp.json"))
    assert row.present is (state == "approved")
    assert [lever.param for lever in row.why.levers] == levers
    assert any(d.code == "mcp-approval" for d in assembly.diagnostics) is (state == "waits")


@pytest.mark.parametrize(
    ("user", "project_file", "managed", "started"),
    [
        ("fx", None, None, False),
        ("a fx", None, None, True),
        (["fx", 7], None, None, True),
        ("fx", "other", None, False),
        ("fx", ["other"], None, False),
        (["other"], "fx", None, False),
        (None, None, "fx", True),
        (["other"], None, "fx", True),
        ("fx", None, ["other"], False),
        ("fx", None, "fx", False),
    ],
)
def test_a_text_is_a_list_of_one_server(
    project: Project, user: Any, project_file: Any, managed: Any, started: bool
) -> None:
    """As 2.1.332 answered: in the files of user and project, and not in an organisation's."""
    places = {"home/.claude/settings.json": user, "workspace/.claude/settings.json": project_file}
    off = "disabledMcpjsonServers"
    project.write({path: json.dumps({off: value}) for path, value in places.items() if value is not None})
    if managed is not None:
        project.write({"managed/managed-settings.json": json.dumps({off: managed})})
    project.write({"workspace/.mcp.json": '{"mcpServers": {"fx": {"command": "fx"}}}'})
    servers = [{"name": "fx", "tools": [{"name": "t"}]}]
    found = project.assemble(mcp_servers=servers, params={"args": {"print": True}})
    assert ("mcp__fx__t" in [tool.name for tool in found.tools]) is started


@pytest.mark.parametrize(
    ("said", "offered"),
    [({}, False), ({"resources": []}, True), ({"resources": [{"uri": "x://a", "name": "a"}]}, True)],
)
def test_a_server_with_resources_brings_the_tools_for_them(
    project: Project, said: dict[str, Any], offered: bool
) -> None:
    env = {"ENABLE_TOOL_SEARCH": "false"}
    found = project.assemble(mcp_servers=[{"name": "docs", **said}], params={"args": {"print": True}}, env=env)
    names = ("ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool")
    assert [tool.present for tool in found.tools if tool.name in names] == [offered] * 3


@pytest.mark.parametrize(
    ("answers", "approved"),
    [
        ({"W": {"hasClaudeMdExternalIncludesApproved": True}}, True),
        ({"W": {"hasClaudeMdExternalIncludesApproved": "true"}}, False),
        ({"W": {"hasClaudeMdExternalIncludesApproved": False}}, False),
        ({"W": {}}, False),
        ({"W": 5}, False),
        ({"/other": {"hasClaudeMdExternalIncludesApproved": True}}, False),
    ],
)
def test_the_answer_to_the_dialog_on_external_imports(
    project: Project, answers: dict[str, Any], approved: bool
) -> None:
    projects = {str(project.cwd) if key == "W" else key: value for key, value in answers.items()}
    project.write(
        {"home/.claude.json": json.dumps({"projects": projects}), "workspace/CLAUDE.md": "@../x.md", "x.md": "x"}
    )
    assert ("x.md" in project.loaded()) is approved


def test_servers_that_offer_nothing_can_be_asked_about(project: Project) -> None:
    project.write({"workspace/.mcp.json": '{"mcpServers": {"docs": {}, "off": {}, "on": {}}}'})
    project.write({"home/.claude.json": '{"mcpServers": {"own": {}}}'})
    settings = {"disabledMcpjsonServers": ["off"], "enabledMcpjsonServers": ["on"]}
    tools = project.assemble(mcp_servers=None, params={"settings": settings}).tools
    said = {tool.name: tool.why.text for tool in tools if tool.name.startswith("mcp:")}
    assert list(said) == ["mcp:docs", "mcp:off", "mcp:on", "mcp:own"]
    assert "waits for your approval" in said["mcp:docs"]
    assert "switched off" in said["mcp:off"]
    assert "not asked yet" in said["mcp:on"]


def test_setting_sources_let_servers_in_by_where_they_are_configured(project: Project) -> None:
    started: dict[str, Any] = {name: {"command": name} for name in ("shared", "off", "mine", "here")}
    shared = {name: started[name] for name in ("shared", "off")}
    here = {"mcpServers": {"here": started["here"]}}
    own = {"mcpServers": {"mine": started["mine"]}, "projects": {str(project.cwd): here}}
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": shared}), "home/.claude.json": json.dumps(own)})
    servers = [{"name": name, "tools": [{"name": "t"}]} for name in (*started, "unknown")]
    for sources, offering in (
        (None, {"shared", "mine", "here", "unknown"}),
        ("user", {"mine", "unknown"}),
        ("project,local", {"shared", "here", "unknown"}),
        ("", {"unknown"}),
    ):
        params = {"args": {"settingSources": sources}, "settings": {"disabledMcpjsonServers": ["off"]}}
        assembly = project.assemble(mcp_servers=servers, params=params)
        named = [tool.name.split("__") for tool in assembly.tools if tool.name.startswith("mcp__")]
        assert {parts[1] for parts in named} == offering
        said = {tool.name: tool.why.text for tool in assembly.tools if tool.name.startswith("mcp:")}
        assert "switched off" in said["mcp:off"]
        if sources == "user":
            assert "--setting-sources leaves project files out" in said["mcp:shared"]
            assert "not asked yet" not in said["mcp:shared"]


def servers(*names: str) -> str:
    return json.dumps({"mcpServers": {name: {"command": "never-run"} for name in names}})


@pytest.mark.parametrize(
    ("settings", "started"),
    [
        ({}, ["fx", "gx"]),
        ({"enabledMcpjsonServers": ["fx"]}, ["fx", "gx"]),
        ({"enableAllProjectMcpServers": False}, ["fx", "gx"]),
        ({"disabledMcpjsonServers": ["fx"]}, ["gx"]),
        ({"disabledMcpServers": ["fx"]}, ["fx", "gx"]),
    ],
)
def test_a_headless_session_starts_what_is_not_switched_off(
    project: Project, settings: dict[str, Any], started: list[str]
) -> None:
    project.write({"workspace/.mcp.json": servers("fx", "gx"), "home/.claude/settings.json": json.dumps(settings)})
    assembly = project.assemble(mcp_servers=None, params={"args": {"print": True}})
    told = next(d.message for d in assembly.diagnostics if d.code == "mcp-not-connected")
    assert [name for name in ("fx", "gx") if name in told] == started
    assert "mcp-approval" not in {d.code for d in assembly.diagnostics}


def test_every_folder_up_to_the_root_may_have_servers_and_the_nearest_counts(project: Project) -> None:
    project.write({".mcp.json": servers("above", "both"), "workspace/.mcp.json": servers("here", "both")})
    assembly = project.assemble(mcp_servers=None)
    waiting = {d.path: d.message.rpartition(": ")[2] for d in assembly.diagnostics if d.code == "mcp-approval"}
    assert waiting == {str(project.cwd.parent / ".mcp.json"): "above", str(project.cwd / ".mcp.json"): "here, both"}


def test_a_folder_switches_servers_off_by_name_wherever_they_come_from(project: Project) -> None:
    off = {"projects": {str(project.cwd): {"disabledMcpServers": ["own", "fx"]}}}
    project.write(
        {
            "workspace/.mcp.json": servers("fx"),
            "home/.claude.json": json.dumps({"mcpServers": {"own": {"command": "never-run"}}, **off}),
        }
    )
    given = [{"name": name, "tools": [{"name": "one", "description": "d"}]} for name in ("own", "fx", "other")]
    assembly = project.assemble(mcp_servers=given, env={"ENABLE_TOOL_SEARCH": "false"})
    tools = {tool.name for tool in assembly.tools if tool.present}
    assert [name for name in ("own", "fx", "other") if f"mcp__{name}__one" in tools] == ["other"]


@pytest.mark.parametrize(
    ("config", "started"),
    [
        ({"command": "x", "args": ["1"]}, False),
        ({"command": "x", "args": ["1"], "env": {"A": "1"}}, False),
        ({"command": "x", "args": ["2"]}, True),
        ({"command": "x"}, True),
    ],
)
def test_a_server_of_a_plugin_that_starts_what_another_starts_is_left_out(
    project: Project, config: dict[str, Any], started: bool
) -> None:
    project.write(
        {
            "plug/.claude-plugin/plugin.json": '{"name": "pl"}',
            "plug/.mcp.json": json.dumps({"mcpServers": {"same": config}}),
            "home/.claude.json": json.dumps({"mcpServers": {"z": {"command": "x", "args": ["1"]}}}),
        }
    )
    assembly = project.assemble(mcp_servers=None, params={"args": {"pluginDir": [str(project.cwd.parent / "plug")]}})
    notes = [d.message for d in assembly.diagnostics if d.code == "mcp-same"]
    assert notes == ([] if started else ["plugin:pl:same is not started: z starts the same"])


@pytest.mark.parametrize(
    ("version", "server", "tool", "whole"),
    [
        ("2.1.332", {"alwaysLoad": True}, {}, True),
        ("2.1.332", {"alwaysLoad": False}, {}, False),
        ("2.1.332", {}, {"_meta": {"anthropic/alwaysLoad": True}}, True),
        ("2.1.332", {"alwaysLoad": True}, {"_meta": {"anthropic/alwaysLoad": False}}, True),
        ("2.1.100", {"alwaysLoad": True}, {}, False),
        ("2.1.100", {}, {"_meta": {"anthropic/alwaysLoad": True}}, True),
    ],
)
def test_a_tool_that_is_always_loaded_is_sent_whole_and_not_listed(
    project: Project, version: str, server: dict[str, Any], tool: dict[str, Any], whole: bool
) -> None:
    given = [{"name": "aa", "config": server, "tools": [{"name": "one", "description": "d", **tool}]}]
    assembly = project.assemble(version, mcp_servers=given, env={"ENABLE_TOOL_SEARCH": "true"})
    assert next(each for each in assembly.tools if each.name == "mcp__aa__one").present is whole
    assert any("mcp__aa__one" in section.text for section in assembly.sections) is not whole


_OWN = {"command": "never-run", "args": ["mine"]}


@pytest.mark.parametrize(
    ("brought", "names"),
    [
        ([{"inl": _OWN}], {"srv", "inl"}),
        (["srv", "nope"], {"srv"}),
        ({"inl": _OWN}, {"srv"}),
        ([{"a": _OWN, "b": _OWN}], {"srv"}),
        ([{"inl": 5}], {"srv"}),
    ],
)
def test_an_agent_brings_servers_along(project: Project, brought: Any, names: set[str]) -> None:
    """As 2.1.332 answered; a session that it does not drive is given none of them."""
    head = f"name: lead\ndescription: d\nmcpServers: {json.dumps(brought)}\n"
    project.write({"workspace/.claude/agents/lead.md": f"---\n{head}---\nB.\n", "workspace/.mcp.json": servers("srv")})

    def known(**params: Any) -> set[str]:
        return {each.name for each in project.gathered("2.1.332", mcp_servers=None, params=params).configured}

    assert known(args={"agent": "lead"}) == known(subagent="lead") == names
    assert known() == {"srv"}


@pytest.mark.parametrize("trusted", [True, False])
def test_servers_of_a_project_s_agent_are_started_where_the_folder_is_trusted(project: Project, trusted: bool) -> None:
    head = f"name: lead\ndescription: d\nmcpServers: {json.dumps([{'inl': _OWN}])}\n"
    answers = {"projects": {str(project.cwd): {"hasTrustDialogAccepted": trusted}}}
    project.write(
        {"workspace/.claude/agents/lead.md": f"---\n{head}---\nB.\n", "home/.claude.json": json.dumps(answers)}
    )
    params = {"args": {"agent": "lead", "print": True}}
    tools = project.assemble("2.1.332", mcp_servers=None, params=params).tools
    why = next(each.why.text for each in tools if each.name.endswith("inl"))
    assert ("trusted folder only" in why) is not trusted
