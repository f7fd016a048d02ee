"""A captured request in the shape that is shown."""

from __future__ import annotations

import json
from pathlib import Path

from tests.engine.agents.observed.conftest import observed
from tests.engine.captures.bodies import ANTHROPIC


def test_the_request_keeps_roles_and_breakpoints(place: Path) -> None:
    found = observed(place, ANTHROPIC).request
    assert found.system[0]["cache_control"] == {"type": "ephemeral"}
    assert [message["role"] for message in found.messages] == ["user"]
    assert json.dumps(found.tools[0]["input_schema"]) == json.dumps(ANTHROPIC["tools"][0]["input_schema"])
