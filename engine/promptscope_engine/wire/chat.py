"""A request in the shape of the Chat Completions API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .request import WireBlock


class ChatRequest(Struct, frozen=True):
    """What would go over the wire, as plain JSON values; `tools` is None where the body has no such key."""

    model: str | None = None
    messages: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] | None = None
    protocol: Literal["chat"] = "chat"

    def blocks(self) -> Iterator[WireBlock]:
        """Every message in order, each one text; then the tools."""
        for number, message in enumerate(self.messages):
            role = str(message["role"])
            field: Literal["system", "messages"] = "system" if role == "system" else "messages"
            yield WireBlock(field, (number, 0), {"type": "text", "text": message["content"]}, role)
        for number, tool in enumerate(self.tools or ()):
            yield WireBlock("tools", (number,), tool)


def chat_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as it goes over the wire."""
    function = {"name": name, "description": description, "parameters": input_schema}
    return {"type": "function", "function": function}
