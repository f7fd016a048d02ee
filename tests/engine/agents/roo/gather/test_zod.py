"""zod's messages at the edges of its limits."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.roo.gather.zod import (
    MISSING,
    Check,
    Issues,
    absent,
    array,
    boolean,
    either,
    issues_of,
    number,
    one_of,
    optional,
    pair,
    record,
    refine,
    shape,
    string,
)
from promptscope_engine.formats.document import Json

LOW, HIGH = "Number must be greater than or equal to 1", "Number must be less than or equal to 3600"


@pytest.mark.parametrize(
    ("value", "message"),
    [(0, LOW), (0.9, LOW), (1, None), (2, None), (3599, None), (3600, None), (3601, HIGH), (3600.1, HIGH)],
)
def test_a_number_within_its_limits(value: float, message: str | None) -> None:
    issues: Issues = []
    number(1, 3600)(value, ("timeout",), issues)
    assert [issue.message for issue in issues] == ([message] if message else [])


def test_a_switch_is_no_number() -> None:
    issues: Issues = []
    number(0, 1)(True, (), issues)
    assert [issue.message for issue in issues] == ["Expected number, received boolean"]


NAME = string(lambda text: text != "", "Required name")
RULES = pair(boolean, NAME)


@pytest.mark.parametrize(
    ("check", "value", "messages"),
    [
        (NAME, "a", []),
        (NAME, "", ["Required name"]),
        (NAME, 1, ["Expected string, received number"]),
        (one_of("a", "b"), "b", []),
        (one_of("a", "b"), "c", ["Invalid enum value. Expected 'a' | 'b', received 'c'"]),
        (one_of("a", "b"), None, ["Expected 'a' | 'b', received null"]),
        (optional(NAME), MISSING, []),
        (optional(NAME), None, ["Expected string, received null"]),
        (optional(NAME), "", ["Required name"]),
        (absent, MISSING, []),
        (absent, "a", ["Expected undefined, received string"]),
        (array(NAME), ["a", "", 1], ["1: Required name", "2: Expected string, received number"]),
        (array(NAME), {}, ["Expected array, received object"]),
        (record(NAME), {"a": ""}, ["a: Required name"]),
        (shape(b=NAME, a=boolean), {"a": 1, "c": 1}, ["b: Required", "a: Expected boolean, received number"]),
        (RULES, [True], ["Array must contain at least 2 element(s)"]),
        (RULES, [True, "a"], []),
        (RULES, [1, ""], ["0: Expected boolean, received number", "1: Required name"]),
        (RULES, [True, "", 1], ["Array must contain at most 2 element(s)", "1: Required name"]),
        (either(NAME, boolean), True, []),
        (either(NAME, boolean), "a", []),
        (either(boolean, NAME), "", ["Required name"]),  # the first that only broke a rule
        (either(NAME, string(lambda _: False, "Never")), "", ["Required name"]),
        (either(NAME, boolean), 1, ["Invalid input"]),
        (refine(array(NAME), lambda items: len(items) < 2, "Too many"), ["a", ""], ["1: Required name", "Too many"]),
        (
            refine(array(NAME), lambda items: len(items) < 2, "Too many"),
            ["a", 1],
            ["1: Expected string, received number"],
        ),
        (refine(array(NAME), lambda items: len(items) < 2, "Too many"), ["a"], []),
    ],
)
def test_what_is_wrong_with_a_value(check: Check, value: Json, messages: list[str]) -> None:
    assert [str(issue) for issue in issues_of(check, value)] == messages


def test_a_whole_fares_as_its_worst_part() -> None:
    """A rule of the whole is not looked at if a part has the wrong type, and is if a part only breaks a rule."""
    for value, messages in (
        ([1, ""], ["0: Expected boolean, received number", "1: Required name"]),
        ([True, ""], ["1: Required name", "Never"]),
        ([True, "a", 1], ["Array must contain at most 2 element(s)", "Never"]),
        ([True], ["Array must contain at least 2 element(s)"]),
    ):
        found = issues_of(refine(RULES, lambda _: False, "Never"), value)
        assert [str(issue) for issue in found] == messages
