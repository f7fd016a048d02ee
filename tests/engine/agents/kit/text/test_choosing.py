"""Rows of agent.toml that are for some facts."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.kit.text.choosing import first_row, fits, keys_for
from promptscope_engine.formats.document import Json

FACTS: dict[str, Json] = {"protocol": "chat", "model": "gpt-5-mini", "thinks": True, "effort": "high", "limit": None}


@pytest.mark.parametrize(
    ("asked", "is_for"),
    [
        ({}, True),
        ({"protocol": "chat", "thinks": True}, True),
        ({"protocol": "chat", "thinks": False}, False),
        ({"effort": ["low", "high"]}, True),
        ({"effort": ["", "none"]}, False),
        ({"model": {"any": ["claude", "gpt"], "all": ["gpt-5"], "none": ["codex"]}}, True),
        ({"model": {"any": ["claude"]}}, False),
        ({"model": {"all": ["gpt", "codex"]}}, False),
        ({"model": {"none": ["mini"]}}, False),
    ],
)
def test_a_row_is_for_values_for_one_of_several_and_for_words(asked: dict[str, Json], is_for: bool) -> None:
    assert fits({"if": asked}, FACTS) is is_for


def test_later_rows_win_and_facts_are_filled_in_or_left_out() -> None:
    rows = [
        {"keys": {"temperature": 0, "max": "{limit}", "reasoning": {"effort": "{effort}", "summary": "{limit}"}}},
        {"if": {"thinks": True}, "keys": {"temperature": 1}},
        {"if": {"protocol": "messages"}, "keys": {"temperature": 2}},
    ]
    assert keys_for(rows, FACTS) == {"temperature": 1, "reasoning": {"effort": "high"}}
    assert first_row([{"if": {"thinks": False}, "is": 1}, {"is": 2}], FACTS)["is"] == 2
