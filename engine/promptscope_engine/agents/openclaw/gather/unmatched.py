"""Lists of the configuration that name tools, groups and skills.

A plugin or a package that is not known here may bring what an entry names, so that each is a hint.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from promptscope_engine.agents.kit.settings import Names, mapping
from promptscope_engine.agents.openclaw.levers import Settings, dotted
from promptscope_engine.agents.openclaw.tool_policy import GROUPS, Offer, normal
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.known import Known

_LISTS = ("allow", "alsoAllow", "deny")
_TOOLS: tuple[Path, ...] = (("tools",), ("tools", "sandbox", "tools"), ("tools", "subagents", "tools"))


def lists_of_names(
    settings: Settings,
    own: Path,
    offers: Iterable[Offer],
    skills: Collection[str],
    keys: Collection[str],
    *,
    knows_bundled: bool,
) -> Iterator[Names]:
    """The lists. `own` is the agent's own entry in `agents.list`; `skills` are the names of the skills that were found,
    `keys` what their settings may stand under; `knows_bundled`: those of the package are among them."""
    switched = mapping(settings.get("plugins.entries")).items()
    plugins = {normal(name) for name, entry in switched if mapping(entry).get("enabled") is True}
    tools = plugins | {normal(offer.name) for offer in offers} | {name for group in GROUPS.values() for name in group}
    known = [*tools, *(f"group:{name}" for name in GROUPS)]
    places = [*_TOOLS, *([(*own, *place) for place in _TOOLS] if own else [])]
    for path in ((*place, key) for place in places for key in _LISTS):
        yield Names(dotted(path), "tool or group", _entries(settings, path), known, partial(_names_a_tool, tools))
    paths: list[Path] = [("skills", "entries")]
    paths += [("skills", "allowBundled")] if knows_bundled else []
    paths += [(*own, "skills")] if own else []
    found = {*skills, *keys}
    for path in paths:
        yield Names(dotted(path), "skill here", _entries(settings, path), skills, lambda entry: js_trim(entry) in found)


def _entries(settings: Settings, path: Path) -> Iterator[Known[str]]:
    """The texts of a list, or the keys of an object."""
    value = settings.get(path)
    items: Iterable[tuple[str | int, Json]] = (
        enumerate(value) if isinstance(value, list) else ((key, key) for key in mapping(value))
    )
    for place, item in items:
        if isinstance(item, str):
            yield Known(item, settings.source((*path, place)))


def _names_a_tool(tools: Collection[str], entry: str) -> bool:
    name = normal(entry)
    if name.startswith("group:"):
        return name.removeprefix("group:") in (*GROUPS, "plugins")
    return any(stars_match(name, tool) for tool in tools)
