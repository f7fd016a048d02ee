"""What the configuration names and OpenClaw does not find."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import Names, mapping, text, texts
from promptscope_engine.agents.kit.disk.settings_schema import Finding, Schema
from promptscope_engine.agents.openclaw.gather.channels import CHANNEL_PLUGINS, normal_channel
from promptscope_engine.agents.openclaw.gather.config import user_path
from promptscope_engine.agents.openclaw.gather.runtime import DEFAULT_AGENT, agent_id, agents, workspace_of
from promptscope_engine.agents.openclaw.levers import SettingLevers, dotted
from promptscope_engine.agents.openclaw.params import CHANNELS
from promptscope_engine.agents.openclaw.texts import NEWER
from promptscope_engine.agents.openclaw.tool_policy import Lists, Offer
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace

from .runtime import AgentRun
from .skills import Listed

_LISTS = ("allow", "alsoAllow", "deny")
_TOOLS: tuple[Path, ...] = (("tools",), ("tools", "sandbox", "tools"), ("tools", "subagents", "tools"))


def lists_of_names(run: AgentRun, offers: Iterable[Offer], skills: Listed) -> Iterator[Names]:
    """The lists of tools and skills."""
    settings, own, lists = run.settings, run.own, run.lists
    normal, groups = lists.normal, lists.groups
    switched = settings.object("plugins.entries").items()
    plugins = {normal(name) for name, entry in switched if mapping(entry).get("enabled") is True}
    tools = plugins | {normal(offer.name) for offer in offers} | {name for group in groups.values() for name in group}
    known = [*tools, *(f"group:{name}" for name in groups)]
    places = [*_TOOLS, *([(*own, *place) for place in _TOOLS] if own else [])]
    for path in ((*place, key) for place in places for key in _LISTS):
        yield Names(
            dotted(path), "tool or group", _entries(settings, path), known, partial(_names_a_tool, tools, lists)
        )
    paths: list[Path] = [("skills", "entries")]
    paths += [("skills", "allowBundled")] if skills.knows_bundled else []
    paths += [(*own, "skills")] if own else []
    found = {*skills.names, *skills.keys}
    for path in paths:
        yield Names(
            dotted(path), "skill here", _entries(settings, path), skills.names, lambda entry: js_trim(entry) in found
        )


def _entries(settings: SettingLevers, path: Path) -> Iterator[Sourced[str]]:
    """The texts of a list, or the keys of an object."""
    value = settings.get(path)
    items: Iterable[tuple[str | int, Json]] = (
        enumerate(value) if isinstance(value, list) else ((key, key) for key in mapping(value))
    )
    for place, item in items:
        if isinstance(item, str):
            yield Sourced(item, settings.source((*path, place)))


def _names_a_tool(tools: Collection[str], lists: Lists, entry: str) -> bool:
    name = lists.normal(entry)
    if name.startswith("group:"):
        return name.removeprefix("group:") in (*lists.groups, "plugins", "mcp")
    return any(stars_match(name, tool) for tool in tools)


_REMOVED = "google-antigravity-auth"
"""A plugin that is gone, and may still be named."""
PLUGIN = "plugin "
"""What a bundled plugin takes as its `config` is the shape of this name."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def strangers(
    settings: SettingLevers,
    schema: Schema,
    manifests: Iterable[Mapping[str, Json]],
    inputs: Inputs,
    workspace: Workspace,
) -> Iterator[Finding]:
    """Everything that is not found, `manifests` being those of the plugins that were."""
    found, is_newer = list(manifests), inputs.agent_version >= NEWER
    own = _keys_of(schema, "channels") if is_newer else {*CHANNELS, *CHANNEL_PLUGINS}
    channels = {*own, *(name for each in found for name in texts(each.get("channels")) or [])} - {*_BESIDE}
    for key in settings.object("channels"):
        if js_trim(key) and js_trim(key) not in {*channels, *_BESIDE[:2]}:
            yield _unknown(("channels", key), "channel", key, channels)
    targets = {*channels, "last", "none", *(("owner",) if is_newer else ())}
    for path in (("agents", "defaults"), *(path for path, _ in agents(settings))):
        target = settings.get((*path, "heartbeat", "target"))
        if isinstance(target, str) and normal_channel(target) not in targets:
            yield _unknown((*path, "heartbeat", "target"), "channel", target, targets)
    yield from _agents(settings, inputs)
    if is_newer:
        yield from _roster(settings)
        yield from _models(settings)
        slot = settings.word(SLOT)
        plugins = {_BY_ITSELF, *_keys_of(schema, "plugins", "entries"), *(text(each.get("id")) or "" for each in found)}
        if slot and slot.lower() != "none" and slot not in plugins:
            yield _unknown(SLOT, "plugin", slot, plugins)
    elif isinstance(settings.get("plugins"), Mapping):
        yield from _plugins(settings, schema, {text(each.get("id")) or "" for each in found}, inputs, workspace)


_BESIDE = ("defaults", "modelByChannel", "qa-channel", "*")
"""Keys beside the channels: two for all of them, one of the vendor's own tests, and those of plugins."""
_BY_ITSELF = "memory-lancedb"
"""A plugin that is no part of the package and may be named before it is installed."""
SLOT: Path = ("plugins", "slots", "memory")


def _keys_of(schema: Schema, *path: str) -> set[str]:
    """The keys that an object of the schema names."""
    shape: Json = schema.root
    for part in path:
        shape = mapping(mapping(shape).get(part))
    return {*mapping(shape)}


def _roster(settings: SettingLevers) -> Iterator[Finding]:
    """Whether several agents say whose what is, and the agents that settings name [asked of 2026.9.6]."""
    listed, is_explicit = agents(settings), settings.get("agents.ownership") == "explicit"
    ids = {agent_id(entry.get("id")) for _, entry in listed}
    marked = [path for path, entry in listed if entry.get("default") is True]
    owned = ("agents", "ownership")
    if len(ids) < len(listed):
        yield Finding(("agents", "entries"), "word", "two of its names are of one agent")
    if is_explicit and not listed:
        yield Finding(("agents", "entries"), "missing", "is missing, as `agents.ownership` is explicit")
    if is_explicit and marked:
        yield Finding((*marked[0], "default"), "word", "must be left out, as `agents.ownership` is explicit")
    elif len(marked) > 1:
        yield Finding((*marked[1], "default"), "word", "must be true of one agent at most")
    elif len(listed) > 1 and not marked and not is_explicit:
        yield Finding(owned, "missing", "must be explicit, as there are several agents, or one of them be `default`")
    for path in _NAMES_AN_AGENT:
        name = settings.word(path)
        if name and name.lower() not in (ids or {DEFAULT_AGENT}):
            yield _unknown(path, "agent", name, ids)
    for at, binding in enumerate(bound if isinstance(bound := settings.get("bindings"), list) else ()):
        name = text(mapping(binding).get("agentId"))
        if name and name.lower() not in (ids or {DEFAULT_AGENT}):
            yield _unknown(("bindings", at, "agentId"), "agent", name, ids)


_NAMES_AN_AGENT: tuple[Path, ...] = (
    ("agents", "defaults", "systemAgent", "agentId"),
    ("agents", "defaults", "heartbeat", "agentId"),
    ("talk", "agentId"),
)
_EXACT = re.compile(r"\s*[^/*]+/[^*]+")
_ALLOWED = re.compile(r"\s*[^/*]+(/[^/*]+)*/(\*|[^/*]+)\s*")


def _models(settings: SettingLevers) -> Iterator[Finding]:
    """Models that a policy allows by a name that none has, and what only an exact model can have [asked]."""
    usual = ("agents", "defaults")
    for path in (usual, *(path for path, _ in agents(settings))):
        own = settings.object((*path, "models"))
        aliases = {
            (text(mapping(entry).get("alias")) or "").lower()
            for entry in (*own.values(), *settings.object((*usual, "models")).values())
        }
        for at, name in enumerate(settings.words((*path, "modelPolicy", "allow"))):
            if not _ALLOWED.fullmatch(name) and js_trim(name).lower() not in aliases - {""}:
                why = "must be PROVIDER/MODEL, PROVIDER/* or an alias"
                yield Finding((*path, "modelPolicy", "allow", at), "word", why)
        for name, entry in own.items():
            for key in ("codeMode", "pickerRuntimes") if not _EXACT.fullmatch(name) else ():
                if key in mapping(entry):
                    yield Finding((*path, "models", name, key), "word", "needs a model that is named as PROVIDER/MODEL")


def _unknown(path: Path, what: str, name: str, known: Iterable[str]) -> Finding:
    return Finding(path, "word", f"there is no {what} {name}{meant(name, known, 1)}")


def _plugins(
    settings: SettingLevers, schema: Schema, found: set[str], inputs: Inputs, workspace: Workspace
) -> Iterator[Finding]:
    own = {name.removeprefix(PLUGIN) for name in schema.named if name.startswith(PLUGIN)}
    known = {*own, *found, _REMOVED}
    slot = settings.word(SLOT)
    entries = settings.object("plugins.entries")
    named: list[tuple[Path, str]] = [(("plugins", "entries", name), name) for name in entries]
    for key in ("allow", "deny"):
        named += [(("plugins", key), name) for name in settings.words(("plugins", key)) if js_trim(name)]
    if slot and slot.lower() != "none":
        named.append((SLOT, slot))
    for path, name in named:
        if name not in known:
            yield _unknown(path, "plugin", name, known)
    for at, path_ in enumerate(settings.words("plugins.load.paths")):
        if js_trim(path_) and workspace.kind(user_path(path_, inputs)) is None:
            yield Finding(("plugins", "load", "paths", at), "word", f"there is no {path_}")
    for name in sorted(own & {*entries, slot or ""}):
        config = mapping(entries.get(name)).get("config")
        allowed, denied = (settings.words(("plugins", key)) for key in ("allow", "deny"))
        is_chosen = name == slot and name in (allowed or [name]) and name not in denied
        is_chosen = is_chosen and settings.get("plugins.enabled") is not False
        if config is not None or is_chosen:
            taken = Schema(schema.named[PLUGIN + name], schema.named)
            for finding in taken.findings(config or {}):
                yield replace(finding, path=("plugins", "entries", name, "config", *finding.path), meant="")


def _agents(settings: SettingLevers, inputs: Inputs) -> Iterator[Finding]:
    """Agents that are named and not listed, that share a folder, and whose pictures lie elsewhere."""
    listed = agents(settings)
    ids = [str(entry.get("id")) for _, entry in listed]
    for group, names in settings.object("broadcast").items():
        for at, name in enumerate(texts(names) or [] if ids and group != "strategy" else []):
            if name not in ids:
                yield _unknown(("broadcast", group, at), "agent", name, ids)
    folders: dict[str, set[str]] = defaultdict(set)
    for path, entry in listed:
        me = agent_id(entry.get("id"))
        if folder := text(entry.get("agentDir")):
            folders[user_path(folder, inputs)].add(me)
            if len(folders[user_path(folder, inputs)]) > 1:
                yield Finding((*path, "agentDir"), "word", "another agent has the same folder")
        avatar = text(mapping(entry.get("identity")).get("avatar")) or ""
        place = f"{workspace_of(inputs, settings, me)}/"
        is_below = user_path(avatar, replace(inputs, workspace=place)).startswith(place)
        elsewhere = avatar and (avatar.startswith("~") or _SCHEME.match(avatar) or not is_below)
        if elsewhere and not avatar.lower().startswith(("data:", "http://", "https://")):
            yield Finding((*path, "identity", "avatar"), "word", f"must be a path in {place}, or a web address")
