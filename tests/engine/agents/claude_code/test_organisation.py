"""What an organisation closes: servers, rules, hooks, skills and agents of one's own [recorded 2.1.332]."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project

pytestmark = pytest.mark.slow

_MANAGED = "managed/managed-settings.json"
_SERVERS = [
    {"name": name, "tools": [{"name": f"t_{name}", "inputSchema": {"type": "object"}}]}
    for name in ("prj", "usr", "man")
]
_COMMAND = {"command": "srv", "args": ["--usr"]}


def offered(project: Project, files: dict[str, Any]) -> set[str]:
    """The servers whose tools are there, of one of the project, one of the user's, and perhaps the organisation's."""
    own = {"mcpServers": {"usr": _COMMAND}}
    on = {"enableAllProjectMcpServers": True}
    servers = {"home/.claude.json": own, "workspace/.mcp.json": {"mcpServers": {"prj": {"command": "p"}}}}
    there = {"home/.claude/settings.json": on, **servers, **files}
    project.write({path: text if isinstance(text, str) else json.dumps(text) for path, text in there.items()})
    has_own = "managed/managed-mcp.json" in files
    assembly = project.assemble(mcp_servers=[s for s in _SERVERS if has_own or s["name"] != "man"])
    return {name.split("__")[1] for name in usable(assembly) if name.startswith("mcp__")}


def usable(assembly: Assembly) -> set[str]:
    """The tools that are sent, and those that can be looked for."""
    listed = assembly.section("deferred_tools")
    waiting = listed.text.split("\n") if listed and listed.present else []
    return {tool.name for tool in assembly.tools if tool.present} | set(waiting)


def test_an_organisations_file_takes_the_place_of_all_other_servers(project: Project) -> None:
    servers = {"mcpServers": {"man": {"command": "m"}}}
    assert offered(project, {"managed/managed-mcp.json": servers}) == {"man"}
    row = project.file("workspace/.mcp.json")
    assert not row.present
    assert "managed-mcp.json are started" in row.why.text


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"mcpServers": []}'])
def test_that_file_counts_whatever_it_holds(project: Project, text: str) -> None:
    assert offered(project, {"managed/managed-mcp.json": text}) <= {"man"}


@pytest.mark.parametrize(
    ("rules", "there"),
    [
        ({"allowedMcpServers": [{"serverName": "usr"}]}, {"usr"}),
        ({"allowedMcpServers": [{"serverCommand": ["srv", "--usr"]}]}, {"usr"}),
        ({"allowedMcpServers": [{"serverName": "prj"}, {"serverCommand": ["srv", "--usr"]}]}, {"usr"}),
        ({"allowedMcpServers": [{"serverName": "usr", "serverCommand": ["x"]}]}, set()),
        ({"allowedMcpServers": [{"serverName": "usr"}, 5]}, {"usr"}),
        ({"allowedMcpServers": []}, set()),
        ({"allowedMcpServers": "usr"}, set()),
        ({"deniedMcpServers": [{"serverName": "usr"}]}, {"prj"}),
        ({"deniedMcpServers": [{"serverName": "us*"}]}, {"prj", "usr"}),
        ({"deniedMcpServers": [{"serverCommand": ["srv", "--usr"]}]}, {"prj"}),
        ({"deniedMcpServers": [{"serverUrl": "*"}]}, {"prj", "usr"}),  # they are commands
        ({"deniedMcpServers": "usr"}, {"prj", "usr"}),
        ({"strictPluginOnlyCustomization": ["mcp"]}, set()),
        ({"strictPluginOnlyCustomization": ["skills"]}, {"prj", "usr"}),
    ],
)
def test_rules_on_servers(project: Project, rules: dict[str, Any], there: set[str]) -> None:
    assert offered(project, {_MANAGED: rules}) == there


@pytest.mark.parametrize(
    ("only", "there"),
    [(True, {"prj"}), ("nope", {"prj"}), (0, {"prj"}), ([], {"prj"}), ("false", {"prj", "usr"})],
)
def test_only_the_organisations_list_of_servers_may_count(project: Project, only: Any, there: set[str]) -> None:
    own = {"home/.claude/settings.json": {"allowedMcpServers": [{"serverName": "usr"}]}}
    rules = {"allowManagedMcpServersOnly": only, "allowedMcpServers": [{"serverName": "prj"}]}
    assert offered(project, {**own, _MANAGED: rules}) == there


@pytest.mark.parametrize(
    ("value", "closes"), [(True, True), ("nope", True), (0, True), ("false", False), (None, False)]
)
def test_what_closes_something_closes_it_whatever_its_type(project: Project, value: Any, closes: bool) -> None:
    project.write(
        {
            _MANAGED: json.dumps({"allowManagedPermissionRulesOnly": value, "disableWorkflows": value}),
            "home/.claude/settings.json": '{"permissions": {"deny": ["Bash"]}}',
        }
    )
    assembly = project.assemble()
    there = {tool.name for tool in assembly.tools if tool.present}
    assert ("Bash" in there, "Workflow" in there) == (closes, not closes)
    told = [note.message for note in assembly.diagnostics if "doesn't count" in note.message]
    assert bool(told) is closes


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (True, set()),
        ("false", set()),
        (["skills"], {"ag"}),
        (["agents", "nope"], {"sk"}),
        (False, {"sk", "ag"}),
        (["nope"], {"sk", "ag"}),
    ],
)
def test_skills_and_agents_may_be_left_to_the_organisation(project: Project, value: Any, left: set[str]) -> None:
    project.write(
        {
            _MANAGED: json.dumps({"strictPluginOnlyCustomization": value}),
            "workspace/.claude/skills/sk/SKILL.md": "---\ndescription: d\n---\nb\n",
            "workspace/.claude/agents/ag.md": "---\nname: ag\ndescription: d\n---\nb\n",
            "managed/.claude/agents/own.md": "---\nname: own\ndescription: d\n---\nb\n",
        }
    )
    project.assemble()
    rows = {"sk": "workspace/.claude/skills/sk/SKILL.md", "ag": "workspace/.claude/agents/ag.md"}
    assert {name for name, path in rows.items() if project.file(path).present} == left
    assert project.file("managed/.claude/agents/own.md").present
    if not left:
        assert "leaves skills to your organisation and to plugins" in project.file(rows["sk"]).why.text


@pytest.mark.parametrize("rule", ["Bash(", "Bash()", "Bash(:*)", "Bash(x)y", "", 5, "mcp__srv(x)"])
def test_a_malformed_rule_is_passed_over_alone(project: Project, rule: Any) -> None:
    rules = json.dumps({"permissions": {"deny": [rule, "WebFetch"]}})
    project.write({"workspace/.claude/settings.json": rules})
    assembly = project.assemble()
    names = usable(assembly)
    assert ("Bash" in names, "WebFetch" in names) == (True, False)
    assert any("must be a rule" in note.message for note in assembly.diagnostics)


@pytest.mark.parametrize("rule", ["KillShell", "KillBash", "KillShell(*)"])
def test_tools_go_by_earlier_names_too(project: Project, rule: str) -> None:
    project.write({"workspace/.claude/settings.json": json.dumps({"permissions": {"deny": [rule]}})})
    assert "TaskStop" not in usable(project.assemble())
    only = project.assemble(params={"args": {"tools": ["ListPeers"]}})
    assert [tool.name for tool in only.tools if tool.present and tool.name != "DeferredToolPlaceholder"] == [
        "ListAgents"
    ]


def test_an_earlier_version_knows_no_safe_mode(project: Project) -> None:
    project.write(
        {"workspace/CLAUDE.md": "words", "workspace/.claude/skills/sk/SKILL.md": "---\ndescription: d\n---\n"}
    )
    assembly = project.assemble("2.1.100", env={"CLAUDE_CODE_SAFE_MODE": "1"})
    assert project.file("workspace/CLAUDE.md").present
    assert "safe mode" not in json.dumps(assembly.to_dict())


@pytest.mark.parametrize(
    ("version", "settings", "shown"),
    [
        ("2.1.332", {"managed/managed-settings.json": "  Inline.\n"}, "file, Inline., rule"),
        (
            "2.1.332",
            {"managed/managed-settings.json": "Main.", "managed/managed-settings.d/1.json": "D."},
            "file, D., rule",
        ),
        ("2.1.332", {"managed/managed-settings.json": 5}, "file, rule"),
        ("2.1.332", {"workspace/.claude/settings.json": "Of the project."}, "file, rule"),
        ("2.1.100", {"managed/managed-settings.json": "Inline."}, "file, rule"),
    ],
)
def test_instructions_in_an_organisation_s_settings(
    project: Project, version: str, settings: dict[str, Any], shown: str
) -> None:
    project.write(
        {
            **{path: json.dumps({"claudeMd": text}) for path, text in settings.items()},
            "managed/CLAUDE.md": "file\n",
            "managed/.claude/rules/a.md": "rule\n",
        }
    )
    found = project.materials(version).instructions
    assert ", ".join(file.text for file in found if file.text) == shown
