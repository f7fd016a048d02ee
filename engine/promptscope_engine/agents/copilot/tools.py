"""Copilot's tools: which there are, in the order of the wire, and how each protocol sends them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Choice, ToolDraft, computed, of_server

from .gates import Protocol
from .materials import Materials
from .texts import FOLDER, INTERACTIVE, scope_of, tool_condition

Wire = Callable[[str, Json], dict[str, Json]]
_BUILT_IN = FOLDER.agent["agents"]["built_in"]


def wire_of(protocol: Protocol, name: str) -> Wire:
    """How a tool is sent: one that takes a text has a grammar in place of a schema."""
    return partial(_wired, protocol, name)


def _wired(protocol: Protocol, name: str, description: str, schema: Any) -> dict[str, Json]:
    said = {"name": name, "description": description}
    takes_text = isinstance(schema, dict) and schema.get("type") == "grammar"
    if protocol == "messages":
        return {**said, "input_schema": schema}
    if protocol == "responses":
        if takes_text:
            return {**said, "type": "custom", "format": schema}
        return {**said, "parameters": schema, "strict": False, "type": "function"}
    if takes_text:
        grammar = {key: value for key, value in schema.items() if key != "type"}
        return {"type": "custom", "custom": {**said, "format": {"type": "grammar", "grammar": grammar}}}
    return {"type": "function", "function": {**said, "parameters": schema}}


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool that the model could have, the absent ones too."""
    last = FOLDER.agent["tools"]["last"]
    own = {name: _own(m, name) for name in m.order}
    servers = [_of_server(m, number) for number in range(len(m.mcp_tools))]
    return (*(draft for name, draft in own.items() if name not in last), *servers, *(own[name] for name in last))


def _own(m: Materials, name: str) -> ToolDraft:
    """A tool of the client: rg and grep are one under two names."""
    file = "search" if name in ("rg", "grep") else name
    draft = FOLDER.tool(file, scope_of(m), tool_condition(m, name))
    if name == "task":
        draft = replace(draft, input_schema=_with_agents(m, draft.input_schema))
    reference = f"tools.{name}"
    if name == "apply_patch":
        reference = {"completions": "tools.apply_patch~2", "messages": "tools.apply_patch~3"}.get(m.protocol, reference)
    return replace(draft, name=name, wire=wire_of(m.protocol, name), reference=reference)


def _with_agents(m: Materials, schema: Any) -> Choice[Json]:
    """The schema of task: the built-in agents, then the user's own; in an interactive session one model alone."""
    written = schema.otherwise
    agents = {**written["properties"]["agent_type"], "enum": [*_BUILT_IN, *(agent.name for agent in m.agents)]}
    ordered = {"type": "string", "enum": agents["enum"], "description": agents["description"]}
    usual = {**written, "properties": {**written["properties"], "agent_type": ordered}}
    model = {"type": "string", "enum": [m.model.name], "description": written["properties"]["model"]["description"]}
    return Choice(((INTERACTIVE, {**usual, "properties": {**usual["properties"], "model": model}}),), usual)


def _of_server(m: Materials, number: int) -> ToolDraft:
    tool = m.mcp_tools[number]
    return ToolDraft(
        name=tool.name,
        group="MCP",
        description=of_server(tool.server, computed(f"mcp.{tool.name}", tool.description)),
        when=tool.when,
        parameters=parameters_of(tool.schema),
        input_schema=tool.schema,
        wire=wire_of(m.protocol, tool.name),
        server=tool.server,
    )
