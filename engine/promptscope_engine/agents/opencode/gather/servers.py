"""MCP servers: which of them answer, what they say, and their tools; and the tools that files of one's own define."""

import re
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.kit.rows import absent
from promptscope_engine.agents.kit.servers import Configured, IdleServer, given_servers, idle, not_started
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.opencode.materials import OwnTool, Server
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.exports import exports
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.workspace import FileText

from .settings import Session

_PLAIN = re.compile(r"[^A-Za-z0-9_-]")


def wire_name(server: str, tool: str) -> str:
    """`SERVER_TOOL`, with an underscore for each character that no name may hold."""
    return f"{_PLAIN.sub('_', server)}_{_PLAIN.sub('_', tool)}"


class Servers:
    """The servers that answer, sorted by name, and the others."""

    def __init__(self, session: Session) -> None:
        self.session = session
        table = session.settings.table("mcp")
        self.configured = tuple(self._configured(name, mapping(said)) for name, said in table.items())
        given = given_servers(session.inputs, self.configured)
        up = [s for s in given if s.status == "connected" and not s.disabled and s.config.get("enabled") is not False]
        self.answering = tuple(
            Server(s.name, s.instructions or "", tuple((wire_name(s.name, str(t.get("name"))), t) for t in s.tools))
            for s in (up[at] for at in locale_order([s.name for s in up]))
        )
        self.resources = any(server.resources for server in up)
        self.idle = tuple(self._idle({server.name for server in up}, {s.name for s in given}))

    def _configured(self, name: str, said: Mapping[str, Json]) -> Configured:
        """A local server's command is one list."""
        command, source = said.get("command"), self._source(name)
        words = [str(word) for word in command] if isinstance(command, list) and command else []
        split = {"command": words[0], "args": words[1:]} if words else {}
        environment = {"env": said["environment"]} if "environment" in said else {}
        config = {**{k: v for k, v in said.items() if k != "command"}, **split, **environment}
        return Configured(name, config, self.session.cwd, source.path or "")

    def _source(self, name: str) -> SettingSource:
        return self.session.settings.member("mcp", name).source

    def _idle(self, up: set[str], given: set[str]) -> Iterator[IdleServer]:
        off = {each.name for each in self.configured if each.config.get("enabled") is False}
        waiting = [each.name for each in self.configured if each.name not in given | off]
        if waiting and self.session.inputs.mcp_servers is None:
            source = self._source(waiting[0])
            self.session.diagnostics.append(
                not_started("MCP servers are configured", waiting, source.path, source.line)
            )
            yield from (idle(name, source=self._source(name)) for name in waiting)
        for name in (*off, *(given - up)):
            yield idle(name, why=f"{name} is switched off" if name in off else f"{name} does not answer")


# --- tools of one's own -----------------------------------------------------------------------------------------------


def own_tools(session: Session) -> tuple[OwnTool, ...]:
    """What the files of `tool` and `tools` export: only literal texts and schemas are read, nothing is run."""
    found: list[OwnTool] = []
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


def _exports(file: FileText, stem: str) -> Iterator[OwnTool]:
    for each in exports(file.text):
        said, args = each.value("description"), mapping(each.value("args"))
        plain: Json = {"type": "object", "properties": dict(args), "required": [*args]}
        schema = plain if args else {"$schema": _DRAFT, "type": "object", "properties": {}}
        yield OwnTool(f"{stem}_{each.name}" if each.name else stem, str(said or ""), schema, file.path)


_DRAFT = "https://json-schema.org/draft/2020-12/schema"
