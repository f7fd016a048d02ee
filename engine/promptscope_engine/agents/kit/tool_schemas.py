"""The JSON schema of a tool, with what its parameters depend on.

In the file, `when` beside a parameter's own keys is the condition under which it is sent, and `forms` its forms, of
which the first one whose `if` holds is sent; the last one has none. A whole schema may have `forms`, too. Both keys are
taken out of what is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Choice, ParameterDraft
from promptscope_engine.wire.request import FixedSchema

Conditions = Callable[[str], Condition]
"""The condition of an expression, in one scenario."""


class ToolSchema:
    """One schema. Its parts are made once: prompts that send the same schema share the object."""

    def __init__(self, written: Mapping[str, Json]) -> None:
        *others, usual = written.get("forms", [written])
        properties: Mapping[str, Json] = usual.get("properties") or {}
        self._needed = frozenset(usual.get("required") or ())
        self._gates = {name: str(each["when"]) for name, each in properties.items() if "when" in each}
        forms = {name: each["forms"] for name, each in properties.items() if "forms" in each}
        parts = {name: forms[name][-1] if name in forms else _sent(each) for name, each in properties.items()}
        self._names = tuple(parts)
        self._usual = _with(usual, parts)
        self._others = [(str(each["if"]), FixedSchema(_sent(each))) for each in others]
        self._others += (
            (str(form["if"]), _with(usual, {**parts, name: _sent(form)}))
            for name, options in forms.items()
            for form in options[:-1]
        )

    @property
    def guards(self) -> Iterator[str]:
        """The expressions that it asks."""
        yield from self._gates.values()
        yield from (text for text, _ in self._others)

    def sent(self, condition: Conditions) -> Choice[Json]:
        """What goes over the wire, with all parameters."""
        return Choice(tuple((condition(text), schema) for text, schema in self._others), self._usual)

    def parameters(self, condition: Conditions) -> Iterator[ParameterDraft]:
        """The parameters and their conditions."""
        for name in self._names:
            when = condition(self._gates[name]) if name in self._gates else ALWAYS
            yield ParameterDraft(name, name in self._needed, when)


def parameters_of(schema: Json) -> tuple[ParameterDraft, ...]:
    """The parameters that anybody's schema tells of, none of them gated."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return ()
    needed = required if isinstance(required, list) else []
    return tuple(ParameterDraft(str(name), name in needed) for name in properties)


def _sent(part: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in part.items() if key not in ("when", "forms", "if")}


def _with(schema: Mapping[str, Json], properties: Mapping[str, Json]) -> FixedSchema:
    return FixedSchema({key: properties if key == "properties" else value for key, value in schema.items()})
