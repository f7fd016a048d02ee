"""JSON schemas as Codex sends those of its own tools: parameters by name, closed objects (specs/codex.md 7.3)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import ParameterDraft
from promptscope_engine.wire.request import FixedSchema


def parameters(properties: dict[str, Json], required: Sequence[str] | None = None) -> FixedSchema:
    """The schema of a tool; `required` None: the key is left out."""
    return FixedSchema(record(properties, required))


def record(
    properties: dict[str, Json], required: Sequence[str] | None = None, description: str = ""
) -> dict[str, Json]:
    """An object inside of a parameter."""
    schema: dict[str, Json] = {
        "type": "object",
        **_described(description),
        "properties": {name: properties[name] for name in sorted(properties)},
    }
    if required is not None:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False}


def string(description: str = "", *values: str) -> dict[str, Json]:
    """A text, or one of `values`."""
    return {"type": "string", **_described(description), **({"enum": list(values)} if values else {})}


def encrypted(description: str) -> dict[str, Json]:
    """A text that is kept from whoever carries the request on [0.169.0]."""
    return {**string(description), "encrypted": True}


def number(description: str = "") -> dict[str, Json]:
    return {"type": "number", **_described(description)}


def integer(description: str = "") -> dict[str, Json]:
    return {"type": "integer", **_described(description)}


def boolean(description: str = "") -> dict[str, Json]:
    return {"type": "boolean", **_described(description)}


def array(items: Json, description: str = "", least: int = 0) -> dict[str, Json]:
    return {"type": "array", **_described(description), "items": items, **({"minItems": least} if least else {})}


def _described(description: str) -> dict[str, Json]:
    return {"description": description} if description else {}


def parameter_drafts(schema: Json) -> tuple[ParameterDraft, ...]:
    """The parameters that a schema tells of, none of them gated."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    needed = required if isinstance(required, list) else []
    return tuple(ParameterDraft(str(name), name in needed) for name in properties or ())
