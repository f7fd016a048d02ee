"""The sandbox of a session, the tools that OpenClaw creates with their gates, and what switches plugins on."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from hashlib import sha256
from operator import and_

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import mapping, text, texts
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.openclaw.gather.channels import USUAL, comes_by_channel
from promptscope_engine.agents.openclaw.gather.config import state_dir, user_path
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun, Box, agent_id
from promptscope_engine.agents.openclaw.levers import SettingLevers, dotted, split
from promptscope_engine.agents.openclaw.materials import Answers, Parameter, Prompt, literal, parameter
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.agents.openclaw.tool_policy import (
    Lists,
    Offer,
    Policy,
    denied_by,
    sandbox_policy,
    without,
)
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import label
from promptscope_engine.prompt.leaves import either, equals, flag
from promptscope_engine.prompt.sourced import Sourced

DEFAULT_WORKDIR = "/workspace"
AGENT_MOUNT = "/agent"


def box(inputs: Inputs, settings: SettingLevers, own: Path, session: tuple[str, str], folder: str) -> Box:
    """The sandbox of a session, given as agent and key; `folder` is the agent's own workspace."""
    agent_id, key = session

    def first(name: str, default: str) -> Sourced[str]:
        return settings.first(text, *_paths(own, name), default=default)

    mode, access = first("mode", "off"), first("workspaceAccess", "none")
    scope = first("scope", "agent").value
    own_main, named = main_key(settings, agent_id), _main_name(settings)
    main = key in ("main", named, own_main, f"agent:{agent_id}:main", f"agent:{agent_id}:{named}")
    no = f"`{mode.source.key}` is non-main and this is the main session" if mode.value == "non-main" and main else None
    active = mode.is_("all", *(() if main else ("non-main",)), unset="off", no=no)
    on = mode.value == "all" or (mode.value == "non-main" and not main)
    copied = folder
    if on and access.value != "rw":
        root = first("workspaceRoot", "").value
        root = user_path(root, inputs) if root else f"{state_dir(inputs)}/sandboxes"
        copied = root if scope == "shared" else f"{root}/{_slug(key if scope == 'session' else f'agent:{agent_id}')}"
    paths = _paths(own, "docker.workdir")
    workdir = settings.first(text, *(paths[-1:] if scope == "shared" else paths), default=DEFAULT_WORKDIR)
    return Box(mode, active, on, access, copied, workdir.value)


def _paths(own: Path, name: str) -> tuple[Path, ...]:
    """The agent's own setting before the default one."""
    rest = ("sandbox", *split(name))
    return (*([(*own, *rest)] if own else []), ("agents", "defaults", *rest))


def sandbox(run: AgentRun, prompt: Prompt) -> Answers:
    """What the prompt is told about the sandbox in use, or of the one that the scenario passes."""
    if prompt.passes("sandboxInfo"):
        return _passed(prompt)
    settings, own, box = run.settings, run.own, run.box
    policy = sandbox_policy(settings, own, run.lists)
    browser = settings.first(_is_true, *_paths(own, "browser.enabled"), default=False)
    host = settings.first(_is_true, *_paths(own, "browser.allowHostControl"), default=False)
    allowed = host.is_(True, unset=False)
    level = settings.word("agents.defaults.elevatedDefault") or "on"

    def value(text_: str, because: Condition = box.active) -> Parameter:
        return parameter(literal(text_), "sandbox", because=because)

    return Answers(
        on=box.active,
        inside=box.active,
        workdir=value(box.workdir),
        host=value(box.folder),
        access=value(box.access.value),
        mount=value(AGENT_MOUNT, box.access.is_("ro", unset="none")),
        browser=browser.is_(True, unset=False) & _browser_allowed(settings, policy, run.lists),
        no_vnc=prompt.parameter("sandboxInfo.browserNoVncUrl"),
        host_browser_allowed=allowed,
        host_browser_blocked=~allowed,
        elevated=_elevated(settings, own, run.channel),
        elevated_configured=_elevated_configured(settings),
        elevated_level=label(level),
    )


def _elevated_configured(settings: SettingLevers) -> Condition:
    """Anything is said about commands outside the sandbox."""
    path = ("tools", "elevated")
    said = settings.object(path)
    ok = said.get("enabled") is True and bool(mapping(said.get("allowFrom")))
    yes, no = "elevated commands are set up", "`tools.elevated` sets up no elevated commands"
    return settings.decides(path, ok, yes, no)


def _is_true(value: Json) -> bool | None:
    return None if value is None else value is True


def _browser_allowed(settings: SettingLevers, policy: Policy, lists: Lists) -> Condition:
    """The sandbox's policy, which denies the browser by default."""
    path: Path = (*policy.path, "deny")
    entry, key = denied_by(policy, "browser", lists), dotted(path)
    return settings.decides(
        path, entry is None, f"`{key}` does not deny the browser", f"`{key}` denies the browser",
        on=without(policy, "browser", lists), off=[*policy.deny, "browser"],
    )  # fmt: skip


def _elevated(settings: SettingLevers, own: Path, channel: str | None) -> Condition:
    """Commands outside the sandbox: for senders of this channel whom the configuration lists."""
    path = ("tools", "elevated", "enabled")
    switches: list[Path] = [path, *([(*own, *path)] if own and settings.get((*own, *path)) is False else [])]
    enabled = [settings.switch(path, usual=True) for path in switches]
    senders = f"tools.elevated.allowFrom.{channel or USUAL}"
    listed = settings.known(senders, texts(settings.get(senders))).is_given(["*"], [])
    return reduce(and_, (*reversed(enabled), comes_by_channel(channel), listed))


def _passed(prompt: Prompt) -> Answers:
    """The sandbox that the scenario passes as `promptParams.sandboxInfo`."""
    key, info = "promptParams.sandboxInfo", prompt.object("sandboxInfo")
    elevated = mapping(info.get("elevated"))

    def known(name: str) -> Condition:
        there, param = bool(info.get(name)), f"{key}.{name}"
        return Fact(
            "flag", param, there, f"`{param}` is passed", f"`{param}` is not passed", remedy=f"`--set {param}=TEXT`"
        )

    def value(name: str, more: Condition | None = None) -> Parameter:
        found = info.get(name)
        because = known(name) if more is None else more & known(name)
        return parameter(literal(found) if isinstance(found, str) else "", key, because=because)

    on = flag(f"{key}.enabled", yes="the sandbox is on", no="no sandbox is passed")
    named = bool(text(info.get("containerWorkspaceDir")))
    directory = FOLDER.reason("names_directory", named)
    return Answers(
        on=on,
        inside=on & directory,
        workdir=value("containerWorkspaceDir"),
        host=value("workspaceDir"),
        access=value("workspaceAccess"),
        mount=value("agentWorkspaceMount", known("workspaceAccess")),
        browser=known("browserBridgeUrl"),
        no_vnc=value("browserNoVncUrl"),
        host_browser_allowed=equals(f"{key}.hostBrowserAllowed", True),
        host_browser_blocked=equals(f"{key}.hostBrowserAllowed", False),
        elevated=equals(f"{key}.elevated.allowed", True, no="elevated commands are not allowed"),
        elevated_configured=equals(f"{key}.elevated.allowed", True, no="elevated commands are not allowed"),
        elevated_level=label(str(elevated.get("defaultLevel") or "")),
    )


def main_key(settings: SettingLevers, agent_id: str) -> str:
    """The key of an agent's main session."""
    if settings.get("session.scope") == "global":
        return "global"
    return f"agent:{agent_id}:{_main_name(settings)}"


def _main_name(settings: SettingLevers) -> str:
    return (settings.word("session.mainKey") or "main").lower()


def _slug(scope: str) -> str:
    """The name of a sandbox's folder: the readable start of its key, and a hash of it."""
    trimmed = js_trim(scope) or "session"
    safe = re.sub(r"[^a-z0-9._-]+", "-", trimmed.lower()).strip("-")[:32] or "session"
    return f"{safe}-{sha256(trimmed.encode()).hexdigest()[:8]}"


_MEMORY = "plugins.slots.memory"
_LANCEDB = ("plugins", "entries", "memory-lancedb", "config")
_FEISHU: Path = ("channels", "feishu")
_FEISHU_TOOLS = {"doc": True, "scopes": True, "wiki": True, "drive": True, "perm": False}
"""The switches of Feishu's tools, and whether each is on unless it is set."""
_CREDENTIALS = {"appId": "cli_a1", "appSecret": "secret"}


_MEMORIES = ("memory-core", "memory-lancedb")
"""Plugins of which only the one is on that plugins.slots.memory names; the first one if it names none."""


def switched_on(settings: SettingLevers, plugin: str, *, usual: bool = False) -> Condition:
    """The plugin is loaded: not forbidden, and switched on by its entry or (before that, for memory) by its slot.

    `usual`: it is on unless the configuration says otherwise.
    """
    written = js_trim(settings.word(_MEMORY) or "")
    slot = "none" if written.lower() == "none" else written or _MEMORIES[0]
    if slot == plugin or plugin in _MEMORIES:
        chosen = settings.decides(
            _MEMORY, slot == plugin, *either(f"`{_MEMORY}` is {slot}", (plugin,)), on=plugin, off="none"
        )
    else:
        entry: Path = ("plugins", "entries", plugin, "enabled")
        chosen = settings.switch(entry, usual=usual)
    allow = _names(settings, "allow")
    yes, no = f"`plugins.allow` names {plugin}, or nothing", f"`plugins.allow` lacks {plugin}"
    is_allowed = not any(allow) or plugin in allow
    allowed = settings.decides("plugins.allow", is_allowed, yes, no, on=[*allow, plugin], off=["telegram"])
    return chosen & allowed & not_forbidden(settings, plugin)


def not_forbidden(settings: SettingLevers, plugin: str) -> Condition:
    """Plugins are on, and this one is not denied."""
    deny = _names(settings, "deny")
    yes, no = f"`plugins.deny` does not name {plugin}", f"`plugins.deny` names {plugin}"
    rest = [name for name in deny if name != plugin]
    admitted = settings.decides("plugins.deny", plugin not in deny, yes, no, on=rest, off=[*deny, plugin])
    return settings.switch("plugins.enabled", usual=True) & admitted


def _names(settings: SettingLevers, key: str) -> list[str]:
    return [js_trim(name) for name in settings.words(("plugins", key))]


def names_tool(run: AgentRun, steps: Iterable[Policy], name: str, plugin: str) -> Condition:
    """A list of allowed tools names an optional tool, its plugin or all plugins; a wildcard does not."""
    settings, normal = run.settings, run.lists.normal
    named = {normal(entry) for step in steps if step.profile is None for entry in step.allow}
    ok = not named.isdisjoint((normal(name), plugin, "group:plugins"))
    key = "tools.allow" if texts(settings.get("tools.allow")) else "tools.alsoAllow"
    yes, no = "a list of allowed tools names it or its plugin", "it is optional: no list of allowed tools names it"
    return settings.decides(key, ok, yes, no, on=[*settings.words(key), name])


def feishu(settings: SettingLevers) -> Mapping[str, Condition]:
    """What Feishu's tools go by: the first account in use and its switches; tables need the channel's credentials."""
    channel = settings.object(_FEISHU)
    accounts = mapping(channel.get("accounts"))
    names = [name for name in accounts if name] or ["default"]
    sorted_names = [names[at] for at in locale_order(names)]
    used = next((name for name in map(agent_id, sorted_names) if _in_use(channel, accounts.get(name))), None)
    yes, no = "an account of Feishu has its credentials", "no account of Feishu that is on has `appId` and `appSecret`"
    on: Json = {"enabled": True, **_CREDENTIALS}
    account = settings.decides(_FEISHU, used is not None, yes, no, on=None if accounts else on)
    own: Path = (*_FEISHU, "accounts", used or "")
    place = own if "tools" in settings.object(own) else _FEISHU

    def switch(name: str, default: bool) -> Condition:
        at = (*place, "tools", name)
        is_on = bool(settings.object(at[:-1]).get(name, default))
        return settings.known(at, is_on).is_(True, unset=False)

    found = {name: account & switch(name, default) for name, default in _FEISHU_TOOLS.items()}
    tables = (_is_set(settings, (*_FEISHU, key), example) for key, example in _CREDENTIALS.items())
    return {**found, "bitable": reduce(and_, tables)}


def _is_set(settings: SettingLevers, path: Path, example: str) -> Condition:
    """A credential is given, which is not shown."""
    key = dotted(path)
    return settings.decides(path, bool(settings.get(path)), f"`{key}` is set", f"`{key}` is not set", on=example)


def _in_use(channel: Mapping[str, Json], account: Json) -> bool:
    merged = {**channel, **mapping(account)}
    ready = all(js_trim(text(merged.get(key)) or "") for key in _CREDENTIALS)
    return ready and channel.get("enabled") is not False and merged.get("enabled") is not False


OPENAI_MODEL = "openai/gpt-5.2"
"""What a lever sets where a gate needs a model of that provider."""

CREATED_NEVER = ("grep", "find", "ls")


def own_tools(run: AgentRun, steps: Sequence[Policy]) -> list[Offer]:
    """OpenClaw's own tools in the request's order, and some with a bullet only; `steps` admit optional ones."""
    settings, never = run.settings, FOLDER.reason("never_created")
    scope = Scope(
        {
            "boxed": run.box.active,
            "chats": comes_by_channel(run.channel),
            # without a key for its embeddings the configuration is refused
            "embeds": partial(_is_set, settings, (*_LANCEDB, "embedding", "apiKey"), "sk-1"),
            "feishu": partial(feishu, settings),
            "searches": partial(_searches, run),
            "lean": run.first(_is_true, "experimental.localModelLean", False).is_(True, unset=False),
            "cron": FOLDER.reason("cron", run.session.kind == "cron", {"off": run.to_main}, kind=run.session.kind),
            "sends": FOLDER.reason("message_tool", not run.params.disableMessageTool),
            "writable": partial(_writable, run),
            "patches": partial(_apply_patch, run),
            "searches_web": settings.switch("tools.web.search.enabled", usual=True),
            "fetches": settings.switch("tools.web.fetch.enabled", usual=True),
            "looks": partial(_has_model, run, "imageModel"),
            "reads_pdf": lambda: _has_model(run, "pdfModel") | _has_model(run, "imageModel"),
            "draws": partial(_has_model, run, "mediaModels.image"),
            "composes": partial(_has_model, run, "mediaModels.music"),
            "films": partial(_has_model, run, "mediaModels.video"),
            "swarms": partial(_swarms, settings),
            "logs_in": partial(_whatsapp, settings),
            "plans": settings.switch("tools.updatePlan", usual=True),
        },
        version=run.version,
    )
    names = FOLDER.tool_order(run.version)
    created = [_offer(name, run, steps, scope) for name in names]
    return [*created, *(Offer(name, never, created=False) for name in CREATED_NEVER if name not in names)]


def _offer(name: str, run: AgentRun, steps: Sequence[Policy], scope: Scope) -> Offer:
    """A tool with what its front matter says of it: its plugin, and whether only a list can admit it."""
    source = FOLDER.tool_source(name, run.version)
    assert source is not None
    plugin: str | None = source.head.get("plugin")
    when = FOLDER.condition(source.head.get("when", ""), scope, source.file)
    if plugin:
        when = _plugin_on(run, plugin) & when
    if plugin and source.head.get("optional"):
        when = when & names_tool(run, steps, name, plugin)
    return Offer(name, when, plugin, name in run.lists.owner_only)


def _plugin_on(run: AgentRun, plugin: str) -> Condition:
    """A run without a gateway loads the memory's plugin by its slot, whatever `plugins.allow` names [2026.9.6]."""
    usual = run.is_newer
    on = switched_on(run.settings, plugin, usual=usual)
    if not usual or plugin not in _MEMORIES or run.channel:
        return on
    no = run.settings.get(_MEMORY) == "none"
    slot = run.settings.decides(
        _MEMORY, not no, "the memory has its slot", f"`{_MEMORY}` is none", on=plugin, off="none"
    )
    return slot & not_forbidden(run.settings, plugin)


def stand_ins(tools: Sequence[ToolStandIn], lists: Lists) -> list[Offer]:
    """The scenario's tools, in its order."""
    owned = lists.owner_only
    return [Offer(t.name, ALWAYS, t.pluginId, t.ownerOnly or lists.normal(t.name) in owned, given=t) for t in tools]


_DIRECT = (
    "read", "write", "edit", "apply_patch", "ls", "exec", "process", "openclaw", "sessions_yield", "computer",
    "heartbeat_respond",
)  # fmt: skip
"""Tools that are sent as they are while the others wait in the directory."""
_CONTROLS = {"tool_search": "tools", "tool_describe": "tools", "tool_call": "tools", "tool_search_code": "code"}
"""Those that find and call the others, each with its mode of search."""
_IN_CODE_MODE = ("exec", "wait", "openclaw", "sessions_yield")


def searching(offers: Iterable[Offer], answers: Answers, by_tool_only: Condition) -> Iterator[Offer]:
    """The offers, each that is not sent by itself with the condition under which it waits [2026.9.6]."""
    found = answers.code | answers.searched
    for offer in offers:
        key = offer.key
        if key in _CONTROLS or key == "wait":
            on = answers.controls[_CONTROLS[key]] & answers.waiting if key in _CONTROLS else answers.code
            yield replace(offer, when=on & offer.when, free=True)
            continue
        if key in _DIRECT:
            waits, row = None if key in _IN_CODE_MODE else answers.code, None
        elif key == "message":
            waits, row = answers.code | answers.searched & ~by_tool_only, answers.waiting & ~by_tool_only
        else:
            waits, row = found, answers.waiting
        scripted = key == "exec" and answers.code.holds(Facts())  # then it is one of the controls: no policy removes it
        form, free = ("code", True) if scripted else ("", offer.free)
        yield replace(offer, waits=waits, row=None if offer.server else row, form=form, free=free)


def _whatsapp(settings: SettingLevers) -> Condition:
    """The channel's plugin is on. `openclaw agent --local` loads no channels, so only a message by one has its tool."""
    key = "channels.whatsapp"
    channel = settings.object(key)
    no = f"`{key}.enabled` is off" if channel else f"`{key}` is not configured"
    is_on = bool(channel) and channel.get("enabled") is not False
    configured = settings.decides(key, is_on, f"`{key}` is configured", no, on={"enabled": True})
    return configured & not_forbidden(settings, "whatsapp")


def _writable(run: AgentRun) -> Condition:
    """The workspace may be written: only in a sandbox can it be read-only."""
    access = run.box.access
    yes, no = "the files may be written", f"the sandbox may only read the workspace: `{access.source.key}` is ro"
    return ~run.box.active | access.is_("rw", "none", unset="ro", yes=yes, no=no)


def _apply_patch(run: AgentRun) -> Condition:
    key, settings = "tools.exec.applyPatch", run.settings
    path: Path = split(key)
    if run.own and settings.object((*run.own, *path)):
        path = (*run.own, *path)
    provider, model = run.provider, run.model_name.strip().lower()
    openai = FOLDER.reason("openai", provider in ("openai", "openai-codex"), provider=provider or "not known")
    fits = ALWAYS if run.is_newer else openai
    allowed = [name.strip().lower() for name in settings.words((*path, "allowModels"))]
    names = dotted((*path, "allowModels"))
    admitted = settings.decides(
        (*path, "allowModels"), not allowed or model in allowed or f"{provider}/{model}" in allowed,
        f"`{names}` admits the model", f"`{names}` lacks the model", on=[*allowed, model],
    )  # fmt: skip
    able = settings.switch((*path, "enabled"), usual=run.is_newer) & _writable(run) & fits & admitted
    return Named("tool", "apply_patch", able, "it is switched on for this model")


def _searches(run: AgentRun) -> Condition:
    """The memory is searched: the agent's own setting counts first."""
    return run.settings.first(
        lambda value: value is not False if isinstance(value, bool) else None,
        *_of_memory(run, "enabled"),
        default=True,
    ).is_(True, unset=False)


def _of_memory(run: AgentRun, *key: str) -> tuple[Path, ...]:
    """Where a setting of the memory's search is: the agent's own place, then that of all."""
    below, usual = (("memory", "search"), ()) if run.is_newer else (("memorySearch",), ("agents", "defaults"))
    return (*([(*run.own, *below, *key)] if run.own else []), (*usual, *below, *key))


def _has_model(run: AgentRun, name: str) -> Condition:
    """A model for pictures, music and the like is named; 2026.9.6 goes by another one to fall back to as well."""
    key = f"agents.defaults.{name}"
    named = run.settings.get(key)
    others = texts(mapping(named).get("fallbacks")) or [] if run.is_newer else []
    model = next(filter(None, map(text, (named, mapping(named).get("primary"), *others))), None)
    no = f"`{key}` names no model (a model with its own keys may still offer it)"
    return run.settings.decides(key, model is not None, f"`{key}` is {model}", no, on=OPENAI_MODEL, off="")


def _swarms(settings: SettingLevers) -> Condition:
    """Sub-agents may work as a group whose results are collected."""
    value = settings.get(_SWARM)
    is_on = value is not False and mapping(value).get("enabled") is not False
    return settings.decides(_SWARM, is_on, "sub-agents may work as a group", f"`{_SWARM}` is off", on=True, off=False)


_SWARM = "tools.swarm"


def in_form(run: AgentRun, offers: Iterable[Offer]) -> Iterator[Offer]:
    """The offers, each with the form of its text that fits the others and the settings [asked of 2026.9.6]."""
    found = list(offers)
    facts = Facts()
    there = {offer.key for offer in found if offer.when.holds(facts)}
    extra = run.settings.first(lambda value: _named_places(value) or None, *_of_memory(run, "extraPaths"), default=())
    forms = {
        "sessions_yield": "" if "agents_wait" in there else "alone",
        "memory_search": "further" if extra.value else "",
        "memory_get": "further" if extra.value else "",
        "openclaw": "" if _has_full_access(run) else "asking",
        "gateway": _form_of_gateway(run, there),
        "sessions_spawn": "" if "agents_list" in there else "alone",
        "exec": _form_of_exec(run, there),
        "process": "" if "automations" in there else "alone",
    }
    adds = {"message": _actions(run), "tool_search": f" Without it there are {_found_at_once(run)}."}
    for each in found:
        yield replace(each, form=each.form or forms.get(each.key, ""), adds=adds.get(each.key, ""))


def _form_of_gateway(run: AgentRun, there: Container[str]) -> str:
    """A profile lets it in for updates alone, unless a list names it; the tool for everything else is named."""
    places: list[Path] = [*([(*run.own, "tools")] if run.own else []), ("tools",)]
    profile = next((name for place in places if (name := run.settings.word((*place, "profile")))), "full")
    named = {run.lists.normal(name) for place in places for name in run.settings.words((*place, "alsoAllow"))}
    reads = profile == "full" or "gateway" in named
    return {(True, True): "", (True, False): "alone", (False, True): "update", (False, False): "update-alone"}[
        reads, "openclaw" in there
    ]


def _form_of_exec(run: AgentRun, there: Container[str]) -> str:
    """A reviewer may look at commands, and for what is to happen later it names the automations that are there."""
    words = ("reviewed" if _of_exec(run, "mode") == "auto" else "", "" if "automations" in there else "alone")
    return "-".join(filter(None, words))


def _found_at_once(run: AgentRun) -> Json:
    """How many tools a search finds, unless it says how many: fewer for a model that is to have little to read."""
    lean = run.first(_is_true, "experimental.localModelLean", False).value
    said = run.settings.get("tools.toolSearch.searchDefaultLimit")
    return said if isinstance(said, int) else 5 if lean else 8


_ACTIONS = ("broadcast", "send")


def _actions(run: AgentRun) -> str:
    """What the message tool can do without a channel, as far as the configuration allows it."""
    if run.channel:
        return ""
    allowed = run.settings.words("tools.message.actions.allow")
    return f" Actions: {', '.join([a for a in _ACTIONS if not allowed or a in allowed] or allowed)}."


def _named_places(value: Json) -> list[Json]:
    """The items of a list that name something."""
    return [each for each in value if text(each) or mapping(each)] if isinstance(value, list) else []


def _has_full_access(run: AgentRun) -> bool:
    """Commands run without anyone being asked, outside of a sandbox and with files anywhere [asked]."""
    usual = {"mode": "full", "security": "full", "ask": "off"}
    is_free = _of_exec(run, "host") != "sandbox" and not within_workspace(run).holds(Facts())
    return is_free and all(_of_exec(run, key) in (None, value) for key, value in usual.items())


def within_workspace(run: AgentRun) -> Condition:
    """Files outside of the workspace are refused: as the agent's own entry says, else as all's does [asked]."""
    rest = ("tools", "fs", "workspaceOnly")
    own: Path = (*run.own, *rest) if run.own else rest
    return run.settings.switch(own if run.settings.get(own) is not None else rest, usual=False)


def _of_exec(run: AgentRun, key: str) -> Json:
    """A setting of commands: the agent's own, else that of all."""
    places: list[Path] = [*([run.own] if run.own else []), ()]
    said = (run.settings.get((*place, "tools", "exec", key)) for place in places)
    return next((value for value in said if value is not None), None)
