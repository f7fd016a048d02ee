"""The shape of a tool's text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Piece, computed, label


@dataclass(frozen=True, slots=True)
class ToolText:
    """A tool's description, as pieces, and its JSON schema as it goes over the wire."""

    description: Callable[[Materials], Iterable[Piece]]
    input_schema: Json


def agent_listing(m: Materials) -> Iterator[Piece]:
    """The lines `- <name>: <description> (Tools: …)` of every agent, a line break before each (2.3)."""
    for agent in m.agents:
        yield label("\n- ")
        yield computed("agent.name", agent.name)
        yield label(": ")
        yield from agent.pieces
        yield label(f" (Tools: {agent.tools})")
