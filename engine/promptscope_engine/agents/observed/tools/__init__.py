"""The tools as they were sent."""

from __future__ import annotations

from promptscope_engine.agents.observed.gates import SENT
from promptscope_engine.agents.observed.materials import DescribedTool, Materials
from promptscope_engine.agents.observed.origins import pieces
from promptscope_engine.captures.content import SentTool, objects
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import ParameterDraft, Piece, ToolDraft


def tools(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool of the request, in its order."""
    return tuple(map(_tool, materials.tools))


def _tool(described: DescribedTool) -> ToolDraft:
    tool = described.tool
    description: tuple[Piece, ...] = pieces(described.description)
    return ToolDraft(
        name=tool.name,
        group=_group(tool),
        description=description,
        when=SENT,
        parameters=_parameters(tool.schema),
        input_schema=tool.schema if isinstance(tool.schema, dict) else {},
    )


def _group(tool: SentTool) -> str:
    """What runs it: the agent, an MCP server, the service."""
    if tool.name.startswith("mcp__"):
        return f"mcp {tool.name.split('__')[1]}"
    return "agent" if tool.kind in ("custom", "function") else "service"


def _parameters(schema: Json) -> tuple[ParameterDraft, ...]:
    """The properties of a schema that is one."""
    if not objects([schema]) or not isinstance(schema.get("properties"), dict):
        return ()
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    return tuple(ParameterDraft(name, name in needed) for name in schema["properties"])
