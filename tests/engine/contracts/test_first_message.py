"""The message that `d` drafts is an input of the agent, and what is typed comes to the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import all_agents

DRAFTING = [agent.id for agent in all_agents() if agent.about.first_message is not None]


@pytest.mark.parametrize("agent_id", DRAFTING)
def test_what_is_typed_is_in_a_part_of_the_message(agent_id: str, tmp_path: Path) -> None:
    (agent,) = (agent for agent in all_agents() if agent.id == agent_id)
    message = agent.about.first_message
    assert message is not None
    fields = {field.name: field for field in inputs_of(agent)}
    assert fields[message.param].kind == "text"
    scenario = frozen_scenario(agent_id, tmp_path).with_value(message.param, "Quuxmark 5512")
    for name, value in {**agent.about.trusted, **agent.about.attended}.items():
        scenario = scenario.with_value(name, value)
    shown = [section for section in assemble(scenario).sections if section.present and message.holds(section)]
    assert "Quuxmark 5512" in "".join(section.text for section in shown)
