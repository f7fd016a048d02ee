"""Edits of drafts made up for it: where texts are put, what goes with them, and what is left around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from promptscope_engine import ScenarioError
from promptscope_engine.assembly.edited_draft import aligned
from promptscope_engine.assembly.edits import edited, text_to_edit
from promptscope_engine.inputs.edits import Edit, kept
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import (
    Choice,
    Draft,
    Place,
    SectionDraft,
    Span,
    ToolDraft,
    Window,
    builtin,
    label,
    param_value,
)
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.wire.request import Request

GONE = flag("never")
FACTS = Facts({"never": False, "always": True})
NEW = Origin("edit", index=0)


def section(name: str, *spans: Span | str, **more: Any) -> SectionDraft:
    """A text is fixed prose with the section's id."""
    made = tuple(builtin(name, each) if isinstance(each, str) else each for each in spans)
    return SectionDraft(name, name.title(), made, **more)


def draft(*sections: SectionDraft, tools: Sequence[ToolDraft] = (), **more: Any) -> Draft:
    def layout(*_: object) -> Request:
        return Request()

    return Draft(FACTS, sections, tuple(tools), (), Window(1), layout, **more)


def after(before: Draft, *edits: dict[str, Any]) -> Draft:
    made = [Edit.model_validate(each) for each in edits]
    return edited(before, made, None, None)  # type: ignore[arg-type]


def texts(found: Draft) -> dict[str, str]:
    """The text of each section that stands."""
    return {
        each.id: "".join(span.text for span in each.spans if span.when.holds(FACTS))
        for each in found.sections
        if each.when.holds(FACTS)
    }


def notes(found: Draft) -> list[str]:
    return [each.message for each in found.diagnostics]


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        ((builtin("a", "\nOld.\n"), builtin("a.more", "More.\n\n\n", when=GONE)), "\nNew.\n"),
        ((builtin("a", "\nOld.\n\n", when=GONE),), "\nNew.\n\n"),  # nothing of it stands: as it would
    ],
)
def test_line_feeds_are_those_of_what_stands(spans: tuple[Span, ...], text: str) -> None:
    before = draft(section("a", *spans), section("b", "\n\nEnd."))
    assert texts(after(before, {"replace": "a", "text": "New."}))["a"] == text
    assert texts(after(before, {"insert": {"id": "n", "text": "New."}, "after": "a"}))["n"] == text


# --- bullets ------------------------------------------------------------------------------------------------------

A, B, C = builtin("l.a", "- a\n"), builtin("l.b", "- b\n"), builtin("l.c", "- c\n")
LIST = draft(section("l", label("# L\n"), A, B, C), section("end", "End."))


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        ({"drop": "l.a"}, "# L\n- b\n- c\n"),
        ({"drop": "l.c"}, "# L\n- a\n- b\n"),
        ({"replace": "l.b", "text": "- new"}, "# L\n- a\n- new\n- c\n"),
        ({"replace": "l.b", "text": "\n\n- new\n\n"}, "# L\n- a\n- new\n- c\n"),
        ({"insert": {"id": "n", "text": "- new\n"}, "before": "l.a"}, "# L\n- new\n- a\n- b\n- c\n"),
        ({"insert": {"id": "n", "text": "- new"}, "after": "l.c"}, "# L\n- a\n- b\n- c\n- new\n"),
        ({"move": "l.a", "after": "l.c"}, "# L\n- b\n- c\n- a\n"),
        ({"move": "l.c", "before": "l.a"}, "# L\n- c\n- a\n- b\n"),
        ({"move": "l.a", "before": "l.b"}, "# L\n- a\n- b\n- c\n"),
    ],
)
def test_bullets_are_dropped_replaced_put_in_and_moved(edit: dict[str, Any], text: str) -> None:
    found = after(LIST, edit)
    assert texts(found) == {"l": text, "end": "End."}
    assert (found.edited, found.sections[0].edited, found.sections[1].edited) == (True, True, False)
    assert found.sections[0].unedited == LIST.sections[0].spans
    assert notes(found) == []


@pytest.mark.parametrize(
    ("spans", "left"),
    [
        # a bullet, and what follows it up to a line break or the next wording
        ([builtin("l.a", "- a "), param_value("p", "x"), label(" y\n"), B], "- b\n"),
        ([builtin("l.a", "- a\n"), param_value("p", "x\n"), B], "x\n- b\n"),
        ([builtin("l.a", "- a"), param_value("p", "\nx\n"), B], "\nx\n- b\n"),
        ([builtin("l.a", "- a "), param_value("p", "x\n"), param_value("p", "y\n"), B], "y\n- b\n"),
        ([builtin("l.a", "- a "), B, param_value("p", "x\n")], "- b\nx\n"),
        # with parts of its own
        ([builtin("l.a", "- a "), builtin("l.a.more", "more "), builtin("l.a", "end\n"), B], "- b\n"),
        ([builtin("l.a", "- a "), builtin("l.ab", "other "), builtin("l.a", "end\n"), B], "other - b\n"),
        ([builtin("l.a", "- a\n"), builtin("l.a", "- a again\n"), B], "- b\n"),
        ([param_value("p", "x "), builtin("l.a", "- a\n")], "x "),
        ([B, builtin("l.a", "- a "), param_value("p", "x")], "- b\n"),
    ],
)
def test_a_bullet_is_what_goes_on_up_to_a_line_break_or_the_next_wording(spans: list[Span], left: str) -> None:
    assert texts(after(draft(section("l", *spans)), {"drop": "l.a"})) == {"l": left}


def test_of_a_bullet_that_stands_in_several_places_the_first_gets_the_text() -> None:
    twice = draft(section("one", A, B, A), section("two", A))
    assert texts(after(twice, {"replace": "l.a", "text": "- new"})) == {"one": "- new\n- b\n", "two": ""}
    assert texts(after(twice, {"drop": "l.a"})) == {"one": "- b\n", "two": ""}
    moved = after(twice, {"move": "l.a", "after": "l.b"})
    assert texts(moved) == {"one": "- b\n- a\n- a\n- a\n", "two": ""}
    beside = after(twice, {"insert": {"id": "n", "text": "- new"}, "after": "l.a"})
    assert texts(beside)["one"] == "- a\n- new\n- b\n- a\n"


def test_what_an_edit_put_in_is_a_bullet_for_the_next() -> None:
    put = {"insert": {"id": "n", "text": "- new"}, "after": "l.a"}
    assert texts(after(LIST, put, {"move": "n", "after": "l.c"}))["l"] == "# L\n- a\n- b\n- c\n- new\n"
    assert texts(after(LIST, put, {"drop": "n"}))["l"] == "# L\n- a\n- b\n- c\n"
    replaced = after(LIST, {"replace": "l.b", "text": "- new"}, {"replace": "l.b", "text": "- newer"})
    assert texts(replaced)["l"] == "# L\n- a\n- newer\n- c\n"
    assert [(p.text, p.origin) for p in replaced.sections[0].spans if p.origin.kind == "edit"] == [
        ("- newer\n", Origin("edit", index=1))
    ]
    assert replaced.sections[0].unedited == LIST.sections[0].spans


INLINE = draft(section("l", builtin("l.h", "# L\n"), builtin("l.a", "- a"), builtin("l.b", "\n- b"), label("\nEnd")))


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        (({"drop": "l.a"},), "# L\n- b\nEnd"),  # no blank line is left
        (({"drop": "l.b"},), "# L\n- a\nEnd"),
        (({"move": "l.a", "after": "l.b"},), "# L\n- b\n- a\nEnd"),
        (({"move": "l.b", "before": "l.a"},), "# L\n\n- b\n- a\nEnd"),
        (({"replace": "l.a", "text": "- new"},), "# L\n- new\n- b\nEnd"),
        (({"insert": {"id": "n", "text": "- new"}, "after": "l.a"},), "# L\n- a\n- new\n- b\nEnd"),
        (({"insert": {"id": "n", "text": "- new"}, "before": "l.a"},), "# L\n- new\n- a\n- b\nEnd"),
    ],
)
def test_lines_stay_lines_where_a_bullet_has_no_line_feed_of_its_own(
    edits: tuple[dict[str, Any], ...], text: str
) -> None:
    assert texts(after(INLINE, *edits))["l"] == text


def test_a_bullet_that_is_absent_is_edited_with_a_word() -> None:
    absent = draft(section("l", builtin("l.a", "- a\n", when=GONE), B), section("x", C, when=GONE))
    for edit, verb in (
        ({"drop": "l.a"}, "drops"),
        ({"replace": "l.a", "text": "new"}, "replaces"),
        ({"move": "l.a", "after": "l.b"}, "moves"),
    ):
        found = after(absent, edit)
        assert notes(found) == [f"edit 1 {verb} 'l.a', which is absent here"]
        assert [(d.severity, d.code) for d in found.diagnostics] == [("info", "edit-of-absent")]
        assert texts(found) == {"l": "- b\n"}
    assert notes(after(absent, {"drop": "l.b"}, {"drop": "l.c"})) == ["edit 2 drops 'l.c', which is absent here"]
    either = draft(section("l", builtin("l.a", "- a\n", when=GONE), B, builtin("l.a", "- a\n")))
    assert notes(after(either, {"drop": "l.a"})) == []


def test_why_a_dropped_bullet_is_absent_and_how_it_comes_back() -> None:
    found = after(LIST, {"drop": "l.b"}, {"drop": "l.a"})
    verdicts = [span.when.evaluate(FACTS) for span in found.sections[0].spans if not span.when.holds(FACTS)]
    assert [verdict.text for verdict in verdicts] == ["edit 2 drops it", "edit 1 drops it"]


# --- sections -----------------------------------------------------------------------------------------------------

NESTED = draft(
    section("a", "# A\n"),
    section("a.1", "one\n", parent="a"),
    section("b", "# B\n"),
    section("a.1.x", "deep\n", parent="a.1"),
    section("c", "# C\n"),
)


def order(found: Draft) -> list[str]:
    return [each.id for each in found.sections]


@pytest.mark.parametrize(
    ("edit", "ids"),
    [
        ({"move": "a", "after": "c"}, ["b", "c", "a", "a.1", "a.1.x"]),
        ({"move": "a", "after": "b"}, ["b", "a", "a.1", "a.1.x", "c"]),
        ({"move": "c", "before": "a"}, ["c", "a", "a.1", "b", "a.1.x"]),
        ({"move": "c", "after": "a"}, ["a", "a.1", "b", "a.1.x", "c"]),
        ({"move": "a.1", "before": "b"}, ["a", "a.1", "a.1.x", "b", "c"]),
        ({"insert": {"id": "n", "text": "N"}, "before": "a"}, ["n", "a", "a.1", "b", "a.1.x", "c"]),
        ({"insert": {"id": "n", "text": "N"}, "after": "a"}, ["a", "a.1", "b", "a.1.x", "n", "c"]),
        ({"insert": {"id": "n", "text": "N"}, "after": "a.1.x"}, ["a", "a.1", "b", "a.1.x", "n", "c"]),
    ],
)
def test_a_section_stands_beside_another_with_all_that_is_nested_in_it(edit: dict[str, Any], ids: list[str]) -> None:
    assert order(after(NESTED, edit)) == ids


def test_a_section_that_is_moved_or_put_in_has_its_neighbour_s_parent() -> None:
    parents = {each.id: each.parent for each in after(NESTED, {"move": "c", "after": "a.1"}).sections}
    assert parents == {"a": None, "a.1": "a", "b": None, "a.1.x": "a.1", "c": "a"}
    moved = {each.id: each.parent for each in after(NESTED, {"move": "a.1", "after": "c"}).sections}
    assert (moved["a.1"], moved["a.1.x"]) == (None, "a.1")
    put = after(NESTED, {"insert": {"id": "n", "text": "N"}, "before": "a.1.x"}).sections[3]
    assert (put.parent, put.title, put.edited) == ("a.1", "n", True)


def test_a_section_is_dropped_with_all_that_is_nested_in_it() -> None:
    assert list(texts(after(NESTED, {"drop": "a"}))) == ["b", "c"]
    assert list(texts(after(NESTED, {"drop": "a.1"}))) == ["a", "b", "c"]
    absent = draft(section("x", "x", when=GONE))
    for edit, verb in (({"drop": "x"}, "drops"), ({"replace": "x", "text": "y"}, "replaces")):
        assert notes(after(absent, edit)) == [f"edit 1 {verb} 'x', which is absent here"]
    both = draft(section("x", "x", when=GONE), section("y", "y"))
    assert notes(after(both, {"move": "x", "after": "y"})) == ["edit 1 moves 'x', which is absent here"]


BLOCK, OTHER = Place("one"), Place("two")


@pytest.mark.parametrize(
    ("texts_of", "place", "expected"),
    [
        (("a", "b"), BLOCK, ["a", "\n\nN\n\n", "b"]),
        (("a\n", "b"), BLOCK, ["a\n", "N\n", "b"]),
        (("a\n\n", "\nb"), BLOCK, ["a\n\n", "N\n\n", "\nb"]),
        (("a", "\nb"), BLOCK, ["a", "\n\nN", "\nb"]),
        (("a", "b"), OTHER, ["a", "\n\nN", "b"]),  # what follows is in a block of its own
        (("a", "b"), Place("one", gap="; "), ["a", "\n\nN", "b"]),  # something is between them already
        (("a", ""), BLOCK, ["a", "\n\nN", ""]),
    ],
)
def test_texts_of_one_block_are_parted(texts_of: tuple[str, str], place: Place, expected: list[str]) -> None:
    before = draft(section("a", texts_of[0], place=BLOCK), section("b", texts_of[1], place=place))
    found = after(before, {"insert": {"id": "n", "text": "N"}, "after": "a"})
    assert list(texts(found).values()) == expected
    assert found.sections[1].place == BLOCK


@pytest.mark.parametrize(
    ("texts_of", "expected"),
    [(("a", "b\n", "\nc", "d"), "N\n"), (("a", "b", "c", "d"), "\n\nN\n\n"), (("a\n", "b", "c\n", "d"), "\n\nN\n\n")],
)
def test_only_the_nearest_neighbours_part_a_text_from_theirs(texts_of: tuple[str, ...], expected: str) -> None:
    before = draft(*(section(name, text) for name, text in zip("abcd", texts_of, strict=True)))
    assert texts(after(before, {"insert": {"id": "n", "text": "N"}, "after": "b"}))["n"] == expected
    assert texts(after(before, {"move": "a", "after": "b"}))["a"].strip() == "a"


def test_what_is_put_in_front_of_the_first_section_has_nothing_before_it() -> None:
    found = after(draft(section("a", "a"), section("z", "z")), {"insert": {"id": "n", "text": "N"}, "before": "a"})
    assert list(texts(found).items()) == [("n", "N\n\n"), ("a", "a"), ("z", "z")]


def three(*blocks: str, messages: tuple[int | None, ...] = (None, None, None)) -> Draft:
    places = (Place(block, message) for block, message in zip(blocks, messages, strict=True))
    return draft(*(section(name, name, place=place) for name, place in zip("abc", places, strict=True)))


@pytest.mark.parametrize(
    ("before", "edit", "blocks"),
    [
        (three("1", "2", "3"), {"move": "a", "after": "c"}, {"b": "2", "c": "3", "a": "1"}),
        (three("1", "2", "3"), {"move": "c", "before": "a"}, {"c": "3", "a": "1", "b": "2"}),
        (three("1", "1", "3"), {"move": "a", "after": "c"}, {"b": "1", "c": "3", "a": "3"}),  # not a block of its own
        (three("1", "1", "3"), {"move": "c", "before": "b"}, {"a": "1", "c": "1", "b": "1"}),  # would cut one in two
        (three("1", "1", "3"), {"move": "c", "after": "a"}, {"a": "1", "c": "1", "b": "1"}),
        (three("1", "1", "3"), {"move": "c", "before": "a"}, {"c": "3", "a": "1", "b": "1"}),
        (three("1", "2", "2"), {"move": "a", "after": "b"}, {"b": "2", "a": "2", "c": "2"}),
        (three("1", "2", "2"), {"move": "a", "after": "c"}, {"b": "2", "c": "2", "a": "1"}),
        (three("1", "2", "3", messages=(None, None, 0)), {"move": "a", "after": "c"}, {"b": "2", "c": "3", "a": "3"}),
    ],
)
def test_a_block_of_its_own_stays_one_where_it_cuts_none_in_two(
    before: Draft, edit: dict[str, Any], blocks: dict[str, str]
) -> None:
    found = after(before, edit)
    assert {each.id: each.place.block for each in found.sections} == blocks
    assert order(found) == list(blocks)


def test_a_block_that_goes_on_further_away_is_not_cut() -> None:
    places = zip("abcd", "1232", strict=True)
    before = draft(*(section(name, name, place=Place(block)) for name, block in places))
    assert after(before, {"move": "a", "after": "b"}).sections[1].place.block == "1"


def test_an_absent_neighbour_cuts_no_block() -> None:
    before = draft(
        section("a", "a", place=Place("1")),
        section("b", "b", place=Place("2")),
        section("gone", "x", place=Place("2"), when=GONE),
        section("c", "c", place=Place("3")),
    )
    assert after(before, {"move": "a", "after": "b"}).sections[1].place.block == "1"


@pytest.mark.parametrize(
    ("text", "heading"), [("# A\nother\n", "# A"), ("other", None), ("a # A b", "# A"), ("# a\n", None)]
)
def test_a_replaced_section_keeps_its_heading_where_the_text_has_it(text: str, heading: str | None) -> None:
    one = draft(section("a", "# A\ntext", heading="# A"))
    assert after(one, {"replace": "a", "text": text}).sections[0].heading == heading
    chosen = draft(section("a", "# A\ntext", heading=Choice(((GONE, "# B"),), "# A")))
    assert after(chosen, {"replace": "a", "text": text}).sections[0].heading == heading


# --- tools --------------------------------------------------------------------------------------------------------


def tool(name: str, *description: Span | str, **more: Any) -> ToolDraft:
    made = tuple(builtin(f"tools.{name}", each) if isinstance(each, str) else each for each in description)
    return ToolDraft(name, "g", made, **more)


def described(found: Draft) -> dict[str, str]:
    return {
        each.name: "".join(span.text for span in each.description if span.when.holds(FACTS))
        for each in found.tools
        if each.when.holds(FACTS)
    }


INNER = builtin("tools.inner", "inner does this\n")
SCRIPT = draft(
    section("s", label("tools: "), builtin("s.list", "- plain, "), builtin("s.list", "- other")),
    tools=(
        tool("script", "runs: ", INNER, "end"),
        tool("inner", INNER, section="script"),
        tool("plain", "plain", listed=(builtin("s.list", "- plain, "),)),
        tool("other", "other"),
    ),
)


def test_a_tool_goes_with_what_another_one_and_the_prompt_say_of_it() -> None:
    found = after(SCRIPT, {"drop_tool": "inner"})
    assert described(found) == {"script": "runs: end", "plain": "plain", "other": "other"}
    assert [each.edited for each in found.tools] == [True, True, False, False]
    assert found.tools[0].unedited == SCRIPT.tools[0].description
    assert texts(after(SCRIPT, {"drop_tool": "plain"})) == {"s": "tools: - other"}
    assert texts(after(SCRIPT, {"drop_tool": "other"})) == {"s": "tools: - plain, - other"}
    assert described(after(SCRIPT, {"drop": "inner"})) == described(found)
    absent = draft(tools=(tool("x", "x", when=GONE),))
    assert notes(after(absent, {"drop_tool": "x"})) == ["edit 1 drops 'x', which is absent here"]
    assert notes(after(absent, {"replace": "x", "text": "y"})) == ["edit 1 replaces 'x', which is absent here"]


def test_what_does_not_speak_of_a_tool_stays_when_it_goes() -> None:
    others = (section("before", "x"), section("plain", label("- plain")), section("behind", label("- plain, ")))
    both = draft(*others, *SCRIPT.sections, tools=SCRIPT.tools)
    assert texts(after(both, {"drop_tool": "plain"})) == {
        "before": "x", "plain": "- plain", "behind": "- plain, ", "s": "tools: - other",
    }  # fmt: skip
    unsaid = draft(tools=(tool("script", "runs"), tool("inner", INNER, section="script")))
    assert described(after(unsaid, {"drop_tool": "inner"})) == {"script": "runs"}
    assert described(after(unsaid, {"replace": "inner", "text": "new"})) == {"script": "runs", "inner": "new"}


def test_a_tool_s_description_is_replaced_wherever_it_stands() -> None:
    found = after(SCRIPT, {"replace": "inner", "text": "inner does that"})
    assert described(found) == {
        "script": "runs: inner does that\nend", "inner": "inner does that", "plain": "plain", "other": "other",
    }  # fmt: skip
    assert found.tools[0].unedited == SCRIPT.tools[0].description
    assert (found.tools[0].edited, found.tools[1].edited, found.tools[2].edited) == (True, True, False)
    again = after(SCRIPT, {"replace": "inner", "text": "that"}, {"replace": "script", "text": "new"})
    assert again.tools[0].unedited == SCRIPT.tools[0].description
    in_section = draft(section("t", "Does.\n"), tools=(tool("read", "Does.\n", section="t"),))
    told = after(in_section, {"replace": "read", "text": "Reads."})
    assert (texts(told), described(told)) == ({"t": "Reads.\n"}, {"read": "Reads."})


@pytest.mark.parametrize(
    ("edit", "names"),
    [
        ({"move": "script", "after": "other"}, ["inner", "plain", "other", "script"]),
        ({"move": "other", "before": "script"}, ["other", "script", "inner", "plain"]),
        ({"move": "script", "after": "inner"}, ["inner", "script", "plain", "other"]),
        ({"move": "other", "before": "other"}, None),
        ({"move": "script", "before": "s"}, None),
        ({"insert": {"id": "n", "text": "N"}, "before": "other"}, None),
        ({"insert": {"id": "other", "text": "N"}, "before": "s"}, None),
    ],
)
def test_tools_stand_beside_tools(edit: dict[str, Any], names: list[str] | None) -> None:
    if names is None:
        with pytest.raises(ScenarioError, match=r"next to itself|next to a tool|is a part called 'other'"):
            after(SCRIPT, edit)
    else:
        assert [each.name for each in after(SCRIPT, edit).tools] == names


IN_PROMPT = draft(
    section("tools", "# Tools\n\n"),
    section("tools.a", "## a\n\n", parent="tools"),
    section("tools.b", "## b\n\n", parent="tools"),
    section("end", "End"),
    tools=(tool("b", "## b\n\n", section="tools.b"), tool("a", "## a\n\n", section="tools.a", when=GONE)),
)
OFFER = {"name": "new", "description": "Does.", "input_schema": {"properties": {"p": {}, "q": {}}, "required": ["q"]}}


def test_an_agent_that_tells_of_its_tools_in_the_prompt_does_so_of_a_new_one() -> None:
    found = after(IN_PROMPT, {"tool": OFFER})
    assert list(texts(found).items())[2:4] == [("tools.b", "## b\n\n"), ("tools.new", "Does.\n\n")]
    made = found.tools[-1]
    assert (made.name, made.section, made.input_schema, made.group) == ("new", "tools.new", None, "edits")
    assert [(each.name, each.required) for each in made.parameters] == [("p", False), ("q", True)]
    assert found.sections[3].parent == "tools"
    old = after(IN_PROMPT, {"tool": {**OFFER, "name": "b"}})
    assert (texts(old)["tools.b"], old.tools[0].section) == ("Does.\n\n", "tools.b")
    dropped = after(IN_PROMPT, {"drop": "tools.b"}, {"tool": {**OFFER, "name": "b"}})
    assert texts(dropped)["tools.b"] == "Does.\n\n", "what is offered is there"


def test_a_tool_that_another_one_described_is_sent_by_itself() -> None:
    found = after(SCRIPT, {"tool": {**OFFER, "name": "inner"}})
    assert described(found) == {"script": "runs: end", "inner": "Does.", "plain": "plain", "other": "other"}
    made = next(each for each in found.tools if each.name == "inner")
    assert (made.section, made.input_schema) == (None, OFFER["input_schema"])
    beside = after(SCRIPT, {"tool": OFFER}).tools[-1]
    assert (beside.section, beside.input_schema) == (None, OFFER["input_schema"])


# --- the text that is edited, and what is kept --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "text"),
    [("l", "# L\n- a\n- b\n- c"), ("l.b", "- b"), ("end", "End."), ("none", None)],
)
def test_what_an_edit_would_replace(target: str, text: str | None) -> None:
    assert text_to_edit(LIST, target) == text


def test_what_an_edit_would_replace_of_a_tool_and_of_what_stands() -> None:
    assert text_to_edit(SCRIPT, "inner") == "inner does this"
    parts = draft(section("l", builtin("l.a", "one\n"), builtin("l.a", "gone\n", when=GONE), "\nend"))
    assert (text_to_edit(parts, "l"), text_to_edit(parts, "l.a")) == ("one\n\nend", "one")


def test_an_edit_that_is_kept_says_what_it_would_need_and_the_others_count() -> None:
    edits = kept([Edit.model_validate(each) for each in ({"drop": "none"}, {"drop": "l.a"}, {"drop_tool": "x"})])
    found = edited(LIST, edits, None, None)  # type: ignore[arg-type]
    assert texts(found)["l"] == "# L\n- b\n- c\n"
    assert found.edited
    assert [each.partition(" is kept")[0] for each in notes(found)] == [
        "edit 1 (`drop` of 'none')", "edit 3 (`drop_tool` of 'x')",
    ]  # fmt: skip
    nothing = edited(LIST, edits[:1], None, None)  # type: ignore[arg-type]
    assert (nothing.edited, len(nothing.diagnostics)) == (False, 1)


def test_an_agent_that_refuses_is_not_edited() -> None:
    refused = draft(section("l", A), diagnostics=(Diagnostic("error", "agent-refuses", "no"),))
    assert after(refused, {"drop": "l.a"}) is refused
    warned = draft(section("l", A), diagnostics=(Diagnostic("error", "other", "no"),))
    assert texts(after(warned, {"drop": "l.a"})) == {"l": ""}


@pytest.mark.parametrize(
    ("old", "new", "kept_lines"),
    [
        ("a\nb\n", "a\nc\n", ["a\n"]),  # half of it was there before
        ("aa\nb\n", "aa\nccc\n", []),
        ("a\nb\n", "a\nb\n", ["a\nb\n"]),
        ("\n\n\na\n", "\n\n\nb\n", []),  # blank lines are no words
        ("a\nb\nc\n", "new\na\nb\nc\n", ["a\nb\nc\n"]),
        ("", "new", []),
    ],
)
def test_lines_that_stood_there_keep_their_origin_where_they_are_most_of_the_text(
    old: str, new: str, kept_lines: list[str]
) -> None:
    found = aligned([label(old)] if old else [], new, NEW)
    assert "".join(span.text for span in found) == new
    assert [span.text for span in found if span.origin != NEW] == kept_lines


@pytest.mark.parametrize(("lines", "is_compared"), [(3_999, True), (4_000, True), (4_001, False)])
def test_texts_of_too_many_lines_are_new_as_a_whole(lines: int, is_compared: bool) -> None:
    text = "".join(f"{n}\n" for n in range(lines))
    found = aligned([label(text[2:])], text, NEW)
    assert [span.origin == NEW for span in found] == ([True, False] if is_compared else [True])
