"""The MCP servers of the configuration: which of them answer, and which of their tools are offered [2026.9.6]."""

from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.agents.kit.disk.servers import Configured, IdleServer, given_servers, offering
from promptscope_engine.agents.kit.disk.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.tool_policy import Offer
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.workspace import Workspace

from .runtime import AgentRun

_SERVERS: Path = ("mcp", "servers")


_RESOURCES: Mapping[str, Mapping[str, Json]] = {
    "resources_list": {
        "name": "resources_list",
        "description": (
            'Name the resources that the MCP server "{server}" has. What is in them comes from the server.'
        ),
        "inputSchema": {"type": "object", "properties": {}},
    },
    "resources_read": {
        "name": "resources_read",
        "description": 'Read a resource of the MCP server "{server}". What is in it comes from the server.',
        "inputSchema": {
            "type": "object",
            "properties": {"uri": {"type": "string"}},
            "required": ["uri"],
            "additionalProperties": False,
        },
    },
}
"""The two tools of a server that has resources."""


class Servers:
    """Those that answer, and the others with their reasons. 2026.2.24 starts none itself."""

    def __init__(self, run: AgentRun, workspace: Workspace) -> None:
        self.run, self.workspace, found = run, workspace, Found(workspace=workspace)
        named = run.settings.object(_SERVERS) if run.is_newer else {}
        own = {name: self._configured(name, mapping(said)) for name, said in named.items()}
        self.configured = tuple(own.values())
        given = {server.name: server for server in given_servers(run.inputs, self.configured)} if run.is_newer else {}
        every = {**{name: Configured(name, server.config, run.folder) for name, server in given.items()}, **own}
        on = {name: each for name, each in given.items() if every[name].config.get("enabled") is not False}
        self.answering, self.idle = self._offering(found, every, on)
        self.diagnostics = tuple(found.diagnostics)

    def _offering(
        self, found: Found, every: Mapping[str, Configured], on: Mapping[str, McpServer]
    ) -> tuple[Sequence[tuple[Configured, McpServer]], Sequence[IdleServer]]:
        return offering(found, self.run.inputs, every.values(), on, {})

    def _configured(self, name: str, said: Mapping[str, Json]) -> Configured:
        settings, path = self.run.settings, (*_SERVERS, name)
        yes, no = f"{name} is on", f"{name} is switched off"
        on = settings.decides((*path, "enabled"), said.get("enabled") is not False, yes, no, on=True, off=False)
        cwd = text(said.get("cwd"))
        if cwd and not self.workspace.is_dir(resolve(self.run.folder, cwd)):
            on &= settings.decides((*path, "cwd"), False, "", f"there is no folder {cwd} to start {name} in")
        source = settings.source(path)
        return Configured(name, said, self.run.folder, source.path or "", when=on, source=source)

    def offers(self) -> Iterator[Offer]:
        """Their tools as OpenClaw names them, and two that look into the resources of one that has any [asked]."""
        for each, server in self.answering:
            said = _RESOURCES if server.resources else {}
            own = ({**tool, "description": tool["description"].format(server=server.name)} for tool in said.values())
            for tool in (*server.tools, *own):
                name, text, schema = str(tool.get("name")), tool.get("description"), mapping(tool.get("inputSchema"))
                schema = {"type": "object", "properties": {}, **schema, "required": schema.get("required") or []}
                told = {"name": f"{server.name}__{name}", "description": text if isinstance(text, str) else None}
                given = ToolStandIn.model_validate({**told, "parameters": schema})
                when = each.when & self._kept(server.name, name)
                yield Offer(given.name, when, "group:mcp", given=given, server=server.name)

    def _kept(self, server: str, tool: str) -> Condition:
        """Its filter names the tool, and does not leave it out."""
        settings, path = self.run.settings, (*_SERVERS, server, "toolFilter")
        taken, left = ((*path, key) for key in ("include", "exclude"))
        named, unnamed = texts(settings.get(taken)), texts(settings.get(left)) or []
        kept: Condition = ALWAYS
        if named is not None and not any(stars_match(pattern, tool) for pattern in named):
            kept = settings.decides(taken, False, "", f"the filter of {server} does not name it", on=[*named, tool])
        if any(stars_match(pattern, tool) for pattern in unnamed):
            rest = [pattern for pattern in unnamed if not stars_match(pattern, tool)]
            kept &= settings.decides(left, False, "", f"the filter of {server} leaves it out", on=rest)
        return kept
