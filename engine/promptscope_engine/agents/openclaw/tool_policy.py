"""Tool policies: lists of what may be used, applied one after the other (docs/agents/openclaw.md#tools).

A step never adds a tool. Inside a step a denial wins, an empty allow list admits everything, groups are written out,
`*` is a wildcard, and names are compared in lower case after two aliases.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.levers import count
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Facts, Levers
from promptscope_engine.prompt.model import Diagnostic

from .levers import SettingLevers, dotted
from .params import ToolStandIn
from .texts import FOLDER, NEWER

SUBAGENT_LISTS: Path = ("tools", "subagents", "tools")


class Lists(Struct, frozen=True):
    """The lists of tools of one version."""

    aliases: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    profiles: Mapping[str, tuple[str, ...]]
    owner_only: tuple[str, ...]
    sandbox: Mapping[str, tuple[str, ...]]
    subagents: Mapping[str, tuple[str, ...]]
    depth: int
    """How deep sub-agents start others, unless the configuration says so."""
    lifted: bool
    """The configuration can allow what a sub-agent is denied."""
    patches: str
    """The tool that admits apply_patch where it is in an allow list."""
    strict: bool
    """An allow list of the configuration counts whatever it names, and an empty one admits nothing [asked]."""

    def normal(self, name: str) -> str:
        """A tool's name as it is compared."""
        lower = js_trim(name).lower()
        return self.aliases.get(lower, lower)

    def expand(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names with `group:<id>` written out."""
        found: list[str] = []
        for name in filter(None, map(self.normal, names)):
            found += self.groups.get(name.removeprefix("group:"), (name,)) if name.startswith("group:") else (name,)
        return tuple(dict.fromkeys(found))


_LISTS = Lists(
    depth=5,
    lifted=False,
    patches="write",
    strict=True,
    owner_only=(
        "automations", "gateway", "plugins", "sessions", "screen", "terminal", "portal", "conversations_list",
        "conversations_send", "conversations_turn", "nodes", "computer", "mobile_ui", "openclaw",
    ),
    aliases={"bash": "exec", "apply-patch": "apply_patch", "cron": "automations"},
    sandbox={
        "allow": (
            "exec", "process", "read", "ls", "write", "edit", "apply_patch", "view_image", "sessions_list",
            "sessions_history", "sessions_search", "sessions_send", "sessions_spawn", "sessions_yield", "subagents",
            "session_status",
        ),
        "deny": (
            "browser", "canvas", "computer", "mobile_ui", "nodes", "automations", "gateway", "telegram", "whatsapp",
            "discord", "irc", "googlechat", "slack", "signal", "imessage",
        ),
    },
    subagents={
        "deny": (
            "agents_list", "automations", "conversations_list", "conversations_send", "conversations_turn",
            "gateway", "message", "openclaw", "progress_card", "session_status", "sessions_send", "ask_user",
            "secrets",
        ),
        "deny_leaves": ("subagents", "sessions_list", "sessions_history", "sessions_search", "sessions_spawn"),
    },
    profiles={
        "minimal": ("session_status", "gateway"),
        "coding": (
            "group:fs", "group:runtime", "group:web", "group:memory", "group:sessions", "screen", "theme",
            "dashboard", "terminal", "portal", "automations", "gateway", "plugins", "get_goal", "create_goal",
            "update_goal", "progress_card", "ask_user", "skill_workshop", "view_image", "image_generate",
            "music_generate", "video_generate", "intent", "group:mcp",
        ),
        "messaging": (
            "secrets", "sessions", "sessions_list", "sessions_history", "sessions_search", "conversations_list",
            "conversations_send", "conversations_turn", "sessions_send", "sessions_spawn", "sessions_yield",
            "subagents", "session_status", "theme", "message", "gateway", "ask_user", "intent", "group:mcp",
        ),
    },
    groups={
        "fs": ("ls", "read", "write", "edit", "apply_patch"),
        "runtime": ("exec", "process", "code_execution", "secrets"),
        "web": ("web_search", "web_fetch", "x_search"),
        "memory": ("memory_search", "memory_get"),
        "sessions": (
            "sessions", "sessions_list", "sessions_history", "sessions_search", "conversations_list",
            "conversations_send", "conversations_turn", "sessions_send", "sessions_spawn", "github_identity_status",
            "github_publish", "agents_wait", "sessions_yield", "subagents", "session_status", "suggest_task",
            "dismiss_task",
        ),
        "ui": ("browser", "screen", "theme", "dashboard", "terminal", "portal", "canvas", "show_widget"),
        "messaging": ("message",),
        "automation": ("heartbeat_respond", "automations", "gateway", "plugins", "openclaw"),
        "nodes": ("nodes", "computer", "mobile_ui"),
        "agents": (
            "agents_list", "get_goal", "create_goal", "update_goal", "progress_card", "ask_user", "skill_workshop",
        ),
        "media": ("view_image", "image_generate", "music_generate", "video_generate", "tts", "pdf"),
        "openclaw": (
            "code_execution", "secrets", "web_search", "web_fetch", "x_search", "memory_search", "memory_get",
            "sessions", "sessions_list", "sessions_history", "sessions_search", "conversations_list",
            "conversations_send", "conversations_turn", "sessions_send", "sessions_spawn", "github_identity_status",
            "github_publish", "agents_wait", "sessions_yield", "subagents", "session_status", "suggest_task",
            "dismiss_task", "browser", "screen", "theme", "dashboard", "terminal", "portal", "show_widget",
            "message", "heartbeat_respond", "automations", "gateway", "plugins", "openclaw", "nodes", "computer",
            "mobile_ui", "agents_list", "get_goal", "create_goal", "update_goal", "progress_card", "ask_user",
            "skill_workshop", "view_image", "image_generate", "music_generate", "video_generate", "tts", "pdf",
        ),
    },
)  # fmt: skip
"""A group is written `group:NAME`; `full` and profiles that are not here limit nothing. `openclaw` is everything of its
own but files, commands and the canvas."""
_OLDER_LISTS = Lists(
    depth=1,
    lifted=True,
    patches="exec",
    strict=False,
    owner_only=("cron", "gateway", "whatsapp_login"),
    aliases={"bash": "exec", "apply-patch": "apply_patch"},
    sandbox={
        "allow": ("group:runtime", "group:fs", "image", "group:sessions"),
        "deny": (
            "browser", "canvas", "nodes", "cron", "gateway", "telegram", "whatsapp", "discord", "irc", "googlechat",
            "slack", "signal", "imessage",
        ),
    },
    subagents={
        "deny": (
            "gateway", "agents_list", "whatsapp_login", "session_status", "cron", "memory_search", "memory_get",
            "sessions_send",
        ),
        "deny_leaves": ("sessions_list", "sessions_history", "sessions_spawn"),
    },
    profiles={
        "minimal": ("session_status",),
        "coding": ("group:fs", "group:runtime", "memory_search", "memory_get", "group:sessions", "cron", "image"),
        "messaging": ("sessions_list", "sessions_history", "sessions_send", "session_status", "message"),
    },
    groups={
        "fs": ("read", "write", "edit", "apply_patch"),
        "runtime": ("exec", "process"),
        "web": ("web_search", "web_fetch"),
        "memory": ("memory_search", "memory_get"),
        "sessions": (
            "sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents", "session_status",
        ),
        "ui": ("browser", "canvas"),
        "messaging": ("message",),
        "automation": ("cron", "gateway"),
        "nodes": ("nodes",),
        "agents": ("agents_list",),
        "media": ("image", "tts"),
        "openclaw": (
            "web_search", "web_fetch", "memory_search", "memory_get", "sessions_list", "sessions_history",
            "sessions_send", "sessions_spawn", "subagents", "session_status", "browser", "canvas", "message", "cron",
            "gateway", "nodes", "agents_list", "image", "tts",
        ),
    },
)  # fmt: skip
"""Those up to 2026.2.24; their `openclaw` has the canvas."""


def lists_of(version: str) -> Lists:
    """The lists of a version."""
    return _LISTS if version >= NEWER else _OLDER_LISTS


class Policy(Struct, frozen=True):
    """One step. `additive`: an allow list without any core tool is ignored (true of the first seven steps).

    `path` is the object that holds its lists. Of a `profile` only `also`, its `alsoAllow`, is written there; the
    profile itself is at `named`.
    """

    label: str
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    additive: bool = True
    path: Path = ()
    profile: str | None = None
    also: tuple[str, ...] = ()
    named: Path = ()
    lifts: Levers = ()
    """The inputs without which it is not in force, of the one of a sub-agent."""
    is_empty: bool = False
    """Its allow list is written, and names nothing."""


class Offer(Struct, frozen=True):
    """A tool that the agent may offer, and what decides it. `plugin`: the one it comes from."""

    name: str
    when: Condition
    plugin: str | None = None
    owner_only: bool = False
    created: bool = True
    """False: it is never created, so no policy has a say in it."""
    free: bool = False
    """It is there for the others, and no policy removes it."""
    waits: Condition | None = None
    """It is not sent, but found by others; None: it is always sent."""
    row: Condition | None = None
    """It may have a row in the directory; None: it has none, as those of servers."""
    given: ToolStandIn | None = None
    """What the scenario or a server says of it."""
    server: str | None = None
    form: str = ""
    """Its form: in code mode, or by what else is there."""
    adds: str = ""
    """What the settings add to its description."""

    @property
    def key(self) -> str:
        """The name as bullets and conditions compare it."""
        return js_trim(self.name).lower()


def idle(tools: Sequence[Offer], steps: Iterable[Policy], lists: Lists) -> list[Policy]:
    """The steps whose allow list is ignored as it names no core tool (`*` does, `web_*` doesn't)."""
    normal, expand = lists.normal, lists.expand
    if lists.strict:
        return []
    core = {normal(tool.name) for tool in tools if tool.plugin is None}
    found = []
    for step in steps:
        names = [name for name in map(normal, step.allow) if name]
        if step.additive and names and not any(n == "*" or not core.isdisjoint(expand([n])) for n in names):
            found.append(step)
    return found


def removed_by(tools: Sequence[Offer], step: Policy, lists: Lists) -> dict[int, tuple[str | None, bool]]:
    """{index of a removed tool: (the entry that denies it, whether the allow list lacks it)}."""
    plugins = _plugins(tools, lists)
    allow = () if idle(tools, [step], lists) else lists.expand(_with_plugins(step.allow, plugins, lists))
    denials = [(entry, lists.expand(_with_plugins((entry,), plugins, lists))) for entry in step.deny]
    removed = {}
    for at, tool in enumerate(tools):
        name = lists.normal(tool.name)
        entry = next((entry for entry, names in denials if _fits(name, names)), None)
        # another tool in an allow list admits apply_patch as well, even where it is denied itself
        allowed = (
            not (allow or (step.is_empty and lists.strict))
            or _fits(name, allow)
            or (name == "apply_patch" and _fits(lists.patches, allow))
        )
        if entry is not None or not allowed:
            removed[at] = (entry, not allowed)
    return removed


def denied_by(policy: Policy, name: str, lists: Lists) -> str | None:
    """The entry of a step's denials that fits the tool, as the configuration has it."""
    return next((entry for entry in policy.deny if _fits(lists.normal(name), lists.expand((entry,)))), None)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(stars_match(pattern, name) for pattern in patterns)


def _plugins(tools: Sequence[Offer], lists: Lists) -> dict[str, list[str]]:
    """The tools of each plugin, by its lower-cased id."""
    plugins: dict[str, list[str]] = {}
    for tool in tools:
        if tool.plugin is not None:
            plugins.setdefault(js_trim(tool.plugin).lower(), []).append(lists.normal(tool.name))
    return plugins


def _with_plugins(names: tuple[str, ...], plugins: Mapping[str, list[str]], lists: Lists) -> list[str]:
    """The names with `group:plugins` and plugins' ids replaced by those plugins' tools."""
    everything = [tool for tools in plugins.values() for tool in tools]
    found: list[str] = []
    for name in filter(None, map(lists.normal, names)):
        found += (everything or [name]) if name == "group:plugins" else plugins.get(name, [name])
    return found


# --- from the configuration ------------------------------------------------------------------------------------------


def listed(config: Json, label: str, path: Path = ()) -> Policy | None:
    """The policy of `{allow, alsoAllow, deny}`; `alsoAllow` on its own adds to everything."""
    allow, also = texts(mapping(config).get("allow")), texts(mapping(config).get("alsoAllow")) or []
    deny = texts(mapping(config).get("deny"))
    if also:
        allow = [*(allow or ["*"]), *also]
    if allow is None and deny is None:
        return None
    return Policy(label, tuple(dict.fromkeys(allow or ())), tuple(deny or ()), path=path, is_empty=allow == [])


def profile_policy(
    profile: str | None, also: list[str] | None, lists: Lists, named: Path = (), path: Path = ()
) -> Policy | None:
    """The policy of a profile; an unknown one and `full` limit nothing."""
    allow = lists.expand(lists.profiles.get(profile or "", ()))
    if not allow:
        return None
    names = tuple(dict.fromkeys((*allow, *(also or ()))))
    label = f"{dotted(named)} ({profile})"
    return Policy(label, names, path=path, profile=profile, also=tuple(also or ()), named=named)


def for_provider(tools: Json, provider: str | None, model: str | None) -> tuple[str, Mapping[str, Json]]:
    """The key of `byProvider`, as it is written, that counts, and its entry: `provider/model` before `provider`."""
    entries = mapping(mapping(tools).get("byProvider"))
    written = {js_trim(key).lower(): key for key in entries}
    provider, name = js_trim(provider or "").lower(), js_trim(model or "").lower()
    full = name if "/" in name else f"{provider}/{name}"
    for key in ((full, provider) if name else (provider,)) if provider else ():
        if key in written and (entry := mapping(entries[written[key]])):
            return written[key], entry
    return "", {}


def configured(
    settings: SettingLevers, own_path: Path, agent_id: str, model: tuple[str | None, str | None], lists: Lists
) -> list[Policy | None]:
    """The first six steps: profile, provider's profile, global, its provider, agent (`own_path`), its provider.

    `model` is its provider and its name.
    """
    shared, theirs = ("tools",), (*own_path, "tools")
    tools, own = settings.object(shared), settings.object(theirs) if own_path else {}
    key, by_provider = for_provider(tools, *model)
    own_key, own_by_provider = for_provider(own, *model)
    entry, own_entry = (*shared, "byProvider", key), (*theirs, "byProvider", own_key)
    provider_path = own_entry if not by_provider else entry
    return [
        _of_profile((own, theirs), (tools, shared), shared, lists),
        _of_profile((own_by_provider, own_entry), (by_provider, entry), provider_path, lists),
        listed(tools, "tools.allow/deny", shared),
        listed(by_provider, "tools.byProvider", entry),
        listed(own, f"agents.{agent_id}.tools", theirs),
        listed(own_by_provider, f"agents.{agent_id}.tools.byProvider", own_entry),
    ]


Holder = tuple[Mapping[str, Json], Path]
"""An object that holds lists of tools, and where it is."""


def _of_profile(own: Holder, shared: Holder, path: Path, lists: Lists) -> Policy | None:
    """The profile with what is allowed besides; `path`: where that is written unless the agent's own entry has some."""
    profile, named = own if text(own[0].get("profile")) else shared
    also, place = own if isinstance(own[0].get("alsoAllow"), list) else (shared[0], path)
    names = texts(also.get("alsoAllow"))
    return profile_policy(text(profile.get("profile")), names, lists, (*named, "profile"), place)


def sandbox_policy(settings: SettingLevers, own_path: Path, lists: Lists) -> Policy:
    """The sandbox's lists, the agent's own before the global ones before the defaults; `image` unless it is denied."""
    rest = ("tools", "sandbox", "tools")
    own = settings.object((*own_path, *rest)) if own_path else {}
    named: dict[str, tuple[str, ...]] = {key: lists.expand(names) for key, names in lists.sandbox.items()}
    for source in (settings.object(rest), own):
        named |= {key: tuple(found) for key in named if (found := texts(source.get(key))) is not None}
    allow, deny = lists.expand(named["allow"]), lists.expand(named["deny"])
    if allow and "image" not in deny:
        allow = tuple(dict.fromkeys((*allow, "image")))
    path: Path = (*own_path, *rest) if own else rest
    return Policy("tools.sandbox.tools (sandbox)", allow, deny, additive=False, path=path)


def subagent_policy(settings: SettingLevers, depth: int, lists: Lists) -> Policy:
    """What no sub-agent may use, and what one may not that starts none itself; 2026.2.24 can be made to allow it."""
    tools, said = settings.object(SUBAGENT_LISTS), lists.subagents
    leaf = depth >= max(1, count(settings.get("agents.defaults.subagents.maxSpawnDepth"), lists.depth))
    allow, also = texts(tools.get("allow")), texts(tools.get("alsoAllow")) or []
    allowed = {lists.normal(name) for name in (*(allow or ()), *also)} if lists.lifted else set()
    deny = [name for name in (*said["deny"], *(said["deny_leaves"] if leaf else ())) if name not in allowed]
    deny += texts(tools.get("deny")) or []
    return Policy("the sub-agent's policy", tuple([*allow, *also] if allow else ()), tuple(deny), False, SUBAGENT_LISTS)


# --- which tools are left --------------------------------------------------------------------------------------------


class Run(Struct, frozen=True):
    """What decides over all tools of a run: the policies in force, in order, and those of other runs.

    `owner`: who asks is one. `elsewhere` are the policies of runs that this one is not, each with what says so.
    """

    steps: Sequence[Policy]
    elsewhere: Sequence[tuple[Policy, Condition]]
    owner: Condition


def decide(
    offers: Sequence[Offer], run: Run, settings: SettingLevers, lists: Lists
) -> tuple[tuple[Offer, ...], tuple[Diagnostic, ...]]:
    """The tools with sender and policies added to their conditions, and the allow lists that are ignored."""
    owned = [replace(each, when=each.when & run.owner) if each.owner_only else each for each in offers]
    there = [at for at, offer in enumerate(owned) if not offer.free and offer.when.holds(Facts())]
    present = [owned[at] for at in there]
    against: list[list[Condition]] = [[] for _ in owned]
    plugins = _plugins(owned, lists)
    for step in run.steps:
        # a tool that is not created at all would have to pass the policies as well, among all the others
        removed = {at: how for at, how in removed_by(owned, step, lists).items() if at not in there}
        removed |= {there[at]: how for at, how in removed_by(present, step, lists).items()}
        for at, how in removed.items():
            against[at] += _step(step, owned[at].name, how, settings, (lists, plugins))
    hidden: list[list[Condition]] = [[] for _ in owned]
    for step, outside in run.elsewhere:
        for at in removed_by(owned, step, lists):
            hidden[at].append(outside)
    found = []
    for offer, conditions, others in zip(owned, against, hidden, strict=True):
        if offer.created and not offer.free:
            if not conditions:  # no policy removes the tool; `tools.deny` would
                off = [*settings.words("tools.deny"), offer.name]
                yes, no = "no policy removes it", "`tools.deny` denies it"
                conditions = [settings.decides("tools.deny", True, yes, no, off=off)]
            left = reduce(and_, [*conditions, *others])
            offer = replace(offer, when=offer.when & left)
        found.append(offer)
    message = "the allow list names no core tool and is ignored"
    ignored = (Diagnostic("warning", "tools", f"{step.label}: {message}") for step in idle(present, run.steps, lists))
    return tuple(found), (*ignored, *_nothing_left(found, run.steps, lists))


def _nothing_left(offers: Iterable[Offer], steps: Iterable[Policy], lists: Lists) -> Iterator[Diagnostic]:
    """Where allow lists leave no tool at all, nothing is sent; an empty one is taken for what is wanted [asked]."""
    named = [step.label for step in steps if step.additive and step.allow and step.profile is None]
    if lists.strict and named and not any(each.when.holds(Facts()) for each in offers if not each.free):
        yield Diagnostic(
            "error", "agent-refuses", f"OpenClaw sends nothing: {named[0]} allows none of the tools there are"
        )


def _step(
    policy: Policy,
    name: str,
    how: tuple[str | None, bool],
    settings: SettingLevers,
    known: tuple[Lists, Mapping[str, list[str]]],
) -> Iterator[Condition]:
    """The denial and the allow list of a step that removes the tool, each with the value that would let it pass."""
    entry, lacks = how
    lists, plugins = known
    deny, allow = (*policy.path, "deny"), (*policy.path, "alsoAllow" if policy.profile else "allow")
    if policy.path == SUBAGENT_LISTS:
        lifts = f" (`{dotted((*policy.path, 'alsoAllow'))}` may allow it)" if lists.lifted else ""
        yield FOLDER.reason("subagent_policy", False, {"on": policy.lifts}, policy=policy.label, lifts=lifts)
        return
    if entry is not None:
        no = f"`{dotted(deny)}` denies it" + (f" ({entry})" if entry != name else "")
        yield settings.decides(deny, False, "", no, on=without(policy, name, lists, plugins))
    if lacks:
        listed_ = policy.also if policy.profile else policy.allow
        no = f"`{policy.label}` does not allow it" if policy.profile else f"`{dotted(allow)}` does not allow it"
        yield settings.decides(policy.named or allow, False, "", no, on=[*listed_, lists.normal(name)], at=allow)


def without(policy: Policy, name: str, lists: Lists, plugins: Mapping[str, list[str]] | None = None) -> list[str]:
    """The step's denials without the tool: a group is written out, a pattern that fits is dropped."""
    found: list[str] = []
    tool = lists.normal(name)
    for entry in policy.deny:
        names = lists.expand(_with_plugins((entry,), plugins or {}, lists))
        found += [n for n in names if not stars_match(n, tool)] if _fits(tool, names) else [entry]
    return found
