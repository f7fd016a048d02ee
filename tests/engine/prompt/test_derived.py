"""Inputs that an agent computes: the switch, its levers, and what is said of it."""

from __future__ import annotations

import pytest

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, param
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.derived import (
    Derivation,
    Derived,
    FoundOut,
    contradictions,
    explained,
    in_home,
    resolved,
)
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced, from_settings

SWITCH = Derived("shown", flag("asked"))


def facts(shown: Json, asked: bool) -> Facts:
    return Facts(params={"shown": shown, "asked": asked})


@pytest.mark.parametrize(
    ("shown", "asked", "ok", "text"),
    [
        (None, False, False, "`shown` is off (derived: `asked` is off)"),
        (None, True, True, "`shown` is on (derived: `asked` is on)"),
        (True, False, True, "`shown` is on (set by hand; the agent derives off)"),
        (True, True, True, "`shown` is on (set by hand)"),
        (False, True, False, "`shown` is off (set by hand; the agent derives on)"),
    ],
)
def test_a_value_that_was_set_wins_over_the_derived_one(shown: Json, asked: bool, ok: bool, text: str):
    verdict = SWITCH.evaluate(facts(shown, asked))
    assert (SWITCH.holds(facts(shown, asked)), verdict.ok, verdict.text) == (ok, ok, text)


def test_the_levers_are_those_of_the_cause_until_it_is_set():
    assert SWITCH.levers(facts(None, False), True) == (Lever("asked", True),)
    assert SWITCH.levers(facts(False, False), True) == (Lever("shown", True),)
    assert SWITCH.levers(facts(True, False), True) == ()


def test_a_gathered_condition_is_found_by_its_name():
    known = Facts(params={"asked": True}, found={"model.can": flag("asked")})
    assert FoundOut("model.can").holds(known)
    assert FoundOut("model.can").levers(known, False) == (Lever("asked", False),)


def test_only_another_value_than_the_computed_one_is_noted():
    same, other = Derivation.of(SWITCH, facts(True, True)), Derivation.of(SWITCH, facts(True, False))
    assert contradictions((same,), facts(True, True)) == ()
    (note,) = contradictions((other,), facts(True, False))
    assert note.message == "`shown` is set to on, which counts; the agent itself would make it off: `asked` is off"
    assert explained(other, facts(True, False)).overridden


def test_a_model_that_was_taken_as_asked_for_is_not_derived():
    assert list(resolved("a", "a", "model", "Agent")) == []
    (alias,) = resolved("a", "b", "model", "Agent")
    assert explained(alias, Facts()).why.text == "Agent takes b where 'a' is asked for"


@pytest.mark.parametrize(
    ("asked", "what", "op", "text"),
    [
        ("a", "model", "model", "Agent takes b where 'a' is asked for"),
        (None, "model", "model", "Agent takes b where no model is given"),
        ("", "mode", "mode", "Agent takes b where no mode is given"),
    ],
)
def test_what_was_taken_for_what_was_asked_is_said(asked: str | None, what: str, op: str, text: str):
    (found,) = resolved(asked, "b", what, "Agent")
    verdict = found.because.evaluate(Facts())
    assert (found.param, found.computed, verdict.op, verdict.text) == (what, "b", op, text)
    assert list(resolved(asked, None, what, "Agent")) == []


@pytest.mark.parametrize(("given", "kept"), [(None, None), ("", None), ("/x", "/x")])
def test_a_folder_lies_in_the_home_folder_unless_a_variable_names_another(given: str | None, kept: str | None):
    found = in_home("AGENT_HOME", "/home/u/.agent", given)
    assert (found.param, found.computed, found.given, found.is_setting) == (
        "env.AGENT_HOME", "/home/u/.agent", kept, True,
    )  # fmt: skip


class Hand(Params):
    hand: int = param(0, "Settings", "by hand")


class Settings(Params):
    a: int = param(0, "Settings", "a")
    by: Hand = param(Hand, "Settings", "by")
    default: int = param(0, "Settings", "by default")
    nowhere: int = param(0, "Settings", "nowhere")


class Inputs(Params):
    settings: Settings = param(Settings, "Settings", "laid over the files")
    a: int = param(0, "Other", "no setting")


def test_what_is_left_to_files_is_derived_from_its_setting():
    known: dict[str, Sourced[Json]] = {
        "a": Sourced(1, SettingSource("a", "/c.json", "c.json", 3)),
        "by.hand": Sourced(2, SettingSource("by.hand")),
        "default": Sourced(3, SettingSource("default", is_set=False)),
        "nowhere": Sourced(None, SettingSource("nowhere", is_set=False)),
    }
    found = list(from_settings(Inputs(), known.__getitem__))
    assert [(each.param, each.computed, each.given, each.is_setting) for each in found] == [
        ("settings.a", 1, None, True), ("settings.by.hand", 2, 2, True), ("settings.default", 3, None, True),
    ]  # fmt: skip
    assert explained(found[0], Facts()).why.text == "`a` is 1 (in c.json:3)"
