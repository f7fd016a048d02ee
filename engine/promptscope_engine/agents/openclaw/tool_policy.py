"""Tool policies: lists of what may be used, applied one after the other (specs/openclaw.md 2, "Policy pipeline").

A step never adds a tool. Inside a step a denial wins, an empty allow list admits everything, groups are written out,
`*` is a wildcard, and names are compared in lower case after two aliases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from promptscope_engine.agents.shared.settings import count, mapping, text, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim

ALIASES = {"bash": "exec", "apply-patch": "apply_patch"}

_SESSIONS = (
    "sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents", "session_status",
)  # fmt: skip
_FILES = ("read", "write", "edit", "apply_patch")
_RUNTIME = ("exec", "process")

GROUPS: dict[str, tuple[str, ...]] = {
    "fs": _FILES,
    "runtime": _RUNTIME,
    "web": ("web_search", "web_fetch"),
    "memory": ("memory_search", "memory_get"),
    "sessions": _SESSIONS,
    "ui": ("browser", "canvas"),
    "messaging": ("message",),
    "automation": ("cron", "gateway"),
    "nodes": ("nodes",),
    "agents": ("agents_list",),
    "media": ("image", "tts"),
    # 19: everything of its own but files and commands
    "openclaw": (
        "web_search", "web_fetch", "memory_search", "memory_get", *_SESSIONS, "browser", "canvas", "message",
        "cron", "gateway", "nodes", "agents_list", "image", "tts",
    ),
}  # fmt: skip

PROFILES: dict[str, tuple[str, ...]] = {
    "minimal": ("session_status",),
    "coding": (*_FILES, *_RUNTIME, "memory_search", "memory_get", *_SESSIONS, "cron", "image"),
    "messaging": ("sessions_list", "sessions_history", "sessions_send", "session_status", "message"),
    "full": (),
}

OWNER_ONLY = ("cron", "gateway", "whatsapp_login")

CHANNEL_IDS = ("telegram", "whatsapp", "discord", "irc", "googlechat", "slack", "signal", "imessage")
SANDBOX_ALLOW = (*_RUNTIME, *_FILES, "image", *_SESSIONS)
SANDBOX_DENY = ("browser", "canvas", "nodes", "cron", "gateway", *CHANNEL_IDS)
SUBAGENT_DENY = (
    "gateway", "agents_list", "whatsapp_login", "session_status", "cron", "memory_search", "memory_get",
    "sessions_send",
)  # fmt: skip
LEAF_DENY = ("sessions_list", "sessions_history", "sessions_spawn")


@dataclass(frozen=True, slots=True)
class Policy:
    """One step. `additive`: an allow list without any core tool is ignored (true of the first seven steps).

    `path` is where its lists stand in the configuration, () where that is an agent's or a group's own entry. Of a
    `profile` only `also`, its `alsoAllow`, stands there.
    """

    label: str
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    additive: bool = True
    path: tuple[str, ...] = ()
    profile: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A tool as the policies see it."""

    name: str
    plugin: str | None = None


def normal(name: str) -> str:
    """A tool's name as it is compared."""
    lower = js_trim(name).lower()
    return ALIASES.get(lower, lower)


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """The names with `group:<id>` written out."""
    found: list[str] = []
    for name in filter(None, map(normal, names)):
        found += GROUPS.get(name.removeprefix("group:"), (name,)) if name.startswith("group:") else (name,)
    return tuple(dict.fromkeys(found))


def idle(tools: Sequence[Subject], steps: Iterable[Policy]) -> list[Policy]:
    """The steps whose allow list is ignored."""
    return [step for step in steps if _without_idle_allow(step, _core(tools)) is not step]


def _core(tools: Sequence[Subject]) -> frozenset[str]:
    return frozenset(normal(tool.name) for tool in tools if tool.plugin is None)


def removed_by(tools: Sequence[Subject], steps: Iterable[Policy]) -> dict[int, tuple[Policy, str]]:
    """{index of a removed tool: the step that removed it, and how it did}, for tools in their order."""
    core = _core(tools)
    plugins: dict[str, list[str]] = {}
    for tool in tools:
        if tool.plugin is not None:
            plugins.setdefault(js_trim(tool.plugin).lower(), []).append(normal(tool.name))
    removed: dict[int, tuple[Policy, str]] = {}
    for step in steps:
        policy = _without_idle_allow(step, core)
        deny, allow = (expand(_with_plugins(names, plugins)) for names in (policy.deny, policy.allow))
        for at, tool in enumerate(tools):
            if at not in removed and (how := _verdict(normal(tool.name), allow, deny)):
                removed[at] = (step, how)
    return removed


def _verdict(name: str, allow: tuple[str, ...], deny: tuple[str, ...]) -> str | None:
    if any(matches(name, pattern) for pattern in deny):
        return "denies"
    if not allow or any(matches(name, pattern) for pattern in allow):
        return None
    # `exec` in an allow list admits apply_patch as well, even where exec itself is denied
    if name == "apply_patch" and any(matches("exec", pattern) for pattern in allow):
        return None
    return "does not allow"


def matches(name: str, pattern: str) -> bool:
    """Whether a normalised name fits a pattern, in which only `*` is special."""
    if "*" not in pattern:
        return name == pattern
    # piece by piece, each at its first place: a regular expression of many stars can take for ever
    first, *middle, last = pattern.split("*")
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in middle:
        found = name.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _without_idle_allow(policy: Policy, core: frozenset[str]) -> Policy:
    """The policy without an allow list that names no core tool: it would shut out all of them.

    `*` alone counts as a core tool, a pattern like `web_*` does not.
    """
    names = [name for name in map(normal, policy.allow) if name]
    if not policy.additive or not names:
        return policy
    for name in names:
        if name == "*" or not core.isdisjoint(expand([name])):
            return policy
    return replace(policy, allow=())


def _with_plugins(names: tuple[str, ...], plugins: Mapping[str, list[str]]) -> list[str]:
    """The names with `group:plugins` and plugins' ids replaced by those plugins' tools."""
    everything = [tool for tools in plugins.values() for tool in tools]
    found: list[str] = []
    for name in filter(None, map(normal, names)):
        found += (everything or [name]) if name == "group:plugins" else plugins.get(name, [name])
    return found


# --- from the configuration ------------------------------------------------------------------------------------------


def listed(config: Json, label: str, path: tuple[str, ...] = ()) -> Policy | None:
    """The policy of `{allow, alsoAllow, deny}`; `alsoAllow` on its own adds to everything."""
    allow, also = texts(mapping(config).get("allow")), texts(mapping(config).get("alsoAllow")) or []
    deny = texts(mapping(config).get("deny"))
    if also:
        allow = [*(allow or ["*"]), *also]
    if allow is None and deny is None:
        return None
    return Policy(label, tuple(dict.fromkeys(allow or ())), tuple(deny or ()), path=path)


def profile_policy(
    profile: str | None, also: list[str] | None, label: str, path: tuple[str, ...] = ()
) -> Policy | None:
    """The policy of a profile; an unknown one and `full` limit nothing."""
    allow = PROFILES.get(profile or "", ())
    names = tuple(dict.fromkeys((*allow, *(also or ()))))
    return Policy(label, names, path=path, profile=True, also=tuple(also or ())) if allow else None


def provider_key(tools: Json, provider: str | None, model: str | None) -> str | None:
    """The key of `byProvider`, as it is written, that counts: `provider/model` before `provider`."""
    if not provider:
        return None
    entries = mapping(mapping(tools).get("byProvider"))
    written = {js_trim(key).lower(): key for key in entries}
    provider, name = js_trim(provider).lower(), js_trim(model or "").lower()
    full = name if "/" in name else f"{provider}/{name}"
    keys = ([full] if name else []) + [provider]
    return next((written[key] for key in keys if key in written and mapping(entries[written[key]])), None)


def for_provider(tools: Json, provider: str | None, model: str | None) -> Mapping[str, Json]:
    """The entry of `byProvider` for `provider/model`, else for `provider`."""
    key = provider_key(tools, provider, model)
    return {} if key is None else mapping(mapping(mapping(tools).get("byProvider")).get(key))


def configured(
    config: Json, agent: Json, agent_id: str, provider: str | None, model: str | None
) -> list[Policy | None]:
    """The first six steps: profile, the provider's profile, global, its provider, agent, its provider."""
    tools, own = mapping(mapping(config).get("tools")), mapping(mapping(agent).get("tools"))
    by_provider, own_by_provider = for_provider(tools, provider, model), for_provider(own, provider, model)
    entry = ("tools", "byProvider", provider_key(tools, provider, model) or "")
    also = texts(own.get("alsoAllow")) if isinstance(own.get("alsoAllow"), list) else texts(tools.get("alsoAllow"))
    chosen = own_by_provider if isinstance(own_by_provider.get("alsoAllow"), list) else by_provider
    provider_also = texts(chosen.get("alsoAllow"))
    profile = text(own.get("profile")) or text(tools.get("profile"))
    provider_profile = text(own_by_provider.get("profile")) or text(by_provider.get("profile"))
    own_also, own_provider_also = isinstance(own.get("alsoAllow"), list), texts(own_by_provider.get("alsoAllow"))
    return [
        profile_policy(profile, also, f"tools.profile ({profile})", () if own_also else ("tools",)),
        profile_policy(
            provider_profile,
            provider_also,
            f"tools.byProvider.profile ({provider_profile})",
            () if own_provider_also or not by_provider else entry,
        ),
        listed(tools, "tools.allow/deny", ("tools",)),
        listed(by_provider, "tools.byProvider", entry),
        listed(own, f"agents.{agent_id}.tools"),
        listed(own_by_provider, f"agents.{agent_id}.tools.byProvider"),
    ]


def sandbox_policy(config: Json, agent: Json) -> Policy:
    """The sandbox's lists, the agent's own before the global ones before the defaults; `image` unless it is denied."""
    key = "tools.sandbox.tools"
    lists: dict[str, tuple[str, ...]] = {"allow": SANDBOX_ALLOW, "deny": SANDBOX_DENY}
    own = mapping(mapping(mapping(mapping(agent).get("tools")).get("sandbox")).get("tools"))
    for source in (config, agent):
        values = mapping(mapping(mapping(mapping(source).get("tools")).get("sandbox")).get("tools"))
        lists |= {k: tuple(found) for k in lists if (found := texts(values.get(k))) is not None}
    allow, deny = expand(lists["allow"]), expand(lists["deny"])
    if allow and "image" not in deny:
        allow = tuple(dict.fromkeys((*allow, "image")))
    path = () if own else tuple(key.split("."))
    return Policy(f"{key} (sandbox)", allow, deny, additive=False, path=path)


def subagent_policy(config: Json, depth: int) -> Policy:
    """What no sub-agent may use, and what one may not that starts none itself; the configuration can lift it."""
    configured_tools = mapping(mapping(mapping(mapping(config).get("tools")).get("subagents")).get("tools"))
    defaults = mapping(mapping(mapping(mapping(config).get("agents")).get("defaults")).get("subagents"))
    leaf = depth >= max(1, count(defaults.get("maxSpawnDepth"), 1))
    allow, also = texts(configured_tools.get("allow")), texts(configured_tools.get("alsoAllow")) or []
    lifted = {normal(name) for name in (*(allow or ()), *also)}
    deny = [name for name in (*SUBAGENT_DENY, *(LEAF_DENY if leaf else ())) if name not in lifted]
    deny += texts(configured_tools.get("deny")) or []
    return Policy("the sub-agent's policy", tuple([*allow, *also] if allow else ()), tuple(deny), additive=False)
