"""What is answered: places in words, reasons, and JSON."""

from __future__ import annotations

from math import inf, nan

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of, ours, section

from promptscope_engine.prompt.model import (
    DerivedParam,
    Fragment,
    Origin,
    Reason,
    ServerTokens,
    SettingSource,
    Tool,
    ToolTokens,
    Verdict,
    texts_of,
    to_json,
)

NO = Verdict("flag", "a", True, False, False, "`a` is off")


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (SettingSource("a"), ""),
        (SettingSource("a", "/c", "~/c", 12), "in ~/c:12"),
        (SettingSource("a", "/c", "~/c"), "in ~/c"),
        (SettingSource("a", "/c", "~/c", is_set=False), "not set in ~/c"),
    ],
)
def test_where_a_setting_stands(source: SettingSource, place: str) -> None:
    assert source.place == place


def test_a_reason_says_whether_something_is_there_before_anyone_reads_it() -> None:
    assert (Reason("always").ok, Reason("absent", NO).ok, Reason("present", replace(NO, ok=True)).ok) == (
        True, False, True,
    )  # fmt: skip
    later = Reason.later(True, lambda: Reason("present", replace(NO, ok=True)))
    assert (later.ok, later.text, later.ok) == (True, "present", True)


class One(Struct, frozen=True):
    only: tuple[int, ...]


class Two(Struct, frozen=True):
    one: One
    other: dict[int, One]


def test_values_as_json() -> None:
    assert to_json(One((1, 2))) == {"only": [1, 2]}
    assert to_json(Two(One(()), {3: One((4,))})) == {"one": {"only": []}, "other": {"3": {"only": [4]}}}
    assert to_json([None, True, 1.5, "a", (One((1,)),)]) == [None, True, 1.5, "a", [{"only": [1]}]]
    assert to_json({"most": inf, "least": -inf, "no": [nan]}) == {"most": None, "least": None, "no": [None]}
    assert to_json(Origin("file", path="a", start_line=0)) == {"kind": "file", "path": "a", "start_line": 0}
    why = Reason("absent", NO)
    twice = to_json([Fragment(text, Origin("label"), why) for text in "ab"])
    assert isinstance(twice, list)
    assert twice[0]["why"] is twice[1]["why"]
    assert twice[0]["why"]["condition"]["text"] == "`a` is off"


def test_an_assembly_finds_its_parts() -> None:
    read = Tool("read", "g", True, WHY, "", None, (), None, ToolTokens(None, None, None), "exact", None)
    computed = DerivedParam("p", 1, 2, True, WHY)
    sections = (
        section("a", ours("A")), section("b", ours("B"), present=False), section("c", ours("C"), parent="a"),
        section("a", ours("again"), parent="a"), section("m", ours("M"), channel="messages"),
    )  # fmt: skip
    tools = (read, replace(read, present=False), replace(read, section="a"))
    assembly = replace(assembly_of(*sections), tools=tools, derived=(computed,))
    assert assembly.section("a") is sections[0], "the first of an id counts"
    assert assembly.section("none") is None
    assert [each.text for each in assembly.children("a")] == ["C", "again"]
    assert list(assembly.children("none")) == []
    assert assembly.tools_beside == (read,)
    assert (assembly.derivation("p"), assembly.derivation("q")) == (computed, None)
    assert assembly.system_text == "ACagain"
    assert texts_of(assembly.sections) == ["A", "B", "C", "again", "M"]


@pytest.mark.parametrize(("text", "tools", "expected"), [(1, 2, 3), (None, 2, None), (1, None, None), (0, 0, 0)])
def test_what_a_server_costs_is_known_once_both_are_counted(
    text: int | None, tools: int | None, expected: int | None
) -> None:
    assert ServerTokens(text, tools, None).expected == expected
