"""Sections and tools to the wire, in the shape that the definition asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from promptscope_engine.agents.kit.anthropic import messages, system_text
from promptscope_engine.prompt.drafts import Layout, Place
from promptscope_engine.prompt.model import Section, Tool, texts_of
from promptscope_engine.wire.chat import ChatRequest
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import Request
from promptscope_engine.wire.responses import ResponsesRequest
from promptscope_engine.wire.shapes import AnyRequest

from .materials import Materials
from .tools import SHAPES

Placed = Sequence[tuple[Place, Section]]


def layout(materials: Materials) -> Layout:
    """The layout of the protocol."""
    shape = SHAPES[materials.protocol]

    def lay_out(sections: Placed, tools: Sequence[Tool]) -> AnyRequest:
        sent = tuple(shape(tool.name, tool.description, tool.input_schema) for tool in tools)
        match materials.protocol:
            case "chat":
                said = tuple({"role": role, "content": text} for role, text in _said(sections))
                return ChatRequest(materials.model, said, sent or None)
            case "responses":
                texts = ((role, [{"type": "input_text", "text": text}]) for role, text in _said(sections))
                items = tuple({"type": "message", "role": role, "content": content} for role, content in texts)
                return ResponsesRequest(materials.model, input=items, tools=sent or None)
        system = system_text(sections) if any(place.message is None for place, _ in sections) else ()
        return Request(system, tuple(messages(sections)), sent)

    return lay_out


def _said(sections: Placed) -> Iterator[tuple[str, str]]:
    """Each message as one text."""
    for (_, message, role), group in groupby(sections, key=lambda pair: (pair[0].block, pair[0].message, pair[0].role)):
        yield "system" if message is None else role, joined(texts_of(section for _, section in group))
