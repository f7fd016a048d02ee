"""Parts that no blank run shows, by what they need."""

from __future__ import annotations

import pytest

from promptscope_engine.learning.script import Folder, Script, Start
from promptscope_engine.learning.unseen import by_cause
from promptscope_engine.prompt.conditions import AllOf, Condition, Fact, Facts
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Lever, Op, Reason

SCRIPT = Script("x", ("x",), ("hi",), {"p": Start(())}, {"plain": Folder()}, unseen={"a login": ("auth",)})


def fact(op: Op, name: str, *, ok: bool = False) -> Fact:
    return Fact(op, name, ok, "it is", "it is not")


def cause(when: Condition, *levers: Lever) -> str:
    ((found, parts),) = by_cause([("part", Reason("absent", when.evaluate(Facts()), levers))], SCRIPT).items()
    assert parts == ("part",)
    return found


@pytest.mark.parametrize(
    ("op", "name", "needs"),
    [
        ("flag", "auth", "a login"),
        ("flag", "hooks.SessionStart", "a hook that prints something"),
        ("mcp", "resources", "an MCP server that offers it"),
        ("version", "", "another version"),
        ("file", "memory", "a file of yours"),
        ("model", "id", "another model"),
        ("flag", "instructions", "an input that is not flipped"),
    ],
)
def test_what_keeps_a_part_away_is_its_cause(op: Op, name: str, needs: str) -> None:
    assert cause(AllOf((fact("mcp", "on", ok=True), fact(op, name)))) == needs


def test_the_levers_tell_where_there_are_some() -> None:
    assert cause(flag("x"), Lever("auth", "account")) == "a login"
    assert cause(flag("x"), Lever("model", "big")) == "another model"
    assert cause(flag("x"), Lever("model", "big"), Lever("x", True)) == "several inputs at once"


def test_parts_of_one_cause_are_together_in_their_order() -> None:
    why = Reason("absent", fact("mcp", "resources").evaluate(Facts()))
    assert by_cause([("b", why), ("a", why)], SCRIPT) == {"an MCP server that offers it": ("b", "a")}
