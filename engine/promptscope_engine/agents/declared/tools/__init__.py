"""Every tool, as it goes over the wire of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.agents.declared.definition import Protocol
from promptscope_engine.agents.declared.materials import Materials
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import ParameterDraft, ToolDraft
from promptscope_engine.wire.chat import chat_tool
from promptscope_engine.wire.request import wire_tool

Shape = Callable[[str, str, Json], dict[str, Json]]


def responses_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as the Responses API has it."""
    return {"type": "function", "name": name, "description": description, "parameters": input_schema}


SHAPES: Mapping[Protocol, Shape] = {"anthropic": wire_tool, "chat": chat_tool, "responses": responses_tool}


def tools(materials: Materials) -> Iterator[ToolDraft]:
    """A draft for each tool."""
    for tool in materials.tools:
        yield ToolDraft(
            name=tool.name,
            group=tool.group,
            description=tool.description,
            when=tool.when,
            parameters=tuple(_parameters(tool.schema)),
            input_schema=tool.schema,
            wire=_wire(tool.name, SHAPES[materials.protocol]),
        )


def _wire(name: str, shape: Shape) -> Callable[[str, Json], dict[str, Json]]:
    return lambda description, schema: shape(name, description, schema)


def _parameters(schema: Json) -> Iterator[ParameterDraft]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    for name in properties if isinstance(properties, dict) else ():
        yield ParameterDraft(str(name), name in required if isinstance(required, list) else False)
