"""Inputs of replies: what fits, how it is typed and how it is shown."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.replies import Input, InputKind, block_text, count_blocks
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError


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
