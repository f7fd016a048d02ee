"""Learned wording: which stretches it takes the place of, and how much of a prompt is learned."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of, section

from promptscope_engine import Scenario, assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.wording import (
    Wordings,
    coverage,
    earlier_wording,
    ids,
    schema_variant,
    stretches,
    variant,
)
from promptscope_engine.learned import LABEL, LINES, LISTED, SCHEMA, Learned, LearnedVersion, Wording
from promptscope_engine.prompt.drafts import Span, builtin, label, param_value
from promptscope_engine.prompt.model import Fragment, Origin, Tool, ToolTokens
from promptscope_engine.wire.request import FixedSchema
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

PIECES = {"b": builtin("b", "fixed"), "c": builtin("c", "fixed"), "w": label("\n- "), "l": label("word"),
          "p": param_value("p", "value")}  # fmt: skip


def test_a_stretch_is_known_by_its_ids_and_its_texts() -> None:
    stretch = [builtin("b", "fixed"), label("\n- ")]
    assert variant(stretch) == variant([builtin("b", "fixed"), label("\n- ")])
    assert variant(stretch) != variant([builtin("c", "fixed"), label("\n- ")])
    assert variant(stretch) != variant([builtin("b", "other"), label("\n- ")])
    assert variant(stretch) != variant([builtin("b", "fixed"), builtin("", "\n- x")])


def row(names: str) -> list[Span]:
    return [PIECES[name] for name in names]


@pytest.mark.parametrize(
    ("names", "prose", "found"),
    [
        ("", (), []),
        ("b", (), ["+b"]),
        ("bc", (), ["+bc"]),
        ("bwb", (), ["+bwb"]),
        ("bwwb", (), ["+bwwb"]),
        ("bw", (), ["+b", "-w"]),
        ("wb", (), ["-w", "+b"]),
        ("bwp", (), ["+b", "-wp"]),
        ("bwlb", (), ["+b", "-wl", "+b"]),
        ("pp", (), ["-pp"]),
        ("pbp", (), ["-p", "+b", "-p"]),
        ("bwpwb", (), ["+b", "-wpw", "+b"]),
        # a label that was sent otherwise counts as fixed prose
        ("blb", ("word",), ["+blb"]),
        ("lb", ("word",), ["+lb"]),
        ("bwlw", ("word",), ["+bwl", "-w"]),
        ("blb", ("other",), ["+b", "-l", "+b"]),
        ("p", ("value",), ["-p"]),
    ],
)
def test_a_stretch_is_fixed_prose_and_the_labels_without_words_between(
    names: str, prose: tuple[str, ...], found: list[str]
) -> None:
    by_span = {id(span): name for name, span in PIECES.items()}
    told = [
        ("+" if fixed else "-") + "".join(by_span[id(p)] for p in stretch)
        for fixed, stretch in stretches(row(names), prose)
    ]
    assert told == found


def test_a_stretch_is_known_by_the_ids_of_its_stand_ins() -> None:
    assert ids(row("bwcb")) == ("b", "c")


def test_a_learned_label_makes_stretches_of_its_part_longer() -> None:
    words = Wordings({("s", "any"): Wording("s", "any", LABEL, ("word",))}, {})
    assert [stretch for stretch, _ in words.worded("s", row("blb"))] == [row("blb")]
    assert [stretch for stretch, _ in words.worded("t", row("blb"))] == [row("b"), row("l"), row("b")]


def test_learned_words_say_in_how_many_runs_they_were_seen() -> None:
    own = Wording("s", variant(row("b")), ("b",), ("Hello.",), runs=(1, 3))
    lines = Wording("t", "any", (*LINES, "value"), ("Bye.",), runs=(2,))
    words = Wordings({own.key: own, lines.key: lines}, {}, runs=4)
    assert [(span.text, span.origin) for span in words.put_in("s", row("b"))] == [
        ("Hello.", Origin("learned", id="b", name="seen in 2 of 4 runs", variant=own.variant))
    ]
    assert [(span.text, span.origin) for span in words.put_in("t", row("p"))] == [
        ("Bye.", Origin("learned", id="t", name="seen in 1 of 4 runs", variant="any"))
    ]


def test_a_schema_that_does_not_parse_is_ours() -> None:
    learned = Origin("learned", id="t", variant=schema_variant({}))
    for text, expected in (('{"a": 1}', ({"a": 1}, learned)), ("{", ({}, None)), ("[" * 100_000, ({}, None))):
        words = Wordings({("t", schema_variant({})): Wording("t", schema_variant({}), SCHEMA, (text,))}, {})
        assert words.schema("t", {}) == expected
        assert words.schema("u", {}) == ({}, None)


def test_a_learned_schema_lists_the_names_of_the_scenario() -> None:
    def listing(*names: str) -> FixedSchema:
        return FixedSchema({"enum": [*names], "description": "Ours."}, names)

    of = schema_variant(listing("a", "b"))
    words = Wordings({("t", of): Wording("t", of, SCHEMA, ('{"enum":["', LISTED, '"],"description":"Theirs."}'))}, {})
    assert words.schema("t", listing("c", 'd"'))[0] == {"enum": ["c", 'd"'], "description": "Theirs."}
    assert words.schema("t", {"enum": ["a", "b"]}) == ({"enum": ["a", "b"]}, None), "a list that is always the same"


def test_wordings_are_the_same_if_what_was_learned_is_one_object() -> None:
    found = {("s", "v"): Wording("s", "v", (), ("x",))}
    assert Wordings(found, {"a": "b"}) == Wordings(found, {"a": "b"})
    assert Wordings(found, {"a": "b"}) != Wordings(found, {})
    assert Wordings(found, {}) != Wordings(dict(found), {})
    assert Wordings(found, {}) != found


def of(*kinds: str) -> tuple[Fragment, ...]:
    return tuple(Fragment("x", Origin(kind)) for kind in kinds)  # type: ignore[arg-type]


READ = Tool("read", "g", True, WHY, "", None, (), None, ToolTokens(None, None, None), "exact", None)


@pytest.mark.parametrize(
    ("kinds", "present", "learned", "known"),
    [
        (("builtin",), True, 0, 1),
        (("learned",), True, 1, 1),
        (("learned", "builtin"), True, 0, 1),
        (("label", "learned"), True, 1, 1),
        (("label",), True, 0, 0),
        (("learned",), False, 0, 0),
        ((), True, 0, 0),
    ],
)
def test_a_section_is_learned_without_any_stand_in(
    kinds: tuple[str, ...], present: bool, learned: int, known: int
) -> None:
    assert coverage(assembly_of(section("s", *of(*kinds), present=present))) == (learned, known)


@pytest.mark.parametrize(
    ("is_learned", "confidence", "learned", "known"),
    [(True, "exact", 1, 1), (True, "stand-in", 0, 1), (False, "stand-in", 0, 1), (False, "exact", 0, 0)],
)
def test_a_tool_is_learned_without_any_stand_in(is_learned: bool, confidence: Any, learned: int, known: int) -> None:
    tool = replace(READ, learned=is_learned, confidence=confidence)
    assert coverage(replace(assembly_of(), tools=(tool,))) == (learned, known)
    assert coverage(replace(assembly_of(), tools=(replace(tool, section="s"),))) == (0, 0)


def test_what_was_learned_beside_an_earlier_text_of_ours_stands_beside_todays() -> None:
    earlier = earlier_wording("promptscope_engine.agents.codex")
    learned = [Wording(part, old, (part,), (f"Words of {part}.",)) for part, names in earlier.items() for old in names]
    known = Knowledge(Learned((LearnedVersion("codex", "0.169.0", tuple(learned)),)))
    asked = {"agent": "codex", "workspace": "/r", "home": "/h", "env": {}, "learned": True}
    assembly = assemble(Scenario.model_validate(asked), Workspace(EmptyDisk()), knowledge=known)
    told = {section.id for section in assembly.sections if f"Words of {section.id}." in section.text}
    assert {"base.commentary", "base.final", "base.skills"} <= told  # others are of other versions


def test_what_is_learned_today_goes_before_what_was_learned_beside_an_earlier_text() -> None:
    old, new = Wording("a", "1", ("a",), ("old",)), Wording("a", "2", ("a",), ("new",))
    learned = Learned((LearnedVersion("x", "1", (old, new)), LearnedVersion("y", "1", (old,))))
    assert learned.of("x", "1", lambda: {"a": {"1": "2"}})["a", "2"] == new
    assert learned.of("y", "1", lambda: {"a": {"1": "2"}, "b": {"1": "2"}})["a", "2"] == old
