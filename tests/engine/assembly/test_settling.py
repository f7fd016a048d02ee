"""What a scenario sets of an agent's inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.assembly.settling import as_values, settled
from promptscope_engine.inputs.params import with_value


def test_a_label_means_its_value() -> None:
    openclaw = load_agent("openclaw")
    assert as_values(openclaw, Scenario(params={"channel": "derived"})).params == {"channel": None}
    plain = Scenario(params={"channel": "signal"}, env={"A": "b"})
    assert as_values(openclaw, plain) is plain
    labelled = as_values(openclaw, Scenario(params={"channel": "derived"}, env={"A": "b"}))
    assert (labelled.params, labelled.env) == ({"channel": None}, {"A": "b"})


def test_a_variable_that_is_not_set_is_none() -> None:
    agent = load_agent("claude-code")
    switch = next(field.title for field in agent.about.variables if field.choices)
    scenario = Scenario(env={switch: "not set", "OTHER": "x"})
    assert as_values(agent, scenario).env == {"OTHER": "x"}


@pytest.mark.parametrize("params", [{}, {"args": {"print": True}}])
def test_what_is_assumed_is_as_if_it_were_given(params: dict[str, Any], tmp_path: Path) -> None:
    for agent in all_agents():
        scenario = Scenario(agent=agent.id, workspace=str(tmp_path), params=params if agent.id == "gemini" else {})
        found, assumed = settled(agent, scenario.model_copy(update={"attended": True}))
        given = scenario.params
        for name, value in (assumed or {}).items():
            given = with_value(given, name, value)
        assert found.model_dump() == agent.params.model_validate(given).model_dump()
