"""The shape of a tool's text, and JSON schemas as Gemini CLI sends them (specs/gemini.md 1, 9.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import ParameterDraft, Piece
from promptscope_engine.wire.request import FixedSchema


def _no_gates(_: Materials) -> Mapping[str, Condition]:
    return {}


def _no_others(_: Materials) -> tuple[tuple[Condition, Json], ...]:
    return ()


@frozen(slots=False)
class ToolText:
    """A tool's description, as pieces, and its JSON schema as it goes over the wire.

    `gates`: when a parameter is there, of those that not every request has. `others`: schemas that are sent instead of
    `input_schema` under a condition.
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
    """The schema of a tool. `required` names the parameters that a call cannot do without."""
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return FixedSchema(schema)


def string(description: str = "", **more: Json) -> Json:
    """A string parameter; `more` are further keywords (`enum`, …)."""
    return _typed("string", description, more)


def boolean(description: str = "") -> Json:
    """A boolean parameter."""
    return _typed("boolean", description, {})


def number(description: str = "", **more: Json) -> Json:
    """A number parameter."""
    return _typed("number", description, more)


def integer(description: str = "", **more: Json) -> Json:
    """A parameter that is a whole number."""
    return _typed("integer", description, more)


def array(items: Json, description: str = "", **more: Json) -> Json:
    """A list parameter."""
    return _typed("array", description, {"items": items, **more})


def record(properties: dict[str, Json], *required: str, description: str = "") -> Json:
    """An object inside of a parameter."""
    more: dict[str, Json] = {"properties": properties}
    return _typed("object", description, {**more, "required": list(required)} if required else more)


def _typed(kind: str, description: str, more: Mapping[str, Json]) -> Json:
    return {**({"description": description} if description else {}), "type": kind, **more}


WAIT = boolean(
    "True makes this call wait until every call before it in the same turn has ended, which is what you want whenever "
    "it builds on their results. False, the default, lets it run beside the others."
)
"""The parameter `wait_for_previous` that several tools have."""
