"""The tools' texts and schemas: names, parameters, gates inside of descriptions, sizes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.selection import PLACEHOLDER
from promptscope_engine.prompt.drafts import Choice

from . import recorded_tools
from .prompts import LAYOUTS, OPUS_55, V100, V329, measured, measured_prompt, prompt, reference, tool
from .recorded_tools import drafted, near, skeleton

if TYPE_CHECKING:
    from .conftest import Project

TOLERANCE = 0.1


def test_tools_without_parameters_send_the_empty_object() -> None:
    schema = tool(prompt("A"), "CronList").input_schema
    assert schema["properties"] == {}
    assert len(json.dumps(schema, separators=(",", ":"))) == 119  # as measured


@pytest.mark.parametrize("version", [V100, V329])
def test_every_recorded_schema_is_one_that_the_tool_may_send(version: str) -> None:
    """In whichever variant it was recorded: each bound, default, choice and pattern."""
    _, tools = drafted(version, OPUS_55, "{}")
    for name, recorded in recorded_tools.reference(version)["tools"].items():
        schema = tools[name].input_schema
        assert isinstance(schema, Choice)
        for wanted in (each["skeleton"] for each in recorded["schemas"]):
            offered = [
                {**ours, "properties": {n: p for n, p in ours["properties"].items() if n in wanted["properties"]}}
                for ours in (*(each for _, each in schema.options), schema.otherwise)
            ]
            assert json.dumps(wanted) in [json.dumps(skeleton(each)) for each in offered], name


@pytest.mark.parametrize("layout", LAYOUTS)
def test_descriptions_are_complete_and_of_our_wording(layout: str) -> None:
    for offered in prompt(layout).tools:
        if offered.present:
            assert len(offered.description) > 80
            assert offered.confidence == "stand-in"


def test_the_commit_guide_goes_with_the_git_instructions() -> None:
    full = tool(prompt("A"), "Bash").description
    short = tool(prompt("A", settings={"includeGitInstructions": False}), "Bash").description
    assert "# Committing changes with git" in full
    assert "gh pr create" in full
    assert "# Committing changes with git" not in short
    assert "gh pr create" not in short
    assert "--no-verify" in short


def test_the_trailer_names_the_model_and_can_be_turned_off() -> None:
    trailer = "Co-Authored-By: Claude Sonnet 4.6 <noreply@anthropic.com>"
    assert trailer in tool(prompt("A"), "Bash").description
    without = tool(prompt("A", settings={"includeCoAuthoredBy": False}), "Bash").description
    assert "Co-Authored-By" not in without
    assert "# Committing changes with git" in without
    assert "Co-Authored-By" not in tool(prompt("A'"), "Bash").description  # it has a message of its own there


def test_a_headless_session_is_told_of_limits_in_the_background() -> None:
    headless, interactive = tool(prompt("B"), "Bash"), tool(prompt("B", args={}), "Bash")
    assert "7200000" in headless.description
    assert "7200000" not in interactive.description
    assert "run_in_background" in interactive.description


def test_the_newest_model_may_choose_between_tools_and_shell_in_plan_and_auto_mode() -> None:
    assert "Stay away from `cat`" in tool(prompt("B"), "Bash").description
    assert "Stay away from `cat`" not in tool(prompt("B", mode="plan"), "Bash").description
    assert "Stay away from `cat`" not in tool(prompt("B", args={}), "Bash").description
    assert "Stay away from `cat`" in tool(prompt("B", mode="default", args={}), "Bash").description


def test_without_background_tasks_a_parameter_is_absent_and_says_why() -> None:
    for layout in LAYOUTS:
        bash = tool(prompt(layout, env={"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}), "Bash")
        (absent,) = bash.absent_parameters
        assert absent.name == "run_in_background"
        assert absent.why
        assert "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS" in absent.why.text
        assert "run_in_background" not in bash.input_schema["properties"]


def test_the_placeholder_stands_before_the_last_tool() -> None:
    offered = prompt("B").request.tools
    assert [one["name"] for one in offered][-2:] == ["DeferredToolPlaceholder", "Write"]
    assert offered[-2]["defer_loading"] is True
    assert offered[-2]["input_schema"] == {"type": "object", "properties": {}}
    assert "DeferredToolPlaceholder" not in [
        one["name"] for one in prompt("B", env={"ENABLE_TOOL_SEARCH": "false"}).request.tools
    ]


@pytest.mark.parametrize(
    ("layout", "variable", "names"),
    [
        ("A", "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", {"SendMessage", "TeamCreate", "TeamDelete"}),
        ("A", "CLAUDE_CODE_BRIEF", {"SendUserMessage"}),
        ("B", "CLAUDE_CODE_BRIEF", {"SendUserMessage"}),
        ("B", "CLAUDE_CODE_USE_POWERSHELL_TOOL", {"PowerShell"}),
    ],
)
def test_a_variable_brings_tools(layout: str, variable: str, names: set[str]) -> None:
    without = {t.name for t in prompt(layout).tools if t.present}
    assert {t.name for t in prompt(layout, env={variable: "1"}).tools if t.present} - without == names


def test_bare_mode_of_the_newer_version_says_it_in_a_few_words() -> None:
    bare = prompt("B", args={"print": True, "bare": True})
    for name, real in (("Bash", 22), ("Edit", 29), ("Read", 35)):
        assert abs(len(tool(bare, name).description) - real) <= 3
    assert len(tool(prompt("A", args={"print": True, "bare": True}), "Read").description) > 1_000


def test_the_classic_agent_tool_lists_the_agents() -> None:
    listed = re.findall(r"^- ([\w-]+): .* \(Tools: .*\)$", tool(prompt("A"), "Agent").description, re.M)
    assert listed == ["general-purpose", "statusline-setup", "Explore", "Plan"]
    for layout in ("A'", "B"):
        assert "(Tools: " not in tool(prompt(layout), "Agent").description


def test_previews_are_for_interactive_sessions() -> None:
    assert "preview" not in tool(prompt("A"), "AskUserQuestion").description
    assert "preview" in tool(prompt("A", args={}), "AskUserQuestion").description


def test_web_search_names_the_month() -> None:
    assert "November 2026" in tool(prompt("A"), "WebSearch").description


@pytest.mark.slow
@pytest.mark.parametrize("version", [V100, V329])
def test_our_tools_have_about_the_measured_size(version: str) -> None:
    column = reference(version)["columns"].index("chars")
    off = []
    for variant, differs, mode, sizes in measured(version):
        assembly = measured_prompt(version, differs, mode)
        present = {t.name: t for t in assembly.tools if t.present}
        for name, real in sizes["tools"].items():
            found = present[name]
            wire = {"name": name, "description": found.description, "input_schema": found.input_schema}
            held = {"defer_loading": True} if name == PLACEHOLDER else {}
            ours = len(json.dumps({**wire, **held}, ensure_ascii=False, separators=(",", ":")))
            if abs(ours - real[column]) > TOLERANCE * real[column]:
                off.append(f"{variant}: {name} {real[column]} {ours}")
    assert not off, json.dumps(off, indent=1)


def test_without_skills_workflow_brings_its_reference_along() -> None:
    usual = tool(prompt("B"), "Workflow").description
    assert "workflow-authoring" in usual
    for args in ({"disallowedTools": ["Skill"]}, {"disableSlashCommands": True}):
        whole = tool(prompt("B", args=args), "Workflow").description
        assert "workflow-authoring" not in whole
        assert near(len(whole), 20_366)


@pytest.mark.parametrize(
    ("settings", "whole"),
    [
        ({"disableBundledSkills": True}, True),
        ({"skillOverrides": {"workflow-authoring": "off"}}, True),
        ({"skillOverrides": {"workflow-authoring": "name-only"}}, False),
    ],
)
def test_workflow_brings_its_reference_along_where_its_skill_is_off(settings: dict[str, Any], whole: bool) -> None:
    text = tool(prompt("B", settings=settings), "Workflow").description
    assert ("### agent(prompt, options)" in text) is whole


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (None, "the usual size guideline for workflows: medium, that is fewer than 10 agents"),
        ("small", "set for this session: small, that is fewer than 5 agents"),
        ("medium", "set for this session: medium, that is fewer than 10 agents"),
        ("large", "set for this session: large, that is fewer than 50 agents"),
        ("unrestricted", ""),
    ],
)
def test_workflow_says_how_large_workflows_should_be(size: str | None, said: str) -> None:
    text = tool(prompt("B", settings={"workflowSizeGuideline": size} if size else {}), "Workflow").description
    assert said in text
    assert ("guideline" in text) is bool(said)


@pytest.mark.parametrize("layout", ["A'", "B"])
@pytest.mark.parametrize(("value", "forks", "waits"), [("1", True, False), ("0", False, True), ("nope", True, True)])
def test_forks_of_agents(layout: str, value: str, forks: bool, waits: bool) -> None:
    found = tool(prompt(layout, env={"CLAUDE_CODE_FORK_SUBAGENT": value}), "Agent")
    assert ('"fork"' in found.description) is forks
    assert ("run_in_background" in found.description) is waits
    assert ("run_in_background" in found.input_schema["properties"]) is waits
    assert ("A fork" in found.input_schema["properties"]["effort"]["description"]) is forks


@pytest.mark.parametrize("layout", ["A'", "B"])
def test_without_built_in_agents_the_type_has_to_be_named(layout: str) -> None:
    env = {"CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS": "1"}
    assert "Never leave the parameter out" in tool(prompt(layout, env=env), "Agent").description
    denied = {"permissions": {"deny": ["Agent(general-purpose)"]}}
    assert "Never leave" not in tool(prompt(layout, settings=denied), "Agent").description


@pytest.mark.parametrize("layout", ["A'", "B"])
@pytest.mark.parametrize(("value", "stays"), [("1", True), ("yes", True), ("0", False), ("nope", False)])
def test_bash_may_begin_in_the_start_folder_each_time(layout: str, value: str, stays: bool) -> None:
    text = tool(prompt(layout, env={"CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR": value}), "Bash").description
    assert ("no `cd` outlives its command" in text) is stays
    assert ("is still in force for the next command" in text) is not stays


_ASKED = ("AskUserQuestion", "EnterPlanMode", "ExitPlanMode")


@pytest.mark.parametrize("asked", ["mcp__srv__one", "nope", "Read"])
def test_a_tool_that_is_asked_for_permission_brings_the_dialogs(asked: str) -> None:
    found = prompt("B", args={"print": True, "permissionPromptTool": asked}, env={"ENABLE_TOOL_SEARCH": "false"})
    there = {tool.name for tool in found.tools if tool.present}
    assert there.issuperset(_ASKED)
    assert asked not in there
    assert "it is asked for permission" in tool(found, "Read").why.text or asked != "Read"
    assert not {t.name for t in prompt("B").tools if t.present}.intersection(_ASKED)


_CLOUD = {
    "ListConnectors", "ListPlugins", "ListSkills", "ReadNotifications", "SearchMcpRegistry", "SearchPlugins",
    "SearchSkills", "ShowOnboardingRolePicker", "SuggestConnectors", "SuggestPluginInstall", "SuggestSkills",
}  # fmt: skip


def test_a_session_in_the_cloud_has_more_tools(repository: Project) -> None:
    def tools(**env: str) -> set[str]:
        env = {"ENABLE_TOOL_SEARCH": "false", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", **env}
        found = repository.assemble("2.1.332", env=env, params={"args": {"print": True}})
        return {tool.name for tool in found.tools if tool.present}

    assert tools(CLAUDE_CODE_REMOTE="true") - tools() == _CLOUD
    assert tools(CLAUDE_CODE_REMOTE="nope") == tools()


def test_a_session_in_the_cloud_has_neither_gits_status_nor_auto_memory(repository: Project) -> None:
    def parts(**env: str) -> set[str]:
        found = repository.assemble("2.1.332", env=env, params={"args": {"print": True}})
        return {each.id for each in found.sections if each.present}

    gone = parts() - parts(CLAUDE_CODE_REMOTE="1")
    assert "git_status" in gone
    assert any("memory" in each for each in gone)
    kept = parts(CLAUDE_CODE_REMOTE="1", CLAUDE_CODE_DISABLE_AUTO_MEMORY="0")
    assert parts() - kept == {each for each in gone if "git" in each}


def test_a_cache_of_an_hour_changes_what_is_said_of_pauses() -> None:
    usual = tool(prompt("B"), "ScheduleWakeup").description
    hour = tool(prompt("B", env={"ENABLE_PROMPT_CACHING_1H": "1"}), "ScheduleWakeup").description
    assert "five minutes" in usual
    assert "five minutes" not in hour
    assert near(len(hour), 3_148)


@pytest.mark.parametrize("layout", ["B", "A'"])
def test_bash_leaves_searching_to_glob_and_grep_where_both_are_there(layout: str) -> None:
    alone = tool(prompt(layout, args={"print": True, "tools": ["Bash", "Glob"]}), "Bash").description
    beside = tool(prompt(layout, args={"print": True, "tools": ["Bash", "Glob", "Grep"]}), "Bash").description
    assert "`find`, `grep`, `cat`" not in alone
    assert "`find`, `grep`, `cat`" in beside
