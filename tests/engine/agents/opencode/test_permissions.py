"""Rules of which the last one that fits decides."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.opencode.permissions import kept, matches, rules_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Facts


@pytest.mark.parametrize(
    ("said", "stays"),
    [
        ({}, True),
        ({"bash": "deny"}, False),
        ({"bash": "deny", "*": "allow"}, True),
        ({"*": "deny", "bash": "ask"}, True),
        ({"bash": {"*": "deny", "git *": "allow"}}, True),
        ({"bash": {"git *": "allow", "*": "deny"}}, False),
        ({"ba??": "deny"}, False),
    ],
)
def test_a_permission_as_a_whole(said: dict[str, Json], stays: bool) -> None:
    assert kept(tuple(rules_of(said)), "bash").holds(Facts()) is stays


def test_one_thing_of_a_permission() -> None:
    rules = tuple(rules_of({"task": {"*": "deny", "general": "allow"}}))
    assert kept(rules, "task", "general").holds(Facts())
    assert not kept(rules, "task", "explore").holds(Facts())


def test_a_slash_is_a_sign_like_others() -> None:
    assert matches("team*", "team/rev")
    assert matches("team?rev", "team/rev")
