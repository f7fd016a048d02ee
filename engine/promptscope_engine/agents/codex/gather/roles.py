"""Kinds of sub-agents of the user: `[agents.<name>]`, and files below `agents` (specs/codex.md 7.8).

Such files lie beside any settings that count: the user's, and those of a repository that is trusted [source].
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.agents.codex.materials import Role
from promptscope_engine.agents.kit.skills import near_entries
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .lossy import trimmed
from .settings import MAX_CHARS, Layer, Settings

MAX_FILES = 100
MAX_FOLDERS = 100
"""Of one folder of settings."""


def roles(
    settings: Settings,
    folders: Sequence[str],
    home: str,
    cwd: str,
    workspace: Workspace,
    files: list[FileDraft],
    diagnostics: list[Diagnostic],
) -> tuple[Role, ...]:
    """The user's own roles by name. `folders`: those of the settings, the strongest last.

    A table wins over a file, and the file that it names over the table: what it says of itself is nearer to the role.
    """
    found: dict[str, str] = {}
    for folder in folders:
        files += near_entries(workspace, f"{folder}/agents", "agent", ".toml")
        for path in _files(f"{folder}/agents", workspace):
            name, description = _described(path, workspace, files)
            if name and description:
                found[name] = description
    for layer in settings.layers:
        tables = layer.values.get("agents")
        for key, table in tables.items() if isinstance(tables, dict) else ():
            if isinstance(table, dict):
                name, description = _declared(key, table, layer, home, cwd, workspace, files)
                if description or name in found:
                    found[name] = description or found[name]
                else:
                    place = layer.source(("agents", key), None)
                    text = f"the role {key} has no description: Codex does not offer it"
                    diagnostics.append(Diagnostic("warning", "role-dropped", text, place.path, place.line))
    return tuple(Role(name, found[name]) for name in sorted(found, key=str.encode))


def untrusted_roles(folder: str, workspace: Workspace, trusted: Condition) -> list[FileDraft]:
    """The rows of roles that lie beside settings which do not count; nothing of them is watched."""
    copy = workspace.snapshot()
    files = [copy.read(path) for path in _files(f"{folder}/agents", copy)]
    return [FileDraft(f.path, f.real_path, "agent", "conditional", trusted, f.size, len(f.text)) for f in files]


def _files(folder: str, workspace: Workspace) -> Iterator[str]:
    """Files of roles, those of folders below too: not more than a person would write."""
    queue, looked, found = deque([folder]), 0, 0
    while queue and looked < MAX_FOLDERS:
        folder = queue.popleft()
        looked += 1
        for entry in workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if entry.kind == "directory":
                queue.append(path)
            elif entry.kind == "file" and entry.name.endswith(".toml") and found < MAX_FILES:
                found += 1
                yield path


def _declared(
    key: str,
    table: Mapping[str, Json],
    layer: Layer,
    home: str,
    cwd: str,
    workspace: Workspace,
    files: list[FileDraft],
) -> tuple[str, str]:
    """A role's name and description, by its table and the file that this names."""
    given = table.get("description")
    own = trimmed(given) if isinstance(given, str) else ""
    path = table.get("config_file")
    if not isinstance(path, str):
        return key, own
    full = home + path[1:] if path.startswith("~/") else path
    if not full.startswith("/"):
        full = f"{layer.folder if layer.path else cwd}/{full}"
    name, description = _described(full, workspace, files, named=True)
    return name or key, description or own


def _described(path: str, workspace: Workspace, files: list[FileDraft], *, named: bool = False) -> tuple[str, str]:
    """What a file says of its role. `named`: a table describes the role, so that the file need not."""
    import tomllib  # 6 ms: only for those who have such a file

    file = workspace.read(path)
    try:
        values = tomllib.loads(file.text) if file.found and len(file.text) <= MAX_CHARS else {}
    except (ValueError, RecursionError):
        values = {}
    name, description = (trimmed(v) if isinstance(v := values.get(key), str) else "" for key in ("name", "description"))
    fits = bool(values) if named else bool(name and description)
    no = "it has no name and description" if file.found else f"it cannot be read: {file.detail}"
    remedy = f"give {path} a `name` and a `description`"
    if all(draft.path != path for draft in files):
        there = Observed("file", path, fits, "it describes a role", no, remedy=remedy)
        files.append(FileDraft(path, file.real_path, "agent", "conditional", there, file.size, len(file.text)))
    return name, description
