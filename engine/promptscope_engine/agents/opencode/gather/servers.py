"""MCP servers: which of them answer, what they say, and their tools; and the tools that files of one's own define."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from posixpath import basename, splitext
from textwrap import indent

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import absent
from promptscope_engine.agents.kit.disk.servers import Configured, OfferedTool, Says, given_servers, offering
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.kit.disk.walking import Reach, read_below
from promptscope_engine.agents.opencode.materials import Agent
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.packages import exports
from promptscope_engine.prompt.conditions import ALWAYS, Facts, any_of
from promptscope_engine.prompt.drafts import computed, of_server
from promptscope_engine.wire.request import wire_json
from promptscope_engine.workspace import FileText

from .agents import keeps
from .settings import Session

_NO_MCP_JSON = "OpenCode does not read .mcp.json: its servers are in `mcp` of opencode.json"
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


class Servers:
    """The servers that answer, sorted by name, with their tools, and the others."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session, inputs = session, session.inputs
        own = {name: self._configured(name, mapping(said)) for name, said in session.settings.table("mcp").items()}
        self.configured = tuple(own.values())
        given = {server.name: server for server in given_servers(inputs, self.configured)}
        every = {**{name: Configured(name, server.config, session.cwd) for name, server in given.items()}, **own}
        up = [each for each in every.values() if each.config.get("enabled") is not False and each.when.holds(Facts())]
        on = {each.name: given[each.name] for each in up if each.name in given}
        theirs = {f"{session.cwd.rstrip('/')}/.mcp.json": _NO_MCP_JSON}
        found, self.idle = offering(session, inputs, every.values(), on, theirs)
        self.answering = in_locale_order((server for _, server in found), lambda server: server.name)
        self.resources = any(server.resources for server in self.answering)
        tools = {server.name: _offered(server, agent) for server in self.answering}
        self.tools = tuple(chain.from_iterable(tools.values()))
        self.told = [_told(server, tools[server.name]) for server in self.answering if server.instructions]

    def _configured(self, name: str, said: Mapping[str, Json]) -> Configured:
        source = self.session.settings.member("mcp", name).source
        enabled = self.session.settings.flag("mcp", name, "enabled", default=True)
        when = enabled.is_(True, unset=True, yes=f"{name} is on", no=f"{name} is switched off")
        found = Configured(name, said, self.session.cwd, source.path or "", when=when, source=source)
        is_there = not found.command or self.session.workspace.is_dir(found.folder)  # [asked of 1.18.33]
        return replace(found, when=when & FOLDER.reason("folder_there", is_there, folder=found.folder))


def _offered(server: McpServer, agent: Agent) -> list[OfferedTool]:
    """The tools of a server by their names on the wire: `SERVER_TOOL`, an underscore for what no name may hold."""
    named = ((tool, _UNFIT.sub("_", f"{server.name}_{tool.get('name')}")) for tool in server.tools)
    found = (OfferedTool.of(server.name, tool, name, keeps(agent, name)) for tool, name in named)
    return sorted(found, key=attrgetter("name"))


def _told(server: McpServer, tools: Sequence[OfferedTool]) -> Says:
    """What a server says of itself, unless all of its tools are taken away."""
    name, lines = server.name, indent((server.instructions or "").strip("\n"), "    ", lambda _: True)
    parts = {"mcp.open": f'  <server name="{name}">\n', f"mcp.{name}": lines, "mcp.close": "\n  </server>"}
    spans = of_server(name, *(computed(part, text) for part, text in parts.items()))
    return Says(name, spans, any_of((tool.when for tool in tools), ALWAYS))


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
            for file in read_below(session, folder, "tool", "", Reach(0)):
                stem, ending = splitext(basename(file.path))
                if ending in (".js", ".ts"):
                    made = [replace(each, when=keeps(agent, each.name)) for each in _exports(file, stem)]
                    why = absent(file.path, "it exports no tool that can be read here", "export an object with `args`")
                    session.row(file, "tool", "always", ALWAYS if made else why)
                    found += made
    session.note(FOLDER.agent["notes"], {"own-tools": bool(found)})
    return tuple(found)


def _exports(file: FileText, stem: str) -> Iterator[OfferedTool]:
    for each in exports(file.text):
        said, args = each.value("description"), mapping(each.value("args"))
        plain: Json = {"type": "object", "properties": dict(args), "required": [*args]}
        schema = plain if args else {"$schema": _DRAFT, "type": "object", "properties": {}}
        yield OfferedTool(f"{stem}_{each.name}" if each.name else stem, str(said or ""), schema)


_DRAFT = "https://json-schema.org/draft/2020-12/schema"
