"""MCP servers: those of the settings, what is imagined of them, their schemas as Codex sends them. None is started."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from msgspec import Struct

from promptscope_engine.agents.codex.materials import McpServer, McpTool
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.servers import (
    USUAL,
    Configured,
    IdleServer,
    given_servers,
    how_to_tell,
    idle,
    misplaced,
)
from promptscope_engine.agents.kit.disk.settings import Names, mapping, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.wire.schemas import IN_LISTS, with_inner
from promptscope_engine.workspace.paths import path_in

from .settings import CodexSettings, Session

_KEPT = (
    "$ref", "type", "description", "enum", "items", "properties", "required", "additionalProperties",
    "anyOf", "oneOf", "allOf", "$defs",
)  # fmt: skip
_JSON_TYPES = frozenset({"string", "number", "boolean", "integer", "object", "array", "null"})
_OF_OBJECTS = ("properties", "required", "additionalProperties")
_OF_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
MAX_DEPTH = 60
"""Levels of a schema; deeper ones are taken for texts."""


def normalised(schema: Json) -> dict[str, Json]:
    """A tool's whole schema: always an object with properties."""
    given = dict(schema) if isinstance(schema, dict) else {}
    if not isinstance(given.get("properties"), dict):
        given["properties"] = {}
    given.setdefault("type", "object")
    made = _part(given, 0)
    if "$defs" in made:
        made["$defs"] = _used(made)
    return {key: value for key, value in made.items() if key != "$defs" or value}


def _used(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The definitions that something refers to."""
    defined: dict[str, Json] = schema["$defs"]
    found: set[str] = set()
    new = _named({key: value for key, value in schema.items() if key != "$defs"}) & defined.keys()
    while new:
        found |= new
        new = (set[str]().union(*(_named(defined[name]) for name in new)) & defined.keys()) - found
    return {name: value for name, value in defined.items() if name in found}


def _named(schema: Json) -> set[str]:
    """The definitions that a schema refers to by itself."""
    if isinstance(schema, list):
        return set[str]().union(*map(_named, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("$ref")
    here = {own.removeprefix("#/$defs/")} if isinstance(own, str) else set[str]()
    return here.union(*(_named(value) for value in schema.values()))


def _part(schema: Json, depth: int) -> dict[str, Json]:
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return {"type": "string"}  # `true` and `false` are schemas, too
    made: dict[str, Json] = {key: _value(key, schema[key], depth) for key in _KEPT if key in schema}
    if "const" in schema:
        made["enum"] = [schema["const"]]
    if "$ref" in made:
        return made
    named = schema.get("type")
    types = [name for name in (named if isinstance(named, list) else [named]) if isinstance(name, str)]
    types = [name for name in types if name in _JSON_TYPES]
    if not types:
        if any(key in made for key in IN_LISTS):
            return made
        if (guessed := _guessed(schema)) is None:
            return {}  # neither a type nor a hint at one: nothing is left of it, its description included
        types = [guessed]
    made["type"] = types[0] if len(types) == 1 else types
    if "object" in types:
        made.setdefault("properties", {})
    if "array" in types:
        made.setdefault("items", {"type": "string"})
    return {key: made[key] for key in _KEPT if key in made}


def _value(key: str, value: Json, depth: int) -> Json:
    if key == "additionalProperties":
        return value if isinstance(value, bool) else _part(value, depth + 1)
    return with_inner(key, value, lambda inner: _part(inner, depth + 1))


def _guessed(schema: Mapping[str, Json]) -> str | None:
    if any(key in schema for key in _OF_OBJECTS):
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    if "enum" in schema or "const" in schema or "format" in schema:
        return "string"
    return "number" if any(key in schema for key in _OF_NUMBERS) else None


PREFIX = "mcp__"

_UNFIT = re.compile(r"[^A-Za-z0-9_]")


class Servers(Struct, frozen=True):
    """What came of the servers. `any` holds where one is configured and enabled, even one that failed."""

    answering: tuple[McpServer, ...]
    any: Condition
    with_tools: Condition
    """One of those that answer has a tool."""
    idle: tuple[IdleServer, ...] = ()
    configured: tuple[Configured, ...] = ()


_INHERITED = USUAL | {"LANG", "LC_ALL", "TMPDIR", "TZ", "__CF_USER_TEXT_ENCODING"}
"""The variables that a server gets, and those of its `env_vars` [recorded 0.169.0]."""


def _configured(session: Session, name: str, config: Json) -> Configured:
    values = mapping(config)
    passed = frozenset(texts(values.get("env_vars")) or ()) | _INHERITED
    path = session.settings.known("mcp_servers", name).source.path or ""
    return Configured(name, values, session.cwd, path, passed.__contains__)


def servers(session: Session, *, bare: bool) -> Servers:
    """The servers in the order of their names on the wire. `bare`: all, or those of a list, go without a prefix."""
    settings = session.settings
    configured = settings.table("mcp_servers")
    own = tuple(_configured(session, name, config) for name, config in configured.items())
    stand_ins = {server.name: server for server in given_servers(session.inputs, own)}
    names = sorted({*configured, *stand_ins})
    enabled: list[str] = []
    answering: list[McpServer] = []
    listed = settings.texts("features", "non_prefixed_mcp_tool_names", "server_names")
    for name in names:
        config, stand_in = mapping(configured.get(name)), stand_ins.get(name)
        if config.get("enabled") is False or (stand_in is not None and stand_in.disabled):
            continue
        if not session.requirements.server(name, config):
            continue
        enabled.append(name)
        if stand_in is None:
            place = settings.known("mcp_servers", name).source
            session.diagnostics.append(FOLDER.note("mcp-not-connected", place, name=name, tell=how_to_tell(name)))
        elif stand_in.status == "connected" and not _obstacle(session, name, config)[0]:
            answering.append(
                _server(stand_in, config, prefixed=not bare or name not in (names if listed is None else listed))
            )
        elif config.get("required") is True:
            place = settings.known("mcp_servers", name, "required").source
            session.refuse(f"the server {name} is required and does not answer", place)
        else:
            session.diagnostics.append(FOLDER.note("mcp-not-answering", name=name))
    answering.sort(key=lambda server: server.namespace)
    none = "every MCP server is switched off" if names else "no MCP server is configured"
    return Servers(
        tuple(answering),
        FOLDER.reason("server", bool(enabled), none=none),
        FOLDER.reason("tools", any(server.tools for server in answering)),
        tuple(_idle(names, session, {server.name for server in answering}, stand_ins)),
        own,
    )


def _idle(
    names: Sequence[str], session: Session, answering: Container[str], given: Container[str]
) -> Iterator[IdleServer]:
    """The servers that offer nothing: those switched off, those not started, those under a key that means nothing."""
    settings = session.settings
    for name in names:
        if name not in answering:
            enabled = settings.flag("mcp_servers", name, "enabled", default=True)
            no = f"the server {name} is not started: `enabled` is off"
            on = enabled.is_(True, unset=True, yes="`enabled` is on", no=no)
            why, key = _filtered(name, settings)
            why = f"the server {name} does not answer" if name in given else why
            obstacle, of = _obstacle(session, name, settings.table("mcp_servers", name))
            if not session.placeless and not session.requirements.server(name, settings.table("mcp_servers", name)):
                why = f"requirements.toml does not allow the server {name}"
            elif obstacle:
                why, key = obstacle, of
            yield idle(name, on, why=why, source=settings.known("mcp_servers", name, *key).source)
    for key, found in misplaced(settings.plain, ("mcp_servers",)):
        why = f"Codex knows no setting `{'.'.join(key)}`: servers are in `mcp_servers`"
        yield from (idle(name, why=why, source=settings.known(*key, name).source) for name in found)


_NAME = re.compile(r"[A-Za-z0-9_./@:-]+")
_SOONEST = 0.05
"""Seconds: a shorter timeout is over before any server answers [asked of 0.171.0]."""


def _obstacle(session: Session, name: str, config: Mapping[str, Json]) -> tuple[str, tuple[str, ...]]:
    """Why a server doesn't start, and the key that decides it below the server's; "" if nothing stops it."""
    cwd, place = config.get("cwd"), config.get("environment_id", "local")
    milliseconds = config.get("startup_timeout_ms")
    usual = milliseconds / 1000 if isinstance(milliseconds, int) else None
    seconds = config.get("startup_timeout_sec", usual)
    if session.placeless:
        return "there is no place to start it in: CODEX_EXEC_SERVER_URL is none", ()
    if not _NAME.fullmatch(name):  # [asked of 0.171.0]
        return f"a server's name may contain only ASCII letters, digits and `_ - . / @ :`, not {name}", ()
    if place != "local":
        return f"there is no environment {place}", ("environment_id",)
    if isinstance(seconds, int | float) and seconds < _SOONEST:
        return "it times out before it can answer", ("startup_timeout_sec",)
    if isinstance(cwd, str) and not (cwd and session.workspace.is_dir(path_in(session.cwd, cwd))):
        return f"its folder does not exist: {cwd or 'none'}", ("cwd",)
    return "", ()


def _filtered(name: str, settings: CodexSettings) -> tuple[str, tuple[str, ...]]:
    """What a server's own list lets through of its tools, and the list's key; nothing without a list."""
    for key, which in (("enabled_tools", "only"), ("disabled_tools", "all but")):
        if (tools := settings.texts("mcp_servers", name, key)) is not None:
            return f"not asked yet; `{key}` offers {which} {', '.join(tools) or 'none'} of its tools", (key,)
    return "", ()


def lists_of_tools(session: Session) -> Iterator[Names]:
    """The lists of each server of which the tools are known."""
    settings = session.settings
    for server in session.inputs.mcp_servers or ():
        names = [str(tool.get("name")) for tool in server.tools] if server.status == "connected" else []
        for key in ("enabled_tools", "disabled_tools") if names else ():
            source = settings.known("mcp_servers", server.name, key).source
            entries = [Sourced(entry, source) for entry in settings.texts("mcp_servers", server.name, key) or ()]
            yield Names(f"mcp_servers.{server.name}.{key}", "tool of this server", entries, names)


def _server(stand_in: StandIn, config: Mapping[str, Json], *, prefixed: bool) -> McpServer:
    """A server that answers, with those of its tools that its lists let through."""
    tools = [
        McpTool(fitting(name), str(tool.get("description") or ""), normalised(tool.get("inputSchema")))
        for tool in stand_in.tools
        if (name := str(tool.get("name") or ""))
        and tool.get("enabledForPrompt") is not False
        and _offered(name, config)
    ]
    tools.sort(key=lambda tool: tool.name)
    name = fitting(stand_in.name)
    namespace = f"{PREFIX}{name}" if prefixed else name
    return McpServer(stand_in.name, namespace, stand_in.instructions or "", tuple(tools))


def _offered(name: str, config: Mapping[str, Json]) -> bool:
    """By the tool's original name."""
    only, without = config.get("enabled_tools"), config.get("disabled_tools")
    if isinstance(only, list) and name not in only:
        return False
    return not (isinstance(without, list) and name in without)


def fitting(name: str) -> str:
    """A name as the wire allows it: every other character is an underscore."""
    return _UNFIT.sub("_", name)
