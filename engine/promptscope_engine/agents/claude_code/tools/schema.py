"""The shape of a tool's text, and JSON schemas as Claude Code sends them: draft 2020-12, closed objects.

The recordings tell the sizes of the schemas, the public documentation the names of parameters. It does not describe
those of ListAgents, ReportFindings and Workflow: their parameters are modelled by what the tools do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Piece

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class ToolText:
    """A tool's description, as pieces, and its JSON schema as it goes over the wire."""

    description: Callable[[Materials], Iterable[Piece]]
    input_schema: Json


def parameters(properties: dict[str, Json], *required: str) -> Json:
    """The `input_schema` of a tool. `required` names the parameters that a call cannot do without."""
    schema: dict[str, Json] = {"$schema": DIALECT, "type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False}


def string(description: str, **more: Json) -> Json:
    """A string parameter; `more` are further keywords (`minLength`, `format`, …)."""
    return {"description": description, "type": "string", **more}


def choice(description: str, *values: str, default: str | None = None) -> Json:
    """A string parameter that takes one of `values`."""
    schema: dict[str, Json] = {"description": description, "type": "string", "enum": list(values)}
    return schema if default is None else {**schema, "default": default}


def boolean(description: str, default: bool | None = None) -> Json:
    """A boolean parameter."""
    schema: dict[str, Json] = {"description": description, "type": "boolean"}
    return schema if default is None else {**schema, "default": default}


def number(description: str, **more: Json) -> Json:
    """A number parameter."""
    return {"description": description, "type": "number", **more}


def integer(description: str, **more: Json) -> Json:
    """A whole number; the agent bounds it to what JavaScript can hold exactly unless `more` says otherwise."""
    bounds = {"minimum": -(2**53 - 1), "maximum": 2**53 - 1}
    return {"description": description, "type": "integer", **bounds, **more}


def array(items: Json, description: str = "", **more: Json) -> Json:
    """A list parameter."""
    said = {"description": description} if description else {}
    return {**said, "type": "array", "items": items, **more}


def record(properties: dict[str, Json], *required: str) -> Json:
    """An object inside of a parameter."""
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False}


def mapping(description: str, values: Json) -> Json:
    """An object with keys of the caller's choice."""
    return {
        "description": description,
        "type": "object",
        "propertyNames": {"type": "string"},
        "additionalProperties": values,
    }


NOTHING = parameters({})
