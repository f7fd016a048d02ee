"""MCP servers: which of the stand-ins connect, their instructions and their tools.

No server is ever started: `mcp_servers` of the scenario says what each would answer.
"""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from promptscope_engine.agents.gemini.materials import McpServer, McpTool
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.disk.servers import (
    Configured,
    IdleServer,
    given_servers,
    idle,
    not_started,
    servers_in,
    some,
)
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json, truthy
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace.paths import path_in

from .session import Session

_LONGEST = 63
_PLAIN = re.compile(r"[^A-Za-z0-9_.:-]")


def wire_name(server: str, tool: str) -> str:
    """`mcp_<server>_<tool>`, without a second prefix; what is no plain character becomes an underscore."""
    name = f"{server}_{tool}"
    name = name if name.startswith("mcp_") else f"mcp_{name}"
    name = _PLAIN.sub(lambda found: "_" * utf16_len(found[0]), name)  # it goes by UTF-16 units
    return f"{name[:30]}...{name[-30:]}" if len(name) > _LONGEST else name


class Servers(Struct, frozen=True):
    """The connected servers in the order in which they connect, and all tools."""

    connected: tuple[McpServer, ...]
    tools: tuple[McpTool, ...]
    idle: tuple[IdleServer, ...] = ()
    configured: tuple[Configured, ...] = ()


def gather_servers(session: Session, untrusted: Sequence[str]) -> Servers:
    """The stand-ins, or else the configured servers, not connected. `untrusted`: names of the workspace's own."""
    config, facts = _configured(session), session.facts
    own = tuple(_own(session, name, each) for name, each in config.items())
    servers = given_servers(session.inputs, own)
    unasked: tuple[IdleServer, ...] = ()
    if session.inputs.mcp_servers is None:
        known = {server.name for server in servers}
        names = tuple(name for name in dict.fromkeys((*config, *untrusted)) if name not in known)
        source = session.settings.known("mcpServers").source
        if names and session.trusted.holds(facts):
            text = "MCP servers are configured"
            session.part().diagnostics.append(not_started(text, names, source.path, source.line))
        elif names:
            text = f"MCP servers are configured and not started, for the folder is not trusted: {some(names)}"
            session.part().say("info", "mcp-not-connected", text, source.path, source.line)
        unasked = tuple(
            idle(name, session.trusted & _let_in(name, session) & _in_core(name, session)) for name in names
        )
    starts = {server.name: _starts(server, session, mapping(config.get(server.name))) for server in servers}
    connected = tuple(
        McpServer(server.name, server.instructions or "", bool(server.resources))
        for server in servers
        if starts[server.name].holds(facts)
    )
    tools = tuple(
        _tool(server, tool, config.get(server.name) or server.config, starts[server.name])
        for server in in_locale_order(servers, lambda server: server.name)
        for tool in server.tools
    )
    silent = [server.name for server in servers if not starts[server.name].holds(facts)]
    mute = (idle(name, starts[name], why=f"{name} does not answer") for name in silent)
    return Servers(connected, tools, (*mute, *unasked), own)


_SECRET = re.compile(r"TOKEN|SECRET|PASSW|KEY|AUTH|CREDENTIAL|CERT", re.IGNORECASE)


_ADDED = {"GEMINI_CLI": "1"}


def _own(session: Session, name: str, config: Json) -> Configured:
    """Variables that may hold a secret are passed on only if the server's `env` sets them [recorded 0.61.0]."""
    path = session.settings.member("mcpServers", name).source.path or ""
    return Configured(
        name, mapping(config), session.inputs.workspace, path, lambda each: not _SECRET.search(each), _ADDED
    )


def _configured(session: Session) -> Mapping[str, Json]:
    """The servers of settings and extensions by name; those of settings go first."""
    found: dict[str, Json] = {}
    for extension in session.active:
        found |= {name: mapping(config) for name, config in (extension.servers or {}).items()}
    return {**found, **servers_in(session.settings.plain)}


def _starts(server: StandIn, session: Session, config: Mapping[str, Json]) -> Condition:
    """The server is started, in a folder that there is [asked], and answers."""
    name, folder = server.name, config.get("cwd")
    is_there = not isinstance(folder, str) or session.workspace.is_dir(path_in(session.inputs.workspace, folder))
    up = server.status == "connected" and not server.disabled and is_there
    return session.trusted & _let_in(name, session) & FOLDER.reason("answers", up, name=name)


def _let_in(name: str, session: Session) -> Condition:
    """Whether `mcp.allowed` (empty: all) names the server and `mcp.excluded` doesn't; the argument replaces both."""
    gate = _enabled(name, session)
    settings, named = session.settings, session.params.args.allowedMcpServerNames
    if named is not None:
        if not named:
            return gate
        on = {"on": (Lever("args.allowedMcpServerNames", [*named, name]),)}
        return gate & FOLDER.reason("server_named", name in named, on, server=name)
    if settings.items("mcp.allowed"):
        gate = gate & settings.names("mcp.allowed", name, wanted=True, op="mcp")
    if settings.is_list("mcp.excluded"):
        gate = gate & settings.names("mcp.excluded", name, wanted=False, op="mcp")
    return gate


_ENABLEMENT = "mcp-server-enablement.json"


def _enabled(name: str, session: Session) -> Condition:
    """The file that `gemini mcp disable` writes leaves the server on: its names are in small letters [source]."""
    file = session.workspace.read(f"{session.places.own}/{_ENABLEMENT}")
    try:
        said = mapping(parse_json(file.text).value) if file.found else {}
    except JsonSyntaxError:  # it counts for nothing then
        return ALWAYS
    enabled = mapping(said.get(js_trim(name.lower()))).get("enabled")
    return FOLDER.reason("enabled", enabled is None or truthy(enabled), path=file.path, server=name)


def _in_core(name: str, session: Session) -> Condition:
    """Where `tools.core` is a list, only a server counts of which it may name a tool, but for plan mode.

    It goes by names on the wire, `mcp_SERVER_TOOL`, `mcp_SERVER_*`, `mcp_*` and `*`, not by the server or the tool
    alone, and neither `trust` nor `mcp.allowed` makes up for it [asked of 0.61.0].
    """
    entries = [item.value for item in session.settings.items("tools.core")]
    may = any(entry in ("*", "mcp_*") or entry.startswith(f"mcp_{name}_") for entry in entries)
    if may or not session.settings.is_list("tools.core") or session.facts.mode == "plan":
        return ALWAYS
    remedy, source = f"add mcp_{name}_* to `tools.core`", session.settings.known("tools.core").source
    return Fact("mcp", name, False, "", f"`tools.core` names no tool of {name}", remedy=remedy, source=source)


def _tool(server: StandIn, tool: Mapping[str, Json], config: Json, starts: Condition) -> McpTool:
    own = str(tool.get("name") or "")
    hints = tool.get("annotations")
    return McpTool(
        name=wire_name(server.name, own),
        server=server.name,
        own_name=own,
        description=str(tool.get("description") or ""),
        input_schema=_schema(tool.get("inputSchema")),
        read_only=isinstance(hints, Mapping) and hints.get("readOnlyHint") is True,
        offered=starts & _filtered(own, server.name, config),
    )


def _filtered(tool: str, server: str, config: Json) -> Condition:
    """The server's own `includeTools` and `excludeTools`."""
    values = mapping(config)
    included, excluded = values.get("includeTools"), values.get("excludeTools")
    gate: Condition = ALWAYS
    if isinstance(included, list):  # arguments aside; those of `excludeTools` are taken as they are
        included = {item.partition("(")[0] for item in included if isinstance(item, str)}
        gate = gate & FOLDER.reason("included", tool in included, tool=tool, server=server)
    if isinstance(excluded, list):
        gate = gate & FOLDER.reason("not_excluded", tool not in excluded, tool=tool, server=server)
    return gate


def _schema(value: Json) -> Json:
    """The schema as sent; one without parameters is given an empty list of them."""
    schema = dict(value) if isinstance(value, Mapping) else {"type": "object"}
    properties = schema.get("properties")
    return {**schema, "properties": dict(properties) if isinstance(properties, Mapping) else {}}
