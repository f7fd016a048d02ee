"""Which tools OpenClaw creates, in the request's order, and the gates of each (specs/openclaw.md 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from promptscope_engine.agents.kit.settings import mapping, text, texts
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.openclaw.levers import Settings, dotted, split
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.agents.openclaw.tool_policy import OWNER_ONLY, Offer, Policy, normal
from promptscope_engine.formats.document import Path
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Observed
from promptscope_engine.prompt.leaves import param_decides
from promptscope_engine.prompt.model import Lever

from .channels import comes_by_channel
from .plugins import feishu, has_key, names_tool, not_forbidden, switched_on
from .sandbox import Box

OPENAI_MODEL = "openai/gpt-5.2"
"""What a lever sets where a gate needs a model of that provider."""

CREATED_NEVER = ("grep", "find", "ls")


@frozen
class Creation:
    """What the creation gates ask: the configuration, the agent's own part of it, the model, the sandbox."""

    settings: Settings
    own: Path
    """The agent's own entry in `agents.list`, () without one."""
    provider: str
    model: str
    sandbox: Box
    channel: str | None
    message: bool
    """The run has a message tool."""
    steps: Sequence[Policy]
    """The policies, whose lists admit optional tools."""


def own_tools(creation: Creation) -> list[Offer]:
    """The tools that OpenClaw creates itself, in the request's order; then three that it has only a bullet for."""
    remedy = "OpenClaw never offers it; search with exec"
    never = Observed("tool", "created", False, "", "OpenClaw lists it and never creates it", remedy=remedy)
    settings = creation.settings
    scope = Scope(
        {
            "boxed": creation.sandbox.active,
            "embeds": partial(has_key, settings),
            "feishu": partial(feishu, settings),
            "searches": partial(_searches, settings, creation.own),
        }
    )
    created = [_offer(name, creation, scope) for name in FOLDER.agent["tools"]["created"]]
    return [*created, *(Offer(name, never, created=False) for name in CREATED_NEVER)]


def _offer(name: str, creation: Creation, scope: Scope) -> Offer:
    """A tool with what its front matter says of it: its plugin, and whether only a list can admit it."""
    source = FOLDER.sources.tools[name]
    plugin: str | None = source.head.get("plugin")
    when = gate(name, creation) & FOLDER.condition(source.head.get("when", ""), scope, source.file)
    if plugin:
        when = switched_on(creation.settings, plugin) & when
    if plugin and source.head.get("optional"):
        when = when & names_tool(creation.settings, creation.steps, name, plugin)
    return Offer(name, when, plugin, name in OWNER_ONLY)


def stand_ins(tools: Sequence[ToolStandIn]) -> list[Offer]:
    """The scenario's tools, in its order."""
    return [Offer(t.name, ALWAYS, t.pluginId, t.ownerOnly or normal(t.name) in OWNER_ONLY) for t in tools]


def gate(name: str, creation: Creation) -> Condition:
    """The condition under which the tool is created."""
    settings = creation.settings
    match name:
        case "edit" | "write":
            return _writable(creation)
        case "apply_patch":
            return Named("tool", name, _apply_patch(creation), "it is switched on for this model")
        case "web_search" | "web_fetch":
            key = f"tools.web.{name.removeprefix('web_')}.enabled"
            return settings.known(key, settings.get(key) is not False).is_(True, unset=False)
        case "message":
            yes, no = "the run has a message tool", "`disableMessageTool` is on"
            return param_decides("disableMessageTool", creation.message, yes, no, on=False, off=True)
        case "image":
            return _image(settings)
        case "whatsapp_login":
            return _whatsapp(settings) & comes_by_channel(creation.channel)
        case _:
            return ALWAYS


def _whatsapp(settings: Settings) -> Condition:
    """The channel's plugin is on. `openclaw agent --local` loads no channels, so only a message by one has its tool."""
    key = "channels.whatsapp"
    channel = mapping(settings.get(key))
    no = f"`{key}.enabled` is off" if channel else f"`{key}` is not configured"
    is_on = bool(channel) and channel.get("enabled") is not False
    configured = settings.decides(key, is_on, f"`{key}` is configured", no, on={"enabled": True})
    return configured & not_forbidden(settings, "whatsapp")


def _writable(creation: Creation) -> Condition:
    """The workspace may be written: only in a sandbox can it be read-only."""
    access = creation.sandbox.access
    yes, no = "the files may be written", f"the sandbox may only read the workspace: `{access.source.key}` is ro"
    return ~creation.sandbox.active | access.is_("rw", "none", unset="ro", yes=yes, no=no)


def _apply_patch(creation: Creation) -> Condition:
    key, settings = "tools.exec.applyPatch", creation.settings
    path: Path = split(key)
    if creation.own and mapping(settings.get((*creation.own, *path))):
        path = (*creation.own, *path)
    provider, model = creation.provider, creation.model.strip().lower()
    openai = Observed(
        "model", "provider", provider in ("openai", "openai-codex"), f"the provider is {provider}",
        f"the provider is {provider or 'not known'}, not openai", on=(Lever("model", OPENAI_MODEL),),
    )  # fmt: skip
    allowed = [name.strip().lower() for name in texts(settings.get((*path, "allowModels"))) or []]
    names = dotted((*path, "allowModels"))
    admitted = settings.decides(
        (*path, "allowModels"), not allowed or model in allowed or f"{provider}/{model}" in allowed,
        f"`{names}` admits the model", f"`{names}` lacks the model", on=[*allowed, model],
    )  # fmt: skip
    enabled = settings.known((*path, "enabled"), settings.get((*path, "enabled")) is True).is_(True, unset=False)
    return enabled & _writable(creation) & openai & admitted


def _searches(settings: Settings, own: Path) -> Condition:
    """The memory is searched: the agent's own setting counts first."""
    return settings.first(
        lambda value: value is not False if isinstance(value, bool) else None,
        (*own, "memorySearch", "enabled") if own else None,
        "agents.defaults.memorySearch.enabled",
        default=True,
    ).is_(True, unset=False)


def _image(settings: Settings) -> Condition:
    key = "agents.defaults.imageModel"
    named = settings.get(key)
    model = text(named) or text(mapping(named).get("primary"))
    no = f"`{key}` names no model (a model with its own keys may still offer it)"
    return settings.decides(key, model is not None, f"the image model is {model}", no, on=OPENAI_MODEL, off="")
