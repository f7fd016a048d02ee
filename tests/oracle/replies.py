"""What the stand-in answers, in each protocol: a short text, or the tool calls of a script."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .situation import Json

Reply = tuple[bytes, str] | tuple[bytes, str, int]
"""A body, its content type, and the status where it is not 200."""

_JSON, _EVENTS = "application/json", "text/event-stream"


@dataclass(frozen=True)
class Said:
    """What an answer without calls says, and the tokens of input that it claims."""

    text: str = "ok"
    tokens: int = 10


PLAIN = Said()


def answered(path: str, body: Json, calls: list[Json], number: int, said: Said = PLAIN) -> Reply | None:
    """The answer in the protocol of the path; None for one that no model server knows."""
    where = path.split("?")[0]
    if where.endswith("/count_tokens"):
        return json.dumps({"input_tokens": len(json.dumps(body)) // 4}).encode(), _JSON
    if where.endswith("/v1/messages"):
        return anthropic(body, calls, number, said)
    if where.endswith("/responses"):
        return responses(calls, number, said)
    if where.endswith("/chat/completions"):
        return completions(body, calls, number, said)
    return gemini(path, body, calls, said) if ":" in where else None


def anthropic(body: Json, calls: list[Json], number: int, said: Said = PLAIN) -> Reply:
    """A message of the Messages API."""
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model", "m")}
    usage = {"input_tokens": said.tokens, "output_tokens": 2}
    usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    blocks: list[Json] = [
        {"type": "tool_use", "id": f"toolu_{number:04d}{index}", "name": call["tool"], "input": call["input"]}
        for index, call in enumerate(calls)
    ]
    reason = "tool_use" if blocks else "end_turn"
    blocks = blocks or [{"type": "text", "text": said.text}]
    if not body.get("stream"):
        return json.dumps({**message, "content": blocks, "stop_reason": reason}).encode(), _JSON
    rows: list[tuple[str, Json]] = [("message_start", {"message": message})]
    for index, block in enumerate(blocks):
        if block["type"] == "tool_use":
            start, delta = (
                {**block, "input": {}},
                {"type": "input_json_delta", "partial_json": json.dumps(block["input"])},
            )
        else:
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        rows.append(("content_block_start", {"index": index, "content_block": start}))
        rows.append(("content_block_delta", {"index": index, "delta": delta}))
        rows.append(("content_block_stop", {"index": index}))
    end = {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 2}}
    return _named_events([*rows, ("message_delta", end), ("message_stop", {})]), _EVENTS


def responses(calls: list[Json], number: int, said: Said = PLAIN) -> Reply:
    """A stream of the Responses API."""
    items: list[Json] = [
        {
            "type": "custom_tool_call" if "raw" in call else "function_call",
            "id": f"fc_{number}{index}",
            "call_id": f"call_{number}{index}",
            "name": call["tool"],
            **({"namespace": call["namespace"]} if "namespace" in call else {}),
            **({"input": call["raw"]} if "raw" in call else {"arguments": json.dumps(call["input"])}),
        }
        for index, call in enumerate(calls)
    ]
    content = [{"type": "output_text", "text": said.text}]
    text = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}
    usage = {"input_tokens": said.tokens, "input_tokens_details": None, "output_tokens": 1}
    usage |= {"output_tokens_details": None, "total_tokens": said.tokens + 1}
    done = {"id": f"resp_{number}", "output": [], "usage": usage}
    rows: list[tuple[str, Json]] = [("response.created", {"response": {"id": f"resp_{number}"}})]
    for index, item in enumerate(items or [text]):
        rows.append(("response.output_item.done", {"output_index": index, "item": item}))
    return _named_events([*rows, ("response.completed", {"response": done})]), _EVENTS


def completions(body: Json, calls: list[Json], number: int, said: Said = PLAIN) -> Reply:
    """An answer of the Chat Completions API."""
    tools = [
        {
            "index": index,
            "id": f"call_{number}{index}",
            "type": "function",
            "function": {"name": call["tool"], "arguments": json.dumps(call["input"])},
        }
        for index, call in enumerate(calls)
    ]
    message: Json = {"role": "assistant", **({"tool_calls": tools} if tools else {"content": said.text})}
    reason = "tool_calls" if tools else "stop"
    head = {"id": f"chat_{number}", "created": 1, "model": body.get("model", "m")}
    usage = {"prompt_tokens": said.tokens, "completion_tokens": 2, "total_tokens": said.tokens + 2}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": reason}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        return json.dumps(whole).encode(), _JSON
    head["object"] = "chat.completion.chunk"
    rows: list[Json] = [
        {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
    ]
    return "".join(f"data: {row}\n\n" for row in [*map(json.dumps, rows), "[DONE]"]).encode(), _EVENTS


def gemini(path: str, body: Json, calls: list[Json], said: Said = PLAIN) -> Reply:
    """An answer of generateContent; Gemini CLI's model router is told something it accepts."""
    if "countTokens" in path:
        return b'{"totalTokens": 10}', _JSON
    schema = json.dumps((body.get("generationConfig") or {}).get("responseJsonSchema") or {})
    text = said.text
    if "complexity_score" in schema:
        text = json.dumps({"complexity_reasoning": "x", "complexity_score": 50})
    elif "model_choice" in schema:
        text = json.dumps({"reasoning": "x", "model_choice": "flash"})
    elif schema != "{}":
        text = "{}"
    parts: list[Any] = [{"functionCall": {"name": call["tool"], "args": call["input"]}} for call in calls]
    content = {"role": "model", "parts": parts or [{"text": text}]}
    done = {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": said.tokens,
            "candidatesTokenCount": 1,
            "totalTokenCount": said.tokens + 1,
        },
        "modelVersion": "stub",
    }
    data = json.dumps(done).encode()
    return (b"data: " + data + b"\r\n\r\n", _EVENTS) if "stream" in path else (data, _JSON)


def _named_events(rows: list[tuple[str, Json]]) -> bytes:
    return "".join(f"event: {kind}\ndata: {json.dumps({'type': kind, **row})}\n\n" for kind, row in rows).encode()
