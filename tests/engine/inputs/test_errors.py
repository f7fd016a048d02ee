"""Errors of scenarios: the nearest of the valid words."""

from __future__ import annotations

import pytest

from promptscope_engine.inputs.errors import ScenarioError, nearest, unknown


@pytest.mark.parametrize(
    ("count", "found"), [(2, ("mode1", "mode2")), (3, ("mode1", "mode2", "mode3")), (4, ("mode2", "mode3", "mode4"))]
)
def test_three_words_are_named_at_most(count: int, found: tuple[str, ...]) -> None:
    assert set(nearest("mode", [f"mode{n}" for n in range(1, count + 1)])) == set(found)


@pytest.mark.parametrize(("word", "near"), [("abcx", True), ("abxx", True), ("axxx", False)])
def test_half_of_the_letters_have_to_agree(word: str, near: bool) -> None:
    assert (nearest(word, ["abcd"]) == ("abcd",)) is near


def test_case_does_not_count() -> None:
    assert nearest("DIFFENABLED", ["diffEnabled"]) == ("diffEnabled",)


@pytest.mark.parametrize(
    ("valid", "text"),
    [
        (["code"], "m: unknown mode 'cod' (did you mean code?)"),
        (["ask", "debug"], "m: unknown mode 'cod'; known: ask, debug"),
    ],
)
def test_the_words_of_an_error(valid: list[str], text: str) -> None:
    error = unknown("mode", "cod", valid, where="m")
    assert isinstance(error, ScenarioError)
    assert str(error) == text
