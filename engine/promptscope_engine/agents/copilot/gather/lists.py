"""Lists that name tools and servers: an entry that matches nothing is a note.

What the user's own settings name may be there in another repository: of servers only a repository's are looked at.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from promptscope_engine.agents.copilot.materials import table
from promptscope_engine.agents.kit.disk.settings import Names
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .servers import Servers
from .session import Session

_OFFERED = {"--available-tools": "availableTools", "--excluded-tools": "excludedTools"}
_PERMITTED = {"--allow-tool": "allowTool", "--deny-tool": "denyTool"}
_KINDS = ("memory", "read", "shell", "url", "write")
"""What --allow-tool and --deny-tool may name beside servers, as `kind(argument)` [documented]."""
_SERVERS = ("enabledMcpServers", "disabledMcpServers")
_PATTERN = re.compile(r"([^()]*)(?:\((.*)\))?", re.DOTALL)


def lists_of_names(session: Session, servers: Servers) -> Iterator[Names]:
    """The lists of the command line, and those of a repository's settings."""
    named, tools = {each.name for each in servers.configured}, table("tools")["order"]
    silent = named - {tool.server for tool in servers.tools}  # any tool may be there of these
    for title, name in _OFFERED.items():
        given = [part for several in getattr(session.params.args, name) for part in several.split(",")]
        yield Names(title, "tool", _given(title, name, given), tools, partial(_offered, servers, silent))
    for title, name in _PERMITTED.items():
        entries = _given(title, name, getattr(session.params.args, name))
        of_servers = [entry for entry in entries if _parts(entry.value)[0] in named]
        others = [entry for entry in entries if entry not in of_servers]
        known = lambda entry: _parts(entry)[0] in _KINDS  # noqa: E731
        yield Names(title, "kind of permission, and no such server", others, [*_KINDS, *named], known)
        yield Names(title, "tool of this server", of_servers, (), partial(_has, servers, silent))
    for key in _SERVERS:
        yield Names(key, "server", session.of_repository.items(key), named)


def _given(title: str, name: str, entries: Sequence[str]) -> list[Sourced[str]]:
    source = SettingSource(title, overlay=f"args.{name}")
    return [Sourced(entry.strip(), source) for entry in entries if entry.strip()]


def _offered(servers: Servers, silent: set[str], entry: str) -> bool:
    """Whether an entry names a tool of the client's own or a server's."""
    name = entry.lower()
    of_silent = tuple(f"{server.lower()}{sign}" for server in silent for sign in "-/")
    return name == "*" or name in table("tools")["order"] or name in servers.names or name.startswith(of_silent)


def _parts(entry: str) -> tuple[str, str]:
    """The kind or server of `kind(argument)`, and the argument; any other form stops the start."""
    found = _PATTERN.fullmatch(entry)
    return (found[1], found[2] or "") if found else (entry, "")


def _has(servers: Servers, silent: set[str], entry: str) -> bool:
    """Whether the server of `server(tool)` has the tool."""
    server, tool = _parts(entry)
    return not tool or server in silent or f"{server}/{tool}".lower() in servers.names
