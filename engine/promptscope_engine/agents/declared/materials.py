"""What a definition and the files that it names come to."""

from __future__ import annotations

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.model import Stability

from .definition import Channel, Protocol
from .texts import OwnTexts


@frozen
class SectionMaterial:
    """A section of a table with its text; each file of a glob is one, whose parent is that of the table."""

    table: str
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
    """A tool of a table, described in the definition or in a file."""

    name: str
    group: str
    description: tuple[Piece, ...]
    schema: Json
    when: Condition


@frozen
class Materials:
    """The sections and tools of tables, `own` those with files of their own, and what the scenario answers them. `gap`
    stands between two sections."""

    own: OwnTexts | None
    scope: Scope
    sections: tuple[SectionMaterial, ...]
    tools: tuple[ToolMaterial, ...]
    gap: str
    protocol: Protocol
    model: str | None
    window: int
    reserve: int
    compact_at: int | None
