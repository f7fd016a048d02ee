"""Placed sections as a request of the Anthropic shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, texts_of
from promptscope_engine.wire.joined import joined

Cache = dict[str, Json]


def system_blocks(placed: Iterable[tuple[Place, Section]], cache: Mapping[str, Cache]) -> tuple[dict[str, Json], ...]:
    """The text blocks of the system field, each with the cache_control that `cache` has for its block's name."""
    system = ((place, section) for place, section in placed if place.message is None)
    return tuple(_block(text, cache.get(name)) for name, text in _blocks(system))


def messages(placed: Iterable[tuple[Place, Section]]) -> list[dict[str, Json]]:
    """The messages: sections of one number and role are one, each block a text block of its content."""
    found = [(place, section) for place, section in placed if place.message is not None]
    return [
        {"role": role, "content": [_block(text, None) for _, text in _blocks(group)]}
        for (_, role), group in groupby(found, key=lambda pair: (pair[0].message, pair[0].role))
    ]


def system_text(sections: Sequence[tuple[Place, Section]]) -> tuple[dict[str, Json], ...]:
    """The system field of an agent whose whole prompt is one text, empty or not."""
    return (_block(_joined(s for place, s in sections if place.message is None), None),)


def _blocks(placed: Iterable[tuple[Place, Section]]) -> Iterator[tuple[str, str]]:
    for name, group in groupby(placed, key=lambda pair: pair[0].block):
        yield name, _joined(section for _, section in group)


def _joined(sections: Iterable[Section]) -> str:
    return joined(texts_of(sections))


def _block(text: str, cache: Cache | None) -> dict[str, Json]:
    block: dict[str, Json] = {"type": "text", "text": text}
    if cache is not None:
        block["cache_control"] = dict(cache)
    return block
