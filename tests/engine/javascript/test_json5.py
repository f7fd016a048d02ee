"""JSON5 from anybody: the value, or what is wrong and where."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript.json5 import parse_json5


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
