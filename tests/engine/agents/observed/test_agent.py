"""A captured request as an assembly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.engine.agents.observed.conftest import capture, observed
from tests.engine.captures.bodies import ANTHROPIC, BODIES
from tests.support.frozen import frozen_scenario, sent

from promptscope_engine import assemble


@pytest.mark.parametrize("protocol", BODIES)
def test_every_protocol_gives_the_same_parts(place: Path, protocol: str) -> None:
    body, path = BODIES[protocol]
    found = observed(place, body, path)
    assert [(s.title, s.channel) for s in found.sections] == [
        ("You are a tester.", "system"),
        ("Rules", "system"),
        ("user: hi", "messages"),
    ]
    assert [(tool.name, tool.description, tool.parameters[0].name) for tool in found.tools] == [
        ("read", "Reads.", "path")
    ]
    assert {fragment.origin.kind for s in found.sections for fragment in s.fragments} == {"sent"}
    plain = found.to_dict()
    for channel in ("system", "messages"):
        assert "".join(s.text for s in found.sections if s.channel == channel) == sent(plain["request"], channel)
    assert found.tokens.total == found.tokens.expected


def test_without_an_agent_the_capture_names_it(place: Path) -> None:
    scenario = frozen_scenario("observed/x", place, capture=capture(place, ("/v1/messages", ANTHROPIC)))
    found = assemble(scenario.model_copy(update={"agent": None}))
    assert (found.agent, found.agent_version, found.model) == ("observed/claude-code", "2.1.329", "claude-sonnet-4-5")


def test_a_modelled_agent_is_predicted_although_there_is_a_capture(place: Path) -> None:
    file = capture(place, ("/v1/messages", ANTHROPIC))
    assert assemble(frozen_scenario("roo", place, capture=file)).agent == "roo"


def test_the_request_keeps_roles_and_breakpoints(place: Path) -> None:
    found = observed(place, ANTHROPIC).request
    assert found.system[0]["cache_control"] == {"type": "ephemeral"}
    assert [message["role"] for message in found.messages] == ["user"]
    assert json.dumps(found.tools[0]["input_schema"]) == json.dumps(ANTHROPIC["tools"][0]["input_schema"])
