"""Inputs of replies: what fits, how it is typed and how it is shown."""

from __future__ import annotations

import pytest

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import (
    PARENT,
    Input,
    InputKind,
    Message,
    Turn,
    block_text,
    count_blocks,
    running_totals,
)


def made(kind: InputKind, optional: bool = False) -> Input:
    return Input("x", kind, None, "", optional)


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("text", "a b", "a b"), ("text", '"a\\nb"', "a\nb"), ("text", '"a', '"a'), ("text", '"a" b', '"a" b'),
        ("text", "null", "null"), ("number", "5", 5), ("switch", "true", True), ("list", "[a, b]", ["a", "b"]),
        ("list", " ", []),
    ],
)  # fmt: skip
def test_what_is_typed_becomes_a_value(kind: InputKind, typed: str, value: Json) -> None:
    assert made(kind).parse(typed) == value


@pytest.mark.parametrize(
    ("kind", "typed", "wanted"),
    [
        ("number", "true", "an integer"), ("number", "5.5", "an integer"), ("number", "", "an integer"),
        ("switch", "1", "true or false"), ("list", "[a, 1]", "a list of strings"), ("list", "a", "a list of strings"),
        ("list", "[", "a list of strings"), ("number", "null", "an integer"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_an_error(kind: InputKind, typed: str, wanted: str) -> None:
    with pytest.raises(ScenarioError, match=f"expected {wanted}"):
        made(kind).parse(typed)


def test_what_does_not_fit_is_shown_up_to_two_hundred_characters() -> None:
    with pytest.raises(ScenarioError) as caught:
        made("number").check("x" * 300)
    assert caught.value.message == ("expected an integer, got '" + "x" * 300)[:200]


@pytest.mark.parametrize("kind", ["text", "number", "switch", "list"])
def test_an_optional_input_may_be_null(kind: InputKind) -> None:
    assert made(kind, optional=True).parse(" null ") is None
    assert made(kind, optional=True).check(None) is None
    with pytest.raises(ScenarioError):
        made(kind).check(None)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a b", "a b"), ("a\nb", '"a\\nb"'), ('"a"', '"\\"a\\""'), ('"a', '"a'), ("null", '"null"'), (None, "null"),
        (5, "5"), (True, "true"), (["é"], '["é"]'), ("", ""),
    ],
)  # fmt: skip
def test_a_value_is_shown_as_it_is_typed(value: Json, shown: str) -> None:
    assert made("text").shown(value) == shown


def test_blocks_are_shown_and_counted() -> None:
    image = {"type": "image", "source": {"media_type": "image/png", "data": "x" * 1234}}
    assert block_text(image) == "[image image/png, 1,234 characters of base64]"
    assert block_text({"type": "image"}) == "[image , 0 characters of base64]"
    assert block_text({"type": "text", "text": "hello"}) == "hello"
    assert count_blocks([image, {"type": "text", "text": "hello"}, {"type": "text", "text": "you"}], len) == 8


def turn(*texts: str, depth: int = 0, up: str = "") -> Turn:
    """A turn of messages of these texts, and what is said to the parent task."""
    own = [Message("user", ({"type": "text", "text": text},)) for text in texts]
    told = [Message("user", ({"type": "text", "text": up},), to=PARENT)] if up else []
    return Turn({}, "", (*own, *told), depth=depth)


def test_a_sub_task_has_a_conversation_of_its_own() -> None:
    turns = [
        Turn({}, "", turn("1").messages), turn("12", "3"), turn("1234", depth=1), turn("5", depth=1),
        turn("1", depth=2), turn("2", depth=2, up="12345"), turn("1", depth=1, up="12"), turn("1"),
        turn("1", depth=1),
    ]  # fmt: skip
    assert list(running_totals(turns, len)) == [
        (1, 1), (3, 4), (4, 4), (1, 5), (1, 1), (1, 2), (1, 11), (1, 7), (1, 1),
    ]  # fmt: skip


def test_a_turn_goes_well_unless_it_says_so() -> None:
    assert (Turn({}, "").mistakes, Turn({}, "").depth, list(running_totals([], len))) == (0, 0, [])
