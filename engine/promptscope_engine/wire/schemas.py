"""JSON schemas as they are sent: what is made of each schema within another one."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from promptscope_engine.formats.document import Json

BY_NAME, IN_LISTS = ("properties", "$defs"), ("anyOf", "oneOf", "allOf")


def with_inner(
    key: str, value: Json, change: Callable[[Json], Json], order: Callable[[Iterable[str]], Iterable[str]] = sorted
) -> Json:
    """The value of a schema's key with `change` made of every schema directly in it; `order` is that of names."""
    if key in BY_NAME:
        inner: Mapping[str, Json] = value if isinstance(value, dict | Mapping) else {}
        return {name: change(inner[name]) for name in order(inner)}
    if key in IN_LISTS:
        return [change(each) for each in value] if isinstance(value, list) else []
    return change(value) if key == "items" else value


def reduced(schema: Json, kept: Collection[str]) -> Json:
    """A schema with what is left of it where only some keys are known; `const` becomes `enum`."""
    inner = partial(reduced, kept=kept)
    if isinstance(schema, list):
        return [*map(inner, schema)]
    if not isinstance(schema, dict | Mapping):
        return schema
    given = {"enum" if key == "const" else key: [value] if key == "const" else value for key, value in schema.items()}
    return {
        key: inner(value) if key == "additionalProperties" else with_inner(key, value, inner, order=list)
        for key, value in given.items()
        if key in kept
    }
