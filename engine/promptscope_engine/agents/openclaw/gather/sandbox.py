"""Whether a session runs in a sandbox, and what the prompt is told of it (specs/openclaw.md 7, "Sandbox")."""

from __future__ import annotations

import re
from functools import reduce
from hashlib import sha256
from operator import and_

from promptscope_engine.agents.kit.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.gather.agents import Box, Run
from promptscope_engine.agents.openclaw.gather.channels import USUAL, comes_by_channel
from promptscope_engine.agents.openclaw.gather.config import state_dir, user_path
from promptscope_engine.agents.openclaw.levers import Settings, dotted, split
from promptscope_engine.agents.openclaw.materials import Parameter, Prompt, Sandbox, literal, parameter
from promptscope_engine.agents.openclaw.tool_policy import Policy, denied_by, sandbox_policy, without
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import label
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import equals, flag, param_decides

DEFAULT_WORKDIR = "/workspace"
AGENT_MOUNT = "/agent"


def box(inputs: Inputs, settings: Settings, own: Path, agent_id: str, key: str, folder: str) -> Box:
    """The sandbox that the configuration sets up for this session; `folder` is the agent's own workspace."""

    def first(name: str, default: str) -> Known[str]:
        return settings.first(text, *_paths(own, name), default=default)

    mode, access = first("mode", "off"), first("workspaceAccess", "none")
    scope = first("scope", "agent").value
    main = _canonical(settings, agent_id, key) == main_key(settings, agent_id)
    no = f"`{mode.source.key}` is {{actual}}" + (" and this is the main session" if main else "")
    active = mode.is_("all", *(() if main else ("non-main",)), unset="off", no=no if mode.value == "non-main" else None)
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


def sandbox(run: Run, prompt: Prompt) -> Sandbox:
    """What the prompt is told of the sandbox in use, or of the one that the scenario passes."""
    if prompt.passes("sandboxInfo"):
        return _passed(prompt)
    settings, own, box = run.settings, run.own, run.box
    policy = sandbox_policy(settings, own)
    browser = settings.first(_is_true, *_paths(own, "browser.enabled"), default=False)
    host = settings.first(_is_true, *_paths(own, "browser.allowHostControl"), default=False)
    allowed = host.is_(True, unset=False)
    level = text(settings.get("agents.defaults.elevatedDefault")) or "on"

    def value(text_: str, because: Condition = box.active) -> Parameter:
        return parameter(literal(text_), "sandbox", because=because)

    return Sandbox(
        on=box.active,
        inside=box.active,
        workdir=value(box.workdir),
        host=value(box.folder),
        access=value(box.access.value),
        mount=value(AGENT_MOUNT, box.access.is_("ro", unset="none")),
        browser=browser.is_(True, unset=False) & _browser_allowed(settings, policy),
        no_vnc=prompt.parameter("sandboxInfo.browserNoVncUrl"),
        host_browser_allowed=allowed,
        host_browser_blocked=~allowed,
        elevated=_elevated(settings, own, run.channel),
        elevated_level=label(level),
    )


def _is_true(value: Json) -> bool | None:
    return None if value is None else value is True


def _browser_allowed(settings: Settings, policy: Policy) -> Condition:
    """The sandbox's policy, which denies the browser by default."""
    path: Path = (*policy.path, "deny")
    entry, key = denied_by(policy, "browser"), dotted(path)
    return settings.decides(
        path, entry is None, f"`{key}` does not deny the browser", f"`{key}` denies the browser",
        on=without(policy, "browser"), off=[*policy.deny, "browser"],
    )  # fmt: skip


def _elevated(settings: Settings, own: Path, channel: str | None) -> Condition:
    """Commands outside the sandbox: for senders of this channel whom the configuration lists."""
    path = ("tools", "elevated", "enabled")
    switches: list[Path] = [path, *([(*own, *path)] if own and settings.get((*own, *path)) is False else [])]
    enabled = [settings.known(path, settings.get(path) is not False).is_(True, unset=False) for path in switches]
    senders = f"tools.elevated.allowFrom.{channel or USUAL}"
    listed = settings.known(senders, texts(settings.get(senders))).is_given(["*"], [])
    return reduce(and_, (*reversed(enabled), comes_by_channel(channel), listed))


def _passed(prompt: Prompt) -> Sandbox:
    """The sandbox that the scenario passes as `promptParams.sandboxInfo`."""
    key, info = "promptParams.sandboxInfo", prompt.object("sandboxInfo")
    elevated = mapping(info.get("elevated"))

    def known(name: str) -> Condition:
        there, param = bool(info.get(name)), f"{key}.{name}"
        return Observed(
            "flag", param, there, f"`{param}` is passed", f"`{param}` is not passed", remedy=f"pass `{param}`"
        )

    def value(name: str, more: Condition | None = None) -> Parameter:
        found = info.get(name)
        because = known(name) if more is None else more & known(name)
        return parameter(literal(found) if isinstance(found, str) else "", key, because=because)

    on = flag(f"{key}.enabled", yes="the sandbox is on", no="no sandbox is passed")
    named = bool(text(info.get("containerWorkspaceDir")))
    param, yes, no = f"{key}.containerWorkspaceDir", "it names its directory", "it names no directory"
    directory = param_decides(param, named, yes, no, on=DEFAULT_WORKDIR, off=None)
    return Sandbox(
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
        elevated_level=label(str(elevated.get("defaultLevel") or "")),
    )


def main_key(settings: Settings, agent_id: str) -> str:
    """The key of an agent's main session."""
    if settings.get("session.scope") == "global":
        return "global"
    return f"agent:{agent_id}:{_main_name(settings)}"


def _main_name(settings: Settings) -> str:
    return (text(settings.get("session.mainKey")) or "main").lower()


def _canonical(settings: Settings, agent_id: str, key: str) -> str:
    main, named = main_key(settings, agent_id), _main_name(settings)
    return main if key in ("main", named, main, f"agent:{agent_id}:main", f"agent:{agent_id}:{named}") else key


def _slug(scope: str) -> str:
    """The name of a sandbox's folder: the readable start of its key, and a hash of it."""
    trimmed = js_trim(scope) or "session"
    safe = re.sub(r"[^a-z0-9._-]+", "-", trimmed.lower()).strip("-")[:32] or "session"
    return f"{safe}-{sha256(trimmed.encode()).hexdigest()[:8]}"
