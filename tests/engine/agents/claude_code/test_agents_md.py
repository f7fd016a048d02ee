"""Whether AGENTS.md is read, by the modes of a built-in mod: as 2.1.332 was recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

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
