"""Levers that were tried before they are offered, and remedies where there are none."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from promptscope_engine.prompt.conditions import Condition, Fact, Facts, Levers, Verdicts
from promptscope_engine.prompt.leaves import flag, mode_has, mode_is
from promptscope_engine.prompt.model import Lever, ModeChoice, Reason, Verdict
from promptscope_engine.prompt.reasons import VerdictCache, levers_that_act, reason, remedy


class Counted(Condition, frozen=True):
    """Holds once `steps` has reached a number, and knows the next step only."""

    wanted: int

    def holds(self, facts: Facts) -> bool:
        return bool(facts.params["steps"] >= self.wanted)

    def _verdict(self, facts: Facts, _: Verdicts) -> Verdict:
        return Verdict("flag", "steps", self.wanted, facts.params["steps"], self.holds(facts), "steps")

    def levers(self, facts: Facts, to: bool) -> Levers | None:
        step = 1 if to else -1
        return () if self.holds(facts) is to else (Lever("steps", facts.params["steps"] + step),)


@pytest.mark.parametrize("wanted", [1, 2, 3, 4])
def test_one_lever_may_call_for_another_three_times(wanted: int) -> None:
    found = levers_that_act(Counted(wanted), Facts(params={"steps": 0}), to=True)
    assert found == ((Lever("steps", wanted),) if wanted <= 3 else ())


@pytest.mark.parametrize("steps", [0, 1])
def test_levers_lead_away_as_well(steps: int) -> None:
    found = levers_that_act(Counted(1), Facts(params={"steps": steps + 1}), to=False)
    assert found == (Lever("steps", 0),)


MODES = (ModeChoice("ask", "Ask", ("read",)), ModeChoice("code", "Code", ("read", "edit")))


def test_a_mode_is_tried_where_the_levers_of_the_members_undo_each_other() -> None:
    facts = Facts(params={"diff": False}, mode="plan", modes=MODES)
    # any mode with `read` is reached by way of `ask`, where the other member does not hold
    assert levers_that_act(mode_has("read") & mode_is("code"), facts, to=True) == (Lever("mode", "code"),)
    assert levers_that_act(~mode_is("plan") & mode_has("edit") & flag("diff"), facts, to=True) == (
        Lever("mode", "code"),
        Lever("diff", True),
    )
    assert levers_that_act(mode_is("ask") & mode_has("edit"), facts, to=True) == ()


def leaf(name: str, ok: bool) -> Fact:
    return Fact("file", name, ok, f"{name} is there", f"{name} is missing", remedy=f"change {name}")


A, B = leaf("a", True), leaf("b", True)
C, D = leaf("c", False), leaf("d", False)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (C, "change c"),
        (A & C & D, "change c; change d"),
        (C | D, "change c"),
        (~(A & B), "change a"),
        (~(A | C), "change a"),
        (~(A | B), "change a; change b"),
        (~A, "change a"),
        (~A & C, "change a; change c"),
        ((C | D) & C, "change c"),
    ],
)
def test_a_remedy_turns_what_decides(condition: Condition, words: str) -> None:
    why = reason(condition, Facts())
    assert (why.ok, why.levers, why.remedy) == (False, (), words)
    assert remedy(condition.evaluate(Facts())) == words


def test_what_is_there_has_no_remedy() -> None:
    assert reason(A & B, Facts()).remedy == ""


def test_a_lever_that_another_one_makes_needless_is_left_out() -> None:
    either, trusted = flag("shown") | flag("trusted"), flag("trusted")
    assert levers_that_act(either & trusted, Facts(), to=True) == (Lever("trusted", True),)
    assert levers_that_act(flag("shown") & trusted, Facts(), to=True) == (Lever("shown", True), Lever("trusted", True))


def test_two_threads_that_ask_at_once_both_get_the_words() -> None:
    both = Barrier(2, timeout=60)

    def made() -> Reason:
        both.wait()  # neither has its words yet
        return Reason("off", remedy="turn it on")

    later = Reason.later(False, made)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(lambda: (later.text, later.remedy, later.levers)) for _ in range(2)]
    assert [each.result() for each in asked] == [("off", "turn it on", ())] * 2
    with pytest.raises(AttributeError, match="words"):
        _ = later.words  # type: ignore[attr-defined]


def test_what_stands_on_one_condition_shares_the_reason() -> None:
    facts, known, condition = Facts(params={"diff": False}), VerdictCache(), flag("diff")
    assert reason(condition, facts, known) is reason(condition, facts, known)
    assert reason(flag("diff"), facts, known) is not reason(condition, facts, known)
    assert reason(condition, facts) == reason(condition, facts, known)
    assert reason(condition, facts) is not reason(condition, facts, known)


def test_reasons_that_nobody_read_do_not_outlive_their_assembly() -> None:
    known = VerdictCache()
    unread = weakref.ref(reason(flag("diff"), Facts(params={"diff": False}), known))
    gc.disable()  # nothing may wait for the collector
    try:
        del known
        assert unread() is None
    finally:
        gc.enable()
