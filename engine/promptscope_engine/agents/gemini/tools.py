"""Every tool that Gemini CLI may offer."""

from __future__ import annotations

from msgspec.structs import replace

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Choice, ToolDraft, computed
from promptscope_engine.wire.request import FixedSchema

from .materials import Materials, McpTool
from .scope import MCP_GROUP, offered, scope_of
from .texts import FOLDER


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """The tools in the order of the request, the absent ones too."""
    built_in = frozenset(FOLDER.tool_names())
    of_servers = {tool.name: tool for tool in reversed(m.mcp_tools)}  # of one name the first counts
    return tuple(
        _built_in(m, name, when) if name in built_in else _mcp(of_servers[name], when) for name, when in offered(m)
    )


def _built_in(m: Materials, name: str, when: Condition) -> ToolDraft:
    draft = FOLDER.tool(name, scope_of(m), when, form="legacy" if m.model.family == "default-legacy" else "")
    if name != "activate_skill":
        return draft
    # With skills, the parameter takes one of their names.
    schema = draft.input_schema.otherwise
    named = {**schema["properties"]["name"], "enum": [skill.name for skill in m.skills]}
    with_names = FixedSchema({**schema, "properties": {"name": named}})
    return replace(draft, input_schema=Choice(((m.gates["skills"], with_names),), schema))


def _mcp(tool: McpTool, when: Condition) -> ToolDraft:
    # The client adds a parameter of its own to every server's tool.
    wait = FOLDER.sources.schemas["list_background_processes"]["properties"]["wait_for_previous"]
    schema = {**tool.input_schema, "properties": {**tool.input_schema["properties"], "wait_for_previous": wait}}
    return ToolDraft(
        name=tool.name,
        group=MCP_GROUP,
        description=(computed(f"mcp.{tool.server}", tool.description),),
        when=when,
        parameters=parameters_of(schema),
        input_schema=schema,
    )
