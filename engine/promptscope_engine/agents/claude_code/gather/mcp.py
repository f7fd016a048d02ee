"""MCP servers: the connected stand-ins of the scenario, and the configured ones with their approval (2, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from promptscope_engine.agents.claude_code.materials import McpTool
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.agents.claude_code.variables import config_folder
from promptscope_engine.agents.kit.layered import usable
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.servers import IdleServer, idle, not_started, servers_in, some
from promptscope_engine.agents.kit.walking import upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .server_rules import server_rules
from .settings import Settings, Sources, read_json

_APPROVED, _WAITS, _OFF = "approved", "waits for approval", "switched off"
_IS = {_WAITS: "waits for your approval", _OFF: "is switched off by `disabledMcpjsonServers`"}


def wire_name(server: str, tool: str) -> str:
    """`mcp__<server>__<tool>`: what is no letter, digit, dash or underscore becomes an underscore."""
    return f"mcp__{_plain(server)}__{_plain(tool)}"


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def connected(inputs: Inputs, places: Mapping[str, ServerPlace], facts: Facts) -> tuple[McpServer, ...]:
    """The servers that answer and may be started, by name."""
    servers = [s for s in inputs.mcp_servers or () if s.status == "connected" and not s.disabled]
    started = [s for s in servers if s.name not in places or places[s.name].when.holds(facts)]
    return tuple(sorted(started, key=lambda server: server.name))


def absent(inputs: Inputs) -> tuple[McpServer, ...]:
    """The servers that failed or have not answered yet, by name."""
    servers = [s for s in inputs.mcp_servers or () if s.status != "connected" and not s.disabled]
    return tuple(sorted(servers, key=lambda server: server.name))


def mcp_tools(servers: tuple[McpServer, ...]) -> tuple[McpTool, ...]:
    """Their tools, sorted by wire name."""
    tools = [
        McpTool(
            wire_name(server.name, str(tool.get("name", ""))),
            server.name,
            str(tool.get("description") or ""),
            tool.get("inputSchema") or {"type": "object", "properties": {}},
        )
        for server in servers
        for tool in server.tools
        if tool.get("enabledForPrompt", True)
    ]
    return tuple(sorted(tools, key=lambda tool: tool.name))


@frozen
class UserConfig:
    """`.claude.json`: the user's own servers, approvals and projects. `files` is empty where there is none."""

    value: Json
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_user_config(inputs: Inputs, workspace: Workspace) -> UserConfig:
    """The file in which the agent keeps what the user set up and answered."""
    path = user_config(inputs)
    file = workspace.read(path)
    value, problem = workspace.memo(("claude-code.user", path, file.data), lambda: read_json(file, "bad-claude-json"))
    when = usable(file, isinstance(value, dict))
    draft = file_row(file, "settings", "always", when)
    return UserConfig(value, () if file.problem == "missing" else (draft,), (problem,) if problem else ())


def configured(
    inputs: Inputs, settings: Settings, sources: Sources, user: Json, managed: str, workspace: Workspace
) -> tuple[list[FileDraft], list[Diagnostic]]:
    """The servers of `.mcp.json`, the user and an organisation: which are configured, and which wait for approval.

    None is ever started.
    """
    path = f"{inputs.workspace.rstrip('/')}/.mcp.json"
    file = workspace.read(path)
    data, problem = read_json(file, "bad-mcp-config")
    diagnostics = [problem] if problem else []
    own, files = _managed(managed, workspace), []
    names, only = list(servers_in(data)), list(servers_in(own.data if own else None))
    states = _states(names, settings.plain)
    waiting = [name for name, state in states.items() if state == _WAITS]
    if waiting and own is None:
        text = f"waiting for approval, so not connected: {some(waiting)}"
        diagnostics.append(Diagnostic("info", "mcp-approval", text, path))
    approved = [name for name, state in states.items() if state == _APPROVED]
    users = [*servers_in(user), *servers_in(_project(user, inputs.workspace))]
    if inputs.mcp_servers is None and not sources.safe:
        places = ((approved, path), (users, user_config(inputs))) if own is None else ((only, own.path),)
        said = "MCP servers that need no more approval"
        diagnostics += [not_started(said, found, place) for found, place in places if found]
    if own is not None:
        diagnostics += [own.problem] if own.problem else []
        row = _has_servers(own.path, only)
        files.append(file_row(workspace.read(own.path), "mcp-config", "always", row))
    if file.problem != "missing":
        when = _has_servers(path, names)
        if names:
            when = when & _approval(states, settings)
        if sources.safe:
            when = when & sources.own
        files.append(file_row(file, "mcp-config", "always", when & sources.open & _alone(own)))
    return files, diagnostics


def _has_servers(path: str, names: list[str]) -> Condition:
    no, remedy = "it configures no server", f"add a server to {path}"
    return Observed("file", path, bool(names), "servers are configured", no, remedy=remedy)


@frozen
class _Managed:
    """An organisation's managed-mcp.json: where there is one, be it broken, no other servers are started."""

    path: str
    data: Json
    problem: Diagnostic | None


def _managed(folder: str, workspace: Workspace) -> _Managed | None:
    path = f"{folder}/managed-mcp.json"
    file = workspace.read(path)
    return None if file.problem == "missing" else _Managed(path, *read_json(file, "bad-mcp-config"))


def _alone(own: _Managed | None) -> Condition:
    """No organisation's file takes the place of all other servers."""
    if own is None:
        return ALWAYS
    no = f"only the servers of {own.path} are started"
    return Observed("file", own.path, False, "", no, remedy="ask your organisation to add the server there")


@frozen
class ServerPlace:
    """Where a server is configured: what has to hold for it to be started, and why it may not answer all the same."""

    when: Condition
    why: str = ""


def server_places(
    inputs: Inputs, settings: Settings, sources: Sources, user: Json, managed: str, workspace: Workspace
) -> dict[str, ServerPlace]:
    """The configured servers by name. `--setting-sources` lets in those of the repository, of this folder and of the
    user each by its source; one of `.mcp.json` may be switched off; an organisation's file takes the place of all
    others, and rules of settings may leave a server out [recorded 2.1.332]."""
    data, _ = read_json(workspace.read(f"{inputs.workspace.rstrip('/')}/.mcp.json"), "bad-mcp-config")
    own, rules = _managed(managed, workspace), server_rules(settings)
    alone = _alone(own)
    found: dict[str, ServerPlace] = {}
    for name, state in _states(list(servers_in(data)), settings.plain).items():
        why = "" if state == _APPROVED else f"the server {name} of .mcp.json is not started: it {_IS[state]}"
        remedy = f"take {name} out of `disabledMcpjsonServers`"
        is_on = Observed("mcp", name, state != _OFF, "it is not switched off", why, remedy=remedy)
        permitted = rules.permitted(name, servers_in(data)[name])
        found[name] = ServerPlace(alone & sources.condition("project") & is_on & permitted, why)
    for servers, source in ((servers_in(user), "user"), (servers_in(_project(user, inputs.workspace)), "local")):
        for name, config in servers.items():
            place = alone & sources.condition(source) & rules.permitted(name, config)
            found[name] = ServerPlace(found[name].when | place if name in found else place)
    for name, config in servers_in(own.data if own else None).items():
        found[name] = ServerPlace(rules.permitted(name, config, allowed=True))
    return found


def idle_servers(inputs: Inputs, places: Mapping[str, ServerPlace], facts: Facts) -> Iterator[IdleServer]:
    """The configured servers that offer nothing, each with its reason."""
    given = {server.name for server in inputs.mcp_servers or () if server.status == "connected" and not server.disabled}
    for name, place in places.items():
        if name not in given:
            yield idle(name, place.when, why=place.why)
        elif not place.when.holds(facts):
            yield IdleServer(name, place.when)


def _approval(states: Mapping[str, str], settings: Settings) -> Condition:
    """At least one server of the project is approved: by its name, or with all others."""
    each = some([f"{name} ({state})" for name, state in states.items()])
    yes, no = f"its servers: {each}", f"none of its servers is approved: {each}"
    every = settings.known("enableAllProjectMcpServers", False)
    by_name = settings.plain.get("enabledMcpjsonServers")
    approved = {name for name, state in states.items() if state == _APPROVED}
    if approved.intersection(by_name if isinstance(by_name, list) else ()):
        source = settings.known("enabledMcpjsonServers").source
    elif approved or _WAITS in states.values():
        return every.is_(True, unset=False, yes=yes, no=no)
    else:
        source = settings.known("disabledMcpjsonServers").source
    return Setting(replace(source, overlay=None), bool(approved), "is", True, yes, no)


def _states(names: list[str], settings: Mapping[str, Json]) -> dict[str, str]:
    every = settings.get("enableAllProjectMcpServers") is True
    off, on = (_texts(settings.get(key)) for key in ("disabledMcpjsonServers", "enabledMcpjsonServers"))
    return {name: _OFF if name in off else _APPROVED if every or name in on else _WAITS for name in names}


def _texts(value: Json) -> frozenset[str]:
    return frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()


def user_config(inputs: Inputs) -> str:
    """The file in which the agent keeps the user's own servers, approvals and projects."""
    own = config_folder(inputs.env, inputs.home, inputs.workspace)
    folder = own if inputs.env.get("CLAUDE_CONFIG_DIR") else inputs.home
    return f"{folder.rstrip('/')}/.claude.json"


def _project(user: Json, cwd: str) -> Json:
    """The entry of a directory in `.claude.json`."""
    projects = user.get("projects") if isinstance(user, dict) else None
    entry = projects.get(cwd) if isinstance(projects, dict) else None
    return entry if isinstance(entry, dict) else {}


def externals_approved(user: Json, cwd: str) -> bool:
    """Whether the dialog on external imports was answered with yes for this directory."""
    project = _project(user, cwd)
    return isinstance(project, dict) and project.get("hasClaudeMdExternalIncludesApproved") is True


def is_trusted(user: Json, folder: str, params: ClaudeCodeParams) -> bool:
    """Whether the folder, or one above it, was trusted, by `.claude.json`.

    An interactive session has already asked. Without the file nothing is known, and the folder counts as trusted."""
    projects = user.get("projects") if isinstance(user, dict) else None
    if not params.args.print or not isinstance(projects, dict):
        return True
    return any(
        isinstance(answers := projects.get(place), dict) and answers.get("hasTrustDialogAccepted") is True
        for place in upwards(folder)
    )
