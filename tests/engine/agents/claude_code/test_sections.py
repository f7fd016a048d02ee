"""The sections of each layout: their order, headings and gates, and the size of our wording."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

from .conftest import Project
from .prompts import LAYOUTS, V100, V329, measured, measured_prompt, prompt, reference, section

pytestmark = pytest.mark.slow

INTERACTIVE: dict[str, Any] = {}
HEADINGS = {
    "A": [
        "# System",
        "# Doing tasks",
        "# Executing actions with care",
        "# Using your tools",
        "# Tone and style",
        "# Session-specific guidance",
        "# auto memory",
        "# Environment",
    ],
    "A'": [
        "# System",
        "# Doing tasks",
        "# Executing actions with care",
        "# Using your tools",
        "# Tone and style",
        "# Text output (does not apply to tool calls)",
        "# Session-specific guidance",
        "# auto memory",
        "# Environment",
        "# Context management",
    ],
    "B": ["# Harness", "# Session-specific guidance", "# Memory", "# Environment", "# Context management"],
}
SUBHEADINGS = [
    "## Types of memory",
    "## What NOT to save in memory",
    "## How to save memories",
    "## When to access memories",
    "## Before recommending from memory",
    "## Memory and other forms of persistence",
]
TOLERANCE = 0.1
LOOSE = {"billing"}
"""The real billing line ends in figures of the build that are not modelled."""


def lines_of(assembly: Assembly, start: str) -> list[str]:
    return [line for line in assembly.system_text.split("\n") if line.startswith(start)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_headings_stand_in_the_order_of_the_layout(layout: str) -> None:
    assembly = prompt(layout)
    assert lines_of(assembly, "# ") == HEADINGS[layout]
    assert lines_of(assembly, "## ") == ([] if layout == "B" else SUBHEADINGS)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_section_begins_with_its_heading(layout: str) -> None:
    for part in prompt(layout).sections:
        if part.present and part.heading and part.channel == "system":
            assert part.text.lstrip("\n").startswith(part.heading)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_builtin_point_has_an_id_below_its_section(layout: str) -> None:
    for part in prompt(layout).sections:
        for fragment in part.fragments:
            if fragment.origin.kind == "builtin" and part.channel == "system":
                assert fragment.origin.id is not None
                assert fragment.origin.id.partition(".")[0] == part.id.partition(".")[0]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_identity_has_three_variants(layout: str) -> None:
    texts = [
        section(prompt(layout, args=args), "identity").text
        for args in ({}, {"print": True}, {"print": True, "appendSystemPrompt": "Be brief."})
    ]
    assert len(set(texts)) == 3
    assert all("\n" not in text for text in texts)
    assert [abs(len(text) - real) <= 3 for text, real in zip(texts, (57, 62, 94), strict=True)] == [True] * 3


def test_what_an_interactive_session_adds_names_the_tool_and_the_shortcut() -> None:
    headless = section(prompt("A"), "session_guidance").text
    interactive = section(prompt("A", args=INTERACTIVE), "session_guidance").text
    assert "! <command>" in interactive
    assert "! <command>" not in headless


def test_the_guidance_leaves_out_tools_that_are_not_offered() -> None:
    text = section(prompt("A", args={"print": True, "disallowedTools": ["Agent"]}), "session_guidance").text
    assert "subagent_type" not in text
    assert "/<skill-name>" in text


def test_the_task_list_tool_is_the_one_of_the_session() -> None:
    assert "TodoWrite" in section(prompt("A"), "using_tools").text
    interactive = section(prompt("A", args=INTERACTIVE), "using_tools").text
    assert "TaskCreate" in interactive
    assert "TodoWrite" not in interactive
    without = section(prompt("A", args={"print": True, "disallowedTools": ["TodoWrite"]}), "using_tools")
    assert "TodoWrite" not in without.text
    assert any("TodoWrite" in absent.text for absent in without.absent)


def test_a_refused_call_is_explained_by_the_tool_for_questions_where_it_is_offered() -> None:
    assert "AskUserQuestion" in section(prompt("A"), "session_guidance").text
    without = prompt("A", args={"print": True, "disallowedTools": ["AskUserQuestion"]})
    assert "AskUserQuestion" not in section(without, "session_guidance").text
    assert "AskUserQuestion" not in section(prompt("A'", args=INTERACTIVE), "session_guidance").text


def test_models_of_the_short_prompt_are_told_of_messages_of_the_role_system() -> None:
    assert "role system" in section(prompt("B"), "harness").text
    classic = section(prompt("A"), "doing_tasks")
    assert any(absent.origin.id == "doing_tasks.exploratory" for absent in classic.absent)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_memory_instructions_name_the_folder(layout: str) -> None:
    text = section(prompt(layout), "memory_instructions").text
    assert "`/home/user/.claude/projects/-repo-project/memory/`" in text
    assert "MEMORY.md" in text


def test_moved_memory_instructions_leave_their_folder_to_a_message() -> None:
    assembly = prompt("A'", args={"print": True, "excludeDynamicSystemPromptSections": True})
    assert "projects/-repo-project" not in assembly.system_text
    assert "projects/-repo-project" in section(assembly, "memory_instructions.folder").text


@pytest.mark.parametrize("layout", ["A", "A'"])
def test_types_of_memory_are_tagged(layout: str) -> None:
    text = section(prompt(layout), "memory_instructions").text
    for name in ("user", "feedback", "project", "reference"):
        assert f"<name>{name}</name>" in text
    assert text.count("<type>") == text.count("</type>") == 4
    assert text.count("<body_structure>") == 2


def test_the_classic_environment_holds_facts_and_model() -> None:
    text = section(prompt("A"), "environment").text
    assert " - Primary working directory: /repo/project\n  - Is a git repository: false\n - Platform: linux" in text
    assert "claude-sonnet-4-6" in text
    assert "August 2025" in text


@pytest.mark.parametrize("layout", ["A'", "B"])
def test_later_environments_hold_facts_on_models_only(layout: str) -> None:
    assembly = prompt(layout)
    text = section(assembly, "environment").text
    assert "/repo/project" not in text
    assert "claude-opus-5-5" in text
    facts = section(assembly, "environment.facts").text
    assert " - Primary working directory: /repo/project\n - Is a git repository: false" in facts
    assert section(assembly, "environment.model").text.count(LAYOUTS[layout][1]) == 1


def test_an_unknown_cutoff_is_left_out() -> None:
    values = {"agent": "claude-code", "agent_version": V100, "workspace": "/repo", "home": "/home/user", "env": {}}
    scenario = Scenario.model_validate({**values, "model": "claude-opus-9"})
    part = section(assemble(scenario, Workspace(EmptyDisk()), cached_only=True), "environment")
    assert "Your knowledge ends" not in part.text
    assert "claude-opus-9" in part.text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_plan_mode_only_adds_its_text(layout: str) -> None:
    plain, planning = prompt(layout), prompt(layout, mode="plan")
    part = section(planning, "plan_mode")
    assert not section(plain, "plan_mode").present
    assert "Plan mode" in part.text.lstrip("\n").split("\n\n")[0]
    assert "/home/user/.claude/plans/" in part.text
    assert planning.system_text == plain.system_text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_plan_mode_ends_with_the_tool_that_leaves_it_even_where_it_is_not_offered(layout: str) -> None:
    for args in (INTERACTIVE, {"print": True}):
        assert "to call ExitPlanMode" in section(prompt(layout, mode="plan", args=args), "plan_mode").text


def test_plan_mode_leaves_agents_out_where_none_are_to_be_started() -> None:
    text = section(prompt("B", mode="plan"), "plan_mode").text
    assert "Explore agents" in text
    without = section(prompt("B", mode="plan", args={"print": True, "disallowedTools": ["Agent"]}), "plan_mode").text
    assert "agents" not in without


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("style", ["Explanatory", "Learning"])
def test_built_in_styles_have_a_heading_of_their_own(layout: str, style: str) -> None:
    assembly = prompt(layout, settings={"outputStyle": style})
    text = section(assembly, "output_style").text
    assert f"# Output Style: {style}\n" in text
    assert f"\n# {style} Style Active\n" in text
    assert "## Insights" in text
    assert section(assembly, "output_style.reminder").present


def test_language_names_the_language_of_the_settings() -> None:
    part = section(prompt("A", settings={"language": "french"}), "language")
    assert part.text.strip().startswith("# Language\n")
    assert [f.text for f in part.fragments if f.origin.kind == "param"] == ["french"]


@pytest.mark.parametrize(("layout", "tool"), [("A", "BashTool"), ("B", "Bash")])
def test_a_status_that_was_cut_names_the_tool_of_the_version(repository: Project, layout: str, tool: str) -> None:
    repository.write({f"workspace/a-file-with-a-long-name-{n:03}.txt": "" for n in range(80)})
    part = section(repository.assemble(LAYOUTS[layout][0]), "git_status")
    assert f"cut after 2000 characters; to see the rest, run git status with {tool})" in part.text


@pytest.mark.parametrize("version", [V100, V329])
def test_our_wording_has_about_the_measured_size(version: str) -> None:
    column = reference(version)["columns"].index("chars")
    off = []
    for variant, differs, mode, sizes in measured(version):
        assembly = measured_prompt(version, differs, mode)
        for section_id, real in sizes["sections"].items():
            part = assembly.section(section_id)
            if part is not None and part.present and section_id not in LOOSE:
                ours = len(part.text.strip("\n"))
                if abs(ours - real[column]) > max(TOLERANCE * real[column], 5):
                    off.append(f"{variant}: {section_id} {real[column]} {ours}")
    assert not off, json.dumps(off, indent=1)


@pytest.mark.parametrize(
    ("settings", "trailer", "footer"),
    [
        ({}, "Co-Authored-By: Claude", "Generated with"),
        ({"includeCoAuthoredBy": False}, None, None),
        ({"attribution": {"commit": "Helped-by: us"}}, "Helped-by: us", "Generated with"),
        ({"attribution": {"commit": ""}}, None, "Generated with"),
        ({"attribution": {"pr": "Written with help"}}, "Co-Authored-By: Claude", "Written with help"),
        ({"attribution": {"commit": "", "pr": ""}}, None, None),
        ({"attribution": {"commit": "Helped-by: us"}, "includeCoAuthoredBy": False}, "Helped-by: us", None),
    ],
)
def test_settings_word_what_commits_and_pull_requests_end_with(
    project: Project, settings: dict[str, Any], trailer: str | None, footer: str | None
) -> None:
    project.write({"workspace/.claude/settings.json": json.dumps(settings)})
    section = project.assemble("2.1.329").section("attribution")
    assert section is not None
    assert section.present is (trailer is not None or footer is not None)
    bash = next(tool for tool in project.assemble("2.1.100").tools if tool.name == "Bash").description
    known = ("Co-Authored-By: Claude", "Helped-by: us", "Generated with", "Written with help")
    for text in (section.text if section.present else "", bash):
        assert [line for line in known if line in text] == [line for line in (trailer, footer) if line]


@pytest.mark.parametrize(
    ("layout", "without", "is_there"),
    [
        ("A", [], True),
        ("A", ["Skill"], True),
        ("A", ["Agent"], True),
        ("A", ["Agent", "Skill"], True),  # 2.1.100 says when to ask
        ("A", ["Agent", "Skill", "AskUserQuestion"], False),
        ("A'", ["Skill"], True),
        ("A'", ["Agent"], True),
        ("A'", ["Agent", "Skill"], False),
        ("B", [], True),
        ("B", ["Agent"], True),
        ("B", ["Skill"], False),  # the short prompt says nothing of sub-agents there
    ],
)
def test_the_guidance_goes_with_the_last_of_its_bullets(layout: str, without: list[str], is_there: bool) -> None:
    headless = section(prompt(layout, args={"print": True, "disallowedTools": without}), "session_guidance")
    interactive = section(prompt(layout, args={"disallowedTools": without}), "session_guidance")
    assert (headless.present, interactive.present) == (is_there, True)
    assert (headless.text.count("\n") > 0) is is_there


@pytest.mark.parametrize(("layout", "is_there"), [("A", True), ("A'", False), ("B", False)])
def test_the_bullet_on_skills_is_a_dynamic_section_of_later_versions(layout: str, is_there: bool) -> None:
    args = {"disallowedTools": ["Agent", "AskUserQuestion"], "excludeDynamicSystemPromptSections": True}
    assert section(prompt(layout, args={"print": True, **args}), "session_guidance").present is is_there
    assert section(prompt(layout, args=args), "session_guidance").present


@pytest.mark.parametrize(
    ("model", "own"),
    [
        ("claude-opus-5-5", ["games"]),
        ("claude-haiku-5-5", ["finishing"]),
        ("claude-opus-5", ["delivering_work", "corrections"]),
        ("claude-opus-5-1", []),
        ("claude-opus-4-8", []),
        ("claude-haiku-5", []),
        ("claude-sonnet-5-5", []),
    ],
)
def test_what_single_models_are_told_besides(project: Project, model: str, own: list[str]) -> None:
    assembly = project.assemble(model=model)
    names = ("games", "finishing", "delivering_work", "corrections")
    assert [s.id for s in assembly.sections if s.id in names and s.present] == own
    reminded = "Tags such as `<system-reminder>`" in section(assembly, "harness").text
    assert reminded is (model == "claude-opus-4-8")


@pytest.mark.parametrize(
    ("version", "model"),
    [("2.1.100", None), ("2.1.329", None), ("2.1.329", "claude-sonnet-4-5-20250929"), ("2.1.329", "claude-opus-5")],
)
def test_a_section_is_called_as_it_is_headed(repository: Project, version: str, model: str | None) -> None:
    repository.write(
        {"workspace/CLAUDE.md": "x", "home/.claude/settings.json": '{"language": "french", "outputStyle": "S"}'}
    )
    repository.write(
        {"workspace/.claude/output-styles/s.md": "---\nname: S\nkeep-coding-instructions: true\n---\nbody"}
    )
    servers = [{"name": "fx", "instructions": "words"}]
    headed = {
        section.title: section.text.lstrip().partition("\n")[0].removeprefix("# ")
        for section in repository.assemble(version, model=model, mcp_servers=servers).sections
        if section.present and section.text.lstrip().startswith("# ")
    }
    own = {
        "Date": "currentDate",
        "Instruction files": "claudeMd",
        "Output style": "Output Style: S",
        "Text output": "Text output (does not apply to tool calls)",
    }
    assert len(headed) > 7
    assert headed == {title: own.get(title, title) for title in headed}
