"""What a captured run tells of a scenario: the params of its command line, the MCP servers of its request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from promptscope_engine.captures.content import SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer


def said_by(command: Sequence[str], options: Mapping[str, str], many: Mapping[str, str] = {}) -> dict[str, Json]:
    """The values of options by the params' dotted names: `--x VALUE` or `--x=VALUE`. An option of `many` may come
    more than once, and its values are a list."""
    found: dict[str, Json] = {}
    for at, word in enumerate(command):
        name, equals, value = word.partition("=")
        if not equals:
            value = command[at + 1] if at + 1 < len(command) else ""
        if name in options:
            found[options[name]] = value
        elif name in many:
            found.setdefault(many[name], []).append(value)
    return found


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
    named = [(name, SentTool(name, "", None, "listed")) for name in listed]
    for name, tool in [*((tool.name, tool) for tool in tools), *named][:MAX_TOOLS]:
        server, apart, own = name.removeprefix(prefix).partition(separator)
        if not (name.startswith(prefix) and apart and server and own):
            continue
        found.setdefault(server, {}).setdefault(own, _tool(own, tool))
    return tuple(
        McpServer(name=name, tools=list(tools.values()), instructions=instructions.get(name))
        for name, tools in [*found.items()][:MAX_SERVERS]
    )


def _tool(name: str, tool: SentTool) -> dict[str, Json]:
    plain: dict[str, Json] = {"name": name, "description": tool.description}
    return {**plain, "inputSchema": tool.schema} if isinstance(tool.schema, dict) else plain
