"""Messages, tools and images in the protocols of several providers."""

from __future__ import annotations

import pytest

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.protocols import Protocol, image, message_of, picture, tool_of
from promptscope_engine.wire.schemas import reduced, with_inner

GRAMMAR = {"type": "grammar", "syntax": "lark", "definition": "start: x"}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n...", "image/png"),
        (b"\xff\xd8\xff...", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF1234WEBPVP8", "image/webp"),
        (b"RIFF1234WAVE", None),
        (b"text", None),
    ],
)
def test_a_picture_is_known_by_how_it_begins(data: bytes, kind: str | None) -> None:
    found = picture(data)
    assert (found[0] if found else None) == kind


@pytest.mark.parametrize(
    ("protocol", "content"),
    [
        ("messages", [{"type": "text", "text": "hi"}]),
        ("chat", "hi"),
        ("responses", [{"type": "input_text", "text": "hi"}]),
    ],
)
def test_a_lone_text_of_a_message(protocol: Protocol, content: Json) -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    assert message_of(protocol, message)["content"] == content


def test_a_tool_that_takes_a_text_has_its_grammar_in_place_of_a_schema() -> None:
    assert tool_of("responses", "patch", "p", GRAMMAR)["format"] == GRAMMAR
    chat = tool_of("chat", "patch", "p", GRAMMAR)
    assert chat["custom"]["format"] == {"type": "grammar", "grammar": {"syntax": "lark", "definition": "start: x"}}
    assert tool_of("responses", "read", "r", {})["type"] == "function"
    assert tool_of("chat", "read", "r", {})["function"]["parameters"] == {}
    assert tool_of("messages", "read", "r", {}) == {"name": "read", "description": "r", "input_schema": {}}


def test_schemas_within_a_schema_are_changed_and_those_with_names_are_sorted() -> None:
    changed = [with_inner(*pair, lambda each: f"<{each}>") for pair in (
        ("properties", {"b": 1, "a": 2}), ("anyOf", [1]), ("items", 1), ("enum", [1]), ("properties", 5),
    )]  # fmt: skip
    assert changed == [{"a": "<2>", "b": "<1>"}, ["<1>"], "<1>", [1], {}]


def test_a_schema_keeps_the_keys_that_are_known() -> None:
    schema = {
        "$schema": "x",
        "type": "object",
        "properties": {"minimum": {"const": 1, "minimum": 0}},
        "additionalProperties": {"type": "string", "minimum": 0},
        "required": ["a"],
    }
    kept = ("type", "properties", "required", "enum", "additionalProperties")
    assert reduced(schema, kept) == {
        "type": "object",
        "properties": {"minimum": {"enum": [1]}},
        "additionalProperties": {"type": "string"},
        "required": ["a"],
    }


@pytest.mark.parametrize("protocol", ["messages", "responses", "chat", "gemini"])
def test_an_image_holds_its_data(protocol: Protocol) -> None:
    assert "QUJD" in str(image(protocol, "image/png", "QUJD"))
