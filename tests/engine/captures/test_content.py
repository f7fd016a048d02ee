"""What a body says is read alike in each protocol."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.captures.bodies import BODIES, SCHEMA, SYSTEM

from promptscope_engine.captures.content import content_of
from promptscope_engine.captures.detection import is_count, protocol_of, protocol_of_body

MISSHAPEN: tuple[Any, ...] = (
    None,
    [],
    "text",
    {"messages": "no", "input": 3, "contents": {}, "tools": "x"},
    {"messages": [1, {"content": [2, {"text": 4}]}], "system": {}, "tools": [{}]},
)
EVERY = pytest.mark.parametrize("protocol", BODIES)


@EVERY
def test_the_four_protocols_say_the_same(protocol: Any) -> None:
    body, path = BODIES[protocol]
    found = content_of(protocol, path, body)
    assert [block.text for block in found.system] == [SYSTEM]
    assert [(m.role, [b.text for b in m.blocks]) for m in found.messages] == [("user", ["hi"])]
    assert [(tool.name, tool.description, tool.schema) for tool in found.tools] == [("read", "Reads.", SCHEMA)]
    assert found.model in ("claude-sonnet-4-5", "gpt-5", "gemini-2.5-pro")


@EVERY
def test_a_protocol_is_told_by_its_path_and_by_its_body(protocol: str) -> None:
    body, path = BODIES[protocol]
    assert protocol_of(path) == protocol
    assert protocol_of(f"https://gateway.example/some/{path.lstrip('/')}") == protocol
    assert protocol_of_body(body) == protocol


@pytest.mark.parametrize("path", ["/v1/models", "/api/hello", "/", "/v1/messages/batches", "/x:countSomething"])
def test_other_paths_belong_to_no_model(path: str) -> None:
    assert protocol_of(path) is None


@pytest.mark.parametrize(
    "path", ["/v1/messages/count_tokens?beta=true", "/v1beta/models/x:countTokens", "/v1/responses/input_tokens"]
)
def test_counting_is_told_by_its_path(path: str) -> None:
    assert protocol_of(path) is not None
    assert is_count(path)


@EVERY
@pytest.mark.parametrize("body", MISSHAPEN)
def test_what_has_not_the_shape_is_left_out(protocol: Any, body: Any) -> None:
    found = content_of(protocol, "/", body)
    assert not "".join(block.text for block in found.blocks()).strip("{}")


def test_calls_and_results_are_what_the_model_reads() -> None:
    body = {
        "messages": [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "read", "input": {"path": "a"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "found"}]},
                {"type": "image", "source": {"data": "AAAA"}},
            ]},
        ]
    }  # fmt: skip
    call, result, image = content_of("anthropic", "/v1/messages", body).blocks()
    assert '"name":"read"' in call.text
    assert (result.kind, result.text) == ("tool_result", "found")
    assert (image.kind, image.text) == ("image", "")
