"""Each agent's params where nothing is validated: as they would be if it were."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.inputs.models import Model
from promptscope_engine.inputs.params import fields_of, with_value
from promptscope_engine.inputs.scenario import Scenario

AGENTS = pytest.mark.parametrize("agent", agent_ids())


def parts(model: Model) -> dict[str, Any]:
    """The values with their types, and which of them were given, in there too."""
    values = {name: parts(each) if isinstance(each, Model) else (type(each), each) for name, each in model}
    return {"": (type(model), model.model_fields_set), **values}


@AGENTS
def test_what_is_not_given_is_as_a_validator_fills_it_in(agent: str) -> None:
    params = load_agent(agent).params
    assert parts(params.model_unset()) == parts(params.model_validate({}))


@AGENTS
def test_what_is_dumped_is_json_of_which_the_same_is_made(agent: str) -> None:
    params = load_agent(agent).params
    given: dict[str, Any] = {}
    for field in fields_of(params):
        for _, value in field.choices[-1:]:
            given = with_value(given, field.name, value)
    for model in (params.model_unset(), params.model_validate(given)):
        assert params.model_validate(json.loads(json.dumps(model.model_dump()))) == model
        assert parts(params.model_validate(model.model_dump(exclude_unset=True))) == parts(model)
    assert params.model_validate(given).model_dump(exclude_unset=True) == given


@pytest.mark.parametrize("model", [Scenario, *(load_agent(agent).params for agent in agent_ids())])
def test_annotations_are_written_as_values(model: type[Model]) -> None:
    """Those that are text are compiled again, each on its own."""
    classes = [model, *(type(value) for _, value in model.model_unset() if isinstance(value, Model))]
    assert not [each for part in classes for each in part.__annotations__.values() if isinstance(each, str)]
