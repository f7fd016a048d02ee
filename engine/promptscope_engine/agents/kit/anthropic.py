"""Placed sections as a request of the Anthropic shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool, texts_of
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import Request, wire_tool

Placed = tuple[Place, Section]
Cache = dict[str, Json]


def system_blocks(placed: Iterable[Placed], cache: Mapping[str, Cache]) -> tuple[dict[str, Json], ...]:
    """The text blocks of the system field, each with the cache_control that `cache` has for its block's name."""
    return tuple(_blocks((pair for pair in placed if pair[0].message is None), cache))


def messages(
    placed: Iterable[Placed], cache: Mapping[str, Cache] = {}, roles: Mapping[str, str] = {}
) -> list[dict[str, Json]]:
    """The messages: sections of one number and role are one. `roles` has those that differ from their places."""
    found = (pair for pair in placed if pair[0].message is not None)
    made: list[dict[str, Json]] = []
    for (_, role), group in groupby(found, key=lambda pair: (pair[0].message, pair[0].role)):
        content = list(group)
        made.append({"role": roles.get(content[0][0].block, role), "content": list(_blocks(content, cache))})
    return made


def system_text(sections: Sequence[Placed]) -> tuple[dict[str, Json], ...]:
    """The system field of an agent whose whole prompt is one text, empty or not."""
    return ({"type": "text", "text": joined(texts_of(s for place, s in sections if place.message is None))},)


def request_layout(sections: Sequence[Placed], tools: Sequence[Tool]) -> Request:
    """The request of an agent with one system text and no breakpoints."""
    wired = tuple(wire_tool(tool.name, tool.description, tool.input_schema) for tool in tools)
    return Request(system_text(sections), tuple(messages(sections)), wired)


def _blocks(placed: Iterable[Placed], cache: Mapping[str, Cache]) -> Iterator[dict[str, Json]]:
    for name, group in groupby(placed, key=lambda pair: pair[0].block):
        block: dict[str, Json] = {"type": "text", "text": joined(texts_of(section for _, section in group))}
        yield {**block, "cache_control": dict(cache[name])} if name in cache else block
