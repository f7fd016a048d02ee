"""The servers of MCP SERVERS (specs/roo.md 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from promptscope_engine.agents.roo.materials import Server
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.json import string, stringify, truthy
from promptscope_engine.prompt.conditions import Any, Observed
from promptscope_engine.prompt.drafts import Piece, computed, label


def shown_servers(servers: Iterable[Server]) -> list[dict[str, object]]:
    """Each server with its tools and resources."""
    return [{"when": server.when, "text": tuple(_server(server))} for server in servers]


def _server(server: Server) -> Iterator[Piece]:
    name = f"mcp.{server.name}"
    yield label("\n\n## ")
    yield computed(name, server.name + _command(server.config))
    if server.instructions:
        yield label("\n\n### Instructions\n")
        yield computed(name, server.instructions)
    yield from _tools(server)
    if server.resource_templates:
        yield label("\n\n### Resource Templates\n")
        yield computed(name, "\n".join(_resource(each, "uriTemplate") for each in server.resource_templates))
    if server.resources:
        yield label("\n\n### Direct Resources\n")
        yield computed(name, "\n".join(_resource(each, "uri") for each in server.resources))


def _command(config: Mapping[str, Json]) -> str:
    """The command line, arguments and all; `env` and `url` are not shown."""
    if not truthy(config.get("command")):
        return ""
    arguments = config.get("args")
    joined = (
        " " + " ".join("" if each is None else string(each) for each in arguments)
        if isinstance(arguments, list)
        else ""
    )
    return f" (`{_shown(config, 'command')}{joined}`)"


def _tools(server: Server) -> Iterator[Piece]:
    if not server.tools:
        return
    conditions = [_enabled(server, tool) for tool in server.tools]
    yield label("\n\n### Available Tools", when=Any(tuple(conditions)))
    for place, (tool, enabled) in enumerate(zip(server.tools, conditions, strict=True)):
        earlier = Any(tuple(conditions[:place]))
        yield label("\n", when=enabled & ~earlier)
        if place:
            yield label("\n\n", when=enabled & earlier)
        yield computed(f"mcp.{server.name}", _tool(tool), when=enabled)


def _enabled(server: Server, tool: Mapping[str, Json]) -> Observed:
    name = _shown(tool, "name")
    ok = tool.get("enabledForPrompt") is not False
    yes, no = f"the tool {name} of {server.name} is enabled", f"the tool {name} of {server.name} is disabled"
    remedy = f"remove {name} from `disabledTools` of the server {server.name} in `mcp_servers`"
    return Observed("mcp", f"{server.name}.{name}", ok, yes, f"{no} for the prompt", remedy=remedy)


def _tool(tool: Mapping[str, Json]) -> str:
    """Without a schema the line's end stays, and makes an empty line."""
    schema = tool.get("inputSchema")
    shown = ""
    if truthy(schema):
        # Two tabs before the first line, four spaces before every later one: as the agent has it.
        shown = "    Input Schema:\n\t\t" + stringify(schema).replace("\n", "\n    ")
    return f"- {_shown(tool, 'name')}: {_shown(tool, 'description')}\n{shown}"


def _resource(resource: Mapping[str, Json], address: str) -> str:
    return f"- {_shown(resource, address)} ({_shown(resource, 'name')}): {_shown(resource, 'description')}"


def _shown(values: Mapping[str, Json], key: str) -> str:
    """A value in a JavaScript template: what is missing prints the word `undefined`."""
    return string(values[key]) if key in values else "undefined"
