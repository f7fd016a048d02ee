from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.selection import lists_tool, names_tool

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize(("model", "there"), [("claude-sonnet-4-5", False), ("claude-sonnet-5", False), ("opus", True)])
def test_models_of_the_long_prompt_have_the_placeholder_with_tool_search_alone(
    project: Project, model: str, there: bool
) -> None:
    placeholder = {"DeferredToolPlaceholder"}
    short = {"CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT": "1", "ANTHROPIC_BASE_URL": "http://x"}
    for args in ({"tools": ["Read"]}, {"disallowedTools": ["ToolSearch"]}):
        for env in ({}, short):  # the variable chooses the prompt, not this
            found = sent(project, "2.1.332", HEADLESS | args, model=model, env=env)
            assert (placeholder <= found) is there
    assert placeholder <= sent(project, "2.1.332", HEADLESS, model=model)


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
        (" Bash ", "Bash", False),
        ("KillShell", "TaskStop", True),
        ("ListPeers(*)", "ListAgents", True),
        ("mcp__fx__", "mcp__fx__echo", False),
        ("Read", "Bash", False),
        ("mcp__fx__echo", "mcp__fx__echo", True),
        ("mcp__fx__ec", "mcp__fx__echo", False),
        ("mcp__fx__e*", "mcp__fx__echo", True),
        ("mcp__*", "mcp__fx__echo", True),
        ("mcp__fx(x)", "mcp__fx__echo", False),
        ("B*", "Bash", True),
        ("B*(*)", "Bash", True),
        ("b*", "Bash", False),
    ],
)
def test_names_tool(rule: str, name: str, hit: bool) -> None:
    assert names_tool(rule, name) is hit


@pytest.mark.parametrize("rule", ["Bash(**)", "Bash( )", "Bash(* *)"])
def test_a_rule_on_every_command_takes_monitor_alone(project: Project, rule: str) -> None:
    off = {"env": {"ENABLE_TOOL_SEARCH": "false"}}
    before = sent(project, V329, HEADLESS, **off)
    assert before - sent(project, V329, HEADLESS | {"disallowedTools": [rule]}, **off) == {"Monitor"}


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


@pytest.mark.parametrize(
    ("rule", "hit"), [("Bash", True), ("Bash(git log *)", True), ("Bash(", True), ("Read", False), ("Bas(h)", False)]
)
def test_an_agent_lists_a_tool_for_some_of_its_calls_as_well(rule: str, hit: bool) -> None:
    assert lists_tool(rule, "Bash") is hit


HOST = {"ANTHROPIC_BASE_URL": "http://x", "ENABLE_TOOL_SEARCH": "false"}
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


@pytest.mark.parametrize(
    ("version", "name", "env", "brings"),
    [
        (V329, "SendUserMessage", {"CLAUDE_CODE_BRIEF": "1"}, True),
        (V100, "SendUserMessage", {"CLAUDE_CODE_BRIEF": "1"}, True),
        (V329, "PowerShell", {"CLAUDE_CODE_USE_POWERSHELL_TOOL": "1"}, True),
        (V100, "TeamCreate", {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}, True),
        (V100, "SendMessage", {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}, True),
        (V100, "CronCreate", {"CLAUDE_CODE_DISABLE_CRON": "1"}, False),
        (V329, "CronCreate", {"CLAUDE_CODE_DISABLE_CRON": "1"}, False),
        (V329, "DesignSync", QUIET, False),
    ],
)
def test_what_a_variable_brings_or_takes(
    project: Project, version: str, name: str, env: dict[str, str], brings: bool
) -> None:
    assert (name in sent(project, version, {}, env=HOST)) is not brings
    assert (name in sent(project, version, {}, env={**HOST, **env})) is brings


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(("kind", "there"), [("resources", True), ("resourceTemplates", True), (None, False)])
def test_tools_for_resources_need_a_server_that_has_some(
    project: Project, version: str, kind: str | None, there: bool
) -> None:
    server: dict[str, Any] = {"name": "fx"} | ({kind: [{"uri": "x"}]} if kind else {})
    assert ("ListMcpResourcesTool" in sent(project, version, {}, env=HOST, mcp_servers=[server])) is there


AGENT = "---\nname: a\ndescription: d\n{}\n---\nYou.\n"


@pytest.mark.parametrize(
    ("head", "tools"),
    [
        ("tools: Write, Read, Bash", ["Write", "Read", "Bash"]),
        ("tools: Bash(git *), mcp__fx", ["Bash", "mcp__fx__t"]),
        ("tools: Read, Bash\ndisallowedTools: Bash", ["Read"]),
    ],
)
def test_the_tools_of_the_agent_that_drives_the_session(project: Project, head: str, tools: list[str]) -> None:
    """They are in the order of its list; the older version does not heed it."""
    project.write({"workspace/.claude/agents/a.md": AGENT.format(head)})
    more: dict[str, Any] = {"env": HOST, "mcp_servers": [{"name": "fx", "tools": [{"name": "t"}]}]}
    driven = {"params": {"args": {**HEADLESS, "agent": "a"}}, **more}
    assert [tool["name"] for tool in project.assemble(V329, **driven).request.tools] == tools
    assert sent(project, V100, {**HEADLESS, "agent": "a"}, **more) == sent(project, V100, HEADLESS, **more)


def test_what_the_agent_that_drives_the_session_does_without(project: Project) -> None:
    project.write({"workspace/.claude/agents/a.md": AGENT.format("disallowedTools: Bash")})
    found = {version: sent(project, version, {**HEADLESS, "agent": "a"}, env=HOST) for version in (V100, V329)}
    assert {version for version, names in found.items() if "Bash" in names} == {V100}
    assert "Read" in found[V329]


@pytest.mark.parametrize(
    ("version", "never"),
    [
        (V100, ["Agent", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TaskOutput", "TaskStop"]),
        (
            V329,
            ["AskUserQuestion", "CronCreate", "CronDelete", "CronList", "DesignSync", "EnterPlanMode", "ExitPlanMode"],
        ),
    ],
)
def test_what_sub_agents_never_have(project: Project, version: str, never: list[str]) -> None:
    project.write({"workspace/.claude/agents/a.md": AGENT.format("model: opus")})
    main = sent(project, version, {}, env={"ENABLE_TOOL_SEARCH": "false"})
    delegated = project.assemble(version, params={"subagent": "a"}, env={"ENABLE_TOOL_SEARCH": "false"})
    tools = {tool.name: tool for tool in delegated.tools}
    assert not {*never} & {tool["name"] for tool in delegated.request.tools}
    assert all("sub-agents never have it" in tools[name].why.text for name in never if name in main)
    assert {"Read", "Bash", "Edit"} <= {tool["name"] for tool in delegated.request.tools}
