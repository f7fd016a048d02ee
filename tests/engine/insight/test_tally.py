"""Names that differ between a prediction and a request: entries of lists, schemas, keys of the body."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.insight.made_up import assembly_of, of_file, ours, section

from promptscope_engine.agents.adapter import BodyKey
from promptscope_engine.insight.predicted_lines import Owned, prompt_lines
from promptscope_engine.insight.sent_blocks import Unpredictable, lines_of
from promptscope_engine.insight.tally import body_differences, listed_differences, schema_differences
from promptscope_engine.prompt.model import Fragment, Origin

NOTHING = Unpredictable((), ())


def differences(ours: list[tuple[str, int]], theirs: list[str], part: str = "skills") -> list[tuple[str, str]]:
    """What is named. `ours`: lines, each with so many characters at its beginning that are exact."""
    lines = lines_of("\n".join(text for text, _ in ours), NOTHING)
    owned = [
        Owned(line, part, "", exact < len(text), 0, exact) for line, (text, exact) in zip(lines, ours, strict=True)
    ]
    found = listed_differences(owned, lines_of("\n".join(theirs), NOTHING))
    return [(each.name, each.says) for each in found]


LIST = [("Skills for you:", 0), ("- pdf: our words", 7), ("- zed: from a file", 18)]


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        (["Your skills:", "- pdf: other words", "- zed: from a file"], []),
        (["Your skills:", "- pdf: other words"], [("zed", "predicted and not sent")]),
        (["Your skills:", "- a:b: x", "- pdf: words", "- zed: y", "- last"], [("a:b", "sent"), ("last", "sent")]),
        (["Your skills:", "- zed: y", "- pdf: other words"], []),
        (["Your skills:", "- PDF: other words", "- zed: y"], [("pdf", "predicted"), ("PDF", "sent")]),
        (["Your skills:", "", "- pdf: words", "- zed: y", "And some more."], []),
    ],
)
def test_entries_of_a_list(theirs: list[str], named: list[tuple[str, str]]) -> None:
    found = differences(LIST, theirs)
    assert [name for name, _ in found] == [name for name, _ in named]
    assert all(says.startswith(begin) for (_, says), (_, begin) in zip(found, named, strict=True))


def test_names_alone_are_entries_too() -> None:
    ours = [("These wait:", 0), ("CronCreate", 10), ("Monitor", 7)]
    assert differences(ours, ["They wait:", "CronCreate", "CronDelete", "Monitor"]) == [
        ("CronDelete", "sent and not predicted")
    ]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ([("- Be kind: our words", 0), ("- Be brief", 0)], ["- Kindness: theirs", "- Brevity", "- A third"]),
        ([("- pdf: words", 7), ("- our own bullet", 0)], ["- pdf: words", "- their bullet: x", "- one more"]),
        ([("Text of a file", 0)], ["- anything"]),
    ],
)
def test_bullets_of_prose_are_words(ours: list[tuple[str, int]], theirs: list[str]) -> None:
    assert differences(ours, theirs) == []


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": ["a"]}


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        (schema(a={"type": "string", "description": "Other words."}), []),
        (schema(a={"type": "number"}), [("a", "`type` is number, predicted string")]),
        (schema(a={"type": "string", "enum": ["x"]}), [("a", "`enum` is x, predicted not given")]),
        (schema(a={"type": "string"}, b={}), [("b", "sent and not predicted")]),
        (schema(), [("a", "predicted and not sent")]),
        ({**schema(a={"type": "string"}), "required": []}, [("the parameters", "`required` is empty, predicted a")]),
        (5, []),
    ],
)
def test_what_a_schema_asks_for(theirs: Any, named: list[tuple[str, str]]) -> None:
    found = list(schema_differences("Read", schema(a={"type": "string", "description": "Words."}), theirs))
    assert [(each.name, each.says) for each in found] == named
    assert {each.part for each in found} <= {"tools.Read"}


def test_a_schema_is_looked_through_to_its_end() -> None:
    ours = {"properties": {"list": {"items": {"properties": {"x": {"type": "string"}}}}}}
    theirs = {"properties": {"list": {"items": {"properties": {"x": {"type": "number"}}}}}}
    (found,) = schema_differences("Read", ours, theirs)
    assert (found.name, found.says) == ("list[].x", "`type` is number, predicted string")


def test_keys_of_the_body() -> None:
    found = body_differences([BodyKey("model", needed=True), BodyKey("thinking")], ["messages", "thinking"])
    assert [(each.name, each.says) for each in found] == [
        ("messages", "sent and not predicted"),
        ("model", "predicted and not sent"),
    ]
    assert list(body_differences([], ["messages"])) == []
    assert list(body_differences([BodyKey("metadata", handed=True)], ["messages"])) == []


def test_a_line_is_exact_up_to_our_words_and_one_that_begins_in_a_file_is_in_no_list() -> None:
    entry = Fragment("- pdf: ", Origin("label")), ours("our words\n")
    found = prompt_lines(assembly_of(section("a", *entry, of_file("- zed: "), ours("more"))), NOTHING)
    assert [(each.line.text, each.exact) for each in found] == [("- pdf: our words", 7), ("- zed: more", 0)]
