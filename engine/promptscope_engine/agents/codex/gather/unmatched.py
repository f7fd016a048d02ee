"""Entries of Codex's lists that match nothing: switches of skills, tools of servers, names of fallback files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from promptscope_engine.agents.kit.settings import MOST, Names, mapping, note, unmatched
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .agents_md import NAME, OVERRIDE
from .lossy import trimmed
from .settings import Settings
from .skills import NAME as SKILL
from .skills import Found, path_of

_FALLBACKS = "project_doc_fallback_filenames"


def unmatched_entries(
    settings: Settings,
    skills: Sequence[Found],
    servers: Sequence[StandIn],
    folders: Sequence[str],
    home: str,
    workspace: Workspace,
) -> Iterator[Diagnostic]:
    """The notes. `folders` are the project's; `servers` those of which the tools are known."""
    copy = workspace.snapshot()
    yield from islice(_switches(settings, skills, home, copy), MOST)
    yield from unmatched(names for server in servers for names in _tools(settings, server))
    yield from islice(_fallbacks(settings, folders, copy), MOST)


def _switches(settings: Settings, skills: Sequence[Found], home: str, workspace: Workspace) -> Iterator[Diagnostic]:
    names = {skill.name for skill in skills}

    def matches(name: str) -> bool:
        return trimmed(name) in names

    paths = {workspace.real_path(skill.path) for skill in skills}
    for layer in settings.layers:
        items = layer.table("skills").get("config")
        for number, item in enumerate(items if isinstance(items, list) else ()):
            entry: Mapping[str, Json] = mapping(item)
            name, path = entry.get("name"), entry.get("path")
            source = layer.source(("skills", "config", number), key="skills.config")
            if isinstance(name, str) and isinstance(path, str):
                yield note("`[[skills.config]]` has both a name and a path: Codex passes over it", source)
            elif isinstance(path, str):
                real = workspace.real_path(path_of(path, layer, home))
                if real not in paths:
                    folder = f"{real}/{SKILL}" in paths
                    why = f"only the path of its {SKILL} counts" if folder else "no skill lies there"
                    yield note(f"`[[skills.config]]` names {path}: {why}", source)
            elif isinstance(name, str):
                yield from unmatched([Names("[[skills.config]]", "skill", [Known(name, source)], names, matches)])


def _tools(settings: Settings, server: StandIn) -> Iterator[Names]:
    names = [str(tool.get("name")) for tool in server.tools]
    for key in ("enabled_tools", "disabled_tools") if names else ():
        source = settings.known("mcp_servers", server.name, key).source
        entries = [Known(entry, source) for entry in settings.texts("mcp_servers", server.name, key) or ()]
        yield Names(f"mcp_servers.{server.name}.{key}", "tool of this server", entries, names)


def _fallbacks(settings: Settings, folders: Sequence[str], workspace: Workspace) -> Iterator[Diagnostic]:
    source = settings.known(_FALLBACKS).source
    for entry in settings.texts(_FALLBACKS) or ():
        if why := _never(entry) or _other_case(entry, folders, workspace):
            yield note(f"`{_FALLBACKS}` names {entry!r}: {why}", source)


def _never(entry: str) -> str:
    """Why a name can match no file of a folder; "" where it can."""
    if not entry.strip():
        return "a blank name matches no file"
    if "/" in entry:
        return "it has to be the name of a file in a folder of the project, not a path"
    return "Codex reads this file anyway" if entry in (NAME, OVERRIDE) else ""


def _other_case(entry: str, folders: Sequence[str], workspace: Workspace) -> str:
    there: Collection[str] = [each.name for folder in folders for each in workspace.list(folder).entries]
    close = next((name for name in there if name.strip().lower() == entry.strip().lower()), None)
    return f"the file is called {close}" if close and entry not in there else ""
