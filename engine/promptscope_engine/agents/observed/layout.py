"""The request in the Anthropic shape, whatever it was sent in: what is no text stands as the text that is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Layout, Place
from promptscope_engine.prompt.model import Section, Tool, texts_of
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import Request, wire_tool

from .materials import Materials, SentBlock


def layout(materials: Materials) -> Layout:
    """A layout that puts sections back into their blocks, with roles and breakpoints."""
    blocks = {block.name: block for block in materials.blocks}

    def lay_out(sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
        texts: list[tuple[Place, str]] = []
        for _, group in groupby(sections, key=lambda pair: (pair[0].block, pair[0].message)):
            placed = list(group)
            texts.append((placed[0][0], joined(texts_of(section for _, section in placed))))
        system = tuple(_block(text, blocks.get(place.block)) for place, text in texts if place.message is None)
        said = [(place, text) for place, text in texts if place.message is not None]
        messages = tuple(
            _message([(place.block, text) for place, text in group], blocks)
            for _, group in groupby(said, key=lambda pair: pair[0].message)
        )
        return Request(system, messages, tuple(wire_tool(t.name, t.description, t.input_schema) for t in tools))

    return lay_out


def _message(texts: Sequence[tuple[str, str]], blocks: Mapping[str, SentBlock]) -> dict[str, Json]:
    first = blocks.get(texts[0][0])
    return {"role": first.role if first else "user", "content": [_block(text, blocks.get(n)) for n, text in texts]}


def _block(text: str, block: SentBlock | None) -> dict[str, Json]:
    made: dict[str, Json] = {"type": "text", "text": text}
    if block is not None and block.cache is not None:
        made["cache_control"] = dict(block.cache)
    return made
