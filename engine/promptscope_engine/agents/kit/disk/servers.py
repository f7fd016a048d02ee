"""MCP servers: what each is known to offer, those that offer nothing now, and what a captured run tells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct

from promptscope_engine.agents.kit.text.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.learned import ServerAnswer
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, stated
from promptscope_engine.prompt.drafts import ServerDraft, Span, ToolDraft, computed, of_server
from promptscope_engine.prompt.model import Diagnostic, Limit, SettingSource
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .rows import Found
from .settings import below, mapping

if TYPE_CHECKING:  # only `verify` and `calibrate` need it
    from promptscope_engine.captures.model import SentTool


PREFIX = "mcp:"
"""Before a server's name where it is among tools; no tool's name on the wire holds a colon."""
_MOST = 200
_SHOWN = 20


NOT_ASKED = "not asked yet, so its tools are not known"


def how_to_tell(name: str) -> str:
    """What would make known what a server offers."""
    word = quote(name)
    return f"ask it: `promptscope mcp-list {word}`, or hand in its tools/list: `promptscope import FILE --mcp {word}`"


class IdleServer(Struct, frozen=True):
    """A server by its name, and what keeps it from offering tools. `foreign`: only another agent reads where it is."""

    name: str
    when: Condition
    foreign: bool = False


def idle(
    name: str, when: Condition = ALWAYS, *, why: str = "", remedy: str = "", source: SettingSource | None = None
) -> IdleServer:
    """A configured server that offers no tools: for what is false of `when`, or for `why`, which `remedy` mends."""
    steps = "; ".join(filter(None, (remedy, how_to_tell(name))))
    return IdleServer(name, when & Fact("mcp", name, False, "", why or NOT_ASKED, remedy=steps, source=source))


class Configured(Struct, frozen=True):
    """A server of the agent's own settings, `cwd` being where the agent starts it and `path` the file.

    `inherits`: whether the agent passes a variable of its own environment on. `adds`: those that it sets itself.
    `filled` expands the placeholders in a text of the configuration, unless they are expanded already. `when` it is
    started, and `source`, where a setting has it, are for agents that go by `offering`.
    """

    name: str
    config: Mapping[str, Json]
    cwd: str
    path: str = ""
    inherits: Callable[[str], bool] = lambda _: True
    adds: Mapping[str, str] = {}
    filled: Callable[[str], str] = str
    when: Condition = ALWAYS
    source: SettingSource | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments, which may be one list; () for a server of another machine."""
        program, words = self.config.get("command"), self.config.get("args")
        program, *own = program if isinstance(program, list) and program else [program]
        if not isinstance(program, str) or not program:
            return ()
        return tuple(self.filled(str(word)) for word in (program, *own, *(words if isinstance(words, list) else ())))

    @property
    def url(self) -> str:
        """Where a server of another machine is; "" for others."""
        urls = (self.config.get(key) for key in ("url", "httpUrl"))
        return next((self.filled(url) for url in urls if isinstance(url, str)), "")

    @property
    def own_env(self) -> dict[str, str]:
        """The variables that its configuration sets."""
        own = mapping(self.config.get("env", self.config.get("environment")))
        return {name: self.filled(str(value)) for name, value in own.items() if value is not None}

    @property
    def folder(self) -> str:
        """The folder that it is started in."""
        own = self.config.get("cwd")
        own = self.filled(own) if isinstance(own, str) else ""
        return path_in(self.cwd, own) if own else self.cwd


class OfferedTool(Struct, frozen=True):
    """A tool that a server offers, or a file of the user's own (`server` is None), under its name on the wire."""

    name: str
    description: str
    schema: Json
    server: str | None = None
    when: Condition = ALWAYS

    @classmethod
    def of(cls, server: str, tool: Mapping[str, Json], name: str, when: Condition = ALWAYS) -> OfferedTool:
        """What a server says of a tool, which is sent under `name`."""
        return cls(name, str(tool.get("description") or ""), tool.get("inputSchema") or {}, server, when)

    def draft(self, wire: Callable[[str, Json], dict[str, Json]], schema: Json) -> ToolDraft:
        """The tool with its schema as it is sent."""
        said = computed(f"mcp.{self.name}" if self.server else f"tools.{self.name}", self.description)
        return ToolDraft(
            self.name,
            "MCP" if self.server else "Own",
            of_server(self.server, said) if self.server else (said,),
            self.when,
            parameters=parameters_of(schema),
            input_schema=schema,
            wire=wire,
            server=self.server,
        )


class Says(Struct, frozen=True):
    """What a server says of itself, as it is sent."""

    name: str
    said: tuple[Span, ...]
    when: Condition = ALWAYS


USUAL = frozenset({"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"})
"""The variables that MCP's own client passes on [D]."""


def given_servers(inputs: Inputs, configured: Iterable[Configured]) -> tuple[McpServer, ...]:
    """The stand-ins of the scenario, else those of the agent's own servers of which it is known what they answered."""
    if inputs.mcp_servers is not None:
        return inputs.mcp_servers
    own = {each.name: each.config for each in configured}
    return tuple(as_stand_in(answer, own[name]) for name, answer in inputs.answers.items() if name in own)


def offering(
    found: Found,
    inputs: Inputs,
    configured: Collection[Configured],
    given: Mapping[str, McpServer],
    theirs: Mapping[str, str],
) -> tuple[list[tuple[Configured, McpServer]], list[IdleServer]]:
    """The servers that answer, each with what it answered, and the others with their reasons. `given` is by name.

    `theirs` are files of other agents, each with the reason why its servers do not count here.
    """
    up: list[tuple[Configured, McpServer]] = []
    silent: list[IdleServer] = []
    unasked: list[Configured] = []
    for each in configured:
        server = given.get(each.name)
        if server is not None and server.status == "connected" and not server.disabled:
            up.append((each, server))
            continue
        why, remedy = (f"{each.name} does not answer", f"see that {each.name} starts") if server else ("", "")
        silent.append(idle(each.name, each.when, why=why, remedy=remedy, source=each.source))
        unasked += [each] if server is None and each.when.holds(Facts()) else []
    if unasked and inputs.mcp_servers is None:
        first = unasked[0].source or SettingSource("", unasked[0].path or None)
        names = [each.name for each in unasked]
        found.diagnostics.append(not_started("MCP servers are configured", names, first.path, first.line))
    known = [each.name for each in configured]
    others = (foreign(found.workspace, path, why, known) for path, why in theirs.items())
    return up, [*silent, *chain.from_iterable(others)]


def as_stand_in(answer: ServerAnswer, config: Mapping[str, Json]) -> McpServer:
    """The server as a scenario would have it, connected."""
    tools = [*map(dict, answer.tools)]
    return McpServer(name=answer.name, config=dict(config), instructions=answer.instructions, tools=tools)


def without_server(agent: str, inputs: Inputs, configured: Iterable[Configured]) -> Iterator[Diagnostic]:
    """A note on answers for which the agent has no server."""
    known = {each.name for each in configured}
    for name in inputs.answers:
        if name not in known:
            text = f"{agent} has no MCP server called {name} here, so what is kept of its answer takes no part"
            yield Diagnostic("info", "mcp-not-configured", text)


def known_servers(
    inputs: Inputs,
    configured: Iterable[Configured],
    silent: Iterable[IdleServer],
    tools: Iterable[ToolDraft],
    limit: int = 0,
) -> tuple[ServerDraft, ...]:
    """Every server once: the stand-ins, then those that offer nothing, then others that sent tools.

    `limit` is how much of its instructions is sent, 0 where none is known.
    """
    without: dict[str, IdleServer] = {}
    for each in silent:
        without.setdefault(each.name, each)
    found: dict[str, ServerDraft] = {}
    for server in given_servers(inputs, configured):
        state = "disabled" if server.disabled else server.status
        up = stated("mcp", server.name, state == "connected", f"{server.name} is {state}")
        when = without[server.name].when if server.name in without else up
        known = STAND_IN if inputs.mcp_servers is not None else inputs.answers[server.name].known
        limits = (Limit(_SAID, limit, utf16_len(server.instructions)),) if limit and server.instructions else ()
        found[server.name] = ServerDraft(server.name, when, known, len(server.tools), limits=limits)
    for name, each in without.items():
        limits = (Limit(_SAID, limit, 0),) if limit and not each.foreign else ()
        found.setdefault(name, ServerDraft(name, each.when, configured=not each.foreign, limits=limits))
    for tool in tools:
        if tool.server is not None:
            found.setdefault(tool.server, ServerDraft(tool.server, ALWAYS, AS_SENT))
    return tuple(found.values())


_SAID = "characters of its instructions"
STAND_IN, AS_SENT = "as `mcp_servers` of the scenario says", "as it was sent"


def foreign(workspace: Workspace, path: str, why: str, known: Iterable[str]) -> Iterator[IdleServer]:
    """The servers of another agent's file, which this one does not read."""
    taken = set(known)
    try:
        value = json.loads(workspace.read(path).text or "{}")
    except (ValueError, RecursionError):
        return
    for name in list(servers_in(value))[:_MOST]:
        if name not in taken:
            remedy = f"configure {name} where the agent's own servers are"
            yield IdleServer(name, Fact("mcp", name, False, "", why, remedy=remedy), foreign=True)


def servers_in(values: Json) -> Mapping[str, Json]:
    """The servers of some settings, by name."""
    return mapping(below(values, ("mcpServers",)))


def bare_servers(values: Json) -> Mapping[str, Json]:
    """The servers of a file that needs no key around them."""
    return {name: each for name, each in mapping(values).items() if _starts(each)}


def _starts(value: Json) -> bool:
    """Whether a value says how a server is started or reached."""
    given = mapping(value)
    return isinstance(given.get("command"), str | list) or any(isinstance(given.get(key), str) for key in _REACHED)


_REACHED = ("url", "httpUrl", "serverUrl")
_MEANT = {"server", "servers", "mcp", "mcpserver", "mcpservers", "contextservers"}
"""What people call the table of servers, in letters alone."""


def misplaced(values: Json, own: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Json]]]:
    """Tables of servers under keys that mean nothing to an agent whose servers are under `own`, each with its keys."""
    outer = [((key,), mapping(value)) for key, value in mapping(values).items()]
    inner = [((*key, name), mapping(value)) for key, table in outer for name, value in table.items()]
    for key, table in [*outer, *inner][:_MOST]:
        is_near = re.sub("[^a-z]", "", "".join(key).lower()) in _MEANT
        if is_near and key != own and (servers := bare_servers(table)):
            yield key, servers


def some(names: Sequence[str], most: int = _SHOWN) -> str:
    """The names, as far as anybody would read them."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def not_started(what: str, names: Sequence[str], path: str | None, line: int | None = None) -> Diagnostic:
    """A note on configured servers for which nothing is in."""
    unknown = "none is started here, so their tools and instructions are unknown until asked or imported"
    return Diagnostic("info", "mcp-not-connected", f"{what}: {some(names)}; {unknown}", path, line)


MAX_SERVERS = 200
MAX_TOOLS = 2_000
"""Of all servers: a capture may be a stranger's."""


def sent_servers(
    tools: Iterable[SentTool],
    listed: Iterable[str],
    instructions: Mapping[str, str],
    *,
    prefix: str,
    separator: str,
) -> tuple[McpServer, ...]:
    """Servers by the names of their tools (`mcp__SERVER__TOOL`), in order of appearance.

    `listed` are names of tools that were only named; `instructions` is what servers say of themselves, by name.
    """
    found: dict[str, dict[str, dict[str, Json]]] = {name: {} for name in instructions}
    sent: list[tuple[str, str, Json]] = [(tool.name, tool.description, tool.schema) for tool in tools]
    for name, description, schema in [*sent, *((name, "", None) for name in listed)][:MAX_TOOLS]:
        server, apart, own = name.removeprefix(prefix).partition(separator)
        if known := next((each for each in instructions if name.startswith(f"{prefix}{each}{separator}")), ""):
            server, own = known, name.removeprefix(f"{prefix}{known}{separator}")
        if name.startswith(prefix) and apart and server and own:
            plain: dict[str, Json] = {"name": own, "description": description}
            described = {**plain, "inputSchema": schema} if isinstance(schema, dict) else plain
            found.setdefault(server, {}).setdefault(own, described)
    return tuple(
        McpServer(name=name, tools=list(own_tools.values()), instructions=instructions.get(name))
        for name, own_tools in [*found.items()][:MAX_SERVERS]
    )
