"""MCP servers: those of the files, what is imagined of them, and their schemas as each protocol has them."""

import re
from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.copilot.materials import table
from promptscope_engine.agents.kit.servers import Configured, OfferedTool, Says, given_servers, offering, servers_in
from promptscope_engine.agents.kit.settings import mapping, object_in, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import computed, label, of_server
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.wire.protocols import Protocol
from promptscope_engine.wire.request import wire_json
from promptscope_engine.wire.schemas import with_inner

from .session import Session

_KIND = "mcp-config"
_LONGEST = 64
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_STAND_IN = "stand-in-mcp"


class Servers:
    """The tools of servers in the order of their names on the wire, and what servers say of themselves."""

    def __init__(self, session: Session, protocol: Protocol, agent: Mapping[str, Json]) -> None:
        self.configured = tuple(_configured(session, agent).values())
        given = {server.name: server for server in given_servers(session.inputs, self.configured)}
        named = {each.name: given[name] for each in self.configured if (name := _stand_in(each)) in given}
        theirs = {f"{session.cwd}/.vscode/mcp.json": table("no_mcp_json")}
        up, self.idle = offering(session, session.inputs, self.configured, named, theirs)
        self.tools: list[OfferedTool] = []
        self.said: list[Says] = []
        self.names: dict[str, list[str]] = {}  # the tools that a name means in a list, in small letters
        for each, server in up:
            self._add(each, server, protocol)
        self.tools.sort(key=lambda tool: f"{tool.server}-\0{tool.name}".encode("utf-8", "surrogatepass"))

    def _add(self, each: Configured, server: StandIn, protocol: Protocol) -> None:
        only = texts(each.config.get("tools", ["*"])) or ()  # a value of another type lets none through [asked]
        for tool in server.tools:
            name = str(tool.get("name") or "")
            if "*" in only or name in only:
                wired = f"{fitting(each.name)}-{fitting(name)}"[:_LONGEST]
                for key in (wired, f"{each.name}/{name}", f"{each.name}/*"):
                    self.names.setdefault(key.lower(), []).append(wired)
                offered = OfferedTool.of(each.name, tool, wired, each.when)
                self.tools.append(replace(offered, schema=normalised(offered.schema, protocol)))
        if server.instructions:
            text = computed("mcp.instructions", server.instructions)
            spans = of_server(each.name, label(f"<{each.name}-*>\n"), text, label(f"\n</{each.name}-*>"))
            self.said.append(Says(each.name, spans, each.when & flag("args.allowAllMcpServerInstructions")))


def _stand_in(server: Configured) -> str:
    """A server's name; in a recording, the name of the program that replaced its command."""
    words = texts(server.config.get("args"))
    return words[0] if server.config.get("command") == _STAND_IN and words else server.name


def _configured(session: Session, agent: Mapping[str, Json]) -> dict[str, Configured]:
    """The user's, the plugins', the workspace's where it is trusted, those of the command line, and of the agent."""

    def found_in(values: Mapping[str, Json], path: str = "", when: Condition = ALWAYS) -> dict[str, Configured]:
        return {
            name: Configured(name, mapping(each), session.cwd, path, when=when & _allowed(session, name))
            for name, each in servers_in(values).items()
        }

    found: dict[str, Configured] = {}
    for path in (f"{session.home}/mcp-config.json", *(f"{plugin}/.mcp.json" for plugin in session.folders["plugins"])):
        found |= found_in(session.values(path, _KIND), path)
    first, second = f"{session.cwd}/.mcp.json", f"{session.cwd}/.github/mcp.json"
    path = first if session.workspace.kind(first) is not None else second
    own = found_in(session.values(path, _KIND, session.trusted), path, session.trusted)
    session.note(table("notes"), {"untrusted-servers": bool(own) and not session.is_trusted and path})
    found = found | own if session.is_trusted else own | found
    for given in session.params.args.additionalMcpConfig:
        if given.startswith("@"):
            path = given[1:] if given.startswith("@/") else f"{session.cwd}/{given[1:]}"
            found |= found_in(session.values(path, _KIND), path)
        else:
            values = object_in(given) or {}
            if "mcpServers" not in values:
                session.refuse("--additional-mcp-config has no `mcpServers`")
            found |= found_in(values)
    return found | found_in({"mcpServers": agent.get("mcp-servers")})


def _allowed(session: Session, name: str) -> Condition:
    """Neither the settings nor the command line disable it."""
    args = session.params.args
    if name in args.disableMcpServer:
        return Fact("mcp", name, False, "", f"--disable-mcp-server names {name}", remedy=f"do not name {name} there")
    if name in args.enableMcpServer:
        return ALWAYS
    return session.settings.names("disabledMcpServers", name, wanted=False, op="mcp")


def fitting(name: str) -> str:
    """A name as the wire allows it; one with other letters becomes punycode."""
    if not name.isascii():
        name = f"xn--{name.lower().encode('punycode').decode()}"
    return _UNFIT.sub("-", name)


# --- schemas ----------------------------------------------------------------------------------------------------------


_MAX_DEPTH = 40


def normalised(schema: Json, protocol: Protocol, depth: int = 0) -> dict[str, Json]:
    """A schema: what the wire does not support is written into the description (`[schema]` of agent.toml)."""
    given = dict(schema) if isinstance(schema, Mapping) and depth < _MAX_DEPTH else {"type": "object"}
    apart: list[str] = table("schema")["apart"].get(protocol, [])
    moved = {key: value for key, value in given.items() if key not in table("schema")["kept"]}
    inner = partial(normalised, protocol=protocol, depth=depth + 1)
    kept = {key: with_inner(key, value, inner) for key, value in given.items() if key not in {*moved, *apart}}
    if kept.get("type") == "object":
        kept.setdefault("properties", {})
    if kept.get("type") == "array":
        kept.setdefault("items", {})
    groups = (moved, *({key: given[key]} for key in apart if key in given))
    written = [", ".join(f"{key}: {wire_json(value)}" for key, value in group.items()) for group in groups if group]
    if written:
        said = [str(kept["description"])] if kept.get("description") else []
        kept["description"] = "\n\n".join((*said, *(f"{{{each}}}" for each in written)))
    return kept
