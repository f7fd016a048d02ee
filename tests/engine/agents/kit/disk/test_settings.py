"""Looking into a configuration that anybody may have written."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.kit.disk.settings import (
    MOST,
    Names,
    at,
    mapping,
    shortened,
    text,
    texts,
    too_long,
    unmatched,
)
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced


@pytest.mark.parametrize(("length", "named"), [(999, []), (1_000, []), (1_001, ["a.b"])])
def test_a_list_of_a_thousand_items_is_used_whole(length: int, named: list[str]) -> None:
    value = {"a": {"b": [0] * length, "c": "x" * 2_000}, "d": [[0] * 2_000]}
    assert list(too_long(value)) == named
    assert len(shortened(value)["a"]["b"]) == min(length, 1_000)
    assert shortened(value)["a"]["c"] == "x" * 2_000
    assert list(too_long([0] * 1_001)) == [""]


@pytest.mark.parametrize(
    ("path", "found"), [("a", {"b": 1}), ("a.b", 1), ("a.c", None), ("a.b.c", None), ("d.e", None)]
)
def test_a_value_under_a_dotted_path(path: str, found: Any) -> None:
    assert at({"a": {"b": 1}, "d": [1]}, path) == found


def test_values_of_another_kind() -> None:
    assert [mapping(value) for value in ({"a": 1}, [1], None, "a")] == [{"a": 1}, {}, {}, {}]
    assert [text(value) for value in (" a ", " ", "", 1, None)] == ["a", None, None, None, None]
    assert [texts(value) for value in (["a", 1, "b"], [], "a", None)] == [["a", "b"], [], None, None]


def said(*entries: str, known: tuple[str, ...] = ("grep", "glob")) -> list[str]:
    names = Names("tools.deny", "tool", [Sourced(entry, SettingSource("x", "/a", line=3)) for entry in entries], known)
    found = list(unmatched([names]))
    assert {(note.severity, note.code, note.path, note.line) for note in found} <= {
        ("info", "unmatched-entry", "/a", 3)
    }
    return [note.message for note in found]


def test_the_nearest_name_is_told_where_one_is_near() -> None:
    assert said("grep", "grpe(x *)", "qqqq") == [
        "`tools.deny` names grpe(x *): there is no such tool; did you mean grep?",
        "`tools.deny` names qqqq: there is no such tool",
    ]


def test_neither_many_entries_nor_long_ones_flood_the_screen() -> None:
    assert len(said(*map(str, range(1_000)))) == MOST
    assert said("x" * 1_000_000) == [f"`tools.deny` names {'x' * 200}…: there is no such tool"]
