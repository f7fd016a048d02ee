"""Entries that match nothing: what is said of them, and how much."""

from __future__ import annotations

from promptscope_engine.agents.kit.unmatched import MOST, Names, unmatched
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import SettingSource


def said(*entries: str, known: tuple[str, ...] = ("grep", "glob")) -> list[str]:
    names = Names("tools.deny", "tool", [Known(entry, SettingSource("x", "/a", line=3)) for entry in entries], known)
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
