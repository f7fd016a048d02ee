"""The smallest reply has the form that was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.captures.bodies import BODIES

from promptscope_engine.captures.blank import blank_reply, smallest


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "STRING"}, "ok"),
        ({"type": ["null", "string"]}, None),
        ({"enum": ["a", "b"]}, "a"),
        ({"anyOf": [{"type": "array"}, {"type": "string"}]}, []),
        ({"type": "integer", "minimum": 7}, 7),
        (
            {"type": "OBJECT", "properties": {"a": {"type": "INTEGER"}, "b": {}}, "required": ["a"]},
            {"a": 1},
        ),
        ({"$ref": "#"}, {}),
        ("no schema", {}),
    ],
)
def test_the_smallest_value_of_a_schema(schema: Any, value: Any) -> None:
    assert smallest(schema) == value


@pytest.mark.parametrize("protocol", BODIES)
def test_counting_is_answered_with_a_number(protocol: Any) -> None:
    body, _ = BODIES[protocol]
    paths = {"gemini": "/v1/models/x:countTokens", "responses": "/v1/responses/input_tokens"}
    reply = json.loads(blank_reply(protocol, paths.get(protocol, "/v1/messages/count_tokens"), body).body)
    assert reply.get("input_tokens", reply.get("totalTokens")) > 10


def test_a_router_that_asks_for_json_gets_json() -> None:
    schema = {"type": "OBJECT", "properties": {"score": {"type": "INTEGER"}}, "required": ["score"]}
    body = {"contents": [], "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema}}
    reply = json.loads(blank_reply("gemini", "/v1/models/x:generateContent", body).body)
    assert json.loads(reply["candidates"][0]["content"]["parts"][0]["text"]) == {"score": 1}
