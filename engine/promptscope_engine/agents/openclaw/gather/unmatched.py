"""Entries of the configuration's lists that match nothing: names of tools, of groups and of skills.

OpenClaw passes over them in silence. A plugin or a package that is not known here may bring what they name, so that
each is a hint.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from promptscope_engine.agents.kit.settings import mapping, texts
from promptscope_engine.agents.openclaw.levers import Settings, dotted
from promptscope_engine.agents.openclaw.tool_policy import GROUPS, Offer, normal
from promptscope_engine.formats.document import Path
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.model import Diagnostic

_LISTS = ("allow", "alsoAllow", "deny")
_TOOLS: tuple[Path, ...] = (("tools",), ("tools", "sandbox", "tools"), ("tools", "subagents", "tools"))
_MOST = 20
"""Notes on one list."""


def unmatched(
    settings: Settings,
    own: Path,
    offers: Iterable[Offer],
    skills: Container[str],
    names: Iterable[str],
    *,
    knows_bundled: bool,
) -> Iterator[Diagnostic]:
    """A note for each entry. `own` is the agent's own entry in `agents.list`; `skills` are names and keys of the skills
    that were found, `names` their names alone; `knows_bundled`: those of the package are among
    them."""
    switched = mapping(settings.get("plugins.entries")).items()
    plugins = {normal(name) for name, entry in switched if mapping(entry).get("enabled") is True}
    known = plugins | {normal(offer.name) for offer in offers} | {name for group in GROUPS.values() for name in group}
    places = [*_TOOLS, *([(*own, *place) for place in _TOOLS] if own else [])]
    for path in ((*place, key) for place in places for key in _LISTS):
        for entry in (texts(settings.get(path)) or [])[:_MOST]:
            if not _names_a_tool(normal(entry), known):
                yield _note(settings, path, entry, "tool or group", [*known, *(f"group:{name}" for name in GROUPS)])
    lists: list[tuple[Path, list[str]]] = [(("skills", "entries"), list(mapping(settings.get("skills.entries"))))]
    if knows_bundled:
        lists.append((("skills", "allowBundled"), texts(settings.get("skills.allowBundled")) or []))
    if own:
        lists.append(((*own, "skills"), texts(settings.get((*own, "skills"))) or []))
    for path, entries in lists:
        for entry in entries[:_MOST]:
            if js_trim(entry) not in skills:
                yield _note(settings, path, entry, "skill here", names)


def _names_a_tool(entry: str, known: set[str]) -> bool:
    if entry.startswith("group:"):
        return entry.removeprefix("group:") in (*GROUPS, "plugins")
    return any(stars_match(entry, name) for name in known)


def _note(settings: Settings, path: Path, entry: str, what: str, known: Iterable[str]) -> Diagnostic:
    close = nearest(entry, known, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    source = settings.source(path)
    message = f"`{dotted(path)}` names {entry}: there is no such {what}{hint}"
    return Diagnostic("info", "unmatched-name", message, source.path, source.line)
