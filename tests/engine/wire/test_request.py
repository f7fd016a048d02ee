"""The parts of a request, and its tools as they go over the wire."""

from __future__ import annotations

import json

import pytest

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.request import (
    AnyRequest,
    ChatRequest,
    FixedSchema,
    Request,
    ResponsesRequest,
    WireBlock,
    tool_json,
    wire_json,
    wire_tool,
    without_parameters,
)

_SCHEMA = {"type": "object", "properties": {"path": {"type": "string", "description": 'é "quoted"\n'}}}


@pytest.mark.parametrize("description", ["", "Reads a file.", 'With "quotes",\nlines and é.', "long " * 20_000])
@pytest.mark.parametrize("schema", [_SCHEMA, FixedSchema(_SCHEMA), None], ids=["own", "fixed", "none"])
def test_a_tool_is_written_as_any_json_is(description: str, schema: dict[str, object] | None) -> None:
    tool = wire_tool("read_file", description, schema) | {"strict": True}
    for _ in range(2):  # the second time, its texts are known
        written = tool_json(tool)
        assert written == wire_json(tool)
        assert json.loads(written) == tool


def _text(text: str) -> dict[str, Json]:
    return {"type": "text", "text": text}


@pytest.mark.parametrize(
    ("sent", "blocks"),
    [
        (
            Request(
                system=(_text("be"),),
                messages=(
                    {"role": "user", "content": "hi"},
                    {"role": "assistant", "content": [_text("a"), _text("b")]},
                ),
                tools=({"name": "read"},),
            ),
            [
                WireBlock("system", (0,), _text("be")),
                WireBlock("messages", (0, 0), _text("hi"), "user"),
                WireBlock("messages", (1, 0), _text("a"), "assistant"),
                WireBlock("messages", (1, 1), _text("b"), "assistant"),
                WireBlock("tools", (0,), {"name": "read"}),
            ],
        ),
        (
            ChatRequest(
                messages=({"role": "system", "content": "be"}, {"role": "user", "content": "hi"}),
                tools=({"name": "read"}, {"name": "write"}),
            ),
            [
                WireBlock("system", (0, 0), _text("be"), "system"),
                WireBlock("messages", (1, 0), _text("hi"), "user"),
                WireBlock("tools", (0,), {"name": "read"}),
                WireBlock("tools", (1,), {"name": "write"}),
            ],
        ),
        (
            ChatRequest(messages=({"role": "user", "content": "hi"},)),
            [WireBlock("messages", (0, 0), _text("hi"), "user")],
        ),
        (
            ResponsesRequest(
                input=(
                    {"type": "message", "role": "developer", "content": [_text("be"), _text("so")]},
                    {"type": "message", "role": "user", "content": [_text("hi")]},
                    {"type": "reasoning", "role": None, "content": None},
                ),
                tools=({"name": "read"},),
            ),
            [
                WireBlock("system", (0, 0), _text("be"), "developer"),
                WireBlock("system", (0, 1), _text("so"), "developer"),
                WireBlock("messages", (1, 0), _text("hi"), "user"),
                WireBlock("tools", (0,), {"name": "read"}),
            ],
        ),
        (
            ResponsesRequest(input=({"type": "additional_tools", "tools": [{"name": "read"}]},)),
            [WireBlock("tools", (0,), {"name": "read"})],
        ),
    ],
    ids=["anthropic", "chat", "chat without tools", "responses", "tools in the input"],
)
def test_the_parts_of_a_request_in_order(sent: AnyRequest, blocks: list[WireBlock]) -> None:
    assert list(sent.blocks()) == blocks


def test_a_schema_without_some_parameters() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}}
    without_a = {"type": "object", "properties": {"b": {}}}
    assert without_parameters(schema, {"a"}) == without_a
    assert without_parameters(schema, set()) is schema
    for odd in (None, {"type": "object"}, {"properties": []}):
        assert without_parameters(odd, {"a"}) is odd
    fixed = FixedSchema(schema)
    assert without_parameters(fixed, {"a"}) == without_a
    assert without_parameters(fixed, {"a"}) is without_parameters(fixed, {"a"}), "it is written as JSON once"
    assert without_parameters(fixed, {"b"}) == {"type": "object", "properties": {"a": {}}}
