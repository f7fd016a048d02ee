"""The request as blocks that can be named: one for each text and tool that is sent."""

from __future__ import annotations

import json

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.request import Request

from .subjects import BlockSubject


def wire_blocks(request: Request) -> dict[BlockSubject, dict[str, Json]]:
    """Every block of a request, in the order in which they are sent; a message of plain text is one block."""
    found = {BlockSubject("system", n): block for n, block in enumerate(request.system)}
    for n, message in enumerate(request.messages):
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found |= {BlockSubject("messages", n, m): block for m, block in enumerate(parts)}
    return found | {BlockSubject("tools", n): tool for n, tool in enumerate(request.tools)}


def blocks(request: Request) -> dict[BlockSubject, str]:
    """Every block's text; what is not text, as JSON."""
    return {
        name: str(block["text"]) if "text" in block else json.dumps(block, indent=2, ensure_ascii=False)
        for name, block in wire_blocks(request).items()
    }
