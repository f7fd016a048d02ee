"""JSON as JavaScript writes it, and JSON5 that anybody may have written."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.json import (
    JsonSyntaxError,
    number,
    parse_json,
    parse_json5,
    string,
    stringify,
    truthy,
)

VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
@settings(deadline=None)
def test_what_is_written_is_read_back(value: Json) -> None:
    assert parse_json(stringify(value)).value == value


@pytest.mark.parametrize("digits", [299, 300, 301])
def test_long_numbers_are_what_javascript_makes_of_them(digits: int) -> None:
    found = parse_json("1" * digits).value
    assert found == float("1" * digits) if digits >= 300 else found == int("1" * digits)
    assert parse_json("1" * 5_000).value == math.inf


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**53 - 1, "9007199254740991"), (2**53, "9007199254740992"), (2**53 + 1, "9007199254740992"),
        (1e21, "1e+21"), (1e20, "100000000000000000000"), (1e-6, "0.000001"), (1e-7, "1e-7"),
        (math.inf, "null"), (10**400, "null"), (-0.0, "0"), (1.50, "1.5"), (0, "0"), (1, "1"), (-7, "-7"),
    ],
)  # fmt: skip
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("text", ["NaN", "{", "\ufeff{}", "[" * 100_000])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(JsonSyntaxError):
        parse_json(text)


@pytest.mark.parametrize(
    ("key", "index"),
    [("0", True), ("01", False), ("-1", False), (str(2**32 - 2), True), (str(2**32 - 1), False), ("9" * 11, False)],
)
def test_keys_that_are_array_indices_come_first(key: str, index: bool) -> None:
    assert stringify({"b": 1, key: 2}).split('"')[1] == (key if index else "b")


def test_a_value_is_written_with_its_parts_on_lines_of_their_own() -> None:
    value = {"a": [1, {}, {"b": None}], "c": {"d": []}, "e": True, "f": "\ud800"}
    assert stringify(value) == (
        '{\n  "a": [\n    1,\n    {},\n    {\n      "b": null\n    }\n  ],\n  "c": {\n    "d": []\n  },\n'
        '  "e": true,\n  "f": "\\ud800"\n}'
    )
    assert stringify({"b": 1, "10": 2, "a": 3, "9": 4}) == '{\n  "9": 4,\n  "10": 2,\n  "b": 1,\n  "a": 3\n}'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (False, "false"),
        (0.5, "0.5"),
        ([None, 1, [2, None], True], ",1,2,,true"),
        ({}, "[object Object]"),
    ],
)
def test_a_value_in_a_template(value: Json, text: str) -> None:
    assert string(value) == text


@pytest.mark.parametrize("value", [None, False, 0, -0.0, math.nan, ""])
def test_what_is_false(value: Json) -> None:
    assert not truthy(value)


@pytest.mark.parametrize("value", [True, 1, -0.1, "0", [], {}])
def test_what_is_true(value: Json) -> None:
    assert truthy(value)


@pytest.mark.parametrize("size", [999_999, 1_000_000, 1_000_001])
def test_a_text_may_have_a_million_characters(size: int) -> None:
    text = "1" + " " * (size - 1)
    if size <= 1_000_000:
        assert parse_json(text).value == 1
    else:
        with pytest.raises(JsonSyntaxError, match=r"1,000,001 characters are too many .* \(at most 1,000,000\)"):
            parse_json(text)


def test_each_part_knows_its_line() -> None:
    parsed = parse_json('{"a": [1,\n 2, {"b":\n 3}], "c":\n{}}')
    lines = {(): 1, ("a",): 1, ("a", 0): 1, ("a", 1): 2, ("a", 2): 2, ("a", 2, "b"): 2, ("c",): 3}
    assert parsed.lines == lines
    assert parse_json("\n1").lines == {(): 2}
    assert parse_json('[{"a": "b",\n "c": 1},\n "d"]').lines == {
        (): 1, (0,): 1, (0, "a"): 1, (0, "c"): 2, (1,): 3,
    }  # fmt: skip


def test_json5_is_read() -> None:
    assert parse_json5("{a: 1, /* why */ 'b': [2,],}").value == {"a": 1, "b": [2]}


def test_a_problem_has_its_line() -> None:
    found = parse_json5("{\n" + "a" * 300 + "\n}")
    assert (found.line, found.problem) == (3, 'Unexpected "}" at column 1')
    assert parse_json5("[" * 100_000).problem == "nested too deeply"


@pytest.mark.parametrize(("extra", "read"), [(-1, True), (0, True), (1, False)])
def test_only_plain_json_may_be_larger(extra: int, read: bool) -> None:
    text = "{a: 1}" + " " * (40_000 - 6 + extra)
    assert (parse_json5(text).problem is None) is read
    plain = parse_json5("[1]" + " " * (1_000_000 - 3 + extra))
    too_many = "1,000,001 characters are too many to be parsed here (at most 1,000,000)"
    assert (plain.value, plain.problem) == (([1], None) if read else (None, too_many))
