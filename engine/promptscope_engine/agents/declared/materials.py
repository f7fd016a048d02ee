"""What a definition and the files that it names come to."""

from __future__ import annotations

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.model import Stability

from .definition import Channel, Protocol
from .gates import Conditions
from .texts import OwnTexts, Texted


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
class ListedTool:
    """A tool of the table `number`. `path` is the file that describes it; `problem`: it is there by its name alone."""

    number: int
    name: str
    schema: Json
    description: tuple[Piece, ...] = ()
    path: str | None = None
    problem: Texted | None = None


@frozen
class Materials:
    """The sections and tools of tables, `own` those with files of their own, and what the scenario answers them."""

    own: OwnTexts
    conditions: Conditions
    sections: tuple[SectionMaterial, ...]
    tools: tuple[ListedTool, ...]
    protocol: Protocol
    model: str | None
    window: int
    reserve: int
    compact_at: int | None
