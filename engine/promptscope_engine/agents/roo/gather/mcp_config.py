"""The configured MCP servers: `.roo/mcp.json` and the global `mcp_settings.json` (specs/roo.md 5).

No server is ever started, so a configured one is shown as not connected; stand-ins of the scenario replace them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from urllib.parse import urlsplit

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.settings import Names, texts, unmatched
from promptscope_engine.agents.roo.gather.mode_files import global_storage
from promptscope_engine.agents.roo.materials import Mode, Server
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.formats.document import Json, with_texts
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json
from promptscope_engine.javascript.text import well_formed
from promptscope_engine.javascript.zod import (
    Check,
    Issue,
    absent,
    array,
    boolean,
    either,
    issues_of,
    number,
    one_of,
    optional,
    record,
    shape,
    string,
)
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource
from promptscope_engine.workspace import FileText, Workspace

from .found import Found, file_diagnostic

MAX_SERVERS = 200
"""Servers of one file: each is a section, and nobody starts twenty."""

WAIT = 10
"""Seconds that a task waits for servers that are connecting; the preview does not wait (9)."""

_ENABLED = flag("mcpEnabled")
"""Without the setting a task passes no hub (1, 2.4)."""

_VARIABLE = re.compile(r"\$\{(?:env:(\w+)|(workspaceFolder))\}", re.ASCII)


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme) and bool(parts.netloc or parts.path)


_COMMON: dict[str, Check] = {
    "disabled": optional(boolean),
    "timeout": optional(number(1, 3600)),
    "alwaysAllow": optional(array(string())),
    "watchPaths": optional(array(string())),
    "disabledTools": optional(array(string())),
}


def _remote(kind: str) -> Check:
    return shape(
        **_COMMON,
        type=optional(one_of(kind)),
        url=string(_is_url, "URL must be a valid URL format"),
        headers=optional(record(string())),
        command=absent,
        args=absent,
        env=absent,
    )


_SERVER = either(
    shape(
        **_COMMON,
        type=optional(one_of("stdio")),
        command=string(bool, "Command cannot be empty"),
        args=optional(array(string())),
        cwd=optional(string()),
        env=optional(record(string())),
        url=absent,
        headers=absent,
    ),
    _remote("sse"),  # a url without a type is taken for this one
    _remote("streamable-http"),
)
_SETTINGS = shape(mcpServers=record(_SERVER))


@frozen
class McpFound:
    """The configured servers, disabled ones too, and shouldIncludeMcp (1)."""

    servers: tuple[Server, ...]
    condition: Condition


@frozen
class _Entry:
    """A server's configuration, disabled ones too, and the line of its name."""

    name: str
    config: dict[str, Json]
    line: int | None


@frozen
class _Config:
    """One file and its valid entries. `wrong` is where the first mistake is, "" without one."""

    file: FileText
    shown: str
    entries: tuple[_Entry, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    wrong: str = ""


def find_servers(inputs: Inputs, params: RooParams, mode: Mode, workspace: Workspace) -> Found[McpFound]:
    """The servers of the prompt. Both files give connections, of the same name too (5)."""
    storage = global_storage(params.globalStorage, inputs.home, inputs.environment.platform)
    configs = (
        _config(workspace, f"{storage}/settings/mcp_settings.json", "mcp_settings.json", project=False),
        _config(workspace, f"{inputs.workspace}/.roo/mcp.json", ".roo/mcp.json", project=True),
    )
    stand_ins = inputs.mcp_servers
    if stand_ins is not None:
        servers = tuple(_stand_in(server, params.mcpConnectSeconds) for server in stand_ins)
        disabled = [server.name for server in stand_ins if server.disabled]
        remedy = "set `disabled` to false in `mcp_servers`" if disabled else "name a server in `mcp_servers`"
    else:
        entries = [(config, entry) for config in configs for entry in config.entries]
        servers = tuple(_server(config, entry, inputs) for config, entry in entries)
        places = [_place(config, entry) for config, entry in entries if entry.config.get("disabled")]
        disabled = places
        remedy = f"remove `disabled` from {places[0]}" if places else "add a server to `mcpServers` in .roo/mcp.json"
    enabled = len(servers) - len(disabled)
    no = "every configured MCP server is disabled" if servers else "no MCP server is configured"
    yes = "an MCP server is enabled" if enabled == 1 else f"{enabled} MCP servers are enabled"
    any_enabled = Observed("mcp", "servers", enabled > 0, yes, no, wanted="> 0", actual=enabled, remedy=remedy)
    return Found(
        McpFound(servers, _ENABLED & mode.has("mcp") & any_enabled),
        tuple(_draft(config, replaced=stand_ins is not None) for config in configs),
        (*(d for config in configs for d in config.diagnostics), *unmatched(_lists_of_tools(stand_ins or ()))),
    )


def _lists_of_tools(servers: Iterable[McpServer]) -> Iterator[Names]:
    """A server's lists of tools, where its tools are known."""
    for server in servers:
        known = [str(tool.get("name")) for tool in server.tools]
        for key in ("alwaysAllow", "disabledTools") if known else ():
            place = f"mcp_servers.{server.name}.{key}"
            entries = [Known(name, SettingSource(place)) for name in texts(server.config.get(key)) or []]
            yield Names(place, "tool of this server", entries, known)


def _stand_in(server: McpServer, seconds: int | None) -> Server:
    disabled = server.config.get("disabledTools")
    hidden = disabled if isinstance(disabled, list) else ()
    tools = ({"enabledForPrompt": tool.get("name") not in hidden, **tool} for tool in server.tools)
    place = f"the server {server.name} in `mcp_servers`"
    remedy = f"set `status` of {place} to connected"
    return Server(
        name=server.name,
        when=_when(server, seconds, place, remedy),
        config=dict(server.config),
        instructions=server.instructions,
        tools=tuple(tools),
        resources=tuple(server.resources),
        resource_templates=tuple(server.resourceTemplates),
    )


def _when(server: McpServer, seconds: int | None, place: str, remedy: str) -> Condition:
    """Whether a stand-in is in the prompt: of one that is connecting, whether it has done so when the wait ends (9)."""
    enable = f"set `disabled` of {place} to false"
    if server.status != "connecting":
        return _usable(server.name, server.disabled, server.status, enable, remedy)
    param = "mcpConnectSeconds"
    connected = Observed(
        "mcp",
        server.name,
        seconds is not None and seconds <= WAIT,
        f"the server {server.name} connects within the {WAIT} s that a task waits",
        f"the server {server.name} is connecting: a task waits {WAIT} s, then goes on without it",
        wanted="connected",
        actual="connecting",
        on=(Lever(param, WAIT),),
        off=(Lever(param, None),),
        remedy=f"see that the server {server.name} connects sooner: `{param}` simulates it",
    )
    return _enabled(server.name, enable) & connected if server.disabled else connected


def _server(config: _Config, entry: _Entry, inputs: Inputs) -> Server:
    place = _place(config, entry)
    start = f"start the server of {place}: `mcp_servers` simulates it connected"
    disabled = bool(entry.config.get("disabled"))
    return Server(
        entry.name,
        _usable(entry.name, disabled, "disconnected", f"remove `disabled` from {place}", start),
        substitute(entry.config, inputs.env, inputs.workspace),
        path=config.file.path,
    )


def _place(config: _Config, entry: _Entry) -> str:
    line = f":{entry.line}" if entry.line else ""
    return f"`mcpServers.{entry.name}` in {config.shown}{line}"


def _usable(name: str, disabled: bool, status: str, enable: str, start: str) -> Condition:
    """Whether the server is in the prompt: neither disabled nor unconnected."""
    yes, no, ok = f"the server {name} is connected", f"the server {name} is {status}", status == "connected"
    connected = Observed("mcp", name, ok, yes, no, wanted="connected", actual=status, remedy=start)
    if not disabled:
        return connected
    return _enabled(name, enable) & connected


def _enabled(name: str, enable: str) -> Condition:
    """False, of a disabled server."""
    yes, no = f"the server {name} is enabled", f"the server {name} is disabled"
    return Observed("mcp", f"{name}.enabled", False, yes, no, remedy=enable)


def substitute(value: Json, env: Mapping[str, str], folder: str) -> Json:
    """`${env:NAME}` and `${workspaceFolder}` in every text of a configuration; an unknown variable stays (5)."""
    filled = partial(_VARIABLE.sub, lambda found: env.get(found[1], found[0]) if found[1] else folder)
    return with_texts(value, filled, keys=True)


def _draft(config: _Config, *, replaced: bool) -> FileDraft:
    names, shown, file = len(config.entries), config.shown, config.file
    no, remedy = f"{shown} names no server", f"add a server to `mcpServers` in {shown}"
    if file.problem == "missing":
        no, remedy = f"there is no {shown}", f"create {shown} with `mcpServers`"
    elif not file.found:
        no, remedy = f"{shown} cannot be read", f"make {shown} readable ({file.detail})"
    elif config.wrong:
        no, remedy = f"{shown} is not valid", f"correct {config.wrong}"
    count = "1 server" if names == 1 else f"{names} servers"
    when: Condition = Observed("file", shown, names > 0, f"{shown} configures {count}", no, remedy=remedy)
    if replaced:
        given = "the scenario's `mcp_servers` stand in for the configured ones"
        remedy = "remove `mcp_servers` from the scenario"
        when = when & Observed("mcp", "mcp_servers", False, "the servers are the configured ones", given, remedy=remedy)
    return file_row(file, "mcp-config", "always", when)


# --- reading a file ------------------------------------------------------------------------------------------------


def _config(workspace: Workspace, path: str, shown: str, *, project: bool) -> _Config:
    return workspace.memo(("roo.mcp", path), lambda: _read_config(workspace.read(path), shown, project), tracked=True)


def _read_config(file: FileText, shown: str, project: bool) -> _Config:
    if not file.found:
        silent = file.problem == "missing"
        return _Config(file, shown, diagnostics=() if silent else (file_diagnostic(file.path, file),))
    entries, diagnostics = _servers_of(file.text, file.path, project)
    line = next((d.line for d in diagnostics if d.line), None)
    wrong = (f"{shown}:{line}" if line else shown) if diagnostics else ""
    return _Config(file, shown, entries, diagnostics, wrong)


def _servers_of(text: str, path: str, project: bool) -> tuple[tuple[_Entry, ...], tuple[Diagnostic, ...]]:
    """The valid servers of a file, and what is wrong with it."""
    try:
        document = parse_json(text)
    except JsonSyntaxError as error:
        message = f"JSON syntax error: {error.message}; no server of this file is loaded"
        return (), (Diagnostic("error", "mcp-json-syntax", message, path, error.line),)
    issues = issues_of(_SETTINGS, document.value)
    servers = document.value.get("mcpServers") if isinstance(document.value, dict) else None
    servers = servers if isinstance(servers, dict) else {}
    # One bad server drops the whole project file; the global one is then tried entry by entry, on the raw
    # configuration, where a url needs its type (5).
    bad = {name: why for name, config in servers.items() if (why := _flaw(config, raw=bool(issues)))}
    tail = "no server of this file is loaded" if project or not servers else "this server is left out"
    messages = [(i.path, f"{i}{_because(bad, i)}; {tail}") for i in issues]
    if not project and issues:
        named = {issue.path[:2] for issue in issues}
        messages += [
            (("mcpServers", name), f"mcpServers.{name}: {why}; {tail}")
            for name, why in bad.items()
            if ("mcpServers", name) not in named
        ]
    diagnostics = tuple(Diagnostic("error", "mcp-invalid", what, path, document.line(at)) for at, what in messages)
    if issues and project:
        return (), diagnostics
    good = [name for name in servers if name not in bad]
    if len(good) > MAX_SERVERS:
        text = f"{len(good):,} servers, of which the first {MAX_SERVERS} are used"
        diagnostics = (*diagnostics, Diagnostic("warning", "mcp-too-many", text, path))
    entries = (
        _Entry(well_formed(name), servers[name], document.line(("mcpServers", name))) for name in good[:MAX_SERVERS]
    )
    return tuple(entries), diagnostics


def _because(bad: dict[str, str], issue: Issue) -> str:
    """zod's message for a union that fits nowhere says nothing: the real mistake follows in brackets."""
    why = bad.get(str(issue.path[1])) if len(issue.path) == 2 else None
    return f" ({why})" if why and why != issue.message else ""


def _flaw(config: Json, *, raw: bool) -> str | None:
    """What keeps a single server from being loaded, if anything does."""
    if not isinstance(config, dict):
        return "it is not an object"
    issues = issues_of(_SERVER, config)
    if not issues and not (raw and "url" in config and not config.get("type")):
        return None
    return next(_flaws(config), issues[0].message if issues else "a url needs a type: sse or streamable-http")


def _flaws(config: dict[str, Json]) -> Iterator[str]:
    if "command" in config and "url" in config:
        yield "command and url exclude each other"
    if "command" not in config and "url" not in config:
        yield "it has neither a command nor a url"
    if config.get("type") not in (None, "stdio", "sse", "streamable-http"):
        yield "its type is none of stdio, sse, streamable-http"
    if "url" in config and not config.get("type"):
        yield from map(str, issues_of(_remote("sse"), config))
    elif "url" in config and config.get("type") in ("sse", "streamable-http"):
        yield from map(str, issues_of(_remote(config["type"]), config))
    if "command" in config:
        command = shape(**_COMMON, command=string(bool, "Command cannot be empty"), args=optional(array(string())))
        yield from map(str, issues_of(command, config))
