"""Requests as the packages of the AI SDK write them."""

from __future__ import annotations

import pytest

from promptscope_engine.wire.protocols import Protocol, image
from promptscope_engine.wire.sdk import body_keys, reduced


def test_thinking_takes_the_place_of_a_temperature_and_adds_to_the_limit() -> None:
    chosen = {"thinking": {"type": "enabled", "budgetTokens": 1_000}}
    assert body_keys("messages", chosen, {"temperature": 1}, 32_000) == {
        "max_tokens": 33_000, "stream": True, "thinking": {"type": "enabled", "budget_tokens": 1_000},
    }  # fmt: skip


def test_with_a_temperature_there_is_no_top_p() -> None:
    made = body_keys("messages", {}, {"temperature": 1, "top_p": 0.9}, 10)
    assert (made["temperature"], "top_p" in made) == (1, False)
    assert body_keys("messages", {}, {"top_p": 0.9}, 10)["top_p"] == 0.9


def test_an_option_has_another_name_in_each_protocol() -> None:
    chosen = {"reasoningEffort": "low", "textVerbosity": "high"}
    assert body_keys("responses", chosen, {}, 10)["reasoning"] == {"effort": "low"}
    assert body_keys("chat", chosen, {}, 10)["reasoning_effort"] == "low"
    assert body_keys("chat", chosen, {}, 10, renames=False)["reasoningEffort"] == "low"


def test_a_schema_keeps_the_keys_that_are_known() -> None:
    schema = {
        "$schema": "x",
        "type": "object",
        "properties": {"minimum": {"const": 1, "minimum": 0}},
        "required": ["a"],
    }
    kept = ("type", "properties", "required", "enum")
    assert reduced(schema, kept) == {"type": "object", "properties": {"minimum": {"enum": [1]}}, "required": ["a"]}


@pytest.mark.parametrize("protocol", ["messages", "responses", "chat", "gemini"])
def test_an_image_holds_its_data(protocol: Protocol) -> None:
    assert "QUJD" in str(image(protocol, "image/png", "QUJD"))
