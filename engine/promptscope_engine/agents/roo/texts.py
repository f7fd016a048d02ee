"""Roo's sections and tools as text (agent.toml, sections/, tools/), and what their conditions and values are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.javascript.path import to_posix
from promptscope_engine.prompt.conditions import Any
from promptscope_engine.prompt.drafts import computed, environment

from . import gates
from .materials import Materials
from .params import RooParams

_GATES = {
    "browser": gates.BROWSER,
    "code_index": gates.CODE_INDEX,
    "simple_read": gates.SIMPLE_READ,
    "partial_reads": gates.PARTIAL_READS,
    "files_listed": gates.FILES_LISTED,
    "drafted": gates.DRAFTED,
    "modified": gates.MODIFIED,
    "has_todos": gates.HAS_TODOS,
}

FOLDER = Folder(
    Path(__file__).parent,
    Vocabulary(_GATES, lambda: {field.name: field for field in fields_of(RooParams)}),
)

LANGUAGES: Mapping[str, str] = FOLDER.agent["languages"]
"""Names of languages by code; any other code is its own name."""


def scope_of(materials: Materials, **own: object) -> Scope:
    """What texts may name: the values and conditions of a scenario, and `own` ones of some sections."""
    machine, servers = materials.inputs.environment, materials.servers
    names = {
        "generated": materials.override.generated,
        "override": materials.override.condition,
        "override_text": materials.override.text,
        "mcp": materials.mcp,
        "any_server": Any(tuple(server.when for server in servers)),
        "cwd": environment("cwd", materials.inputs.workspace),
        "cwd_in_slashes": environment("cwd", to_posix(materials.inputs.workspace)),
        "home": environment("home", to_posix(materials.inputs.home)),
        "os_name": environment("os_name", machine.os_name or ""),
        "shell": environment("shell", materials.shell),
        "mode": materials.mode,
        "modes": [
            {"shown": computed(f"modes.{mode.slug}", f'"{mode.name}" mode ({mode.slug})'), "listed": mode.listed}
            for mode in materials.modes
        ],
    }
    return Scope(names | own, params=materials.params)
