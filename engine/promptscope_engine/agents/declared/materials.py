"""What a definition and the files that it names come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import Piece, SectionDraft

from .definition import Protocol
from .gates import Conditions
from .texts import OwnTexts, Texted


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
    sections: Mapping[str, Sequence[SectionDraft]]
    """Those of each table, by its id."""
    tools: tuple[ListedTool, ...]
    protocol: Protocol
    model: str | None
    window: int
    reserve: int
    compact_at: int | None
