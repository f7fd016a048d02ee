"""Whether AGENTS.md is read, by the modes of a built-in mod: as 2.1.332 was recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import load_agent

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

V332, ID, OLD = "2.1.332", "cc-plugin-agents-md@builtin", "agents-md@builtin"
USER, PROJECT, LOCAL = (
    "home/.claude/settings.json",
    "workspace/.claude/settings.json",
    "workspace/.claude/settings.local.json",
)
MANAGED = "managed/managed-settings.json"
BOTH = {"workspace/CLAUDE.md": "claude\n", "workspace/AGENTS.md": "agents\n"}
ALONE = {"workspace/AGENTS.md": "agents\n"}


def option(value: Any, name: str = "instructionFiles", mod: str = ID) -> dict[str, Any]:
    return {"pluginConfigs": {mod: {"options": {name: value}}}}


def off(mod: str = ID, value: bool = False) -> dict[str, Any]:
    return {"enabledPlugins": {mod: value}}


def sent(project: Project, files: dict[str, str], settings: dict[str, Any], **more: Any) -> str:
    project.write({**files, **{path: json.dumps(values) for path, values in settings.items()}})
    found = project.gathered(V332, **more)
    return " ".join(file.text for file in found.materials.instructions if file.text and file.when.holds(found.facts))


@pytest.mark.parametrize(
    ("files", "settings", "texts"),
    [
        (BOTH, {}, "claude"),
        (ALONE, {}, "agents"),
        (BOTH, {USER: option("claude-md-and-agents-md")}, "claude agents"),
        (BOTH, {USER: option("claude-md-and-agents-md", mod=OLD)}, "claude agents"),
        (BOTH, {USER: option("claude-md-and-agents-md", mod="agents-md")}, "claude"),
        (ALONE, {USER: option("claude-md")}, ""),
        (BOTH, {USER: option("managed-only")}, ""),
        ({**BOTH, "managed/CLAUDE.md": "managed\n"}, {USER: option("managed-only")}, "managed"),
        ({**BOTH, "home/.claude/CLAUDE.md": "user\n"}, {USER: option("managed-only")}, ""),
        *[(BOTH, {USER: option(value)}, "claude") for value in ("both", "none", True, ["claude-md-and-agents-md"])],
        (BOTH, {USER: option("both", "projectInstructions")}, "claude agents"),
        (ALONE, {USER: option("claude", "projectInstructions")}, ""),
        (BOTH, {USER: option("none", "projectInstructions")}, ""),
        *[(BOTH, {path: option("claude-md-and-agents-md")}, "claude") for path in (PROJECT, LOCAL)],
        (BOTH, {MANAGED: option("claude-md-and-agents-md"), USER: option("claude-md")}, "claude agents"),
        *[(ALONE, {path: off()}, "") for path in (USER, PROJECT, LOCAL, MANAGED)],
        (ALONE, {USER: off(OLD)}, ""),
        (ALONE, {USER: off(), PROJECT: off(value=True)}, "agents"),
        (BOTH, {USER: {**option("claude-md-and-agents-md"), **off()}}, "claude"),
        (BOTH, {USER: {**option("managed-only"), **off()}}, "claude"),
        ({**BOTH, "workspace/AGENTS.md": "claude\n\n"}, {USER: option("claude-md-and-agents-md")}, "claude"),
        ({**ALONE, "workspace/.claude/rules/r.md": "agents\n"}, {}, "agents"),
    ],
)
def test_the_modes(project: Project, files: dict[str, str], settings: dict[str, Any], texts: str) -> None:
    assert sent(project, files, settings) == texts


@pytest.mark.parametrize(
    ("settings", "texts"),
    [
        ({MANAGED: option("claude-md-and-agents-md", mod=OLD), USER: option("claude-md")}, "claude agents"),
        ({MANAGED: option("claude", mod=OLD), USER: option("claude-md-and-agents-md")}, "claude"),
        ({MANAGED: option("both", "projectInstructions", OLD), USER: option("claude-md", mod=OLD)}, "claude"),
        ({MANAGED: option("both", "projectInstructions"), USER: option("claude-md", mod=OLD)}, "claude"),
        ({MANAGED: option(1, "other"), USER: option("claude-md-and-agents-md", mod=OLD)}, "claude agents"),
        ({USER: off(), PROJECT: off(OLD, value=True)}, "claude"),
        ({USER: {**option("claude-md-and-agents-md"), **off(OLD)}, PROJECT: off(value=True)}, "claude agents"),
        ({USER: {"enabledPlugins": {ID: True, OLD: False}, **option("claude-md-and-agents-md")}}, "claude agents"),
    ],
)
def test_the_strongest_layer_decides_whichever_name_it_uses(
    project: Project, settings: dict[str, Any], texts: str
) -> None:
    assert sent(project, BOTH, settings) == texts


def test_that_of_the_start_folder_is_the_last_one_also_behind_added_folders(project: Project) -> None:
    files = {
        **BOTH,
        "workspace/sub/CLAUDE.md": "sub\n",
        "workspace/sub/AGENTS.md": "sub-agents\n",
        "workspace/sub/CLAUDE.local.md": "local\n",
        "more/CLAUDE.md": "more\n",
        "more/AGENTS.md": "never\n",
    }
    more = {
        "workspace": str(project.cwd / "sub"),
        "env": {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"},
        "params": {"args": {"addDir": [str(project.cwd.parent / "more")]}},
    }
    found = sent(project, files, {USER: option("claude-md-and-agents-md")}, **more)
    assert found == "claude agents sub local more sub-agents"


def told(project: Project, code: str) -> list[str]:
    return [each.message for each in project.assemble(V332).diagnostics if each.code == code]


@pytest.mark.parametrize("text", ["@AGENTS.md\n", "@./AGENTS.md", "<!-- for Claude -->\n@AGENTS.md\n"])
def test_a_claude_md_that_only_imports_agents_md_may_be_deleted(project: Project, text: str) -> None:
    project.write({**ALONE, "workspace/CLAUDE.md": text})
    (said,) = told(project, "thin-import")
    assert "it may be deleted" in said
    assert told(project, "thin-import-needed") == []


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({USER: json.dumps(option("claude-md"))}, "instructionFiles` leaves it out"),
        ({PROJECT: json.dumps(off())}, f"`enabledPlugins.{ID}` leaves it out"),
        ({"workspace/CLAUDE.local.md": "mine\n"}, "CLAUDE.local.md takes its place"),
    ],
)
def test_it_is_needed_where_agents_md_would_not_be_read_without_it(
    project: Project, more: dict[str, str], why: str
) -> None:
    project.write({**ALONE, "workspace/CLAUDE.md": "@AGENTS.md\n", **more})
    (said,) = told(project, "thin-import-needed")
    assert why in said
    assert told(project, "thin-import") == []


@pytest.mark.parametrize(
    "files",
    [
        {"workspace/CLAUDE.md": "@AGENTS.md\nUse tabs.\n", **ALONE},
        {"workspace/CLAUDE.md": "@AGENTS.md\n"},
        {"workspace/CLAUDE.md": "@docs/AGENTS.md\n", **ALONE},
    ],
)
def test_nothing_is_said_of_one_that_says_more_or_imports_nothing(project: Project, files: dict[str, str]) -> None:
    project.write(files)
    assert told(project, "thin-import") + told(project, "thin-import-needed") == []


@pytest.mark.parametrize("mode", ["claude-md-or-agents-md", "claude-md"])
def test_a_lever_has_agents_md_read_beside_claude_md(project: Project, mode: str) -> None:
    project.write({**BOTH, USER: json.dumps(option(mode))})
    agents = next(each for each in project.assemble(V332).sections if each.title.endswith("/AGENTS.md"))
    (lever,) = agents.why.levers
    assert (lever.param, lever.value) == (f"settings.pluginConfigs.{ID}.options.instructionFiles", MODE_BOTH)
    told_so = {"settings": {"pluginConfigs": {ID: {"options": {"instructionFiles": MODE_BOTH}}}}}
    sections = project.assemble(V332, params=told_so).sections
    assert next(each for each in sections if each.title.endswith("/AGENTS.md")).present


MODE_BOTH = "claude-md-and-agents-md"


def test_the_four_modes_are_a_switch(project: Project) -> None:
    name = "settings.pluginConfigs.cc-plugin-agents-md@builtin.options.instructionFiles"
    field = next(each for each in inputs_of(load_agent("claude-code")) if each.name == name)
    modes = [value for _, value in field.choices if value is not None]
    assert (field.group, len(modes)) == ("Instructions", 4)
    read = [sent(project, BOTH, {}, params={"settings": option(mode)}) for mode in modes]
    assert read == ["claude", "claude agents", "claude", ""]
