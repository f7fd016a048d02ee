"""The request as blocks that can be named: one for each text and tool that is sent."""

from __future__ import annotations

import json

from promptscope_engine.wire.request import Request

from .subjects import BlockSubject


def blocks(request: Request) -> dict[BlockSubject, str]:
    """Every block of a request with its text, in the order in which they are sent."""
    found = {BlockSubject("system", n): str(block.get("text", "")) for n, block in enumerate(request.system)}
    for n, message in enumerate(request.messages):
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for m, block in enumerate(parts):
            text = block["text"] if "text" in block else json.dumps(block, indent=2, ensure_ascii=False)
            found[BlockSubject("messages", n, m)] = str(text)
    for n, tool in enumerate(request.tools):
        found[BlockSubject("tools", n)] = json.dumps(tool, indent=2, ensure_ascii=False)
    return found
