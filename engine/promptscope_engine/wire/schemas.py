"""JSON schemas as they are sent: what is made of each schema within another one."""

from collections.abc import Callable, Mapping

from promptscope_engine.formats.document import Json

BY_NAME, IN_LISTS = ("properties", "$defs"), ("anyOf", "oneOf", "allOf")


def with_inner(key: str, value: Json, change: Callable[[Json], Json]) -> Json:
    """The value of a schema's key with `change` made of every schema directly in it; those with names are sorted."""
    if key in BY_NAME:
        inner: Mapping[str, Json] = value if isinstance(value, dict | Mapping) else {}
        return {name: change(inner[name]) for name in sorted(inner)}
    if key in IN_LISTS:
        return [change(each) for each in value] if isinstance(value, list) else []
    return change(value) if key == "items" else value
