"""Whether a session runs in a sandbox, and what the prompt is told of it (specs/openclaw.md 7, "Sandbox")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from promptscope_engine.agents.openclaw.tool_policy import matches, sandbox_policy
from promptscope_engine.agents.shared.settings import at, mapping, text, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.model import Lever

from .config import state_dir, user_path

DEFAULT_WORKDIR = "/workspace"
AGENT_MOUNT = "/agent"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The sandbox of a session. `folder` is the workspace on the host: a copy, unless `access` is rw."""

    active: Condition
    on: bool
    access: str
    folder: str
    info: Mapping[str, Json]


def sandbox(
    inputs: Inputs, config: Json, agent: Json, agent_id: str, key: str, folder: str, channel: str | None
) -> Sandbox:
    """The sandbox that the configuration sets up for this session; `folder` is the agent's own workspace."""
    defaults, own = mapping(at(config, "agents.defaults.sandbox")), mapping(at(agent, "sandbox"))
    mode = text(own.get("mode")) or text(defaults.get("mode")) or "off"
    access = text(own.get("workspaceAccess")) or text(defaults.get("workspaceAccess")) or "none"
    main = main_key(config, agent_id)
    on = mode == "all" or (mode == "non-main" and _canonical(config, agent_id, key) != main)
    scope = text(own.get("scope")) or text(defaults.get("scope")) or "agent"
    active = Observed(
        "flag", "sandbox.mode", on, f"sandbox.mode is {mode}",
        f"sandbox.mode is {mode}" + (" and this is the main session" if mode == "non-main" else ""),
        off=(Lever("sessionKey", None),) if mode == "non-main" else None,
    )  # fmt: skip
    copied = folder
    if on and access != "rw":
        root = text(own.get("workspaceRoot")) or text(defaults.get("workspaceRoot"))
        root = user_path(root, inputs) if root else f"{state_dir(inputs)}/sandboxes"
        copied = root if scope == "shared" else f"{root}/{_slug(key if scope == 'session' else f'agent:{agent_id}')}"
    info: dict[str, Json] = {}
    if on:
        policy = sandbox_policy(config, agent)
        browser = (
            at(own, "browser.enabled") if at(own, "browser.enabled") is not None else at(defaults, "browser.enabled")
        )
        starts = browser is True and not any(matches("browser", p) for p in policy.deny)
        host = [at(source, "browser.allowHostControl") for source in (own, defaults)]
        workdir = (text(at(own, "docker.workdir")) if scope != "shared" else None) or text(
            at(defaults, "docker.workdir")
        )
        info = {
            "enabled": True,
            "workspaceDir": copied,
            "containerWorkspaceDir": workdir or DEFAULT_WORKDIR,
            "workspaceAccess": access,
            "agentWorkspaceMount": AGENT_MOUNT if access == "ro" else None,
            "browserBridgeUrl": "http://127.0.0.1" if starts else None,
            "hostBrowserAllowed": next((value for value in host if value is not None), False) is True,
            "elevated": _elevated(config, agent, channel),
        }
    return Sandbox(active, on, access, copied, info)


def main_key(config: Json, agent_id: str) -> str:
    """The key of an agent's main session."""
    if at(config, "session.scope") == "global":
        return "global"
    return f"agent:{agent_id}:{(text(at(config, 'session.mainKey')) or 'main').lower()}"


def _canonical(config: Json, agent_id: str, key: str) -> str:
    main = main_key(config, agent_id)
    named = (text(at(config, "session.mainKey")) or "main").lower()
    return main if key in ("main", named, main, f"agent:{agent_id}:main", f"agent:{agent_id}:{named}") else key


def _slug(scope: str) -> str:
    """The name of a sandbox's folder: the readable start of its key, and a hash of it."""
    trimmed = js_trim(scope) or "session"
    safe = re.sub(r"[^a-z0-9._-]+", "-", trimmed.lower()).strip("-")[:32] or "session"
    return f"{safe}-{sha256(trimmed.encode()).hexdigest()[:8]}"


def _elevated(config: Json, agent: Json, channel: str | None) -> Json:
    """Commands outside of the sandbox: for senders of this channel whom the configuration lists."""
    switched_off = any(at(source, "tools.elevated.enabled") is False for source in (config, agent))
    if switched_off or not channel or not texts(at(config, f"tools.elevated.allowFrom.{channel}")):
        return None
    return {"allowed": True, "defaultLevel": text(at(config, "agents.defaults.elevatedDefault")) or "on"}
