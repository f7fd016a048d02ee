"""Notes on entries of lists that match nothing, and on keys that nearly count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Project

SETTINGS = "workspace/.claude/settings.json"
AGENT = "workspace/.claude/agents/a.md"
SKILL = "workspace/.claude/skills/deploy/SKILL.md"
NO = "there is no such"
SERVER = {"name": "git-hub", "tools": [{"name": "search"}]}


def notes(project: Project, code: str = "unmatched-entry", **more: Any) -> list[tuple[str, int | None, str]]:
    """(file, line, text) of the notes."""
    found = [d for d in project.assemble(**more).diagnostics if d.code == code]
    assert {d.severity for d in found} <= {"info"}
    return [(Path(d.path or "").name, d.line, d.message) for d in found]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"permissions": {"deny": ["Baash(rm *)"]}}, f"names Baash(rm *): {NO} tool; did you mean Bash?"),
        ({"permissions": {"allow": ["bash"]}}, f"`permissions.allow` names bash: {NO} tool; did you mean Bash?"),
        ({"permissions": {"ask": ["MultiEdit"]}}, f"`permissions.ask` names MultiEdit: {NO} tool; did you mean Edit?"),
        ({"permissions": {"deny": ["Bash(rm *)", "Task", "KillShell", "LSP", "Web*", "Agent(Explore)"]}}, ""),
        ({"permissions": {"deny": ["mcp__git-hub", "mcp__git-hub__*", "mcp__git-hub__search", "mcp__other__x"]}}, ""),
        ({"permissions": {"deny": ["mcp__git-hub__serch"]}}, f"{NO} tool; did you mean mcp__git-hub__search?"),
        ({"skillOverrides": {"deplyo": "off"}}, f"names deplyo: {NO} skill here; did you mean deploy?"),
        ({"skillOverrides": {"deploy": "off", "loop": "off", "debug": "off"}}, ""),
        ({"enabledMcpjsonServers": ["gihub"]}, f"names gihub: {NO} server in .mcp.json; did you mean github?"),
        ({"disabledMcpjsonServers": ["github"]}, ""),
        ({"claudeMdExcludes": ["docs/CLAUDE.md"]}, "from the root on; did you mean **/docs/CLAUDE.md?"),
        ({"claudeMdExcludes": ["{root}/none/CLAUDE.md"]}, "none/CLAUDE.md: no such file"),
        ({"claudeMdExcludes": ["{root}/.claude"]}, ".claude/**?"),
        ({"claudeMdExcludes": ["**/docs/CLAUDE.md", "/none/*.md", "{root}/CLAUDE.md", "~/x.md", "C:/x.md"]}, ""),
    ],
)  # fmt: skip
def test_a_list_of_the_settings(project: Project, settings: dict[str, Any], says: str) -> None:
    text = json.dumps(settings, indent=1).replace("{root}", str(project.cwd))
    mcp = json.dumps({"mcpServers": {"github": {"command": "x"}}})
    skill = "---\ndescription: d\n---\n"
    project.write({SETTINGS: text, SKILL: skill, "workspace/.mcp.json": mcp, "workspace/CLAUDE.md": "x"})
    found = notes(project, mcp_servers=[SERVER])
    line = 4 if "permissions" in settings else 3
    assert [(name, at) for name, at, _ in found] == ([("settings.json", line)] if says else [])
    assert not says or found[0][2].endswith(says)


def test_a_skill_may_be_the_users_own_where_the_home_folder_is_not_read(project: Project) -> None:
    project.write(
        {SETTINGS: '{"skillOverrides": {"mine": "off"}}', AGENT: "---\nname: a\ndescription: d\nskills: mine\n---\n"}
    )
    assert len(notes(project)) == 2
    assert notes(project, home=str(project.root / "none")) == []


def test_what_the_user_names_may_be_in_another_project(project: Project) -> None:
    names = {"skillOverrides": {"deplyo": "off"}, "enabledMcpjsonServers": ["x"], "permissions": {"deny": ["Nope"]}}
    project.write({"home/.claude/settings.json": json.dumps(names)})
    assert [text for _, _, text in notes(project)] == ["`permissions.deny` names Nope: there is no such tool"]


@pytest.mark.parametrize(
    ("place", "on", "code", "says"),
    [
        (
            SETTINGS,
            False,
            "unmatched-entry",
            f"names tolls@m: {NO} plugin here; did you mean tools@m?",
        ),
        (SETTINGS, True, "plugin-missing", "known_marketplaces.json has no marketplace m; did you mean tools@m?"),
        ("home/.claude/settings.json", False, "unmatched-entry", ""),
    ],
)
def test_a_plugin_that_is_not_there(project: Project, place: str, on: bool, code: str, says: str) -> None:
    installed = {"plugins": {"tools@m": [{"installPath": str(project.root / "tools")}]}}
    switches = json.dumps({"enabledPlugins": {"tolls@m": on}}, indent=1)
    project.write({place: switches, "home/.claude/plugins/installed_plugins.json": json.dumps(installed)})
    found = [d for d in project.assemble().diagnostics if d.code == code]
    assert [d.line for d in found] == ([3] if says else [])
    assert not says or found[0].message.endswith(says)


@pytest.mark.parametrize(
    ("key", "value", "line", "says"),
    [
        ("tools", "Read, Grpe", 4, f"`tools` names Grpe: {NO} tool; did you mean Grep?"),
        ("tools", "\n  - Read\n  - Bsh(git *)", 6, f"`tools` names Bsh(git *): {NO} tool; did you mean Bash?"),
        ("disallowedTools", "[Edit, Wirte]", 4, f"`disallowedTools` names Wirte: {NO} tool; did you mean Write?"),
        ("skills", "[deplyo]", 4, f"`skills` names deplyo: {NO} skill here; did you mean deploy?"),
        ("tools", "'*'", 0, ""),
        ("tools", "Agent(worker, reviewer), mcp__any__thing, Task", 0, ""),
        ("skills", "deploy", 0, ""),
    ],
)  # fmt: skip
def test_a_list_of_an_agent(project: Project, key: str, value: str, line: int, says: str) -> None:
    agent = f"---\nname: a\ndescription: d\n{key}: {value}\n---\n"
    project.write({AGENT: agent, SKILL: "---\ndescription: d\n---\n"})
    assert notes(project) == ([("a.md", line, says)] if says else [])


@pytest.mark.parametrize(
    ("value", "line", "names"),
    [
        ("Read, Bash(git *), mcp__any__thing, Task", 0, []),
        ("Read Bash(git add *) Edit,Bash(git add, rm)", 0, []),
        (
            "bash Raed",
            3,
            ["bash: there is no such tool; did you mean Bash?", "Raed: there is no such tool; did you mean Read?"],
        ),
        ("\n  - Read\n  - Bash(git *) Wirte", 5, ["Wirte: there is no such tool; did you mean Write?"]),
        ("7", 0, []),
    ],
)
@pytest.mark.parametrize("path", [SKILL, "workspace/.claude/commands/c.md"])
def test_what_a_skill_or_command_allows(project: Project, path: str, value: str, line: int, names: list[str]) -> None:
    project.write({path: f"---\ndescription: d\nallowed-tools: {value}\n---\n"})
    assert notes(project) == [(Path(path).name, line, f"`allowed-tools` names {name}") for name in names]


@pytest.mark.parametrize("key", ["--tools", "--allowed-tools", "--disallowed-tools"])
def test_a_list_of_the_command_line(project: Project, key: str) -> None:
    name = {"--tools": "tools", "--allowed-tools": "allowedTools", "--disallowed-tools": "disallowedTools"}[key]
    found = notes(project, params={"args": {name: ["default", "Read", "Raed"]}})
    assert found == [("", None, f"`{key}` names Raed: there is no such tool; did you mean Read?")]


@pytest.mark.parametrize(
    ("path", "key", "counts"),
    [
        (SKILL, "Description", "description"),
        (SKILL, "when-to-use", "when_to_use"),
        (SKILL, "allowed_tools", "allowed-tools"),
        (SKILL, "globs", "paths"),
        (SKILL, "metadata", ""),
        ("workspace/.claude/commands/c.md", "disableModelInvocation", "disable-model-invocation"),
        (AGENT, "tool", "tools"),
        (AGENT, "disallowed-tools", "disallowedTools"),
        (AGENT, "tools", ""),
    ],
)
def test_a_key_that_nearly_counts(project: Project, path: str, key: str, counts: str) -> None:
    project.write({path: f"---\nname: a\n{key}: Read\n---\nbody\n"})
    text = f"`{key}` means nothing here: write `{counts}`"
    assert notes(project, "near-key") == ([(Path(path).name, 3, text)] if counts else [])
