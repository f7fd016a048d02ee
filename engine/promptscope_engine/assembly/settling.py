"""What a scenario sets of an agent's inputs: choices become values, params are validated, and the rest is filled in."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import Model
from promptscope_engine.inputs.params import Params, flatten, nested, of_values, resolve_labels
from promptscope_engine.inputs.scenario import Scenario

P = TypeVar("P", bound=Model)


def as_values(agent: Describes, scenario: Scenario) -> Scenario:
    """The scenario with every choice that was written as its label replaced by its value.

    A value in it can then be changed alone (`codeIndex.initialized` of `starting`). A variable that is `not set` is
    None.
    """
    fields = inputs_of(agent)
    made: dict[str, Any] = {"params": resolve_labels(fields, scenario.params)}
    if scenario.env:
        env = resolve_labels(fields, {"env": scenario.env})["env"]
        made["env"] = {name: text for name, text in dict(env).items() if text is not None}
    changed = {key: value for key, value in made.items() if value != getattr(scenario, key)}
    return scenario.model_copy(update=changed) if changed else scenario


class Settled(NamedTuple):
    """The params, and those of them that are assumed since somebody sits at it, by dotted name; None: nobody does."""

    params: Params
    assumed: Mapping[str, Json] | None


def settled(agent: Describes, scenario: Scenario) -> Settled:
    """The params of a scenario `as_values`, with those that are assumed or implied where it does not say others.

    These are ours, and not validated; nor is the trust of a pinned scenario. With nothing to validate, a command takes
    half the time.

    Raises ScenarioError.
    """
    about, said = agent.about, flatten(scenario.params)
    trusted = about.trusted if scenario.params == nested(about.trusted) else {}
    params = of_values(agent.params, {} if trusted else scenario.params)
    implied = {name: value for name, value in agent.implied(params).items() if name not in said}
    assumed = _assumed(about.attended, said) if scenario.attended else None
    for name, value in {**trusted, **(assumed or {}), **implied}.items():
        params = _with(params, name, value)
    return Settled(params, assumed)


def _assumed(attended: Mapping[str, Json], said: Mapping[str, Json]) -> dict[str, Json]:
    """What a session has that somebody sits at, where nothing says otherwise."""
    unfit = tuple(f"{name}." for name, value in said.items() if not isinstance(value, Mapping))  # validation says so
    return {name: value for name, value in attended.items() if name not in said and not name.startswith(unfit)}


def _with(params: P, name: str, value: Json) -> P:
    head, dot, rest = name.partition(".")
    return params.model_copy(update={head: _with(getattr(params, head), rest, value) if dot else value})
