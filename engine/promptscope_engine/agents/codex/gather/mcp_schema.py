"""The schema of an MCP tool as Codex sends it (specs/codex.md 7.5): fewer keywords, and what a type needs filled in."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.formats.document import Json

_KEPT = (
    "$ref", "type", "description", "enum", "items", "properties", "required", "additionalProperties", "anyOf", "$defs",
)  # fmt: skip
_TYPES = frozenset({"string", "number", "boolean", "integer", "object", "array", "null"})
_OF_OBJECTS = ("properties", "required", "additionalProperties")
_OF_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
MAX_DEPTH = 60
"""Levels of a schema; deeper ones are taken for texts."""


def normalised(schema: Json) -> dict[str, Json]:
    """A tool's whole schema: always an object with properties."""
    given = dict(schema) if isinstance(schema, dict) else {}
    if not isinstance(given.get("properties"), dict):
        given["properties"] = {}
    given.setdefault("type", "object")
    return _part(given, 0)


def _part(schema: Json, depth: int) -> dict[str, Json]:
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return {"type": "string"}  # `true` and `false` are schemas, too
    made: dict[str, Json] = {key: _value(key, schema[key], depth) for key in _KEPT if key in schema}
    if "const" in schema:
        made["enum"] = [schema["const"]]
    if "$ref" in made:
        return made
    types = _types(schema)
    if not types:
        if "anyOf" in made:
            return made
        types = [_guessed(schema)]
    made["type"] = types[0] if len(types) == 1 else types
    if "object" in types:
        made.setdefault("properties", {})
    if "array" in types:
        made.setdefault("items", {"type": "string"})
    return {key: made[key] for key in _KEPT if key in made}


def _value(key: str, value: Json, depth: int) -> Json:
    match key:
        case "properties" | "$defs":
            inner: Mapping[str, Json] = value if isinstance(value, dict) else {}
            return {name: _part(inner[name], depth + 1) for name in sorted(inner)}
        case "items":
            return _part(value, depth + 1)
        case "anyOf":
            return [_part(each, depth + 1) for each in value] if isinstance(value, list) else []
        case "additionalProperties":
            return value if isinstance(value, bool) else _part(value, depth + 1)
    return value


def _types(schema: Mapping[str, Json]) -> list[str]:
    named = schema.get("type")
    given = named if isinstance(named, list) else [named]
    return [name for name in given if isinstance(name, str) and name in _TYPES]


def _guessed(schema: Mapping[str, Json]) -> str:
    if any(key in schema for key in _OF_OBJECTS):
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    if "enum" in schema or "const" in schema or "format" in schema:
        return "string"
    return "number" if any(key in schema for key in _OF_NUMBERS) else "string"
