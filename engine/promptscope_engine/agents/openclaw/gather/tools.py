"""Which tools OpenClaw creates, in the request's order, and the gates of each (specs/openclaw.md 2)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.kit.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.levers import Settings, dotted, split
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.tool_policy import OWNER_ONLY, Offer, normal
from promptscope_engine.formats.document import Path
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Observed
from promptscope_engine.prompt.leaves import param_decides
from promptscope_engine.prompt.model import Lever

from .sandbox import Box

OPENAI_MODEL = "openai/gpt-5.2"
"""What a lever sets where a gate needs a model of that provider."""

CREATED = (
    "read", "edit", "write", "apply_patch", "exec", "process", "whatsapp_login", "browser", "canvas", "nodes", "cron",
    "message", "tts", "gateway", "agents_list", "sessions_list", "sessions_history", "sessions_send", "sessions_spawn",
    "subagents", "session_status", "web_search", "web_fetch", "image", "memory_search", "memory_get",
)  # fmt: skip

MEMORY = "memory-core"
"""The plugin of two tools. As the one of the memory it is on, even if its entry switches it off [recorded]."""

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
    message: bool
    """The run has a message tool."""


def own_tools(creation: Creation) -> list[Offer]:
    """The tools that OpenClaw creates itself, in the request's order; then three that it has only a bullet for."""
    remedy = "OpenClaw never offers it; search with exec"
    never = Observed("tool", "created", False, "", "OpenClaw lists it and never creates it", remedy=remedy)
    created = [Offer(name, gate(name, creation), _plugin(name), name in OWNER_ONLY) for name in CREATED]
    return [*created, *(Offer(name, never, created=False) for name in CREATED_NEVER)]


def _plugin(name: str) -> str | None:
    return MEMORY if name.startswith("memory_") else None


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
        case "memory_search" | "memory_get":
            return Named("tool", name, _memory(creation), "the memory plugin and its search are on")
        case "whatsapp_login":
            key = "channels.whatsapp"
            there = settings.get(key) is not None
            return settings.decides(key, there, f"`{key}` is configured", f"`{key}` is not configured", on={})
        case _:
            return ALWAYS


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


def _memory(creation: Creation) -> Condition:
    settings, own = creation.settings, creation.own
    enabled = settings.known("plugins.enabled", settings.get("plugins.enabled") is not False)
    search = settings.first(
        lambda value: value is not False if isinstance(value, bool) else None,
        (*own, "memorySearch", "enabled") if own else None,
        "agents.defaults.memorySearch.enabled",
        default=True,
    )
    path = "plugins.slots.memory"
    slot = text(settings.get(path)) or MEMORY
    fact = f"`{path}` is {slot}"
    chosen = settings.decides(path, slot == MEMORY, fact, fact, on=MEMORY, off="none")
    allow, deny = (tuple(map(js_trim, texts(settings.get(f"plugins.{key}")) or [])) for key in ("allow", "deny"))
    yes, no = f"`plugins.allow` names {MEMORY}, or nothing", f"`plugins.allow` lacks {MEMORY}"
    is_allowed = not any(allow) or MEMORY in allow
    allowed = settings.decides("plugins.allow", is_allowed, yes, no, on=[*allow, MEMORY], off=["telegram"])
    yes, no = f"`plugins.deny` does not name {MEMORY}", f"`plugins.deny` names {MEMORY}"
    rest = [name for name in deny if name != MEMORY]
    admitted = settings.decides("plugins.deny", MEMORY not in deny, yes, no, on=rest, off=[*deny, MEMORY])
    return enabled.is_(True, unset=False) & chosen & allowed & admitted & search.is_(True, unset=False)


def _image(settings: Settings) -> Condition:
    key = "agents.defaults.imageModel"
    named = settings.get(key)
    model = text(named) or text(mapping(named).get("primary"))
    no = f"`{key}` names no model (a model with its own keys may still offer it)"
    return settings.decides(key, model is not None, f"the image model is {model}", no, on=OPENAI_MODEL, off="")
