"""Conditions as people write them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.expressions import (
    MAX_CHARS,
    Expression,
    ExpressionError,
    Vocabulary,
    read_expression,
    unknown_word,
)
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.leaves import equals, flag, mode_is, model_mentions, one_of, version_is
from promptscope_engine.prompt.leaves import given as is_given

GATE = flag("gate", yes="the gate is open", no="the gate is shut")
PARAMS = {
    "x": ParamField("x", "", "", "bool", None, ""),
    "a.b": ParamField("a.b", "", "", "bool", None, ""),
    "n": ParamField("n", "", "", "int", None, ""),
    "text": ParamField("text", "", "", "text", None, ""),
    "tone": ParamField("tone", "", "", "enum", None, "", (("warm", "warm"), ("dry", "dry"))),
}
VOCABULARY = Vocabulary(
    {"gate": GATE}, lambda: PARAMS, ("1.0", "1.1", "2.0"), frozenset({"mcp", "item"}), frozenset({"tool"})
)


def condition(text: str) -> Expression:
    return read_expression(text, VOCABULARY)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("gate", GATE),
        ("x", flag("x")),
        ("a.b", flag("a.b")),
        ("not x", ~flag("x")),
        ("x and gate and a.b", flag("x") & GATE & flag("a.b")),
        ("x or not (gate and a.b)", flag("x") | ~(GATE & flag("a.b"))),
        ("given(text)", is_given("text")),
        ('text == "y"', equals("text", "y")),
        ('text != "y"', ~equals("text", "y")),
        ("n == -1", equals("n", -1)),
        ("n in [1, 2]", one_of("n", (1, 2))),
        ("n not in [1, 2]", ~one_of("n", (1, 2))),
        ("x == false", equals("x", False)),
        ('mode == "plan"', mode_is("plan")),
        ('mode not in ["plan", "ask"]', ~mode_is("plan", "ask")),
        ('"gpt" in model', model_mentions("gpt")),
        ('version >= "1.1"', version_is("1.1", "2.0", side="not before 1.1")),
        ('version < "1.1"', version_is("1.0", side="before 1.1")),
        ('version > "1.1"', version_is("2.0", side="after 1.1")),
        ('version <= "1.1"', version_is("1.1", "1.0", side="not after 1.1")),
        ('version != "1.1"', ~version_is("1.1")),
    ],
)
def test_a_text_and_the_condition_that_it_makes(text: str, made: Condition) -> None:
    assert condition(text) == made


def test_the_nearest_version_is_the_lever() -> None:
    found = condition('version < "2.0"')
    assert isinstance(found, Condition)
    levers = found.levers(Facts(version="2.0"), to=True)
    assert levers is not None
    assert [lever.value for lever in levers] == ["1.1"]


def test_a_gate_is_the_very_object() -> None:
    assert condition("gate") is GATE


def test_what_a_scenario_answers() -> None:
    mcp = flag("mcp")
    tool = flag("the tool Glob")
    scope = Scope({"mcp": mcp, "item": {"part": "", "when": mcp}}, {"tool": lambda name: {"Glob": tool}[name]})
    assert scope.settled(condition("mcp")) is mcp
    assert scope.settled(condition('not tool("Glob")')) == ~tool
    assert scope.settled(condition("item.part")) is False
    assert scope.settled(condition("not item.part and mcp")) is mcp
    assert scope.settled(condition("item.part or mcp")) is mcp
    assert scope.settled(condition("item.part and x")) is False
    assert scope.settled(condition("x and item.when")) == flag("x") & mcp


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not a condition: invalid syntax"),
        ("x +", "this is not a condition: invalid syntax"),
        ("x + x", "this is not a condition"),
        ("lambda: x", "this is not a condition"),
        ("y", "unknown name y; known: gate, item, mcp, x, a.b, n, text, tone, mode, model, version"),
        ("gat", "unknown name gat"),
        ("n", "`n` is not a switch: compare it, or ask given(n)"),
        ("n > true", "only a number can be compared with `>`"),
        ("x < 3", "compare with ==, !=, in, not in or >"),
        ("n == [1]", "expected a text in quotes, a number, true or false"),
        ('toll("x")', "unknown word toll"),
        ("tool(x)", "expected a text in quotes"),
        ('version >= "1.2"', "unknown version 1.2"),
        ('version < "1.0"', "this does not name a version"),
        ('tool("x", y=1)', "this is not a condition"),
        ("1 == x", "expected a name"),
        ("n == 'a'", "`n` is a number"),
        ("text == 3", "`text` is a text"),
        ('tone in ["warm", "wet"]', "unknown value of `tone`: wet; known: warm, dry"),
        (r'text == "\d"', "write a backslash twice"),
        ("not (x or " * 21 + "x" + ")" * 21, "it is nested more than 40 levels deep"),
    ],
)
def test_what_is_none(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as error:
        condition(text)
    assert error.value.message == message


@pytest.mark.parametrize(
    ("text", "at", "near"),
    [
        ("  polit", 2, ()),
        ('x and tone == "dri"', 14, ("dry",)),
        ('text == "äöü" and tol', 18, ("tone",)),
        ("x\nand\n  gat", 8, ("gate",)),
        ("x serch", 2, ()),
        ('mode != "pln"', 8, ("plan",)),
    ],
)
def test_a_mistake_has_its_place_and_the_nearest_words(text: str, at: int, near: tuple[str, ...]) -> None:
    with pytest.raises(ExpressionError) as error:
        read_expression(text, replace(VOCABULARY, modes=("plan", "ask")))
    assert (error.value.at, error.value.nearest[:1]) == (at, near)


def test_what_a_scenario_does_not_know_has_its_place() -> None:
    def tool(name: str) -> Condition:
        raise unknown_word("tool", name, ["Glob"], 0)

    expression = condition('x and tool("Glib")')
    with pytest.raises(ExpressionError, match="unknown tool Glib") as error:
        Scope({}, {"tool": tool}).settled(expression)
    assert error.value.at == 11


def test_twenty_known_words_are_named() -> None:
    modes = tuple(f"m{number}" for number in range(21))
    with pytest.raises(ExpressionError, match=f"known: {', '.join(modes[:20])}$"):
        read_expression('mode == "quite another"', replace(VOCABULARY, modes=modes))


def test_a_text_may_have_escapes_and_several_lines() -> None:
    assert condition('text == "\\\\d"\n  or x') == equals("text", "\\d") | flag("x")


@pytest.mark.parametrize(
    "text", ["(" * 500 + "x" + ")" * 500, "(x or " * 500, "x\0", "x" * (MAX_CHARS + 1), "-" * 3000]
)
def test_a_stranger_cannot_break_it(text: str) -> None:
    with pytest.raises(ExpressionError):
        condition(text)


@given(st.text(max_size=60))
def test_any_text_is_a_condition_or_an_error(text: str) -> None:
    with suppress(ExpressionError):
        assert condition(text) is not None
