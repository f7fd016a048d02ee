from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.tools.selection import names_tool

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"
HEADLESS = {"print": True}


def sent(project: Project, version: str, args: dict[str, Any], **more: Any) -> set[str]:
    request = project.assemble(version, params={"args": args}, **more).request
    return {tool["name"] for tool in request.tools}


def test_headless_and_interactive(project: Project) -> None:
    tasks = {"TaskCreate", "TaskGet", "TaskList", "TaskUpdate"}
    assert sent(project, V100, {}) - sent(project, V100, HEADLESS) == tasks
    assert sent(project, V100, HEADLESS) - sent(project, V100, {}) == {"TodoWrite"}
    assert sent(project, V329, {}) - sent(project, V329, HEADLESS) == {"AskUserQuestion"}


def test_without_bash_the_search_tools_come_back(project: Project) -> None:
    found = sent(project, V329, HEADLESS | {"disallowedTools": ["Bash"]})
    assert {"Glob", "Grep"} <= found
    glob = next(t for t in project.assemble(V329).tools if t.name == "Glob")
    assert [(lever.param, lever.value) for lever in glob.why.levers] == [("args.disallowedTools", ["Bash"])]


@pytest.mark.parametrize("version", [V100, V329])
def test_tool_search(project: Project, version: str) -> None:
    on = sent(project, version, HEADLESS, env={"ENABLE_TOOL_SEARCH": "true"} | {"ANTHROPIC_BASE_URL": "http://x"})
    off = sent(project, version, HEADLESS, env={"ENABLE_TOOL_SEARCH": "false"})
    assert "WebFetch" in off - on
    assert "ToolSearch" in on - off
    assert "DeferredToolPlaceholder" not in off


def test_the_placeholder_is_never_the_only_tool(project: Project) -> None:
    assembly = project.assemble(V329, params={"args": {"tools": []}})
    assert assembly.request.tools == ()
    placeholder = next(tool for tool in assembly.tools if tool.name == "DeferredToolPlaceholder")
    assert not placeholder.present
    assert "no other tool is sent" in placeholder.why.text
    assert assembly.tokens.expected_by_channel["tools"] == 0


@pytest.mark.parametrize(
    ("model", "versions"),
    [
        ("claude-3-7-sonnet-20250219", set()),
        ("claude-sonnet-4-20250514", {V100, V329}),
        ("claude-sonnet-4-5", {V100, V329}),
        ("claude-haiku-4-5", {V329}),
        ("no-such-model", {V100, V329}),
    ],
)
def test_tool_search_needs_a_model_that_can_load_tools(project: Project, model: str, versions: set[str]) -> None:
    env = {"ENABLE_TOOL_SEARCH": "true"}
    found = {version for version in (V100, V329) if "ToolSearch" in sent(project, version, {}, env=env, model=model)}
    assert found == versions


def test_the_default_of_tool_search(project: Project) -> None:
    custom = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    assert "ToolSearch" not in sent(project, V100, HEADLESS, env=custom)
    assert "ToolSearch" in sent(project, V100, HEADLESS, env={})
    assert "ToolSearch" in sent(project, V329, HEADLESS, env=custom)


def test_auto_tool_search_goes_by_the_size_of_the_tools(project: Project) -> None:
    big = [{"name": "big", "tools": [{"name": "t", "description": "x" * 90_000}]}]
    env = {"ENABLE_TOOL_SEARCH": "auto:10"}
    assert "ToolSearch" in sent(project, V100, HEADLESS, env=env, mcp_servers=big)
    assert "ToolSearch" not in sent(project, V100, HEADLESS, env=env)


@pytest.mark.parametrize("version", [V100, V329])
def test_lists_of_tools(project: Project, version: str) -> None:
    assert sent(project, version, HEADLESS | {"tools": []}) == set()
    assert sent(project, version, HEADLESS | {"tools": ["Bash", "Read"]}) - {"DeferredToolPlaceholder"} == {
        "Bash",
        "Read",
    }
    assert sent(project, version, HEADLESS | {"bare": True}) == {"Bash", "Edit", "Read"}


def test_permissions_deny_whole_tools_only(project: Project) -> None:
    settings = {"permissions": {"deny": ["WebSearch", "Bash(rm *)", "Edit"]}}
    request = project.assemble(V100, params={"args": HEADLESS, "settings": settings}).request
    names = {tool["name"] for tool in request.tools}
    assert "Bash" in names
    assert not names & {"WebSearch", "Edit"}


def test_a_denied_tool_comes_back_by_the_rules_that_are_left(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{"permissions": {"deny": ["Edit"]}}'})
    settings = {"permissions": {"deny": ["WebSearch", "Write", "WebSearch(x)"]}}
    tools = {tool.name: tool for tool in project.assemble(params={"args": HEADLESS, "settings": settings}).tools}
    levers = {(each.param, str(each.value)) for each in tools["WebSearch"].why.levers}
    assert ("settings.permissions.deny", "['Write', 'WebSearch(x)']") in levers
    assert tools["Edit"].why.levers == ()  # the file denies it


def test_a_named_tool_goes_by_the_other_names_that_are_left(project: Project) -> None:
    args = HEADLESS | {"tools": ["Read", "Bash"]}
    tools = {tool.name: tool for tool in project.assemble(params={"args": args}).tools}
    found = {name: [(each.param, each.value) for each in tools[name].why.levers] for name in ("Read", "Edit")}
    assert found == {
        "Read": [("args.tools", ["Bash"])],
        "Edit": [("args.tools", ["Read", "Bash", "Edit"])],
    }


@pytest.mark.parametrize(
    ("rule", "name", "hit"),
    [
        ("Bash", "Bash", True),
        ("Bash(rm *)", "Bash", False),
        ("Bash(*)", "Bash", True),
        ("Task", "Agent", True),
        ("Task(rev)", "Agent", False),
        ("mcp__fx", "mcp__fx__echo", True),
        ("mcp__fx__*", "mcp__fx__echo", True),
        ("mcp__f", "mcp__fx__echo", False),
    ],
)
def test_names_tool(rule: str, name: str, hit: bool) -> None:
    assert names_tool(rule, name) is hit


def test_absent_tools_say_why(project: Project) -> None:
    tools = {t.name: t for t in project.assemble(V329, params={"args": HEADLESS | {"tools": ["Read"]}}).tools}
    assert tools["Edit"].why.text == "absent: --tools leaves it out"
    assert tools["AskUserQuestion"].why.text.startswith("absent: the session is headless")


@pytest.mark.parametrize("version", [V100, V329])
def test_without_scheduled_jobs(project: Project, version: str) -> None:
    env = {"ANTHROPIC_BASE_URL": "http://x", "ENABLE_TOOL_SEARCH": "false"}
    assembly = project.assemble(version, env={**env, "CLAUDE_CODE_DISABLE_CRON": "1"})
    assert not {"CronCreate", "CronDelete", "CronList"} & {tool["name"] for tool in assembly.request.tools}
    skills = assembly.section("skills")
    assert skills is not None
    assert "\n- loop:" not in skills.text
    assert "CronCreate" in sent(project, version, HEADLESS, env=env)


def test_the_older_version_has_todos_or_tasks(project: Project) -> None:
    env = {"ANTHROPIC_BASE_URL": "http://x"}
    assert "TodoWrite" in sent(project, V100, HEADLESS, env=env)
    on = project.assemble(V100, params={"args": HEADLESS}, env={**env, "CLAUDE_CODE_ENABLE_TASKS": "1"})
    names = {tool["name"] for tool in on.request.tools}
    assert "TaskCreate" in names
    assert "TodoWrite" not in names
    assert "TaskCreate" in sent(project, V100, {}, env={**env, "CLAUDE_CODE_ENABLE_TASKS": "0"})
    section = on.section("using_tools")
    assert section is not None
    assert "TaskCreate" in section.text


def test_tools_that_only_their_name_brings(project: Project) -> None:
    env = {"ANTHROPIC_BASE_URL": "http://x", "ENABLE_TOOL_SEARCH": "false"}
    named = ["Bash", "Glob", "Grep", "TaskCreate", "AskUserQuestion", "EnterPlanMode"]
    assert sent(project, V329, HEADLESS | {"tools": named}, env=env) == {"Bash", "Glob", "Grep", "TaskCreate"}
    assert not {"Glob", "TaskCreate"} & sent(project, V329, HEADLESS | {"tools": ["default"]}, env=env)
