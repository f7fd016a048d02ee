"""The agents of the configuration: which is the default one, where each works, whose a folder is."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.kit.settings import mapping, text
from promptscope_engine.agents.openclaw.levers import Settings
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.workspace import Workspace

from .config import home_of, state_dir, user_path
from .sessions import DEFAULT_AGENT, agent_id


def agents(settings: Settings) -> list[tuple[Path, Mapping[str, Json]]]:
    """The entries of `agents.list` with their paths."""
    listed = settings.get("agents.list")
    entries = enumerate(listed) if isinstance(listed, list) else ()
    return [(("agents", "list", at), mapping(entry)) for at, entry in entries if mapping(entry)]


def agent_path(settings: Settings, me: str) -> Path:
    """Where the agent's own entry in `agents.list` stands, () without one."""
    return next((path for path, entry in agents(settings) if agent_id(entry.get("id")) == me), ())


def default_agent_id(settings: Settings) -> str:
    """The agent marked default, else `main` where it is listed, else the first one."""
    entries = [entry for _, entry in agents(settings)]
    marked = [entry for entry in entries if entry.get("default")]
    ids = [agent_id(entry.get("id")) for entry in marked or entries]
    return DEFAULT_AGENT if not ids or (not marked and DEFAULT_AGENT in ids) else ids[0]


def workspace_of(inputs: Inputs, settings: Settings, me: str) -> str:
    """The agent's own workspace, the default one for the default agent, or the profile's."""
    default_agent = default_agent_id(settings)
    own = agent_path(settings, me)
    named = text(mapping(settings.get(own)).get("workspace")) if own else None
    if not named and me == default_agent:
        named = text(settings.get("agents.defaults.workspace"))
    if named:
        return user_path(named, inputs)
    if me != default_agent:
        return f"{state_dir(inputs)}/workspace-{me}"
    profile = js_trim(inputs.env.get("OPENCLAW_PROFILE", ""))
    suffix = f"-{profile}" if profile and profile.lower() != "default" else ""
    return f"{home_of(inputs)}/.openclaw/workspace{suffix}"


def agent_of_folder(inputs: Inputs, settings: Settings, workspace: Workspace) -> tuple[str, Condition] | None:
    """The agent whose workspace the folder is, and why; the default one comes first. None for a folder of no agent's.

    A relative path depends on where the gateway was started, so it names no folder here.
    """
    here, default = workspace.real_path(inputs.workspace), default_agent_id(settings)
    found = sorted(agents(settings), key=lambda each: agent_id(each[1].get("id")) != default)
    for path, entry in found:
        me, named = agent_id(entry.get("id")), text(entry.get("workspace"))
        is_known = not named or js_trim(named).startswith(("/", "~"))
        if is_known and workspace.real_path(workspace_of(inputs, settings, me)) == here:
            fact = f"the folder is the workspace of the agent {me} in `agents.list`"
            return me, settings.decides((*path, "workspace"), True, fact, fact)
    return None
