"""What a definition and the files that it names come to."""

from __future__ import annotations

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.model import Stability

from .definition import Channel, Protocol


@frozen
class SectionMaterial:
    """A section with its text; each file of a glob is one, whose parent is the section of the definition."""

    id: str
    title: str
    heading: str | None
    pieces: tuple[Piece, ...]
    when: Condition
    channel: Channel
    stability: Stability
    parent: str | None = None


@frozen
class ToolMaterial:
    """A tool, described in the definition or in a file."""

    name: str
    group: str
    description: tuple[Piece, ...]
    schema: Json
    when: Condition


@frozen
class Materials:
    """The sections, those of the system prompt first, and the tools. `gap` stands between two sections."""

    sections: tuple[SectionMaterial, ...]
    tools: tuple[ToolMaterial, ...]
    gap: str
    protocol: Protocol
    model: str | None
    window: int
    reserve: int
    compact_at: int | None
