"""The tools as they were sent."""

from __future__ import annotations

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.captures.content import SentTool
from promptscope_engine.prompt.drafts import ToolDraft

from .materials import SENT, Materials


def tools(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool of the request, in its order."""
    return tuple(
        ToolDraft(
            name=tool.name,
            group=_group(tool),
            description=description,
            when=SENT,
            parameters=parameters_of(tool.schema),
            input_schema=tool.schema if isinstance(tool.schema, dict) else {},
        )
        for tool, description in materials.tools
    )


def _group(tool: SentTool) -> str:
    """What runs it: the agent, an MCP server, the service."""
    if tool.name.startswith("mcp__"):
        return f"mcp {tool.name.split('__')[1]}"
    return "agent" if tool.kind in ("custom", "function") else "service"
