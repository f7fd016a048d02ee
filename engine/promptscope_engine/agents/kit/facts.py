"""What conditions are evaluated against, of an agent whose inputs are a params model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, fields_of, flatten
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.model import ModeChoice


def facts_of(
    inputs: Inputs,
    params: Params,
    mode: str | None,
    modes: tuple[ModeChoice, ...],
    model: str | None,
    found: Mapping[str, Condition] | None = None,
) -> Facts:
    """The facts of a scenario, of which an agent settled mode and model; `found` are conditions that it gathered."""
    flat = flatten(params.model_dump())
    return Facts(flat, choices_of(type(params)), mode, modes, model, inputs.agent_version, found or {})


@cache
def choices_of(params: type[Params]) -> dict[str, tuple[Json, ...]]:
    """The values of every param that has few, for levers."""
    return {field.name: tuple(value for _, value in field.choices) for field in fields_of(params) if field.choices}
