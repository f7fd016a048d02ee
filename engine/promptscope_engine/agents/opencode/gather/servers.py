"""MCP servers: which of them answer, what they say, and their tools; and the tools that files of one's own define."""

import re
from collections.abc import Iterator, Mapping
from operator import attrgetter
from textwrap import indent

from msgspec.structs import replace

from promptscope_engine.agents.kit.rows import absent
from promptscope_engine.agents.kit.servers import Configured, OfferedTool, Says, given_servers, idle, offering
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.opencode.materials import Agent
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.exports import exports
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import computed, of_server
from promptscope_engine.wire.request import wire_json
from promptscope_engine.workspace import FileText

from .agents import keeps
from .settings import Session

_PLAIN = re.compile(r"[^A-Za-z0-9_-]")


def wire_name(server: str, tool: str) -> str:
    """`SERVER_TOOL`, with an underscore for each character that no name may hold."""
    return f"{_PLAIN.sub('_', server)}_{_PLAIN.sub('_', tool)}"


class Servers:
    """The servers that answer, sorted by name, with their tools, and the others."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session, inputs = session, session.inputs
        own = {name: self._configured(name, mapping(said)) for name, said in session.settings.table("mcp").items()}
        self.configured = tuple(own.values())
        given = {server.name: server for server in given_servers(inputs, self.configured)}
        others = {name: Configured(name, server.config, session.cwd) for name, server in given.items()}
        found, silent = offering(session, inputs, {**others, **own}.values(), given)
        up = {each.name: server for each, server in found if each.config.get("enabled") is not False}
        self.answering = tuple(in_locale_order(up.values(), lambda server: server.name))
        self.resources = any(server.resources for server in self.answering)
        self.tools = tuple(tool for server in self.answering for tool in _offered(server, agent))
        self.told = tuple(_told(server.name, said) for server in self.answering if (said := server.instructions))
        off = (idle(each.name, why=f"{each.name} is switched off") for each, _ in found if each.name not in up)
        self.idle = (*silent, *off)

    def _configured(self, name: str, said: Mapping[str, Json]) -> Configured:
        settings = self.session.settings
        source = settings.member("mcp", name).source
        enabled = settings.flag("mcp", name, "enabled", default=True)
        when = enabled.is_(True, unset=True, yes=f"{name} is on", no=f"{name} is switched off")
        return Configured(name, said, self.session.cwd, source.path or "", when=when, source=source)


def _offered(server: McpServer, agent: Agent) -> list[OfferedTool]:
    """The tools of a server by their names on the wire."""
    named = ((tool, wire_name(server.name, str(tool.get("name")))) for tool in server.tools)
    found = (OfferedTool.of(server.name, tool, name, keeps(agent, name)) for tool, name in named)
    return sorted(found, key=attrgetter("name"))


def _told(name: str, instructions: str) -> Says:
    """What a server says of itself."""
    lines = indent(instructions.strip("\n"), "    ", lambda _: True)
    parts = {"mcp.open": f'  <server name="{name}">\n', f"mcp.{name}": lines, "mcp.close": "\n  </server>"}
    return Says(name, of_server(name, *(computed(part, text) for part, text in parts.items())))


def in_catalogue(tool: OfferedTool) -> dict[str, object]:
    """A server's tool as the catalogue of code mode has it: the parameters, then what it does."""
    text = f"- {tool.name}({wire_json(tool.schema)}): {tool.description}\n"
    return {"said": of_server(tool.server or "", computed("mcp.tool", text))}


# --- tools of one's own -----------------------------------------------------------------------------------------------


def own_tools(session: Session, agent: Agent) -> tuple[OfferedTool, ...]:
    """What the files of `tool` and `tools` export: only literal texts and schemas are read, nothing is run."""
    found: list[OfferedTool] = []
    for base in session.bases:
        for folder in (f"{base}/tool", f"{base}/tools"):
            for entry in session.workspace.list(folder).entries if session.may_read(folder, "tool") else ():
                stem, _, ending = entry.name.rpartition(".")
                if ending in ("js", "ts") and session.workspace.kind(f"{folder}/{entry.name}") == "file":
                    file = session.workspace.read(f"{folder}/{entry.name}")
                    made = [replace(each, when=keeps(agent, each.name)) for each in _exports(file, stem)]
                    why = absent(file.path, "it exports no tool that can be read here", "export an object with `args`")
                    session.row(file, "tool", "always", ALWAYS if made else why)
                    found += made
    if found:
        session.say("info", "own-tools", "tools of one's own let the client wait for its plug-in package at the start")
    return tuple(found)


def _exports(file: FileText, stem: str) -> Iterator[OfferedTool]:
    for each in exports(file.text):
        said, args = each.value("description"), mapping(each.value("args"))
        plain: Json = {"type": "object", "properties": dict(args), "required": [*args]}
        schema = plain if args else {"$schema": _DRAFT, "type": "object", "properties": {}}
        yield OfferedTool(f"{stem}_{each.name}" if each.name else stem, str(said or ""), schema)


_DRAFT = "https://json-schema.org/draft/2020-12/schema"
