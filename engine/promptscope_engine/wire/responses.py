"""A request in the shape of the Responses API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .request import WireBlock

TOOL_CARRIER = "additional_tools"
"""The type of an input item that carries the tools in place of the body's key."""


class ResponsesRequest(Struct, frozen=True):
    """What would go over the wire, as plain JSON values; None where the body has no such key."""

    model: str | None = None
    instructions: str | None = None
    input: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] | None = None
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None
    reasoning: dict[str, Json] | None = None
    text: dict[str, Json] | None = None
    store: bool | None = None
    stream: bool | None = None
    include: tuple[str, ...] | None = None
    service_tier: str | None = None
    protocol: Literal["responses"] = "responses"

    def blocks(self) -> Iterator[WireBlock]:
        """Every part of the input in order, what developers say as `system`; then the tools, wherever they travel."""
        carried: list[dict[str, Json]] = []
        for number, item in enumerate(self.input):
            role = str(item.get("role") or "")
            if item["type"] == TOOL_CARRIER:
                carried += item["tools"]
            for part, block in enumerate(item.get("content") or ()):
                yield WireBlock("system" if role == "developer" else "messages", (number, part), block, role)
        for number, tool in enumerate(self.tools or carried):
            yield WireBlock("tools", (number,), tool)
