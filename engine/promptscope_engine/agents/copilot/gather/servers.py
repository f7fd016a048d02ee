"""MCP servers: those of the files, what is imagined of them, and their schemas as each protocol has them."""

import json
import re
from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.agents.copilot.gates import Protocol
from promptscope_engine.agents.copilot.materials import McpServer, McpTool
from promptscope_engine.agents.kit.servers import (
    Configured,
    IdleServer,
    foreign,
    given_servers,
    how_to_tell,
    idle,
    servers_in,
)
from promptscope_engine.agents.kit.settings import mapping, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.leaves import flag

from .session import Session

_KIND = "mcp-config"
_LONGEST = 64
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_STAND_IN = "stand-in-mcp"


class Servers(Struct, frozen=True):
    """What came of the servers."""

    tools: tuple[McpTool, ...]
    said: tuple[McpServer, ...]
    idle: tuple[IdleServer, ...]
    configured: tuple[Configured, ...]


class _Config(Struct, frozen=True):
    """A server's configuration, the file that has it, and what lets it start."""

    values: Mapping[str, Json]
    path: str
    when: Condition


def servers(session: Session, protocol: Protocol, plugins: tuple[str, ...], agent: Mapping[str, Json]) -> Servers:
    """The servers in the order of their names on the wire."""
    found = _configured(session, plugins, agent)
    own = tuple(Configured(name, each.values, session.cwd, each.path) for name, each in found.items())
    stand_ins = {server.name: server for server in given_servers(session.inputs, own)}
    tools: list[McpTool] = []
    said: list[McpServer] = []
    silent: list[IdleServer] = []
    for name, config in found.items():
        when = config.when & _allowed(session, name)
        stand_in = _stand_in(stand_ins, name, config.values)
        if stand_in is None or stand_in.status != "connected" or stand_in.disabled:
            why = "it does not answer" if stand_in else ""
            silent.append(idle(name, when, why=why))
            if stand_in is None:
                text = f"the server {name} is not asked yet, so its tools are not known; {how_to_tell(name)}"
                session.say("info", "mcp-not-connected", text, config.path or None)
            continue
        only = texts(config.values.get("tools"))
        for tool in stand_in.tools:
            own_name = str(tool.get("name") or "")
            if only is None or "*" in only or own_name in only:
                schema = normalised(tool.get("inputSchema"), protocol)
                wired = f"{fitting(name)}-{fitting(own_name)}"[:_LONGEST]
                tools.append(McpTool(wired, name, str(tool.get("description") or ""), schema, when))
        if stand_in.instructions:
            says = flag("args.allowAllMcpServerInstructions")
            said.append(McpServer(name, stand_in.instructions, when & says))
    tools.sort(key=lambda tool: (f"{fitting(tool.server)}-".encode(), tool.name.encode()))
    why = "the editor's Copilot reads it: the servers of the CLI are in .mcp.json or .github/mcp.json"
    silent += foreign(session.workspace, f"{session.cwd}/.vscode/mcp.json", why, found)
    return Servers(tuple(tools), tuple(said), tuple(silent), own)


def _stand_in(stand_ins: Mapping[str, StandIn], name: str, config: Mapping[str, Json]) -> StandIn | None:
    """A stand-in by the server's name; of a recording by what stands in for its command."""
    words = texts(config.get("args")) or []
    if config.get("command") == _STAND_IN and words:
        return stand_ins.get(words[0])
    return stand_ins.get(name)


def _configured(session: Session, plugins: tuple[str, ...], agent: Mapping[str, Json]) -> dict[str, _Config]:
    """The user's, the plugins', the workspace's where it is trusted, those of the command line, and of the agent."""
    found: dict[str, _Config] = {}

    def add(path: str, values: Mapping[str, Json], when: Condition = ALWAYS) -> None:
        found.update({name: _Config(mapping(each), path, when) for name, each in servers_in(values).items()})

    add(path := f"{session.home}/mcp-config.json", session.values(path, _KIND))
    for plugin in plugins:
        add(path := f"{plugin}/.mcp.json", session.values(path, _KIND))
    first = f"{session.cwd}/.mcp.json"
    path = first if session.workspace.kind(first) is not None else f"{session.cwd}/.github/mcp.json"
    values = session.values(path, _KIND, session.trusted)
    if session.is_trusted:
        add(path, values, session.trusted)
    elif servers_in(values):
        text = "its servers are left out, and Copilot does not say so: the folder is not trusted"
        session.warn("untrusted-servers", text, path, 1)
        for name, each in servers_in(values).items():
            found.setdefault(name, _Config(mapping(each), path, session.trusted))
    for given in session.params.args.additionalMcpConfig:
        if given.startswith("@"):
            path = given[1:] if given.startswith("@/") else f"{session.cwd}/{given[1:]}"
            add(path, session.values(path, _KIND))
        else:
            add("", _object(given))
    add("", {"mcpServers": agent.get("mcp-servers")})
    return found


def _object(text: str) -> Mapping[str, Json]:
    try:
        return mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _allowed(session: Session, name: str) -> Condition:
    """Neither the settings nor the command line disable it."""
    args = session.params.args
    disabled = session.settings.items("disabledMcpServers")
    source = next((each.source for each in disabled if each.value == name), None)
    if name in args.disableMcpServer:
        return Fact("mcp", name, False, "", f"--disable-mcp-server names {name}", remedy=f"do not name {name} there")
    if source is not None and name not in args.enableMcpServer:
        no, remedy = f"`disabledMcpServers` names {name}", f"take {name} out of `disabledMcpServers`"
        return Fact("mcp", name, False, "", no, source=source, remedy=remedy)
    return ALWAYS


def fitting(name: str) -> str:
    """A name as the wire allows it; one with other letters becomes punycode."""
    if not name.isascii():
        name = f"xn--{name.lower().encode('punycode').decode()}"
    return _UNFIT.sub("-", name)


# --- schemas ----------------------------------------------------------------------------------------------------------


_KEPT = frozenset((
    "type", "description", "properties", "required", "items", "enum", "additionalProperties", "anyOf", "const", "title",
    "$schema", "$defs", "$ref", "default",
))  # fmt: skip
_MOVED_TOO = ("$schema", "default")
_MAX_DEPTH = 40


def normalised(schema: Json, protocol: Protocol, depth: int = 0) -> dict[str, Json]:
    """A schema: what the wire does not support is written into the description."""
    given = dict(schema) if isinstance(schema, Mapping) and depth < _MAX_DEPTH else {"type": "object"}
    moved_too = _MOVED_TOO if protocol == "messages" else ()
    moved = {key: value for key, value in given.items() if key not in _KEPT or key in moved_too}
    kept = {key: _inner(key, value, protocol, depth) for key, value in given.items() if key not in moved}
    if kept.get("type") == "object":
        kept.setdefault("properties", {})
    if kept.get("type") == "array":
        kept.setdefault("items", {})
    if moved:
        parts = [str(kept["description"])] if kept.get("description") else []
        rest = {key: value for key, value in moved.items() if key not in moved_too}
        parts += [f"{{{', '.join(_written(key, value) for key, value in rest.items())}}}"] if rest else []
        parts += [f"{{{_written(key, moved[key])}}}" for key in moved_too if key in moved]
        kept["description"] = "\n\n".join(parts)
    return kept


def _inner(key: str, value: Json, protocol: Protocol, depth: int) -> Json:
    if key in ("properties", "$defs") and isinstance(value, Mapping):
        return {name: normalised(value[name], protocol, depth + 1) for name in sorted(value)}
    if key == "items" and isinstance(value, Mapping):
        return normalised(value, protocol, depth + 1)
    if key == "anyOf" and isinstance(value, list):
        return [normalised(each, protocol, depth + 1) for each in value]
    return value


def _written(key: str, value: Json) -> str:
    return f"{key}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
