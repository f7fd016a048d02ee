"""What every format is read into, and which values are not worked with."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.formats.document import Parsed, too_deep, unfit


def nested(levels: int, value: Any = "x") -> Any:
    for number in range(levels):
        value = [value] if number % 2 else {"a": value}
    return value


@pytest.mark.parametrize(("levels", "is_deep"), [(98, False), (99, False), (100, True), (101, True)])
def test_a_value_stands_in_fewer_than_100_others(levels: int, is_deep: bool) -> None:
    said = "it is nested more than 100 levels deep"
    assert too_deep(nested(levels)) == (said if is_deep else None)
    assert too_deep({"b": 1, "a": nested(levels - 1), "c": []}) == (said if is_deep else None)
    assert too_deep(nested(levels, value=())) == (said if levels > 99 else None)


@pytest.mark.parametrize(("levels", "is_deep"), [(99, False), (100, False), (101, True)])
def test_what_is_sent_may_have_100_levels(levels: int, is_deep: bool) -> None:
    """The place of what is too deep is told by its first step."""
    where = ("a",) if levels % 2 else (0,)
    assert unfit(nested(levels)) == ((where, "it is nested more than 100 levels deep") if is_deep else None)


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (2**1023, None),
        (2**1023 + 1, "the number is too large"),
        (-(2**1023), None),
        (-(2**1023) - 1, "the number is too large"),
        (1.5e308, None),
        (float("inf"), "the number is not finite (inf)"),
        (float("nan"), "the number is not finite (nan)"),
        (True, None),
    ],
)
def test_a_number_is_one_that_a_double_can_hold(number: float, problem: str | None) -> None:
    assert unfit({"a": [0, {"b": number}]}) == (None if problem is None else (("a", 1, "b"), problem))
    assert unfit(number) == (None if problem is None else ((), problem))


@pytest.mark.parametrize(
    ("value", "is_json"), [(None, True), ("x", True), ((1, "a"), True), (b"x", False), ({1}, False)]
)
def test_what_is_no_json_needs_quotes(value: Any, is_json: bool) -> None:
    found = unfit([value])
    assert (found is None) is is_json
    assert is_json or found == ((0,), f"{value} is not a JSON value; text needs quotes")


def test_a_part_stands_where_it_or_the_part_around_it_is_written() -> None:
    parsed = Parsed({}, {(): 1, ("a",): 2, ("a", 0): 4}, {("a",): 3})
    for path, line, value_line in (
        ((), 1, 1),
        (("a",), 2, 3),
        (("a", 0), 4, 4),
        (("a", 0, "x", "y"), 4, 4),
        (("a", 1), 2, 2),
        (("b",), 1, 1),
    ):
        assert (parsed.line(path), parsed.value_line(path)) == (line, value_line), path
    assert Parsed({}, {}).line(("a",)) is None
