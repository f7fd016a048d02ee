"""The smallest valid reply of each protocol, streamed or not: what a blank run is answered with."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from promptscope_engine.formats.document import Json, with_texts

from .model import Protocol, word
from .protocols import is_count, route

WORD = "ok"
"""All that is answered where no form is asked for."""


class Reply(Struct, frozen=True):
    """Its content type and its bytes."""

    content_type: str
    body: bytes


_REPLIES: dict[Protocol, dict[str, Json]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""A reply as a whole and as events; the last event but one of a chat is sent where its usage is asked for."""

_FORMS: dict[Protocol, tuple[tuple[str, ...], ...]] = {
    "anthropic": (("output_config", "format", "schema"), ("output_format", "schema")),
    "responses": (("text", "format", "schema"),),
    "chat": (("response_format", "json_schema", "schema"),),
    "gemini": (("generationConfig", "responseJsonSchema"), ("generationConfig", "responseSchema")),
}
"""Where a body says which form the answer has to have."""


def blank_reply(protocol: Protocol, path: str, body: Mapping[str, Json]) -> Reply:
    """The reply to a request."""
    if is_count(path):
        tokens = max(len(json.dumps(body)) // 4, 1)
        return _json({"totalTokens": tokens} if protocol == "gemini" else _count(protocol, tokens))
    form = next(filter(None, (_inner(body, *keys) for keys in _FORMS[protocol])), None)
    model = route(path).rpartition("/")[2].partition(":")[0] if protocol == "gemini" else word(body.get("model"))
    values = {"{said}": _said(form), "{model}": model}
    reply, events = with_texts([*_REPLIES[protocol].values()], lambda text: values.get(text, text))
    if protocol == "chat" and not _inner(body, "stream_options", "include_usage"):
        del events[-2]
    if protocol == "gemini" and "streamGenerateContent" in path:
        return _stream(events) if "alt=sse" in path else _json([reply])
    return _stream(events) if protocol != "gemini" and body.get("stream") else _json(reply)


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


def _stream(events: Sequence[Json]) -> Reply:
    lines = []
    for data in events:
        lines.append(f"event: {data['type']}\n" if isinstance(data, dict) and "type" in data else "")
        lines.append(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")
    return Reply("text/event-stream; charset=utf-8", "".join(lines).encode())
