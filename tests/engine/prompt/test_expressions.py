"""Conditions as text: what is written is parsed to the same condition, and what is wrong is named with its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given as having
from hypothesis import settings
from hypothesis import strategies as st

from promptscope_engine.inputs.params import ParamField
from promptscope_engine.prompt.conditions import ALWAYS, All, Any, Condition, Facts, Named, Not, Observed
from promptscope_engine.prompt.expressions import ExpressionError, Names, parse, written
from promptscope_engine.prompt.leaves import above, equals, flag, given, mode_is, model_is, model_mentions, one_of
from promptscope_engine.prompt.model import ModeChoice


def param(name: str, kind: str, *choices: object) -> ParamField:
    return ParamField(name, name, "", kind, None, "", tuple((str(each), each) for each in choices))  # type: ignore[arg-type]


def tool(name: str) -> Condition:
    return Named("tool", name, ALWAYS, "offered")


def file(path: str) -> Condition:
    return Observed("file", path, True, "there", "not there")


NAMES = Names(
    {
        "polite": param("polite", "bool", True, False),
        "search": param("search", "bool", True, False),
        "tone": param("tone", "enum", "warm", "dry"),
        "language": param("language", "text"),
        "orders": param("orders", "int"),
    },
    ("chat", "minimal", "email"),
    tool,
    file,
    ("memory_search", "refund"),
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
LEAVES = st.one_of(
    st.sampled_from(["polite", "search"]).map(flag),
    st.builds(equals, st.just("tone"), st.sampled_from(["warm", "dry"])),
    st.builds(equals, st.just("polite"), st.booleans()),
    st.builds(equals, st.just("language"), TEXTS),
    st.builds(one_of, st.just("orders"), st.lists(st.integers(-99, 99), min_size=1, max_size=3).map(tuple)),
    st.builds(one_of, st.just("language"), st.lists(TEXTS, min_size=1, max_size=3).map(tuple)),
    st.builds(above, st.just("orders"), st.integers(-99, 99)),
    st.sampled_from(["language", "orders"]).map(given),
    st.lists(st.sampled_from(["chat", "minimal", "email"]), min_size=1, max_size=3).map(lambda m: mode_is(*m)),
    st.lists(TEXTS, min_size=1, max_size=3).map(lambda m: model_is(*m)),
    TEXTS.map(model_mentions),
    st.sampled_from(["memory_search", "refund"]).map(tool),
    TEXTS.map(file),
)


def joined(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    members = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(members.map(All), members.map(Any), inner.map(Not))


@pytest.mark.slow
@having(st.recursive(LEAVES, joined, max_leaves=12))
@settings(max_examples=300, deadline=None)
def test_what_is_written_is_parsed_to_the_same(condition: Condition) -> None:
    assert parse(written(condition), NAMES) == condition


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("mode != 'minimal' and tool(\"memory_search\")", 'mode != "minimal" and tool("memory_search")'),
        ("polite or search and not polite", "polite or search and not polite"),
        ("(polite or search) and (not polite)", "(polite or search) and not polite"),
        ("not (polite and search)", "not (polite and search)"),
        ("polite == true", "polite"),
        ("polite != true", "not polite"),
        ('mode in ["chat"]', 'mode == "chat"'),
        ('mode not in ["chat", "email"]', 'mode not in ["chat", "email"]'),
        ('"sonnet" in model and model != "x"', '"sonnet" in model and model != "x"'),
        ('orders > 3 and given(language) and file("a b.md")', 'orders > 3 and given(language) and file("a b.md")'),
    ],
)
def test_how_it_is_written(text: str, again: str) -> None:
    assert written(parse(text, NAMES)) == again


def test_and_binds_closer_than_or() -> None:
    facts = Facts({"polite": True, "search": False}, mode="chat", modes=(ModeChoice("chat", "Chat"),))
    assert parse('polite or search and mode == "email"', NAMES).holds(facts)
    assert not parse('(polite or search) and mode == "email"', NAMES).holds(facts)


@pytest.mark.parametrize(
    ("text", "at", "says", "near"),
    [
        ("", 0, "expected a condition, found the end", ()),
        ("polit", 0, "unknown name polit", ("polite",)),
        ("polite and", 10, "expected a condition, found the end", ()),
        ("polite serch", 7, "expected `and`, `or` or the end, found `serch`", ()),
        ("(polite", 7, "expected `)`, found the end", ()),
        ('mode == "chta"', 8, "unknown mode chta", ("chat",)),
        ('tone == "wram"', 8, "unknown value of `tone`: wram", ("warm",)),
        ('tool("refnud")', 5, "unknown tool refnud", ("refund",)),
        ("tone", 4, "`tone` is no switch: compare it, or ask given(tone)", ()),
        ("language == 3", 12, "`language` is a text", ()),
        ("tone in []", 9, "expected a text in quotes, a number, `true` or `false`, found `]`", ()),
        ('tone == "warm', 8, "a text without its closing quote", ()),
        ("polite & search", 7, "unexpected '&'", ()),
        ("mode", 4, "expected `==`, `!=`, `in` or `not in`, found the end", ()),
        ("and", 0, "expected a condition, found `and`", ()),
        ("polite > true", 9, "only a number can be compared with `>`", ()),
        ('language > "a"', 11, "only a number can be compared with `>`", ()),
        ('orders == "a"', 10, "`orders` is a number", ()),
        ("polite == 1", 10, "unknown value of `polite`: 1; known: true, false", ()),
        ('given("polite")', 6, 'expected a param\'s name, found `"polite"`', ()),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, at: int, says: str, near: tuple[str, ...]) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text, NAMES)
    assert (caught.value.at, caught.value.message, caught.value.nearest) == (at, says, near)


def test_limits() -> None:
    fits = "(" * 39 + "polite" + ")" * 39
    assert parse(fits, NAMES) == flag("polite")
    for deep in (f"({fits})", "(" * 1_900 + "polite" + ")" * 1_900, "not " * 900 + "polite"):
        with pytest.raises(ExpressionError, match="nested more than 40 levels"):
            parse(deep, NAMES)
    with pytest.raises(ExpressionError, match="nested more than 40 levels"):
        parse(f"polite and polite and {'(' * 40}polite{')' * 40}", NAMES)
    long = f"polite{' ' * (4_000 - len('polite'))}"
    assert parse(long, NAMES) == flag("polite")
    with pytest.raises(ExpressionError, match="at most 4,000 characters"):
        parse(f"{long} ", NAMES)


def test_what_was_gathered_has_no_text() -> None:
    with pytest.raises(ValueError, match="no text for"):
        written(Observed("mcp", "s", True, "connected", "not connected"))


def test_twenty_known_words_are_named() -> None:
    modes = tuple(f"m{number}" for number in range(21))
    for known in (modes[:20], modes):
        with pytest.raises(ExpressionError) as caught:
            parse('mode == "quite another"', replace(NAMES, modes=known))
        assert caught.value.message == f"unknown mode quite another; known: {', '.join(modes[:20])}"
