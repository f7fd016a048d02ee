"""The tools' texts and schemas: names, parameters, gates inside of descriptions, sizes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from promptscope_engine.agents.claude_code.tools.schema import DIALECT, NOTHING
from promptscope_engine.agents.claude_code.tools.selection import GROUPS
from promptscope_engine.agents.claude_code.tools.table import TEXTS

from .prompts import LAYOUTS, V100, V329, measured, measured_prompt, prompt, reference, tool

TOLERANCE = 0.12
OPTIONAL = {  # the parameters that a call may leave out, of the tools that have such
    "Agent": {"subagent_type", "model", "run_in_background", "isolation"},
    "Bash": {"timeout", "description", "run_in_background", "dangerouslyDisableSandbox"},
    "CronCreate": {"recurring", "durable"},
    "Edit": {"replace_all"},
    "Glob": {"path"},
    "NotebookEdit": {"cell_id", "cell_type", "edit_mode"},
    "Read": {"offset", "limit", "pages"},
    "Skill": {"args"},
    "TaskCreate": {"activeForm", "metadata"},
    "WebSearch": {"allowed_domains", "blocked_domains"},
    "Write": set(),
}
REQUIRED = {
    "Agent": {"description", "prompt"},
    "AskUserQuestion": {"questions"},
    "Bash": {"command"},
    "CronCreate": {"cron", "prompt"},
    "CronDelete": {"id"},
    "CronList": set(),
    "Edit": {"file_path", "old_string", "new_string"},
    "EnterPlanMode": set(),
    "ExitWorktree": {"action"},
    "Glob": {"pattern"},
    "Grep": {"pattern"},
    "NotebookEdit": {"notebook_path", "new_source"},
    "Read": {"file_path"},
    "Skill": {"skill"},
    "TaskGet": {"taskId"},
    "TaskUpdate": {"taskId"},
    "TodoWrite": {"todos"},
    "ToolSearch": {"query", "max_results"},
    "WebFetch": {"url", "prompt"},
    "WebSearch": {"query"},
    "Write": {"file_path", "content"},
}
ALL = [(version, name) for version, texts in TEXTS.items() for name in texts]


def test_every_tool_of_a_version_has_a_text_and_a_group() -> None:
    assert set(GROUPS) == {*TEXTS[V100], *TEXTS[V329]}


def walk(schema: Any) -> list[dict[str, Any]]:
    """Every schema inside of a schema, itself included."""
    if isinstance(schema, list):
        return [found for item in schema for found in walk(item)]
    if not isinstance(schema, dict):
        return []
    nested = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("anyOf")]
    return [schema, *walk(nested), *walk(schema.get("additionalProperties"))]


@pytest.mark.parametrize(("version", "name"), ALL)
def test_a_schema_is_a_closed_object_of_described_parameters(version: str, name: str) -> None:
    schema = TEXTS[version][name].input_schema
    assert schema["$schema"] == DIALECT
    assert schema["type"] == "object"
    assert json.loads(json.dumps(schema)) == schema
    for part in walk(schema):
        if part.get("type") == "object" and "properties" in part:
            assert set(part.get("required", ())) <= set(part["properties"])
        assert part.get("type") in ("object", "array", "string", "number", "integer", "boolean", None)
        assert part.get("enum") != []
    for parameter, part in schema["properties"].items():
        assert "description" in part or "anyOf" in part, parameter


@pytest.mark.parametrize(("version", "name"), [(v, n) for v, n in ALL if n in REQUIRED])
def test_required_parameters_are_exact(version: str, name: str) -> None:
    schema = TEXTS[version][name].input_schema
    assert set(schema.get("required", ())) == REQUIRED[name]
    if name in OPTIONAL:
        assert REQUIRED[name] | OPTIONAL[name] <= set(schema["properties"])


def test_tools_without_parameters_send_the_empty_object() -> None:
    assert len(json.dumps(NOTHING, separators=(",", ":"))) == 119  # as measured
    assert tool(prompt("A"), "CronList").input_schema == NOTHING


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


def test_headless_sessions_are_told_that_nobody_watches() -> None:
    headless, interactive = tool(prompt("B"), "Bash"), tool(prompt("B", args={}), "Bash")
    assert "Nobody watches" in headless.description
    assert "Nobody watches" not in interactive.description
    assert "Nobody watches" not in tool(prompt("B", mode="plan"), "Bash").description


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


@pytest.mark.parametrize("version", [V100, V329])
def test_our_tools_have_about_the_measured_size(version: str) -> None:
    column = reference(version)["columns"].index("chars")
    off = []
    for variant, differs, mode, sizes in measured(version):
        assembly = measured_prompt(version, differs, mode)
        present = {t.name: t for t in assembly.tools if t.present}
        for name, real in sizes["tools"].items():
            if name == "DeferredToolPlaceholder":
                continue
            found = present[name]
            wire = {"name": name, "description": found.description, "input_schema": found.input_schema}
            ours = len(json.dumps(wire, ensure_ascii=False))
            if abs(ours - real[column]) > TOLERANCE * real[column]:
                off.append(f"{variant}: {name} {real[column]} {ours}")
    assert not off, json.dumps(off, indent=1)
