"""Which tools OpenClaw creates, in the request's order, and the gates of each (specs/openclaw.md 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from promptscope_engine.agents.openclaw.levers import Levers, setting
from promptscope_engine.agents.shared.settings import at, mapping, text, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Observed
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Lever

OPENAI_MODEL = "openai/gpt-5.2"
"""What a lever sets where a gate asks for a model of that provider."""

CREATED = (
    "read", "edit", "write", "apply_patch", "exec", "process", "whatsapp_login", "browser", "canvas", "nodes", "cron",
    "message", "tts", "gateway", "agents_list", "sessions_list", "sessions_history", "sessions_send", "sessions_spawn",
    "subagents", "session_status", "web_search", "web_fetch", "image", "memory_search", "memory_get",
)  # fmt: skip
"""grep, find and ls have a place in Tooling but are never created."""

GROUP_OF = {
    **dict.fromkeys(("read", "edit", "write", "apply_patch"), "fs"),
    **dict.fromkeys(("exec", "process"), "runtime"),
    **dict.fromkeys(("browser", "canvas"), "ui"),
    **dict.fromkeys(("cron", "gateway"), "automation"),
    **dict.fromkeys(("web_search", "web_fetch"), "web"),
    **dict.fromkeys(("image", "tts"), "media"),
    **dict.fromkeys(("memory_search", "memory_get"), "memory"),
    **dict.fromkeys(
        ("sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents", "session_status"),
        "sessions",
    ),
    "message": "messaging", "nodes": "nodes", "agents_list": "agents", "whatsapp_login": "channel",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the creation gates ask: the configuration, the agent's own part of it, the model, the sandbox."""

    config: Json
    agent: Json
    provider: str
    model: str
    sandbox_access: str | None
    """none, ro or rw in a sandbox; None outside of one."""


def gate(name: str, around: Surroundings) -> Condition:
    """The condition under which the tool is created."""
    match name:
        case "edit" | "write":
            return _seen(
                name,
                around.sandbox_access != "ro",
                "the files may be written",
                "the sandbox may only read the workspace",
            )
        case "apply_patch":
            return Named("tool", name, _all(_apply_patch(around)), "it is switched on for this model")
        case "web_search" | "web_fetch":
            key = f"tools.web.{name.removeprefix('web_')}.enabled"
            return _seen(
                key,
                at(around.config, key) is not False,
                f"{key} is not off",
                f"{key} is off in the configuration",
                on=setting(key, True),
                off=setting(key, False),
            )
        case "message":
            return ~flag("disableMessageTool")
        case "image":
            return _image(around)
        case "memory_search" | "memory_get":
            return Named("tool", name, _all(_memory(around)), "the memory plugin and its search are on")
        case "whatsapp_login":
            on = at(around.config, "channels.whatsapp") is not None
            no = "channels.whatsapp is not configured"
            return _seen(name, on, "channels.whatsapp is configured", no, on=setting("channels.whatsapp", {}))
        case _:
            return ALWAYS


def _apply_patch(around: Surroundings) -> Iterator[Condition]:
    key = "tools.exec.applyPatch"
    own = mapping(at(around.agent, key))
    settings = own or mapping(at(around.config, key))
    enabled = settings.get("enabled") is True
    on, off = (None, None) if own else (setting(f"{key}.enabled", True), setting(f"{key}.enabled", False))
    yield _seen(f"{key}.enabled", enabled, f"{key}.enabled is on", f"{key}.enabled is off", on=on, off=off)
    writable = around.sandbox_access != "ro"
    yield _seen("sandbox", writable, "the files may be written", "the sandbox may only read the workspace")
    openai = around.provider in ("openai", "openai-codex")
    yield _seen(
        "provider",
        openai,
        f"the provider is {around.provider}",
        f"the provider is {around.provider or 'not known'}, not openai",
        on=(Lever("model", OPENAI_MODEL),),
    )
    allowed = [name.strip().lower() for name in texts(settings.get("allowModels")) or []]
    model = around.model.strip().lower()
    fits = not allowed or model in allowed or f"{around.provider}/{model}" in allowed
    admits, lacks = f"{key}.allowModels admits the model", f"{key}.allowModels lacks the model"
    yield _seen(
        f"{key}.allowModels", fits, admits, lacks, on=None if own else setting(f"{key}.allowModels", [*allowed, model])
    )


def _memory(around: Surroundings) -> Iterator[Condition]:
    slot = text(at(around.config, "plugins.slots.memory")) or "memory-core"
    plugins_on = at(around.config, "plugins.enabled") is not False
    path = "plugins.enabled"
    yield _seen(path, plugins_on, "plugins are on", "plugins.enabled is off", on=setting(path, True))
    there = slot.lower() != "none"
    path = "plugins.slots.memory"
    yield _seen(
        path,
        there,
        f"the memory plugin is {slot}",
        "plugins.slots.memory is none",
        on=setting(path, "memory-core"),
        off=setting(path, "none"),
    )
    own, default = at(around.agent, "memorySearch.enabled"), at(around.config, "agents.defaults.memorySearch.enabled")
    on = (own if isinstance(own, bool) else default) is not False
    path = "agents.defaults.memorySearch.enabled"
    levers = None if isinstance(own, bool) else setting(path, True)
    yield _seen("memorySearch.enabled", on, "memorySearch is on", "memorySearch.enabled is off", on=levers)


def _image(around: Surroundings) -> Condition:
    named = at(around.config, "agents.defaults.imageModel")
    model = text(named) or text(at(named, "primary"))
    return _seen(
        "agents.defaults.imageModel",
        model is not None,
        f"the image model is {model}",
        "agents.defaults.imageModel names no model (a model with keys of its own may bring it all the same)",
        on=setting("agents.defaults.imageModel", OPENAI_MODEL),
    )


def _seen(name: str, ok: bool, yes: str, no: str, *, on: Levers | None = None, off: Levers | None = None) -> Condition:
    return Observed("flag", name, ok, yes, no, on=on, off=off)


def _all(conditions: Iterator[Condition]) -> Condition:
    combined: Condition = ALWAYS
    for condition in conditions:
        combined = combined & condition
    return combined
