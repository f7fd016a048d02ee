"""What a switch would do, before it is touched: the agent's own steps with the one value changed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import Totals, assemble, totals
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.assembly.settling import as_values
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import flatten, validate
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace import Workspace


class Effect(Struct, frozen=True):
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
    scenario: Scenario,
    workspace: Workspace | None = None,
    counter: Counter | None = None,
    base: Assembly | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> tuple[Effect, ...]:
    """The effect of every other value of every flag, and of every other mode, in the order they are shown.

    `workspace` and `counter` may be kept between calls, `base` is the scenario's assembly where it is known already.
    Raises ScenarioError for a scenario that cannot be assembled.
    """
    counter = counter or Counter(tokenizer_for_model(scenario.model))
    return tuple(each_effect(scenario, workspace or Workspace(), counter, base, knowledge=knowledge))


def each_effect(
    scenario: Scenario,
    workspace: Workspace,
    counter: Counter,
    base: Assembly | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Iterator[Effect]:
    """`effects`, one at a time, so that a screen can fill in as they come."""
    base = base or assemble(scenario, workspace, counter, knowledge=knowledge)
    agent = resolve(scenario, workspace, knowledge).agent
    scenario = as_values(agent, scenario)
    for param, value, label in switches(scenario, base, agent):
        yield effect(WhatIf(scenario, workspace, counter, base, knowledge), param, value, label)


def switches(scenario: Scenario, base: Assembly, agent: Describes | None = None) -> Iterator[tuple[str, Json, str]]:
    """(param, value, label) of every mode and flag value that is not the one in force. `agent` is that of `base`."""
    agent = agent or load_agent(base.agent)
    for mode in base.modes:
        if mode.slug != base.mode:
            yield "mode", mode.slug, mode.name
    current = flatten(validate(agent.params, scenario.params).model_dump()) | scenario.variables()
    for field in inputs_of(agent):
        if field.is_flag:
            for label, value in field.choices:
                if value != current.get(field.name):
                    yield field.name, value, label


class WhatIf(NamedTuple):
    """A scenario to change, what it is assembled with, and its assembly."""

    scenario: Scenario
    workspace: Workspace
    counter: Counter
    base: Assembly
    knowledge: Knowledge = NO_KNOWLEDGE


def effect(what_if: WhatIf, param: str, value: Json, label: str = "") -> Effect:
    """The effect of one value."""
    try:
        after = totals(what_if.scenario.with_value(param, value), what_if.workspace, what_if.counter, what_if.knowledge)
    except ScenarioError as error:
        return Effect(param, value, label, error=str(error))
    before = Totals.of(what_if.base)
    return Effect(
        param,
        value,
        label,
        (after.expected or 0) - (before.expected or 0),
        _only_in(after.sections, before.sections),
        _only_in(before.sections, after.sections),
        _only_in(after.tools, before.tools),
        _only_in(before.tools, after.tools),
    )


def _only_in(these: Sequence[str], those: Sequence[str]) -> tuple[str, ...]:
    """Those of the first that the second lacks, each once."""
    others = set(those)
    return tuple(name for name in dict.fromkeys(these) if name not in others)
