"""Each agent's params without pydantic's validator and serializer: as these would have them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.inputs.params import dumped, fields_of, unset, with_value
from promptscope_engine.inputs.scenario import Scenario

AGENTS = pytest.mark.parametrize("agent", agent_ids())


def parts(model: BaseModel) -> dict[str, Any]:
    """The values with their types, and which of them were given, in there too."""
    values = {name: parts(each) if isinstance(each, BaseModel) else (type(each), each) for name, each in model}
    return {"": (type(model), model.model_fields_set), **values}


@AGENTS
def test_what_is_not_given_is_as_a_validator_fills_it_in(agent: str) -> None:
    params = load_agent(agent).params
    assert parts(unset(params)) == parts(params.model_validate({}))


@AGENTS
def test_values_are_as_a_serializer_writes_them(agent: str) -> None:
    params = load_agent(agent).params
    given: dict[str, Any] = {}
    for field in fields_of(params):
        for _, value in field.choices[-1:]:
            given = with_value(given, field.name, value)
    for model in (unset(params), params.model_validate(given)):
        assert dumped(model) == model.model_dump(mode="json")
        assert dumped(model, exclude_none=True) == model.model_dump(mode="json", exclude_none=True)
        assert dumped(model, exclude_unset=True) == model.model_dump(mode="json", exclude_unset=True)


@pytest.mark.parametrize("model", [Scenario, *(load_agent(agent).params for agent in agent_ids())])
def test_annotations_are_written_as_values(model: type[BaseModel]) -> None:
    """Those that are text are compiled again, each for itself."""
    classes = [model, *(type(value) for _, value in unset(model) if isinstance(value, BaseModel))]
    assert not [each for part in classes for each in part.__annotations__.values() if isinstance(each, str)]
