"""What differs between quiet and ordinary runs, sessions, hosts, permission modes and models."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project

V100, V329, V330 = "2.1.100", "2.1.329", "2.1.330"
HOST = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
OPUS, SONNET_45, SONNET_5 = "claude-opus-5-5", "claude-sonnet-4-5-20250929", "claude-sonnet-5"


def run(project: Project, version: str = V329, *, headless: bool = True, quiet: bool = False, **more: Any) -> Assembly:
    """A run: `first_party`, `model` and `mode` are its own, all else are arguments."""
    first_party, mode = more.pop("first_party", False), more.pop("mode", None)
    model, args = more.pop("model", OPUS), more
    env = {**({} if first_party else HOST), **(QUIET if quiet else {})}
    return project.assemble(version, model=model, mode=mode, env=env, params={"args": {"print": headless, **args}})


def present(assembly: Assembly) -> list[str]:
    return [s.id for s in assembly.sections if s.present]


def tools(assembly: Assembly) -> set[str]:
    return {str(tool["name"]) for tool in assembly.request.tools}


def deferred(assembly: Assembly) -> list[str]:
    section = assembly.section("deferred_tools")
    assert section is not None
    return [f.text.strip() for f in section.fragments if f.origin.name == "deferred_tools"]


def fragments(assembly: Assembly) -> set[str]:
    return {str(f.origin.id) for s in assembly.sections if s.present for f in s.fragments if f.origin.kind == "builtin"}


ALL_RUNS = [
    (headless, quiet, (headless + quiet + number + number // 2) % 2 == 0, *models)
    for number, models in enumerate(product([OPUS, SONNET_45, SONNET_5, "haiku"], [None, "plan"]))
    for headless, quiet in product([True, False], [True, False])
]
"""Every run of every model and mode, on the one host or on the other, which has nothing to do with either."""


@pytest.mark.parametrize("case", ALL_RUNS)
def test_every_kind_of_run(project: Project, case: tuple[bool, bool, bool, str, str | None]) -> None:
    headless, quiet, first_party, model, mode = case
    assembly = run(project, headless=headless, quiet=quiet, first_party=first_party, model=model, mode=mode)
    said, names = fragments(assembly), present(assembly)
    assert bool(said & {"harness.pasted", "system.pasted"}) is quiet
    assert bool(said & {"notes.privacy", "text_output.privacy"}) is quiet
    assert ("DesignSync" in deferred(assembly)) is not quiet
    publishes = not headless and not quiet and first_party
    assert ("Artifact" in tools(assembly)) is publishes
    assert ("artifact" in names) is publishes
    assert ({"skills.artifact-design", "skills.artifact-diagramming"} <= said) is publishes
    auto = not headless and mode is None and model != "haiku" and not (quiet and model == SONNET_45)
    assert ("auto_mode" in names) is auto
    assert ("EnterPlanMode" in deferred(assembly)) is not headless
    assert ("AskUserQuestion" in tools(assembly)) is not headless
    assert len(assembly.request.system) == (4 if first_party else 3)


@pytest.mark.parametrize("quiet", [True, False])
@pytest.mark.parametrize("headless", [True, False])
def test_the_older_version_knows_no_quiet_runs(repository: Project, headless: bool, quiet: bool) -> None:
    assembly = run(repository, V100, headless=headless, quiet=quiet, first_party=True)
    assert not fragments(assembly) & {"system.pasted", "text_output.privacy"}
    assert not {"Artifact", "DesignSync"} & {tool.name for tool in assembly.tools}
    assert not {"artifact", "auto_mode", "total_tokens"} & set(present(assembly))


@pytest.mark.parametrize(
    ("variable", "zero_counts"),
    [
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", True),
        ("DISABLE_TELEMETRY", True),
        ("DO_NOT_TRACK", False),
        ("DISABLE_GROWTHBOOK", False),
    ],
)
@pytest.mark.parametrize("value", ["1", "true", "0", ""])
def test_the_variables_that_make_a_run_quiet(repository: Project, variable: str, zero_counts: bool, value: str) -> None:
    quiet = value in ("1", "true") or (value == "0" and zero_counts)
    assembly = repository.assemble(env={**HOST, variable: value})
    assert ("harness.pasted" in fragments(assembly)) is quiet
    repository.write({"workspace/.claude/settings.json": f'{{"env": {{"{variable}": "{value}"}}}}'})
    repository.workspace.forget(repository.workspace.asked)
    assert ("harness.pasted" in fragments(repository.assemble())) is quiet


def test_a_tool_that_is_absent_names_what_would_bring_it(repository: Project) -> None:
    quiet = run(repository, quiet=True, first_party=True, headless=True)
    artifact = next(tool for tool in quiet.tools if tool.name == "Artifact")
    assert {lever.param for lever in artifact.why.levers} == {"args.print", *(f"env.{name}" for name in QUIET)}
    private = {"DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
    assert "DesignSync" in {tool.name for tool in repository.assemble(env={**HOST, **private}).tools}
    elsewhere = next(tool for tool in run(repository, headless=False).tools if tool.name == "Artifact")
    assert [lever.param for lever in elsewhere.why.levers] == ["env.ANTHROPIC_BASE_URL"]
    assert "host" in elsewhere.why.text


def test_publishing_pages_without_skills_tool_or_prompt(repository: Project) -> None:
    whole = run(repository, headless=False, first_party=True)
    order = [s for s in present(whole) if s in ("harness", "artifact", "notes")]
    assert order == ["harness", "artifact", "notes"]
    static, dynamic = whole.request.system[2:]
    assert "`edits`" in static["text"]
    assert "`edits`" not in dynamic["text"]
    no_slash = run(repository, headless=False, first_party=True, disableSlashCommands=True)
    assert "Artifact" in tools(no_slash)
    assert "skills" not in present(no_slash)
    replaced = run(repository, headless=False, first_party=True, systemPrompt="mine")
    assert [block["text"].partition("\n\n")[0] for block in replaced.request.system][-1] == "mine"
    assert "artifact" in present(replaced)
    without = run(repository, headless=False, first_party=True, disallowedTools=["Artifact"])
    assert "artifact" not in present(without)
    assert "artifact" not in present(run(repository, headless=False, first_party=True, bare=True))


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "bypassPermissions", "dontAsk", "plan", "auto"])
def test_permission_modes(repository: Project, mode: str) -> None:
    assembly = run(repository, headless=False, mode=mode)
    assert assembly.mode == mode
    assert ("auto_mode" in present(assembly)) is (mode in ("auto", "bypassPermissions"))


@pytest.mark.parametrize(
    ("version", "headless", "setting", "mode"),
    [
        (V329, False, None, "auto"),
        (V330, False, None, "auto"),
        (V329, True, None, "default"),
        (V100, False, None, "default"),
        (V329, False, "acceptEdits", "acceptEdits"),
        (V329, False, "nonsense", "auto"),
    ],
)
def test_the_mode_that_a_session_starts_in(
    repository: Project, version: str, headless: bool, setting: str | None, mode: str
) -> None:
    params: dict[str, Any] = {"args": {"print": headless}}
    if setting:
        params["settings"] = {"permissions": {"defaultMode": setting}}
    assert repository.assemble(version, params=params).mode == mode


@pytest.mark.parametrize(
    ("model", "extra"),
    [
        (OPUS, ["games"]),
        ("sonnet", []),
        ("some-other-model", []),
        ("haiku", ["finishing", "tokens_left"]),
        ("claude-opus-5", ["delivering_work", "corrections", "tokens_left"]),
        ("claude-opus-4-8", ["tokens_left"]),
        (SONNET_5, ["tokens_left"]),
        (SONNET_45, ["tokens_left"]),
        ("claude-3-7-sonnet-20250219", ["tokens_left"]),
    ],
)
@pytest.mark.parametrize("version", [V329, V330])
def test_what_single_models_are_told(repository: Project, version: str, model: str, extra: list[str]) -> None:
    assembly = run(repository, version, model=model)
    names = present(assembly)
    own = {"games", "finishing", "delivering_work", "corrections", "tokens_left"}
    assert [name for name in names if name in own] == extra
    assert ("total_tokens" in names) is ("tokens_left" in extra)
    said = fragments(assembly)
    assert ("harness.reminders" in said) is (model == "claude-opus-4-8")
    assert ("agents.parallel" in said) is (model != "claude-opus-5")
    assert assembly.request.messages[-1]["role"] == ("user" if model == SONNET_45 or "3-7" in model else "system")


def test_the_number_of_tokens_has_the_recorded_length(repository: Project) -> None:
    system = run(repository, model=SONNET_45).section("tokens_left")
    assert system is not None
    assert len(system.text.strip()) == 49


def test_sonnet_5_has_a_reminder_for_each_part_of_one_message(repository: Project) -> None:
    assembly = run(repository, model=SONNET_5)
    (block,) = assembly.request.messages[-1]["content"]
    parts = block["text"].split("\n</system-reminder>\n\n<system-reminder>\n")
    assert len(parts) == 7
    assert parts[0].startswith("<system-reminder>\n# Environment\n")
    assert "TaskCreate" not in deferred(assembly)
    assert {"text_output", "memory_instructions"} <= set(present(assembly))


@pytest.mark.parametrize(
    ("version", "model", "env", "searches"),
    [
        (V329, "claude-3-5-haiku-20241022", {}, False),
        (V329, "claude-haiku-4-5-20251001", {}, True),
        (V329, OPUS, {"ENABLE_TOOL_SEARCH": "false"}, False),
        (V100, "haiku", {}, False),
        (V100, "haiku", {"ENABLE_TOOL_SEARCH": "true"}, False),
        (V100, "sonnet", {}, True),
        (V100, "sonnet", HOST, False),
        (V100, "sonnet", {**HOST, "ENABLE_TOOL_SEARCH": "true"}, True),
        (V100, "some-other-model", {}, True),
    ],
)
def test_models_that_search_for_tools(
    repository: Project, version: str, model: str, env: dict[str, str], searches: bool
) -> None:
    assembly = repository.assemble(version, model=model, env=env)
    assert ("ToolSearch" in tools(assembly)) is searches
    assert ("WebFetch" in tools(assembly)) is not searches
    assert ("DeferredToolPlaceholder" in tools(assembly)) is (searches and version != V100)


@pytest.mark.parametrize(
    ("model", "line"),
    [("opus", "Claude Opus 5.5"), ("claude-sonnet-4-20250514", "Claude Sonnet 4"), ("x", "Claude Code")],
)
def test_the_co_author(repository: Project, model: str, line: str) -> None:
    section = run(repository, model=model).section("attribution")
    assert section is not None
    assert f"Co-Authored-By: {line} <noreply@anthropic.com>\n" in section.text


# --- --exclude-dynamic-system-prompt-sections -----------------------------------------------------------------------


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("model", ["opus", "haiku", SONNET_45])
def test_an_interactive_run_takes_no_notice_of_the_switch(repository: Project, version: str, model: str) -> None:
    plain = run(repository, version, model=model, headless=False)
    excluded = run(repository, version, model=model, headless=False, excludeDynamicSystemPromptSections=True)
    assert excluded.request == plain.request


@pytest.mark.parametrize("model", ["opus", "sonnet", "haiku", "claude-opus-5"])
def test_excluded_from_the_short_prompt(repository: Project, model: str) -> None:
    assembly = run(repository, model=model, excludeDynamicSystemPromptSections=True)
    names = present(assembly)
    assert not {"session_guidance", "memory_instructions", "memory_instructions.static"} & set(names)
    assert names.index("git_status") + 1 == names.index("memory_instructions.moved")
    moved = assembly.section("memory_instructions.moved")
    assert moved is not None
    assert moved.title == "Memory"
    assert "# Memory\n" in moved.text
    assert "/memory/" in moved.text
    assert "environment.fast_mode" not in fragments(assembly)


def test_excluded_from_the_long_prompt(repository: Project) -> None:
    assembly = run(repository, model=SONNET_45, excludeDynamicSystemPromptSections=True)
    names = present(assembly)
    assert names.index("memory_instructions.static") + 1 == names.index("text_output")
    assert "session_guidance" in names
    assert "memory_instructions.folder" in names
    assert "session_guidance.skills" not in fragments(assembly)
    hybrid = present(run(repository, model=SONNET_5, excludeDynamicSystemPromptSections=True))
    assert "memory_instructions.moved" in hybrid
    assert "memory_instructions.static" not in hybrid


@pytest.mark.parametrize("version", [V100, V329])
def test_nothing_of_memory_moves_where_it_is_off(repository: Project, version: str) -> None:
    env = {**HOST, "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    args = {"print": True, "excludeDynamicSystemPromptSections": True}
    assembly = repository.assemble(version, env=env, params={"args": args})
    assert not [name for name in present(assembly) if "memory_instructions" in name]


# --- guidance, styles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "args", "there"),
    [
        (OPUS, {}, True),
        (OPUS, {"disallowedTools": ["Skill"]}, False),
        (OPUS, {"disableSlashCommands": True}, False),
        (OPUS, {"tools": ["Bash", "Read"]}, False),
        (OPUS, {"tools": ["Bash"], "headless": False}, True),
        (SONNET_45, {"disableSlashCommands": True}, True),
        (SONNET_45, {"disallowedTools": ["Skill", "Agent"]}, False),
    ],
)
def test_the_session_s_guidance(repository: Project, model: str, args: dict[str, Any], there: bool) -> None:
    assert ("session_guidance" in present(run(repository, model=model, **args))) is there


@pytest.mark.parametrize("model", [OPUS, SONNET_45])
def test_a_style_stands_before_the_language_and_is_recalled_at_the_end(repository: Project, model: str) -> None:
    settings = {"outputStyle": "Proactive", "language": "french"}
    assembly = repository.assemble(model=model, mode="plan", params={"settings": settings, "args": {"print": True}})
    names = present(assembly)
    order = ["output_style", "language", "skills", "plan_mode", "output_style.reminder"]
    assert [name for name in names if name in order] == order
    assert "# Proactive Style Active" in "".join(s.text for s in assembly.sections)
    older = repository.assemble(V100, params={"settings": settings})
    assert "unknown-style" in [d.code for d in older.diagnostics]


@pytest.mark.parametrize(
    ("value", "present"), [("0", False), ("no", False), ("off", False), ("1", True), ("abc", True)]
)
def test_a_variable_takes_the_billing_line_away(project: Project, value: str, present: bool) -> None:
    """As 2.1.100 and 2.1.332 answered."""
    for version in ("2.1.100", "2.1.332"):
        assembly = project.assemble(version, env={"CLAUDE_CODE_ATTRIBUTION_HEADER": value})
        assert next(each for each in assembly.sections if each.id == "billing").present is present


@pytest.mark.parametrize(("value", "present"), [("1", False), ("true", False), ("0", True), ("abc", True)])
def test_a_variable_takes_the_tool_for_workflows_away(project: Project, value: str, present: bool) -> None:
    """As 2.1.332 answered."""
    assembly = project.assemble("2.1.332", env={"CLAUDE_CODE_DISABLE_WORKFLOWS": value})
    assert next(each for each in assembly.tools if each.name == "Workflow").present is present


def of_tool(assembly: Assembly, name: str) -> str:
    return next(str(tool["description"]) for tool in assembly.request.tools if tool["name"] == name)


def test_the_long_prompt_speaks_of_tools_that_are_there(project: Project) -> None:
    """As 2.1.332 answered: without Bash it is PowerShell that is for the shell alone, on any system."""
    with_all = run(project, "2.1.332", model=SONNET_45)
    agents = run(project, "2.1.332", model=SONNET_45, tools=["Agent"])
    using = [next(s.text for s in each.sections if s.id == "using_tools") for each in (with_all, agents)]
    assert ["PowerShell" in text for text in using] == [False, True]
    assert ["(Read, Edit, Write, Glob, Grep)" in text for text in using] == [False, True]
    assert ["SendMessage" in of_tool(each, "Agent") for each in (with_all, agents)] == [True, False]


@pytest.mark.parametrize(("value", "sleeps"), [("0", False), ("1", True)])
def test_without_background_tasks_the_long_text_of_bash_lets_it_sleep(
    project: Project, value: str, sleeps: bool
) -> None:
    """As 2.1.332 answered."""
    env = HOST | {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": value}
    assembly = project.assemble("2.1.332", model=SONNET_45, env=env, params={"args": {"print": True}})
    text = of_tool(assembly, "Bash")
    assert ("gh run view" in text) is sleeps
    assert ("until <check>" in text) is not sleeps
    assert ("run_in_background" in text) is not sleeps
    assert "Monitor" in text


@pytest.mark.parametrize("model", [OPUS, SONNET_45, SONNET_5])
def test_without_attachments_nobody_is_told_how_many_tokens_are_left(project: Project, model: str) -> None:
    """As 2.1.332 answered of seven models."""
    for env in ({}, {"CLAUDE_CODE_DISABLE_ATTACHMENTS": "1"}):
        assembly = project.assemble("2.1.332", model=model, env=HOST | env, params={"args": {"print": True}})
        told = {"tokens_left", "total_tokens"} & {*present(assembly)}
        assert not told if env else bool(told) is (model != OPUS)


def test_a_sub_agent_that_is_waited_for_has_what_a_fork_has(project: Project) -> None:
    """As 2.1.332 answered: where nothing works in the background."""
    scheduled = {"CronCreate", "CronDelete", "CronList", "ListAgents", "ReportFindings"}
    for value in ("0", "1"):
        env = HOST | {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": value}
        params = {"subagent": "general-purpose", "args": {"print": True}}
        assembly = project.assemble("2.1.332", model=OPUS, env=env, params=params)
        found = tools(assembly) | {*deferred(assembly)}
        assert scheduled & found == (scheduled if value == "1" else set())


@pytest.mark.parametrize(
    ("denied", "told"),
    [([], True), (["Edit"], True), (["Write"], True), (["Read"], True), (["Bash"], False), (["Edit", "Write"], False)],
)
def test_what_auto_mode_says_of_the_shell_needs_both_ways(project: Project, denied: list[str], told: bool) -> None:
    """As 2.1.332 answered: Bash, and a tool that it may stand in for."""
    assert ("auto_mode" in present(run(project, "2.1.332", mode="auto", disallowedTools=denied))) is told


@pytest.mark.parametrize(
    ("model", "own"),
    [
        (OPUS, ["games"]),
        ("claude-opus-5", ["delivering_work", "corrections"]),
        ("claude-fable-5-2", ["iteration", "training", "games", "finishing_work", "memory_notes"]),
        (SONNET_45, []),
    ],
)
def test_the_long_prompt_has_what_is_for_a_model_too(repository: Project, model: str, own: list[str]) -> None:
    """Asked of 2.1.332 with ten models."""
    env = {**HOST, "CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT": "0"}
    names = present(repository.assemble("2.1.332", model=model, env=env, params={"args": {"print": True}}))
    assert "doing_tasks" in names
    variants = ("iteration", "training", "games", "finishing_work", "memory_notes", "delivering_work", "corrections")
    assert [name for name in names if name in variants] == own
