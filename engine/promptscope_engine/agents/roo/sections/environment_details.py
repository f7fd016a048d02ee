"""The environment details that end every user message (specs/roo-user-messages.md 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.prompt.conditions import Any
from promptscope_engine.prompt.drafts import Later, Piece, SectionDraft
from promptscope_engine.prompt.pieces import Pieces

from .custom_instructions import repeated_instructions


def environment_details(materials: Materials) -> Iterator[SectionDraft]:
    """The block of the first message."""
    return details_sections(materials.details, materials.mode.role, Later(repeated_instructions(materials)))


def details_sections(
    details: Mapping[str, object], role: Pieces, instructions: Sequence[Piece]
) -> Iterator[SectionDraft]:
    """The block's parts between its tags. `role` and `instructions` are what powerSteering repeats."""
    names = {
        "details": details,
        "role": role,
        "instructions": instructions,
        "some_instructions": lambda: Any(tuple(dict.fromkeys(piece.when for piece in instructions))),
    }
    return FOLDER.sections(Scope(names), group="environment_details")
