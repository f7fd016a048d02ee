"""The shape of a tool's text, and JSON schemas as Claude Code sends them: draft 2020-12, closed objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import ParameterDraft, Piece
from promptscope_engine.wire.request import FixedSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _no_gates(_: Materials) -> Mapping[str, Condition]:
    return {}


def _no_others(_: Materials) -> tuple[tuple[Condition, Json], ...]:
    return ()


@frozen(slots=False)
class ToolText:
    """A tool's description, as pieces, and its JSON schema as it goes over the wire.

    `gates`: when a parameter is there, of those that not every request has. `others`: schemas that are sent instead of
    `input_schema` under a condition, for parameters that are there in another form.
    """

    description: Callable[[Materials], Iterable[Piece]]
    input_schema: Json
    gates: Callable[[Materials], Mapping[str, Condition]] = field(default=_no_gates)
    others: Callable[[Materials], tuple[tuple[Condition, Json], ...]] = field(default=_no_others)

    def parameters(self, m: Materials) -> tuple[ParameterDraft, ...]:
        """The parameters of `input_schema` with their gates."""
        gates = self.gates(m)
        return tuple(replace(p, when=gates[p.name]) if p.name in gates else p for p in self._parameters)

    @cached_property
    def _parameters(self) -> tuple[ParameterDraft, ...]:
        return parameters_of(self.input_schema)


def parameters_of(schema: Json) -> tuple[ParameterDraft, ...]:
    """The parameters that a schema tells of, none of them gated."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return ()
    needed = required if isinstance(required, list) else []
    return tuple(ParameterDraft(str(name), name in needed) for name in properties)


def parameters(properties: dict[str, Json], *required: str) -> Json:
    """The `input_schema` of a tool. `required` names the parameters that a call cannot do without."""
    schema: dict[str, Json] = {"$schema": DIALECT, "type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return FixedSchema({**schema, "additionalProperties": False})


# The keys of a part stand in the order of the recordings: description, default, bounds of a list, type, the rest.


def string(description: str = "", *, default: str | None = None, **more: Json) -> Json:
    """A string parameter; `more` are further keywords (`minLength`, `pattern`, …)."""
    return {**_described(description), **({} if default is None else {"default": default}), "type": "string", **more}


def choice(description: str, *values: str) -> Json:
    """A string parameter that takes one of `values`."""
    return {**_described(description), "type": "string", "enum": list(values)}


def constant(value: str) -> Json:
    """A string that is always the same."""
    return {"type": "string", "const": value}


def boolean(description: str = "", default: bool | None = None) -> Json:
    """A boolean parameter."""
    return {**_described(description), **({} if default is None else {"default": default}), "type": "boolean"}


def number(description: str = "", *, default: int | None = None, **more: Json) -> Json:
    """A number parameter."""
    return {**_described(description), **({} if default is None else {"default": default}), "type": "number", **more}


MOST = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""


def integer(description: str = "", *, above: int | None = None, minimum: int = -MOST, maximum: int = MOST) -> Json:
    """A whole number; the agent bounds it to what JavaScript can hold exactly unless told otherwise."""
    lowest: dict[str, Json] = {"minimum": minimum} if above is None else {"exclusiveMinimum": above}
    return {**_described(description), "type": "integer", **lowest, "maximum": maximum}


def array(items: Json, description: str = "", **bounds: Json) -> Json:
    """A list parameter; `bounds` are `minItems`, `maxItems`."""
    return {**_described(description), **bounds, "type": "array", "items": items}


def record(properties: dict[str, Json], *required: str, description: str = "") -> Json:
    """An object inside of a parameter."""
    schema: dict[str, Json] = {**_described(description), "type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False}


def mapping(description: str, values: Json, **names: Json) -> Json:
    """An object with keys of the caller's choice; `names` are bounds of a key."""
    return {
        **_described(description),
        "type": "object",
        "propertyNames": {"type": "string", **names},
        "additionalProperties": values,
    }


def either(description: str, *parts: Json, default: str | None = None) -> Json:
    """A parameter of several forms."""
    return {**_described(description), **({} if default is None else {"default": default}), "anyOf": list(parts)}


def _described(description: str) -> dict[str, Json]:
    return {"description": description} if description else {}


NOTHING = parameters({})
