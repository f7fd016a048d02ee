"""MCP servers: which of them answer, what they say, and their tools; and the tools that files of one's own define."""

import re
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.kit.rows import absent
from promptscope_engine.agents.kit.servers import Configured, OfferedTool, given_servers, idle, offering
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.opencode.materials import Server
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.exports import exports
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.workspace import FileText

from .settings import Session

_PLAIN = re.compile(r"[^A-Za-z0-9_-]")


def wire_name(server: str, tool: str) -> str:
    """`SERVER_TOOL`, with an underscore for each character that no name may hold."""
    return f"{_PLAIN.sub('_', server)}_{_PLAIN.sub('_', tool)}"


class Servers:
    """The servers that answer, sorted by name, and the others."""

    def __init__(self, session: Session) -> None:
        self.session, inputs = session, session.inputs
        own = {name: self._configured(name, mapping(said)) for name, said in session.settings.table("mcp").items()}
        self.configured = tuple(own.values())
        given = {server.name: server for server in given_servers(inputs, self.configured)}
        others = {name: Configured(name, server.config, session.cwd) for name, server in given.items()}
        found, silent = offering(session, inputs, {**others, **own}.values(), given)
        up = {each.name: server for each, server in found if each.config.get("enabled") is not False}
        names = list(up)
        self.answering = tuple(_answering(up[names[at]]) for at in locale_order(names))
        self.resources = any(server.resources for server in up.values())
        off = (idle(each.name, why=f"{each.name} is switched off") for each, _ in found if each.name not in up)
        self.idle = (*silent, *off)

    def _configured(self, name: str, said: Mapping[str, Json]) -> Configured:
        """A local server's command is one list."""
        command, source = said.get("command"), self.session.settings.member("mcp", name).source
        words = [str(word) for word in command] if isinstance(command, list) and command else []
        split = {"command": words[0], "args": words[1:]} if words else {}
        environment = {"env": said["environment"]} if "environment" in said else {}
        config = {**{k: v for k, v in said.items() if k != "command"}, **split, **environment}
        enabled = self.session.settings.flag("mcp", name, "enabled", default=True)
        when = enabled.is_(True, unset=True, yes=f"{name} is on", no=f"{name} is switched off")
        return Configured(name, config, self.session.cwd, source.path or "", when=when, source=source)


def _answering(server: McpServer) -> Server:
    tools = (OfferedTool.of(server.name, tool, wire_name(server.name, str(tool.get("name")))) for tool in server.tools)
    return Server(server.name, server.instructions or "", tuple(tools))


# --- tools of one's own -----------------------------------------------------------------------------------------------


def own_tools(session: Session) -> tuple[OfferedTool, ...]:
    """What the files of `tool` and `tools` export: only literal texts and schemas are read, nothing is run."""
    found: list[OfferedTool] = []
    for base in session.bases:
        for folder in (f"{base}/tool", f"{base}/tools"):
            for entry in session.workspace.list(folder).entries if session.may_read(folder, "tool") else ():
                stem, _, ending = entry.name.rpartition(".")
                if ending in ("js", "ts") and session.workspace.kind(f"{folder}/{entry.name}") == "file":
                    file = session.workspace.read(f"{folder}/{entry.name}")
                    made = list(_exports(file, stem))
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
