"""MCP servers that offer nothing now: objects that can be asked about, like any tool, and that are never sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.workspace import Workspace

from .settings import below, mapping

PREFIX = "mcp:"
"""Before a server's name where it stands among tools; no tool's name on the wire holds a colon."""
_MOST = 200
_SHOWN = 20


@frozen
class IdleServer:
    """A server by its name, and what keeps it from offering tools."""

    name: str
    when: Condition


def idle(name: str, when: Condition = ALWAYS, *, why: str = "", source: SettingSource | None = None) -> IdleServer:
    """A configured server that offers no tools: for what is false of `when`, or for `why`."""
    never = Observed(
        "mcp",
        name,
        False,
        "",
        why or "it is not started here, so its tools are not known",
        remedy=("change that, or " if why else "") + "say in `mcp_servers` what it would offer",
        source=source,
    )
    return IdleServer(name, when & never)


def foreign(workspace: Workspace, path: str, why: str, known: Iterable[str]) -> Iterator[IdleServer]:
    """The servers of another agent's file, which this one does not read."""
    taken = set(known)
    try:
        value = json.loads(workspace.read(path).text or "{}")
    except (ValueError, RecursionError):
        return
    for name in list(servers_in(value))[:_MOST]:
        if name not in taken:
            yield idle(name, why=why)


def servers_in(values: Json) -> Mapping[str, Json]:
    """The servers of some settings, by name."""
    return mapping(below(values, ("mcpServers",)))


def some(names: Sequence[str]) -> str:
    """The names, as far as anybody would read them."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def not_started(what: str, names: Sequence[str], path: str | None, line: int | None = None) -> Diagnostic:
    """A note on configured servers for which nothing stands in."""
    unknown = "none is started here, so their tools and instructions are unknown until stand-ins are given"
    return Diagnostic("info", "mcp-not-connected", f"{what}: {some(names)}; {unknown}", path, line)
