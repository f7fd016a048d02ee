"""The four protocols read into one shape, and what a service says a request took."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.captures.bodies import BODIES, SCHEMA, SYSTEM

from promptscope_engine.captures.model import Usage
from promptscope_engine.captures.protocols import (
    content_of,
    input_tokens,
    is_count,
    protocol_of,
    protocol_of_body,
    route,
    usage_of,
)

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


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://h:1/v1/x?a=b#c", "/v1/x"),
        ("/v1/x#c?a", "/v1/x"),
        ("/v1/x", "/v1/x"),
        ("http://h", ""),
        ("", ""),
    ],
)
def test_the_path_of_an_address(url: str, path: str) -> None:
    assert route(url) == path


MESSAGE = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(
    ("body", "protocol"),
    [
        ([], None),
        ({}, None),
        ({"messages": {}}, None),
        ({"contents": {}}, None),
        ({"contents": []}, "gemini"),
        ({"request": {"contents": []}}, "gemini"),
        ({"request": {"messages": []}}, None),
        ({"input": "hi"}, "responses"),
        ({"input": []}, "responses"),
        ({"input": {}}, None),
        ({"messages": [MESSAGE], "system": "x"}, "anthropic"),
        ({"messages": [MESSAGE], "tools": [{"input_schema": {}}]}, "anthropic"),
        ({"messages": [MESSAGE], "tools": [{"function": {}}], "max_tokens": 3}, "chat"),
        ({"messages": [{"role": "system", "content": "x"}], "max_tokens": 3}, "chat"),
        ({"messages": [{"role": "developer", "content": "x"}], "model": "claude"}, "chat"),
        ({"messages": [{"role": "assistant", "tool_calls": []}], "max_tokens": 3}, "chat"),
        ({"messages": [MESSAGE], "model": "claude-x"}, "anthropic"),
        ({"messages": [MESSAGE], "max_tokens": 3}, "anthropic"),
        ({"messages": [MESSAGE], "model": "gpt-5"}, "chat"),
    ],
)
def test_a_bare_body_is_of_the_protocol_that_its_keys_tell(body: Any, protocol: str | None) -> None:
    assert protocol_of_body(body) == protocol


def blocks(protocol: Any, body: Any, path: str = "/") -> list[tuple[str, str, str]]:
    """The role (or system), the kind and the text of each block."""
    found = content_of(protocol, path, body)
    system = [("system", block.kind, block.text) for block in found.system]
    return system + [(m.role, b.kind, b.text) for m in found.messages for b in m.blocks]


def test_parts_of_anthropic_s_messages() -> None:
    content: list[Any] = [
        {"text": "plain"},
        {"type": "tool_result", "content": "whole"},
        {"type": "tool_result", "content": [{"text": "in "}, {"type": "image"}, {"text": "parts"}]},
        {"type": "tool_result"},
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "document", "text": "no"},
        {"type": "other", "a": 1, "cache_control": {"type": "ephemeral"}, "signature": "x"},
    ]
    assert blocks("anthropic", {"system": "S", "messages": [{"content": content}]}) == [
        ("system", "text", "S"),
        ("user", "text", "plain"),
        ("user", "tool_result", "whole"),
        ("user", "tool_result", "in parts"),
        ("user", "tool_result", ""),
        ("user", "thinking", "hm"),
        ("user", "document", ""),
        ("user", "other", '{"type":"other","a":1}'),
    ]


def test_tools_of_anthropic_and_of_the_service_itself() -> None:
    tools = [
        {"name": "a", "input_schema": {}},
        {"type": "web_search", "name": "w", "max_uses": 3},
        {"type": "bare"},
        {},
    ]
    found = content_of("anthropic", "/", {"model": "", "tools": tools})
    assert [(t.name, t.schema, t.kind) for t in found.tools] == [
        ("a", {}, "custom"),
        ("w", {"type": "web_search", "max_uses": 3}, "web_search"),
        ("bare", {"type": "bare"}, "bare"),
        ("custom", {}, "custom"),
    ]
    assert found.model is None


def test_parts_of_gemini_s_contents() -> None:
    parts: list[Any] = [
        {"text": "plain"},
        {"text": "hm", "thought": True},
        {"text": "said", "thought": 1},
        {"functionCall": {"name": "f"}},
        {"functionResponse": {"ok": True}},
        {"inlineData": {"data": "AAAA"}},
        {},
    ]
    body = {"system_instruction": "S", "contents": [{"role": "model", "parts": parts}, {"parts": {"text": "one"}}]}
    assert blocks("gemini", body) == [
        ("system", "text", "S"),
        ("assistant", "text", "plain"),
        ("assistant", "thinking", "hm"),
        ("assistant", "text", "said"),
        ("assistant", "tool_use", '{"name":"f"}'),
        ("assistant", "tool_result", '{"ok":true}'),
        ("assistant", "inlineData", ""),
        ("assistant", "part", ""),
        ("user", "text", "one"),
    ]


@pytest.mark.parametrize(
    ("path", "body", "model"),
    [
        ("/v1beta/models/g-1:generateContent", {}, "g-1"),
        ("/x", {"model": "models/g-1"}, "g-1"),
        ("/x", {"model": "g-1"}, "g-1"),
        ("/x", {}, None),
        ("/v1internal:generateContent", {"model": "g-1", "request": {"contents": []}}, "g-1"),
        ("/v1beta/models/g-2:x", {"request": {"contents": []}}, "g-2"),
        ("/v1beta/models/g-2:countTokens", {"generateContentRequest": {"contents": []}}, "g-2"),
        ("/v1beta/models/g-2:x", {"contents": [], "model": "g-1", "request": {"contents": []}}, "g-2"),
    ],
)
def test_the_model_of_gemini_stands_in_the_path_or_around_the_request(path: str, body: Any, model: str) -> None:
    assert content_of("gemini", path, body).model == model


def test_tools_of_gemini() -> None:
    declared = [{"name": "a", "parameters": {"type": "OBJECT"}}, {"name": "b"}]
    tools: list[Any] = [{"function_declarations": declared}, {"googleSearch": {}, "codeExecution": 3}]
    found = content_of("gemini", "/", {"contents": [], "tools": tools}).tools
    assert [(t.name, t.schema, t.kind) for t in found] == [
        ("a", {"type": "OBJECT"}, "function"),
        ("b", {}, "function"),
        ("googleSearch", {}, "googleSearch"),
        ("codeExecution", {}, "codeExecution"),
    ]


def test_items_of_responses() -> None:
    items: list[Any] = [
        {"type": "message", "role": "system", "content": "S"},
        {"role": "developer", "content": [{"text": "D"}]},
        {"content": [{"type": "input_text", "text": "hi"}, {"type": "input_image"}]},
        {"type": "function_call", "id": "1", "name": "f", "status": "x", "encrypted_content": "y"},
        {"type": "function_call_output", "output": "whole"},
        {"type": "custom_tool_call_output", "output": [{"text": "part"}]},
        {"type": "message", "role": "developer", "content": "late"},
    ]
    assert blocks("responses", {"instructions": "I", "input": items}) == [
        ("system", "text", "I"),
        ("system", "text", "S"),
        ("system", "text", "D"),
        ("user", "text", "hi"),
        ("user", "input_image", ""),
        ("assistant", "function_call", '{"type":"function_call","name":"f"}'),
        ("user", "tool_result", "whole"),
        ("user", "tool_result", "part"),
        ("developer", "text", "late"),
    ]
    assert blocks("responses", {"input": "hi"}) == [("user", "text", "hi")]


def test_tools_of_responses() -> None:
    tools: list[Any] = [
        {"name": "a", "parameters": {"type": "object"}},
        {"type": "custom", "name": "b", "format": {"type": "text"}},
        {"type": "web_search", "strict": True, "max": 3},
        {"type": "namespace", "name": "n", "tools": [{"name": "c"}, {"name": "d"}]},
    ]
    carried = {"type": "additional_tools", "tools": [{"name": "e"}]}
    found = content_of("responses", "/", {"tools": tools, "input": [carried]})
    assert [(t.name, t.schema, t.kind) for t in found.tools] == [
        ("a", {"type": "object"}, "function"),
        ("b", {"type": "text"}, "custom"),
        ("web_search", {"max": 3}, "web_search"),
        ("c", {}, "function"),
        ("d", {}, "function"),
        ("e", {}, "function"),
    ]
    assert found.messages == ()


ANTHROPIC = {"usage": {"input_tokens": 7, "output_tokens": 2, "cache_read_input_tokens": 5}}


def stream(*events: Any, lead: str = "data: ") -> str:
    return "".join(f"event: x\n{lead}{json.dumps(event)}\n\n" for event in events)


@pytest.mark.parametrize(
    ("reply", "usage"),
    [
        (None, None),
        (3, None),
        ("", None),
        ("no JSON", None),
        ("[" * 5_000, None),
        ({}, None),
        ({"usage": None}, None),
        ({"usage": [1]}, None),
        ({"usage": {"input_tokens": "7", "output_tokens": True}}, None),
        (ANTHROPIC, Usage(7, 2, 5)),
        (json.dumps(ANTHROPIC), Usage(7, 2, 5)),
        ([ANTHROPIC], Usage(7, 2, 5)),
        (json.dumps([ANTHROPIC, {}]), Usage(7, 2, 5)),
        ({"usage": {"input_tokens": 0, "cache_creation_input_tokens": 4}}, Usage(0, None, None, 4)),
        ({"message": ANTHROPIC}, Usage(7, 2, 5)),
        ({"message": "text", **ANTHROPIC}, Usage(7, 2, 5)),
        ({"message": {"id": 1}, **ANTHROPIC}, Usage(7, 2, 5)),
        ({"response": {"usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 3}}}}, Usage(9, None, 3)),
        ({"usage": {"prompt_tokens": 9, "completion_tokens": 1}}, Usage(9, 1)),
        ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 0}}}, Usage(9, None, 0)),
        ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": None}}}, Usage(9)),
        ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": None}}, Usage(9)),
        ({"usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 1}}, Usage(9, 1)),
        ({"usageMetadata": {"cachedContentTokenCount": 2}}, Usage(None, None, 2)),
        (stream({"message": ANTHROPIC}, {"usage": {"output_tokens": 20}}), Usage(7, 20, 5)),
        (stream(ANTHROPIC, lead="data:"), Usage(7, 2, 5)),
        (stream(ANTHROPIC, lead="x-data: "), None),
        (stream({"usageMetadata": {"promptTokenCount": 9}}), Usage(9)),
        (stream(ANTHROPIC) + 'data: {"usage": broken\n\n', Usage(7, 2, 5)),
        ('data: "usage"\n\n' + stream(ANTHROPIC), Usage(7, 2, 5)),
        ([{"data": json.dumps(ANTHROPIC)}], Usage(7, 2, 5)),
        ([{"data": ANTHROPIC}], Usage(7, 2, 5)),
        ([{"data": 3, **ANTHROPIC}], Usage(7, 2, 5)),
    ],
)  # fmt: skip
def test_usage_is_read_of_a_reply_its_events_or_their_text(reply: Any, usage: Usage | None) -> None:
    assert usage_of(reply) == usage


@pytest.mark.parametrize(
    ("usage", "protocol", "tokens"),
    [
        (Usage(7, 2, 5, 4), "anthropic", 16),
        (Usage(7, 2, None, 4), "anthropic", 11),
        (Usage(7, 2, 5), "anthropic", 12),
        (Usage(7), "anthropic", 7),
        (Usage(None, 2, 5, 4), "anthropic", None),
        (Usage(7, 2, 5, 4), "responses", 7),
        (Usage(None, 2, 5), "chat", None),
    ],
)
def test_anthropic_reports_what_its_cache_held_beside_the_others(
    usage: Usage, protocol: str, tokens: int | None
) -> None:
    assert input_tokens(usage, protocol) == tokens
