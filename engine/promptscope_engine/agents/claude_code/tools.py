"""The drafts of the tools, as selection.py has them: those of the version in its order, then those of MCP servers."""

from __future__ import annotations

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.prompt.drafts import Choice, ToolDraft, computed

from .materials import Materials, McpTool
from .scope import scope_of
from .selection import MCP_GROUP, can_wait, names, searches, sent
from .texts import FOLDER


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool, the absent ones too. One that is deferred is absent from the request: its name is listed instead."""
    scope = scope_of(m)
    return (
        *(FOLDER.tool(name, scope, sent(m, name), _variant(m, name)) for name in names(m)),
        *(_mcp(m, tool) for tool in m.mcp_tools),
    )


def _mcp(m: Materials, tool: McpTool) -> ToolDraft:
    described, schema = (computed(f"mcp.{tool.server}", tool.description),), tool.input_schema
    parameters, variant = parameters_of(schema), _variant(m, tool.name)
    return ToolDraft(tool.name, MCP_GROUP, described, sent(m, tool.name), parameters, schema, variant=variant)


def _variant(m: Materials, name: str) -> Choice[str | None] | None:
    return Choice(((searches(m), "deferred"),), None) if can_wait(m, name) else None
