"""Values that know the setting behind them, and its levers."""

from __future__ import annotations

import pytest

from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced, first_set

FILE = SettingSource("a.b", path="/c.json", shown="c.json", line=3, overlay="overlay.a.b")
PARAM = SettingSource("a.b")


def levers(known: Sourced[object], to: bool, unset: object = None) -> tuple[Lever, ...] | None:
    return known.is_("on", "also", unset=unset).levers(Facts(), to)  # type: ignore[arg-type]


def test_levers_set_the_first_wanted_value_and_the_value_otherwise() -> None:
    assert levers(Sourced("off", FILE), True) == (Lever("overlay.a.b", "on"),)
    assert levers(Sourced("also", FILE), False, unset="off") == (Lever("overlay.a.b", "off"),)
    assert not levers(Sourced("also", FILE), False)
    assert not levers(Sourced("off", PARAM), True)


@pytest.mark.parametrize(("value", "ok"), [("on", True), ("also", True), ("off", False), (None, False)])
def test_one_of_several_values_is_wanted(value: object, ok: bool) -> None:
    verdict = Sourced(value, FILE).is_("on", "also").evaluate(Facts())
    assert verdict.ok is ok
    assert verdict.text.startswith(f"`a.b` is {value or 'null'}" if value else "`a.b` is ")
    assert Sourced(value, FILE).is_("on", "also", yes="yes", no="no").evaluate(Facts()).text[:3].strip() in (
        "yes",
        "no",
    )


@pytest.mark.parametrize(("value", "ok"), [(["x"], True), ([], False), (None, False), ("x", True), ("", False)])
def test_a_value_is_given_or_not(value: object, ok: bool) -> None:
    known = Sourced(value, FILE)
    verdict = known.is_given(["*"], []).evaluate(Facts())
    assert (verdict.ok, verdict.text.startswith("`a.b` is set" if ok else "`a.b` is not set")) == (ok, True)
    told = known.is_given(["*"], [], yes="there", no="gone").evaluate(Facts()).text
    assert told.startswith("there" if ok else "gone")
    assert known.is_given(["*"], []).levers(Facts(), not ok) == (Lever("overlay.a.b", [] if ok else ["*"]),)


def test_a_value_as_text_has_its_setting_as_origin() -> None:
    found = [Sourced(value, source).span().origin for value, source in (("x", FILE), (5, FILE), ("x", PARAM))]
    assert [(origin.kind, origin.start_line) for origin in found] == [("file", 3), ("computed", None), ("param", None)]
    assert Sourced("x", SettingSource("a", path="/c.json")).span().origin.kind == "computed"


def test_the_first_value_that_is_set_counts_and_the_last_setting_stands_for_none() -> None:
    unset, other = Sourced(None, FILE), Sourced("x", PARAM)
    assert first_set(unset, other, default="d") == other
    found = first_set(other, unset, default="d")
    assert (found.value, found.source) == ("x", PARAM)
    none = first_set(Sourced(None, PARAM), unset, default="d")
    assert (none.value, none.source.key, none.source.is_set) == ("d", "a.b", False)
    assert none.source.path == "/c.json"
