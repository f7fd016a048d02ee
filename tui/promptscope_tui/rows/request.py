"""The request as blocks that can be named: one for each text and tool that is sent."""

from __future__ import annotations

import json

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.shapes import AnyRequest

from .subjects import BlockSubject


def wire_blocks(request: AnyRequest) -> dict[BlockSubject, dict[str, Json]]:
    """Every block of a request, in the order in which they are sent."""
    return {BlockSubject(block.field, *block.at): block.value for block in request.blocks()}


def roles(request: AnyRequest) -> dict[BlockSubject, str]:
    """Who says each block, "" where the field alone tells it."""
    return {BlockSubject(block.field, *block.at): block.role for block in request.blocks()}


def blocks(request: AnyRequest) -> dict[BlockSubject, str]:
    """Every block's text; what is not text, as JSON."""
    return {
        name: str(block["text"]) if "text" in block else json.dumps(block, indent=2, ensure_ascii=False)
        for name, block in wire_blocks(request).items()
    }
