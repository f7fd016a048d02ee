"""What a switch would do, before it is touched: real assembly with the one value changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens import Counter
from promptscope_engine.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Effect:
    """What setting `param` to `value` would change. `tokens` is the difference of the expected tokens.

    `error` says why the value cannot be assembled; then nothing else is set.
    """

    param: str
    value: Json
    label: str
    tokens: int = 0
    sections_added: tuple[str, ...] = ()
    sections_removed: tuple[str, ...] = ()
    tools_added: tuple[str, ...] = ()
    tools_removed: tuple[str, ...] = ()
    error: str | None = None


def effects(
    scenario: Scenario, workspace: Workspace, counter: Counter, base: Assembly | None = None
) -> tuple[Effect, ...]:
    """The effect of every other value of every flag, and of every other mode, in the order they are shown."""
    return tuple(each_effect(scenario, workspace, counter, base))


def each_effect(
    scenario: Scenario, workspace: Workspace, counter: Counter, base: Assembly | None = None
) -> Iterator[Effect]:
    """`effects`, one at a time, so that a screen can fill in as they come."""
    base = base or assemble(scenario, workspace, counter)
    for param, value, label in switches(scenario, base):
        yield effect(scenario, workspace, counter, base, param, value, label)


def switches(scenario: Scenario, base: Assembly) -> Iterator[tuple[str, Json, str]]:
    """(param, value, label) of every mode and flag value that is not the one in force."""
    for mode in base.modes:
        if mode.slug != base.mode:
            yield "mode", mode.slug, mode.name
    agent = load_agent(base.agent)
    current = flatten(agent.params.model_validate(scenario.params).model_dump(mode="json")) | scenario.variables()
    for field in inputs_of(agent):
        if field.is_flag:
            for label, value in field.choices:
                if value != current.get(field.name):
                    yield field.name, value, label


def effect(
    scenario: Scenario, workspace: Workspace, counter: Counter, base: Assembly, param: str, value: Json, label: str = ""
) -> Effect:
    """The effect of one value."""
    try:
        other = assemble(scenario.with_value(param, value), workspace, counter, expected_only=True)
    except ScenarioError as error:
        return Effect(param, value, label, error=str(error))
    sections, tools = _present(base), _present_tools(base)
    new_sections, new_tools = _present(other), _present_tools(other)
    return Effect(
        param,
        value,
        label,
        (other.tokens.expected or 0) - (base.tokens.expected or 0),
        tuple(s for s in new_sections if s not in sections),
        tuple(s for s in sections if s not in new_sections),
        tuple(t for t in new_tools if t not in tools),
        tuple(t for t in tools if t not in new_tools),
    )


def _present(assembly: Assembly) -> dict[str, None]:
    return {s.id: None for s in assembly.sections if s.present}


def _present_tools(assembly: Assembly) -> dict[str, None]:
    return {t.name: None for t in assembly.tools if t.present}
