"""Every tool, as it goes over the wire of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from promptscope_engine.agents.declared.definition import Protocol
from promptscope_engine.agents.declared.materials import Materials
from promptscope_engine.agents.kit.tool_schemas import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import ToolDraft
from promptscope_engine.wire.chat import chat_tool
from promptscope_engine.wire.request import wire_tool

Shape = Callable[[str, str, Json], dict[str, Json]]


def responses_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as the Responses API has it."""
    return {"type": "function", "name": name, "description": description, "parameters": input_schema}


SHAPES: Mapping[Protocol, Shape] = {"anthropic": wire_tool, "chat": chat_tool, "responses": responses_tool}

NO_SCHEMA: Json = {"type": "object", "properties": {}}


def tools(materials: Materials) -> Iterator[ToolDraft]:
    """A draft for each tool; those with files of their own come first."""
    shape = SHAPES[materials.protocol]
    own = materials.own
    for drafted in (own.own_tool(name, materials.scope) for name in own.headings) if own else ():
        yield replace(
            drafted, wire=_wire(drafted.name, shape), input_schema=drafted.input_schema or NO_SCHEMA, reference=None
        )
    for tool in materials.tools:
        yield ToolDraft(
            name=tool.name,
            group=tool.group,
            description=tool.description,
            when=tool.when,
            parameters=parameters_of(tool.schema),
            input_schema=tool.schema,
            wire=_wire(tool.name, shape),
        )


def _wire(name: str, shape: Shape) -> Callable[[str, Json], dict[str, Json]]:
    return lambda description, schema: shape(name, description, schema)
