"""Kinds of sub-agents of the user: `[agents.<name>]`, and `$CODEX_HOME/agents/*.toml` (specs/codex.md 7.8)."""

from __future__ import annotations

import tomllib

from promptscope_engine.agents.codex.materials import Role
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace

from .settings import MAX_CHARS, Settings

MAX_FILES = 100


def roles(settings: Settings, codex_home: str, workspace: Workspace, files: list[FileDraft]) -> tuple[Role, ...]:
    """The user's own roles by name; the settings' win over a file of the same name."""
    found: dict[str, str] = {}
    folder = f"{codex_home}/agents"
    names = [entry.name for entry in workspace.list(folder).entries if entry.name.endswith(".toml")]
    for name in names[:MAX_FILES]:
        path = f"{folder}/{name}"
        file = workspace.read(path)
        try:
            values = tomllib.loads(file.text) if file.found and len(file.text) <= MAX_CHARS else {}
        except (ValueError, RecursionError):
            values = {}
        role, description = values.get("name"), values.get("description")
        fits = isinstance(role, str) and isinstance(description, str)
        if fits:
            found[str(role)] = str(description)
        no, remedy = "it has no name and description", f"give {path} a `name` and a `description`"
        there = Observed("file", path, fits, "it describes a role", no, remedy=remedy)
        files.append(FileDraft(path, file.real_path, "agent", "conditional", there, file.size, len(file.text)))
    for name, table in settings.table("agents").items():
        description = table.get("description") if isinstance(table, dict) else None
        if isinstance(description, str):
            found[name] = description
    return tuple(Role(name, found[name]) for name in sorted(found))
