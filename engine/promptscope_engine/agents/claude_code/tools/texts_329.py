"""Our wording of the tools of 2.1.329, with their schemas (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.draft import Piece, builtin

from ..materials import Materials
from .selection import NAMES_329
from .text import ToolText, agent_listing


def _short(name: str) -> ToolText:
    def describe(m: Materials) -> Iterator[Piece]:
        yield builtin(f"tools.{name}.text", f"The tool {name}.")
        if name == "Agent" and m.layout == "A":
            yield builtin("tools.Agent.listing", "\n\nThe agents:")
            yield from agent_listing(m)

    return ToolText(describe, {"type": "object", "properties": {}})


TEXTS: dict[str, ToolText] = {name: _short(name) for name in NAMES_329}
