"""What a service says that a request took: read from a reply, whole or in events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from promptscope_engine.formats.document import Json

from .content import objects
from .model import Usage


def usage_of(reply: Json) -> Usage | None:
    """The usage in a reply: its JSON, the list of its events, or the text of either; None if it says nothing."""
    found: dict[str, int] = {}
    for part in _parts(reply):
        found |= _numbers(part)
    return Usage(**found) if found else None


def _parts(reply: Json) -> Iterator[Mapping[str, Json]]:
    if isinstance(reply, str):
        reply = list(_decoded(reply))
    for each in objects(reply) if isinstance(reply, list) else objects([reply]):
        data = each.get("data")
        if isinstance(data, str):
            yield from _decoded(data)
        else:
            yield data if isinstance(data, dict) else each


def _decoded(text: str) -> Iterator[dict[str, Json]]:
    """The objects of a text: one JSON value, or the data lines of a stream of events."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield from _events(text.splitlines())
    else:
        yield from objects(value if isinstance(value, list) else [value])


def _events(lines: Iterable[str]) -> Iterator[dict[str, Json]]:
    for line in lines:
        if line.startswith("data:") and "sage" in line:  # `usage` and `usageMetadata`
            try:
                yield from objects([json.loads(line[5:])])
            except (ValueError, RecursionError):
                continue


_KEYS = {
    "input": ("input_tokens", "prompt_tokens", "promptTokenCount"),
    "output": ("output_tokens", "completion_tokens", "candidatesTokenCount"),
    "cache_read": ("cache_read_input_tokens", "cachedContentTokenCount"),
    "cache_write": ("cache_creation_input_tokens",),
}


def _numbers(part: Mapping[str, Json]) -> dict[str, int]:
    inner = next((part[key] for key in ("message", "response") if isinstance(part.get(key), dict)), part)
    usage = next((each for each in (inner.get("usage"), inner.get("usageMetadata"), part.get("usage")) if each), None)
    if not isinstance(usage, dict):
        return {}
    found = {name: usage[key] for name, keys in _KEYS.items() for key in keys if type(usage.get(key)) is int}
    details = usage.get("input_tokens_details", usage.get("prompt_tokens_details"))
    if isinstance(details, dict) and type(details.get("cached_tokens")) is int:
        found["cache_read"] = details["cached_tokens"]
    return found


def input_tokens(usage: Usage, protocol: str) -> int | None:
    """All tokens of the request. Anthropic reports what its cache held or took beside the others, the rest within."""
    if usage.input is None or protocol != "anthropic":
        return usage.input
    return usage.input + (usage.cache_read or 0) + (usage.cache_write or 0)
