"""Differences are found, named, and charged to the trait whose marks they hold."""

from __future__ import annotations

from typing import Any

import pytest

from .comparing import Blank, Difference, differences, unstable_in
from .situation import Facts, Situation

LABELS = {"ZQ00a": "a rule", "ZQ01a": "a skill", "tools": "deny Bash"}


def facts(**said: Any) -> Facts:
    empty: Facts = {"started": True, "marks": [], "spans": [], "entries": [], "paths": [], "tools": []}
    return {**empty, **said}  # type: ignore[typeddict-item]


def situation(**parts: Any) -> Situation:
    return Situation("codex", "0.169.0", 7, ["rules", "skills"], labels=LABELS, **parts)


def found(real: Facts, predicted: Facts, **parts: Any) -> list[Difference]:
    return differences(situation(**parts), real, predicted)


def test_equal_facts_have_no_differences() -> None:
    both = facts(marks=[["system", "ZQ00an1..2"]], tools=["shell"])
    assert found(both, both) == []


def test_a_text_that_was_not_predicted_is_missing_and_charged_to_its_trait() -> None:
    (one,) = found(facts(marks=[["system", "ZQ01an1..2"]]), facts())
    assert (one.kind, one.trait, one.label) == ("missing", "skills", "a skill")


def test_a_text_with_other_lines_is_cut_and_with_other_characters_is_a_text() -> None:
    real = facts(marks=[["system", "ZQ00an1..9"]], spans=[["system", "ZQ00a", 90, "aa"]])
    assert [one.kind for one in found(real, {**real, "marks": [["system", "ZQ00an1..5"]]})] == ["cut"]
    assert [one.kind for one in found(real, {**real, "spans": [["system", "ZQ00a", 91, "bb"]]})] == ["text"]


def test_texts_in_another_order_are_told_once() -> None:
    real = facts(marks=[["system", "ZQ00a"], ["system", "ZQ01a"]])
    assert [one.kind for one in found(real, facts(marks=real["marks"][::-1]))] == ["order"]


def test_a_whole_message_at_another_place_is_one_difference() -> None:
    real = facts(marks=[["0:user", "ZQ00a"], ["0:user", "ZQ01a"]])
    (one,) = found(real, facts(marks=[["1:user", "ZQ00a"], ["1:user", "ZQ01a"]]))
    assert (one.kind, one.trait) == ("place", None)


def test_a_client_that_does_not_start_is_told_apart_from_a_failure_of_promptscope() -> None:
    refused: Facts = {"started": False, "stderr": ["config"], "exit": 1}
    failed: Facts = {"started": None, "error": "ValueError: x"}
    assert [one.kind for one in found(refused, facts())] == ["started"]
    assert [one.kind for one in found(refused, {"started": False})] == []
    assert [one.kind for one in found(facts(), failed)] == ["crash"]


def test_a_file_that_promptscope_may_not_read_is_guarded_if_it_says_so() -> None:
    real, outside = facts(marks=[["system", "ZQ00a"]]), {"files": {"shared/a.md": "ZQ00a"}}
    assert [one.kind for one in found(real, facts(notes=["outside"]), **outside)] == ["guarded"]
    assert [one.kind for one in found(real, facts(), **outside)] == ["missing"]


def test_tools_and_the_vendors_own_entries_belong_to_no_trait() -> None:
    real = facts(tools=["Bash"], entries=[["1:user", "simplify", "…", ""]])
    told = found(real, facts())
    assert {(one.kind, one.trait, one.label) for one in told} == {
        ("entry-missing", None, "deny Bash"),
        ("tool-missing", None, "deny Bash"),
    }


def test_what_a_newer_client_changes_in_an_empty_workspace_is_not_told_again() -> None:
    newer, older = facts(tools=["Bash", "New"]), facts(tools=["Bash"])
    assert differences(situation(), newer, older, Blank(newer, older)) == []


def test_facts_that_two_recordings_do_not_share_are_not_compared() -> None:
    first, second = facts(tools=["a", "b"], paths=[["system", "x"]]), facts(tools=["b", "a"], paths=[])
    assert unstable_in(first, second) == {"tools": "order", "paths": "content"}
    unstable = {"marks": "content"}
    assert differences(situation(), facts(marks=[["system", "ZQ00a"]]), facts(), None, unstable) == []


def test_a_signature_forgets_lengths() -> None:
    one = Difference("cut", None, "limit 1024 bytes", "ZQ00a", None, None)
    assert one.signature == "cut: limit N bytes"


def test_neighbours_of_one_folder_that_gemini_cli_read_the_other_way_round_are_raced() -> None:
    files: Any = {
        f"{folder}/skills/{name}/SKILL.md": "" for folder, name in (("repo", "a"), ("repo", "b"), ("home", "c"))
    }
    told = Situation("gemini", "0.61.0", 7, files=files)

    def kinds(*orders: str) -> list[str]:
        real, predicted = (facts(entries=[["system", name, "…", ""] for name in order.split()]) for order in orders)
        return [one.kind for one in differences(told, real, predicted)]

    assert kinds("c b a", "c a b") == ["raced"]
    assert kinds("c b a", "b c a") == ["entry-order"]  # they are in two folders
    assert kinds("antigravity-support skill-creator a", "skill-creator antigravity-support a") == ["raced"]


@pytest.mark.parametrize(
    ("predicted", "kinds"), [("opus", []), ("opus[1m]", []), ("stub/opus", []), (None, []), ("haiku", ["model"])]
)
def test_the_model_that_is_asked(predicted: str | None, kinds: list[str]) -> None:
    assert [one.kind for one in found(facts(model="opus"), facts(model=predicted))] == kinds
