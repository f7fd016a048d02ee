"""What can be copied of a request: the system prompt alone, or all of it as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from msgspec import Struct

from promptscope_engine.prompt.model import Assembly, to_json
from promptscope_tui.text.words import number

from .request import blocks, roles, wire_blocks
from .subjects import BlockSubject
from .under_cursor import CopyText


class Copying(Struct, frozen=True):
    """A way to copy: what it takes in words, and how it is made."""

    detail: str
    make: Callable[[Assembly], CopyText]


def system_prompt(assembly: Assembly) -> CopyText:
    """The system prompt, and how much of the request it is."""
    tokens = assembly.tokens
    part = f"the system prompt ({number(tokens.by_channel.get('system'))} of {number(tokens.total)} tok)"
    return CopyText(part, assembly.system_text)


def request_text(assembly: Assembly) -> CopyText:
    """The whole request as text: each block under a line that says what it is."""
    said_by, wire = roles(assembly.request), wire_blocks(assembly.request)
    parts = []
    for block, text in blocks(assembly.request).items():
        ending = "" if text.endswith("\n") else "\n"
        parts.append(f"=== {_name(block, said_by[block], wire[block])} ===\n{text}{ending}")
    return CopyText(f"the whole request ({number(assembly.tokens.total)} tok) as text", "\n".join(parts))


def request_json(assembly: Assembly) -> CopyText:
    """The whole request as JSON, as it is sent but for line breaks."""
    body = to_json(assembly.request)
    assert isinstance(body, dict)
    fields = {name: value for name, value in body.items() if name != "protocol"}
    text = json.dumps(fields, indent=2, ensure_ascii=False) + "\n"
    return CopyText(f"the whole request ({number(assembly.tokens.total)} tok) as JSON", text)


COPIES: Mapping[str, Copying] = {
    "System prompt": Copying("what the agent says first", system_prompt),
    "Whole request as text": Copying("system, messages and tools", request_text),
    "Whole request as JSON": Copying("system, messages and tools", request_json),
}
"""What is offered, by its name."""


def _name(block: BlockSubject, role: str, wire: Mapping[str, object]) -> str:
    if block.field == "tools":
        return f"tool {wire.get('name', wire.get('type', ''))}"
    part = f", part {block.part + 1}" if block.part else ""
    return f"{'system' if block.field == 'system' else 'message'} {block.number + 1}{part}{f', {role}' if role else ''}"
