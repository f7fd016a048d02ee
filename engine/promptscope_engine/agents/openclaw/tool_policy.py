"""Tool policies: lists of what may be used, applied one after the other (docs/agents/openclaw.md#tools).

A step never adds a tool. Inside a step a denial wins, an empty allow list admits everything, groups are written out,
`*` is a wildcard, and names are compared in lower case after two aliases.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.levers import count
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Fact, Facts
from promptscope_engine.prompt.leaves import param_decides
from promptscope_engine.prompt.model import Diagnostic, Lever

from .levers import SettingLevers, dotted
from .texts import FOLDER

_SAID = FOLDER.agent["policies"]
GROUPS: Mapping[str, tuple[str, ...]] = {group: tuple(names) for group, names in _SAID["groups"].items()}
PROFILES: Mapping[str, tuple[str, ...]] = {profile: tuple(names) for profile, names in _SAID["profiles"].items()}
OWNER_ONLY: tuple[str, ...] = tuple(_SAID["owner_only"])
SUBAGENT_LISTS: Path = ("tools", "subagents", "tools")


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


class Offer(Struct, frozen=True):
    """A tool that the agent may offer, and what decides it. `plugin`: the one it comes from."""

    name: str
    when: Condition
    plugin: str | None = None
    owner_only: bool = False
    created: bool = True
    """False: it is never created, so no policy has a say in it."""

    @property
    def key(self) -> str:
        """The name as bullets and conditions compare it."""
        return js_trim(self.name).lower()


@lru_cache(maxsize=1024)
def normal(name: str) -> str:
    """A tool's name as it is compared."""
    lower = js_trim(name).lower()
    return str(_SAID["aliases"].get(lower, lower))


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """The names with `group:<id>` written out."""
    found: list[str] = []
    for name in filter(None, map(normal, names)):
        found += GROUPS.get(name.removeprefix("group:"), (name,)) if name.startswith("group:") else (name,)
    return tuple(dict.fromkeys(found))


def idle(tools: Sequence[Offer], steps: Iterable[Policy]) -> list[Policy]:
    """The steps whose allow list is ignored as it names no core tool (`*` does, `web_*` doesn't)."""
    core = {normal(tool.name) for tool in tools if tool.plugin is None}
    found = []
    for step in steps:
        names = [name for name in map(normal, step.allow) if name]
        if step.additive and names and not any(n == "*" or not core.isdisjoint(expand([n])) for n in names):
            found.append(step)
    return found


def removed_by(tools: Sequence[Offer], step: Policy) -> dict[int, tuple[str | None, bool]]:
    """{index of a removed tool: (the entry that denies it, whether the allow list lacks it)}."""
    plugins = _plugins(tools)
    allow = () if idle(tools, [step]) else expand(_with_plugins(step.allow, plugins))
    denials = [(entry, expand(_with_plugins((entry,), plugins))) for entry in step.deny]
    removed = {}
    for at, tool in enumerate(tools):
        name = normal(tool.name)
        entry = next((entry for entry, names in denials if _fits(name, names)), None)
        # `exec` in an allow list admits apply_patch as well, even where exec itself is denied
        allowed = not allow or _fits(name, allow) or (name == "apply_patch" and _fits("exec", allow))
        if entry is not None or not allowed:
            removed[at] = (entry, not allowed)
    return removed


def denied_by(policy: Policy, name: str) -> str | None:
    """The entry of a step's denials that fits the tool, as the configuration has it."""
    return next((entry for entry in policy.deny if _fits(normal(name), expand((entry,)))), None)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(stars_match(pattern, name) for pattern in patterns)


def _plugins(tools: Sequence[Offer]) -> dict[str, list[str]]:
    """The tools of each plugin, by its lower-cased id."""
    plugins: dict[str, list[str]] = {}
    for tool in tools:
        if tool.plugin is not None:
            plugins.setdefault(js_trim(tool.plugin).lower(), []).append(normal(tool.name))
    return plugins


def _with_plugins(names: tuple[str, ...], plugins: Mapping[str, list[str]]) -> list[str]:
    """The names with `group:plugins` and plugins' ids replaced by those plugins' tools."""
    everything = [tool for tools in plugins.values() for tool in tools]
    found: list[str] = []
    for name in filter(None, map(normal, names)):
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
    return Policy(label, tuple(dict.fromkeys(allow or ())), tuple(deny or ()), path=path)


def profile_policy(profile: str | None, also: list[str] | None, named: Path = (), path: Path = ()) -> Policy | None:
    """The policy of a profile; an unknown one and `full` limit nothing."""
    allow = expand(PROFILES.get(profile or "", ()))
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
    settings: SettingLevers, own_path: Path, agent_id: str, provider: str | None, model: str | None
) -> list[Policy | None]:
    """The first six steps: profile, provider's profile, global, its provider, agent (`own_path`), its provider."""
    shared, theirs = ("tools",), (*own_path, "tools")
    tools, own = mapping(settings.get(shared)), mapping(settings.get(theirs)) if own_path else {}
    key, by_provider = for_provider(tools, provider, model)
    own_key, own_by_provider = for_provider(own, provider, model)
    entry, own_entry = (*shared, "byProvider", key), (*theirs, "byProvider", own_key)
    provider_path = own_entry if not by_provider else entry
    return [
        _of_profile((own, theirs), (tools, shared), shared),
        _of_profile((own_by_provider, own_entry), (by_provider, entry), provider_path),
        listed(tools, "tools.allow/deny", shared),
        listed(by_provider, "tools.byProvider", entry),
        listed(own, f"agents.{agent_id}.tools", theirs),
        listed(own_by_provider, f"agents.{agent_id}.tools.byProvider", own_entry),
    ]


Lists = tuple[Mapping[str, Json], Path]
"""An object that holds lists of tools, and where it is."""


def _of_profile(own: Lists, shared: Lists, path: Path) -> Policy | None:
    """The profile with what is allowed besides; `path`: where that is written unless the agent's own entry has some."""
    profile, named = own if text(own[0].get("profile")) else shared
    also, place = own if isinstance(own[0].get("alsoAllow"), list) else (shared[0], path)
    return profile_policy(text(profile.get("profile")), texts(also.get("alsoAllow")), (*named, "profile"), place)


def sandbox_policy(settings: SettingLevers, own_path: Path) -> Policy:
    """The sandbox's lists, the agent's own before the global ones before the defaults; `image` unless it is denied."""
    rest = ("tools", "sandbox", "tools")
    own = mapping(settings.get((*own_path, *rest))) if own_path else {}
    lists: dict[str, tuple[str, ...]] = {key: expand(names) for key, names in _SAID["sandbox"].items()}
    for source in (mapping(settings.get(rest)), own):
        lists |= {key: tuple(found) for key in lists if (found := texts(source.get(key))) is not None}
    allow, deny = expand(lists["allow"]), expand(lists["deny"])
    if allow and "image" not in deny:
        allow = tuple(dict.fromkeys((*allow, "image")))
    path: Path = (*own_path, *rest) if own else rest
    return Policy("tools.sandbox.tools (sandbox)", allow, deny, additive=False, path=path)


def subagent_policy(settings: SettingLevers, depth: int) -> Policy:
    """What no sub-agent may use, and what one may not that starts none itself; the configuration can allow it."""
    tools = mapping(settings.get(SUBAGENT_LISTS))
    leaf = depth >= max(1, count(settings.get("agents.defaults.subagents.maxSpawnDepth"), 1))
    allow, also = texts(tools.get("allow")), texts(tools.get("alsoAllow")) or []
    allowed = {normal(name) for name in (*(allow or ()), *also)}
    lists = _SAID["subagents"]
    deny = [name for name in (*lists["deny"], *(lists["deny_leaves"] if leaf else ())) if name not in allowed]
    deny += texts(tools.get("deny")) or []
    return Policy("the sub-agent's policy", tuple([*allow, *also] if allow else ()), tuple(deny), False, SUBAGENT_LISTS)


# --- which tools are left --------------------------------------------------------------------------------------------


def decide(
    offers: Sequence[Offer], steps: Sequence[Policy], settings: SettingLevers, *, owner: bool
) -> tuple[tuple[Offer, ...], tuple[Diagnostic, ...]]:
    """The tools with sender and policies added to their conditions, and the allow lists that are ignored."""
    owned = [_with_owner(offer, owner) for offer in offers]
    there = [at for at, offer in enumerate(owned) if offer.when.holds(Facts())]
    present = [owned[at] for at in there]
    against: list[list[Condition]] = [[] for _ in owned]
    for step in steps:
        # a tool that is not created at all would have to pass the policies as well, among all the others
        removed = {at: how for at, how in removed_by(owned, step).items() if at not in there}
        removed |= {there[at]: how for at, how in removed_by(present, step).items()}
        for at, how in removed.items():
            against[at] += _step(step, owned[at].name, how, settings, _plugins(owned))
    found = []
    for offer, conditions in zip(owned, against, strict=True):
        if offer.created:
            if not conditions:  # no policy removes the tool; `tools.deny` would
                off = [*(texts(settings.get("tools.deny")) or []), offer.name]
                yes, no = "no policy removes it", "`tools.deny` denies it"
                conditions = [settings.decides("tools.deny", True, yes, no, off=off)]
            left = reduce(and_, conditions)
            offer = replace(offer, when=offer.when & left)
        found.append(offer)
    message = "the allow list names no core tool and is ignored"
    ignored = (Diagnostic("warning", "tools", f"{step.label}: {message}") for step in idle(present, steps))
    return tuple(found), tuple(ignored)


def _with_owner(offer: Offer, owner: bool) -> Offer:
    if not offer.owner_only:
        return offer
    no = "only an owner may use it, and `senderIsOwner` is off"
    is_owner = param_decides("senderIsOwner", owner, ("an owner may use it", no), on=True, off=False)
    return replace(offer, when=offer.when & is_owner)


def _step(
    policy: Policy, name: str, how: tuple[str | None, bool], settings: SettingLevers, plugins: Mapping[str, list[str]]
) -> Iterator[Condition]:
    """The denial and the allow list of a step that removes the tool, each with the value that would let it pass."""
    entry, lacks = how
    deny, allow = (*policy.path, "deny"), (*policy.path, "alsoAllow" if policy.profile else "allow")
    if policy.path == SUBAGENT_LISTS:
        no = f"the sub-agent's policy denies it (`{dotted((*policy.path, 'alsoAllow'))}` may allow it)"
        yield Fact("flag", policy.label, False, "", no, on=(Lever("sessionKey", None),))
        return
    if entry is not None:
        no = f"`{dotted(deny)}` denies it" + (f" ({entry})" if entry != name else "")
        yield settings.decides(deny, False, "", no, on=without(policy, name, plugins))
    if lacks:
        known = policy.also if policy.profile else policy.allow
        no = f"`{policy.label}` does not allow it" if policy.profile else f"`{dotted(allow)}` does not allow it"
        yield settings.decides(policy.named or allow, False, "", no, on=[*known, normal(name)], at=allow)


def without(policy: Policy, name: str, plugins: Mapping[str, list[str]] | None = None) -> list[str]:
    """The step's denials without the tool: a group is written out, a pattern that fits is dropped."""
    found: list[str] = []
    for entry in policy.deny:
        names = expand(_with_plugins((entry,), plugins or {}))
        found += [n for n in names if not stars_match(n, normal(name))] if _fits(normal(name), names) else [entry]
    return found
