"""A request with its reply as some tool recorded it, made into one of ours: without keys, with its protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.formats.document import Json, unfit
from promptscope_engine.wire.request import wire_json

from .masking import Masker, kept_headers, masked_path, secrets_of
from .model import Answer, Protocol, Recorded, Usage
from .protocols import content_of, protocol_of, protocol_of_body

MAX_TEXT = 2_000
"""Characters that are kept of a body that is no JSON."""

_BARE: dict[Protocol, str] = {
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1beta/models/unknown:generateContent",
}


class Exchange(Struct, frozen=True):
    """What came in. `body` is JSON, or a text that may be JSON; `status` is None without a reply."""

    method: str = "POST"
    path: str = ""
    headers: Mapping[str, str] = {}
    body: Json = None
    bytes: int | None = None
    time: str | None = None
    status: int | None = None
    usage: Usage | None = None
    note: str = ""


def bare(body: Json) -> Exchange | None:
    """A body without anything around it; None if it is a request of no known protocol."""
    protocol = protocol_of_body(body)
    return Exchange(path=_BARE[protocol], body=body) if protocol else None


def recorded(index: int, exchange: Exchange, secrets: frozenset[str] = frozenset()) -> Recorded:
    """The request as it is stored. `secrets` are values that are masked besides what looks like a key."""
    masker = Masker(secrets | secrets_of({}, exchange.headers))
    body, text = _parsed(exchange.body)
    size = exchange.bytes
    if size is None:
        size = len((text if body is None else wire_json(body)).encode("utf-8", "surrogatepass"))
    protocol = protocol_of(exchange.path) if body is not None else None
    return Recorded(
        index=index,
        method=exchange.method.upper(),
        path=masked_path(exchange.path),
        protocol=protocol if isinstance(body, dict) else None,
        time=exchange.time,
        headers=kept_headers(exchange.headers),
        body=masker.value(body),
        text=masker.text(text)[:MAX_TEXT] or None,
        bytes=size,
        masked=masker.count,
        response=None if exchange.status is None else Answer(exchange.status, exchange.usage),
        note=exchange.note,
    )


def _parsed(body: Json) -> tuple[Json, str]:
    """The body as JSON, or as the text that it is."""
    if isinstance(body, str):
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            return None, body
        return (value, "") if isinstance(value, (dict, list)) and unfit(value) is None else (None, body)
    return (None, "") if body is None or unfit(body) is not None else (body, "")


def is_empty(request: Recorded) -> bool:
    """Whether a request of a known protocol says nothing at all."""
    if request.protocol is None:
        return True
    content = content_of(request.protocol, request.path, request.body)
    return not (content.system or content.messages or content.tools)
