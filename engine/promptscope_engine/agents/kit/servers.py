"""MCP servers that offer nothing now: objects that can be asked about, like any tool, and that are never sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.workspace import Workspace

PREFIX = "mcp:"
"""Before a server's name where it stands among tools; no tool's name on the wire holds a colon."""
_MOST = 200


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
    servers = value.get("mcpServers") if isinstance(value, dict) else None
    for name in list(servers)[:_MOST] if isinstance(servers, dict) else ():
        if name not in taken:
            yield idle(name, why=why)
