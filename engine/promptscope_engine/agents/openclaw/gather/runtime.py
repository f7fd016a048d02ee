"""The runtime information, the model and the time zone (specs/openclaw.md 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.kit.settings import at, mapping, text
from promptscope_engine.agents.openclaw.gather.agents import Run
from promptscope_engine.agents.openclaw.gather.channels import capabilities, comes_by_channel
from promptscope_engine.agents.openclaw.gather.config import user_path
from promptscope_engine.agents.openclaw.levers import Settings
from promptscope_engine.agents.openclaw.materials import Parameter, Prompt, parameter
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.machine import time_zone
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

DEFAULT_PROVIDER = "anthropic"
DEFAULT_MODEL = "claude-opus-4-6"
TAGGED_MODEL = "google-generative-ai/gemini-3-pro-preview"
"""What a lever sets where reasoning tags are wanted."""
MODELS = "agents.defaults.models"
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
    """Whether the provider's models have to tag their reasoning (7)."""
    provider = provider_of(ref)
    return provider in ("google-gemini-cli", "google-generative-ai") or "minimax" in provider


def reasoning_tags(ref: str) -> Condition:
    """The model has to tag its reasoning."""
    return Observed(
        "model", ref, needs_reasoning_tags(ref), f"{ref} needs reasoning tags", f"{ref} needs no reasoning tags",
        on=(Lever("model", TAGGED_MODEL),), off=(Lever("model", f"{DEFAULT_PROVIDER}/{DEFAULT_MODEL}"),),
    )  # fmt: skip


def alias_lines(settings: Settings) -> Parameter:
    """Lines `- alias: provider/model` in the order of `localeCompare` (0.4)."""
    entries = mapping(settings.get(MODELS))
    named = [(alias, ref) for ref, entry in entries.items() if (alias := text(mapping(entry).get("alias")))]
    lines = [f"- {named[at][0]}: {named[at][1]}" for at in locale_order([alias for alias, _ in named])]
    because = settings.decides(
        MODELS, bool(lines), "models have aliases", f"`{MODELS}` gives no model an alias",
        on={f"{DEFAULT_PROVIDER}/{DEFAULT_MODEL}": {"alias": "opus"}},
        off={ref: {"alias": ""} for _, ref in named},
    )  # fmt: skip
    return parameter(lines or None, MODELS, because=because)


def user_timezone(inputs: Inputs, settings: Settings) -> Parameter:
    """The configured zone if it is one, else the machine's, else UTC: there is practically always one."""
    key = "agents.defaults.userTimezone"
    named = text(settings.get(key))
    if named and time_zone(named):
        return parameter(named, key)
    return parameter(inputs.environment.timezone or "UTC", "timezone", "environment")


def runtime_info(run: Run, workspace: Workspace) -> dict[str, Json]:
    """What the runtime line tells; a part that is not known is left out."""
    machine, channel = run.inputs.environment, run.channel
    return {
        "agentId": run.me,
        "host": machine.hostname,
        "os": " ".join(filter(None, (machine.os_type, machine.os_version))) or None,
        "arch": machine.arch,
        "node": machine.node,
        "model": run.model,
        "defaultModel": run.default_model,
        "shell": _shell(run.inputs.env, machine.shell),
        "repoRoot": _repo_root(run, workspace),
        **({"channel": channel, "capabilities": capabilities(run.settings, channel)} if channel else {}),
    }


def runtime_parts(prompt: Prompt, channel: str | None) -> Iterator[tuple[str, Parameter]]:
    """The parts of the runtime line in their order, those without a value too; nothing in them is sanitised."""
    info = prompt.object("runtimeInfo")
    origin = prompt.parameter("runtimeInfo").origin
    parts = ((name, said["of"], said["remedy"]) for name, said in FOLDER.agent["runtime"].items() if "remedy" in said)
    for name, key, remedy in parts:
        value = info.get(key) if isinstance(info.get(key), str) else ""
        if name == "os" and value and info.get("arch"):
            value = f"{value} ({info['arch']})"
        if name == "arch" and info.get("os"):
            continue
        if prompt.passes("runtimeInfo"):
            remedy = f"pass `promptParams.runtimeInfo.{key}`"
        known: Condition = Observed("flag", key, bool(value), f"{name} is known", f"{name} is not known", remedy=remedy)
        yield name, Parameter(value, origin, known)
    listed = info.get("capabilities")
    able = [item for value in listed if (item := text(value))] if isinstance(listed, list) else []
    named = (text(info.get("channel")) or "").lower()
    known = comes_by_channel(channel)
    if prompt.passes("runtimeInfo"):
        remedy = "pass `promptParams.runtimeInfo.channel`"
        known = Observed("flag", "channel", bool(named), "a channel is passed", "no channel is passed", remedy=remedy)
    yield "channel", Parameter(named, origin, known)
    yield "capabilities", Parameter(",".join(able) or "none", origin, known)


def _shell(env: Mapping[str, str], login: str | None) -> str | None:
    """The bare name from CLAWDBOT_SHELL or SHELL; a login sets the latter, so the login shell stands in for it."""
    for named in (env.get("CLAWDBOT_SHELL"), env.get("SHELL"), login):
        base = js_trim(named or "").rpartition("/")[2]
        name = re.sub(r"[^a-zA-Z0-9_-]", "", re.sub(r"\.(exe|cmd|bat)$", "", base, flags=re.IGNORECASE))
        if name:
            return name
    return None


def _repo_root(run: Run, workspace: Workspace) -> str | None:
    """The configured folder if there is one, else the repository around the workspace or the working directory."""
    named = text(run.settings.get("agents.defaults.repoRoot"))
    if named and workspace.is_dir(user_path(named, run.inputs)):
        return user_path(named, run.inputs)
    starts = dict.fromkeys((run.folder, run.inputs.workspace))
    roots = (repository_root(at, workspace, kinds=("directory", "file"), levels=GIT_LEVELS) for at in starts)
    return next((root for root in roots if root is not None), None)
