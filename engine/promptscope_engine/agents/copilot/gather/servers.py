"""MCP servers: those of the files, what is imagined of them, and their schemas as each protocol has them."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.copilot.materials import table
from promptscope_engine.agents.kit.disk.servers import (
    Configured,
    IdleServer,
    OfferedTool,
    Says,
    bare_servers,
    given_servers,
    idle,
    misplaced,
    offering,
    servers_in,
    some,
)
from promptscope_engine.agents.kit.disk.settings import mapping, object_in, texts
from promptscope_engine.agents.kit.disk.walking import first_there, upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import computed, label, of_server
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.wire.protocols import Protocol
from promptscope_engine.wire.request import wire_json
from promptscope_engine.wire.schemas import with_inner

from .session import Session

_KIND = "mcp-config"
_LONGEST = 64
_EDITORS = "the editor's Copilot reads it: the servers of the CLI are in .mcp.json or .github/mcp.json"
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_STAND_IN = "stand-in-mcp"
_OF_FOLDER = (".mcp.json", ".github/mcp.json")
"""The files of a folder, of which the first that is there hides the other."""


class Servers:
    """The tools of servers in the order of their names on the wire, and what servers say of themselves."""

    def __init__(self, session: Session, protocol: Protocol, agent: Mapping[str, Json]) -> None:
        found = _Configurations(session, agent)
        self.configured = tuple(found.every.values())
        given = {server.name: server for server in given_servers(session.inputs, self.configured)}
        named = {each.name: given[name] for each in self.configured if (name := _stand_in(each)) in given}
        theirs = {f"{session.cwd}/.vscode/mcp.json": _EDITORS}
        up, silent = offering(session, session.inputs, self.configured, named, theirs)
        self.idle = [*silent, *found.lost]
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
            wired = f"{fitting(each.name)}-{fitting(name)}"[:_LONGEST]
            is_named = "*" in only or name in only
            for key in (wired, f"{each.name}/{name}", f"{each.name}/*") if is_named else ():
                self.names.setdefault(key.lower(), []).append(wired)
            when = each.when if is_named else each.when & _left_out(each.name, name, only)
            offered = OfferedTool.of(each.name, tool, wired, when)
            self.tools.append(replace(offered, schema=normalised(offered.schema, protocol)))
        if server.instructions:
            text = computed("mcp.instructions", server.instructions)
            spans = of_server(each.name, label(f"<{each.name}-*>\n"), text, label(f"\n</{each.name}-*>"))
            self.said.append(Says(each.name, spans, each.when & flag("args.allowAllMcpServerInstructions")))


def _left_out(server: str, tool: str, only: Sequence[str]) -> Condition:
    """The server's own list lacks the tool: names count as they are, and no pattern but `*` does [asked of 1.0.102]."""
    no = f"`tools` of the server {server} has {', '.join(only) or 'nothing'} and not {tool}"
    return Fact("mcp", server, False, "", no, remedy=f"add {tool} to `tools` of the server {server}")


def _stand_in(server: Configured) -> str:
    """A server's name; in a recording, the name of the program that replaced its command."""
    words = texts(server.config.get("args"))
    return words[0] if server.config.get("command") == _STAND_IN and words else server.name


class _Configurations:
    """The user's, the plugins', those of trusted folders, of the command line, and of the agent; a later one counts.

    The folders are those from the root to the start folder. A file of theirs or of a plugin may do without `mcpServers`
    where it has no such key at all, that of the user and one of the command line may not [asked of 1.0.102]. `lost` are
    the servers under a key that means nothing.
    """

    def __init__(self, session: Session, agent: Mapping[str, Json]) -> None:
        self.session = session
        self.lost: list[IdleServer] = []
        found: dict[str, Configured] = {}
        found |= self._of_file(f"{session.home}/mcp-config.json")
        for plugin in session.plugins:
            inline, path = plugin.part("mcpServers", _OF_FOLDER)
            found |= self._those(inline) | (self._of_file(path, bare=True) if path else {})
        for folder in upwards(session.cwd, session.root)[::-1]:
            path = first_there(session.workspace, (f"{folder}/{name}" for name in _OF_FOLDER))
            is_trusted, trusted = session.trusts(folder)
            own = self._of_file(path, trusted, bare=True) if path else {}
            session.note(table("notes"), {"untrusted-servers": bool(own) and not is_trusted and path})
            found = found | own if is_trusted else own | found
        for given in session.params.args.additionalMcpConfig:
            if given.startswith("@"):
                path = given[1:] if given.startswith("@/") else f"{session.cwd}/{given[1:]}"
                found |= self._of_file(path)
            else:
                values = object_in(given) or {}
                if "mcpServers" not in values:
                    session.refuse("--additional-mcp-config has no `mcpServers`")
                found |= self._those(servers_in(values))
        self.every = found | self._those(mapping(agent.get("mcp-servers")))

    def _of_file(self, path: str, when: Condition = ALWAYS, *, bare: bool = False) -> dict[str, Configured]:
        values = self.session.values(path, _KIND, when)
        is_bare = "mcpServers" not in values
        if is_bare and not bare and (unwrapped := bare_servers(values)):
            self._lose(path, (), unwrapped)
        for key, servers in misplaced(values, ("mcpServers",)):
            self._lose(path, key, servers)
        return self._those(bare_servers(values) if is_bare and bare else servers_in(values), path, when)

    def _lose(self, path: str, key: tuple[str, ...], servers: Mapping[str, Json]) -> None:
        """Servers where none is looked for."""
        where = (*key, next(iter(servers)))
        line = key_line(self.session.workspace.read(path).text, where, "json")
        source = SettingSource(".".join(key), path, line=line)
        meant = f"`{source.key}` means nothing here: did you mean `mcpServers`?"
        what = meant if key else "the servers of this file have to be in `mcpServers`"
        self.session.warn_at(source, "mcp-misplaced", f"{what} (not started: {some([*servers])})")
        lost = (idle(name, why=what, remedy=f"put {name} into `mcpServers`", source=source) for name in servers)
        self.lost += (replace(each, foreign=True) for each in lost)

    def _those(self, given: Mapping[str, Json], path: str = "", when: Condition = ALWAYS) -> dict[str, Configured]:
        session = self.session
        return {
            name: Configured(name, mapping(each), session.cwd, path, when=when & _allowed(session, name, mapping(each)))
            for name, each in given.items()
        }


def _allowed(session: Session, name: str, config: Mapping[str, Json]) -> Condition:
    """Neither its own `disabled`, true or of another type than a boolean [asked], nor anything else disables it."""
    args = session.params.args
    if problem := _misfit(config):
        return Fact("mcp", name, False, "", f"{problem} of {name} isn't valid", remedy=f"correct {name}")
    if config.get("disabled", False) is not False:
        return Fact("mcp", name, False, "", f"`disabled` of {name} is on", remedy=f"take `disabled` out of {name}")
    if name in args.disableMcpServer:
        return Fact("mcp", name, False, "", f"--disable-mcp-server names {name}", remedy=f"do not name {name} there")
    if name in args.enableMcpServer:
        return ALWAYS
    user = session.settings.names("disabledMcpServers", name, wanted=False, op="mcp")
    project = session.of_repository.names("disabledMcpServers", name, wanted=False, op="mcp")
    return user if project is ALWAYS else user & (project | ~session.trusted)


def _misfit(config: Mapping[str, Json]) -> str:
    """The key whose value keeps a server from being started, if there is one [asked]."""
    kind = config.get("type", "local")
    if kind not in ("local", "stdio", "http", "sse") or (kind in ("http", "sse") and "url" not in config):
        return "`type`"
    return "" if config.get("deferTools", "auto") in ("auto", "never") else "`deferTools`"


def fitting(name: str) -> str:
    """A name as the wire allows it; one with other letters becomes punycode."""
    if not name.isascii():
        name = f"xn--{name.lower().encode('punycode').decode()}"
    return _UNFIT.sub("-", name)


# --- schemas ----------------------------------------------------------------------------------------------------------


_KEPT = frozenset((
    "type", "description", "properties", "required", "items", "enum", "additionalProperties", "anyOf", "const",
    "title", "$schema", "$defs", "$ref", "default",
))  # fmt: skip
"""The keys of a server's schema that are sent."""
_APART: Mapping[str, tuple[str, ...]] = {"messages": ("$schema", "default")}
"""Those that a protocol has in the description too, each by itself."""
_MAX_DEPTH = 40


def normalised(schema: Json, protocol: Protocol, depth: int = 0) -> dict[str, Json]:
    """A schema: what the wire does not support is written into the description (see `_KEPT`)."""
    given = dict(schema) if isinstance(schema, Mapping) and depth < _MAX_DEPTH else {"type": "object"}
    apart = _APART.get(protocol, ())
    moved = {key: value for key, value in given.items() if key not in _KEPT}
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
