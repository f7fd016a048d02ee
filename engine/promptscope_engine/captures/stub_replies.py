"""The smallest valid reply of each protocol, streamed or not: what a blank run is answered with."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .content import word
from .model import Protocol
from .protocols import is_count, route

WORD = "ok"
"""All that is answered where no form is asked for."""

_USAGE = {"input_tokens": 1, "output_tokens": 1}


class Reply(Struct, frozen=True):
    """Its content type and its bytes."""

    content_type: str
    body: bytes


def blank_reply(protocol: Protocol, path: str, body: Mapping[str, Json]) -> Reply:
    """The reply to a request."""
    if is_count(path):
        tokens = max(len(json.dumps(body)) // 4, 1)
        return _json({"totalTokens": tokens} if protocol == "gemini" else _count(protocol, tokens))
    made = {"anthropic": _anthropic, "responses": _responses, "chat": _chat, "gemini": _gemini}
    return made[protocol](path, body)


def _said(form: Json) -> str:
    """The answer: a word, or the smallest JSON of the requested form.

    If the answer does not parse, a router asks again and again before the main request comes.
    """
    return WORD if form is None else json.dumps(smallest(form))


_SMALLEST: Mapping[str, Json] = {"string": WORD, "integer": 1, "number": 1, "boolean": False, "array": [], "null": None}
_MAX_DEPTH = 20


def smallest(schema: Json, depth: int = 0) -> Json:
    """The smallest value that a JSON schema allows, as far as types, choices and required properties say it."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return {}
    if "const" in schema:
        return schema["const"]
    for key in ("enum", "anyOf", "oneOf", "allOf"):
        choices = schema.get(key)
        if isinstance(choices, list) and choices:
            return choices[0] if key == "enum" else smallest(choices[0], depth + 1)
    kind = schema.get("type")
    name = word(kind[0] if isinstance(kind, list) and kind else kind).lower()  # Gemini writes them in capitals
    if name in ("integer", "number") and type(schema.get("minimum")) in (int, float):
        return schema["minimum"]
    if name in _SMALLEST:
        return _SMALLEST[name]
    inner, required = schema.get("properties"), schema.get("required")
    inner = inner if isinstance(inner, Mapping) else {}
    wanted = required if isinstance(required, list) else []
    return {each: smallest(inner.get(each), depth + 1) for each in wanted if isinstance(each, str)}


def _inner(value: Json, *keys: str) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _count(protocol: Protocol, tokens: int) -> dict[str, Json]:
    more = {"object": "response.input_tokens"} if protocol == "responses" else {}
    return {"input_tokens": tokens, **more}


def _json(value: Json) -> Reply:
    return Reply("application/json", json.dumps(value).encode())


def _events(events: Iterator[tuple[str | None, Any]]) -> Reply:
    lines = []
    for name, data in events:
        lines.append(f"event: {name}\n" if name else "")
        lines.append(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")
    return Reply("text/event-stream; charset=utf-8", "".join(lines).encode())


def _anthropic(_: str, body: Mapping[str, Json]) -> Reply:
    message: dict[str, Json] = {
        "id": "msg_promptscope",
        "type": "message",
        "role": "assistant",
        "model": word(body.get("model")),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _USAGE,
    }
    form = _inner(body, "output_config", "format", "schema") or _inner(body, "output_format", "schema")
    said = _said(form)
    block: Json = {"type": "text", "text": said}
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    if not body.get("stream"):
        return _json({**message, **end, "content": [block]})
    events: tuple[dict[str, Json], ...] = (
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": said}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    )
    return _events((event["type"], event) for event in events)


def _responses(_: str, body: Mapping[str, Json]) -> Reply:
    said = _said(_inner(body, "text", "format", "schema"))
    part = {"type": "output_text", "text": said, "annotations": [], "logprobs": []}
    item: dict[str, Json] = {
        "id": "msg_promptscope",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    response = {
        "id": "resp_promptscope",
        "object": "response",
        "created_at": 0,
        "status": "in_progress",
        "model": word(body.get("model")),
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "usage": None,
    }
    usage = {**_USAGE, **details, "total_tokens": 2}
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    if not body.get("stream"):
        return _json(done)
    at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    events: tuple[dict[str, Json], ...] = (
        {"type": "response.created", "response": response},
        {"type": "response.in_progress", "response": response},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "status": "in_progress", "content": []},
        },
        {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
        {"type": "response.output_text.delta", **at, "delta": said, "logprobs": []},
        {"type": "response.output_text.done", **at, "text": said, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    )
    return _events((event["type"], {**event, "sequence_number": number}) for number, event in enumerate(events))


def _chat(_: str, body: Mapping[str, Json]) -> Reply:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": "chatcmpl-promptscope", "created": 0, "model": word(body.get("model"))}
    said = _said(_inner(body, "response_format", "json_schema", "schema"))
    message = {"role": "assistant", "content": said}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return _json({**head, "object": "chat.completion", "choices": [choice], "usage": usage})

    def events() -> Iterator[tuple[None, Any]]:
        chunk = {**head, "object": "chat.completion.chunk"}
        yield None, {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
        yield None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        options = body.get("stream_options")
        if isinstance(options, dict) and options.get("include_usage"):
            yield None, {**chunk, "choices": [], "usage": usage}
        yield None, "[DONE]"

    return _events(events())


def _gemini(path: str, body: Mapping[str, Json]) -> Reply:
    config = body.get("generationConfig")
    form = _inner(config, "responseJsonSchema") or _inner(config, "responseSchema")
    reply = {
        "candidates": [
            {"index": 0, "content": {"role": "model", "parts": [{"text": _said(form)}]}, "finishReason": "STOP"},
        ],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": route(path).rpartition("/")[2].partition(":")[0],
    }
    if "streamGenerateContent" not in path:
        return _json(reply)
    if "alt=sse" in path:
        return _events(iter([(None, reply)]))
    return _json([reply])
