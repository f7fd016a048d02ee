"""The runtime information, the model and the time zone (specs/openclaw.md 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from promptscope_engine.agents.shared.settings import at, mapping, text
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.machine import time_zone
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

from .channels import capabilities
from .config import user_path
from .prompt import Given, given

DEFAULT_PROVIDER = "anthropic"
DEFAULT_MODEL = "claude-opus-4-6"
GIT_LEVELS = 12
"""Folders that are looked into for a `.git`, the first one included."""


def default_model(config: Json, agent: Json) -> str:
    """`provider/model` of the agent: its own, else the default one, an alias resolved."""
    for named in (at(agent, "model"), at(config, "agents.defaults.model")):
        found = text(named) or text(at(named, "primary"))
        if found:
            return model_ref(config, found)
    return f"{DEFAULT_PROVIDER}/{DEFAULT_MODEL}"


def model_ref(config: Json, named: str) -> str:
    """`provider/model`: an alias is looked up, a bare name belongs to the default provider."""
    if "/" in named:
        return named
    for ref, entry in mapping(at(config, "agents.defaults.models")).items():
        if (text(mapping(entry).get("alias")) or "").lower() == named.lower():
            return ref
    return f"{DEFAULT_PROVIDER}/{named}"


def provider_of(ref: str) -> str:
    return ref.partition("/")[0].strip().lower()


def needs_reasoning_tags(ref: str) -> bool:
    """Providers whose models are asked to tag their reasoning (7)."""
    provider = provider_of(ref)
    return provider in ("google-gemini-cli", "google-generative-ai") or "minimax" in provider


def alias_lines(config: Json) -> Given | None:
    """Lines `- alias: provider/model` in the order of `localeCompare` (0.4)."""
    entries = mapping(at(config, "agents.defaults.models"))
    named = [(alias, ref) for ref, entry in entries.items() if (alias := text(mapping(entry).get("alias")))]
    lines = [f"- {named[at][0]}: {named[at][1]}" for at in locale_order([alias for alias, _ in named])]
    return given(lines, "agents.defaults.models") if lines else None


def user_timezone(inputs: Inputs, config: Json) -> Given:
    """The configured zone if it is one, else the machine's, else UTC: there is practically always one."""
    named = text(at(config, "agents.defaults.userTimezone"))
    if named and time_zone(named):
        return given(named, "agents.defaults.userTimezone")
    return given(inputs.environment.timezone or "UTC", "timezone", "environment")


def runtime_info(
    inputs: Inputs,
    workspace: Workspace,
    config: Json,
    agent_id: str,
    folder: str,
    model: str,
    default: str,
    channel: str | None,
) -> dict[str, Json]:
    """What the runtime line tells; a part that is not known is left out."""
    machine = inputs.environment
    return {
        "agentId": agent_id,
        "host": machine.hostname,
        "os": " ".join(filter(None, (machine.os_type, machine.os_version))) or None,
        "arch": machine.arch,
        "node": machine.node,
        "model": model,
        "defaultModel": default,
        "shell": _shell(inputs.env, machine.shell),
        "repoRoot": _repo_root(inputs, workspace, config, folder),
        **({"channel": channel, "capabilities": capabilities(config, channel)} if channel else {}),
    }


def _shell(env: Mapping[str, str], login: str | None) -> str | None:
    """The bare name from CLAWDBOT_SHELL or SHELL; a login sets the latter, so the login shell stands in for it."""
    for named in (env.get("CLAWDBOT_SHELL"), env.get("SHELL"), login):
        base = js_trim(named or "").rsplit("/", 1)[-1]
        name = re.sub(r"[^a-zA-Z0-9_-]", "", re.sub(r"\.(exe|cmd|bat)$", "", base, flags=re.IGNORECASE))
        if name:
            return name
    return None


def _repo_root(inputs: Inputs, workspace: Workspace, config: Json, folder: str) -> str | None:
    """The configured folder if there is one, else the repository around the workspace or the working directory."""
    named = text(at(config, "agents.defaults.repoRoot"))
    if named and workspace.is_dir(user_path(named, inputs)):
        return user_path(named, inputs)
    for start in dict.fromkeys((folder, inputs.workspace)):
        root = repository_root(start, workspace, kinds=("directory", "file"), levels=GIT_LEVELS)
        if root is not None:
            return root
    return None
