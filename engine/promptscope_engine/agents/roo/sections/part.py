"""A part of the generated prompt: guarded by the absence of an override file, and owner of what follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Piece, SectionDraft, label

SEPARATOR = "\n\n"
"""What the parts are joined by (1.1). Each part owns the one behind it, so that joined parts are the prompt."""


def section(
    heading: str, *, needs_mcp: bool = False
) -> Callable[[Callable[[Materials], Iterable[Piece]]], Callable[[Materials], SectionDraft]]:
    """The section under `heading` (exact) whose pieces the decorated function yields; its id is the function's name."""

    def drafted(pieces: Callable[[Materials], Iterable[Piece]]) -> Callable[[Materials], SectionDraft]:
        def draft(materials: Materials) -> SectionDraft:
            when = materials.mcp if needs_mcp else ALWAYS
            return part(materials, pieces.__name__, heading, pieces(materials), when=when)

        return draft

    return drafted


def part(
    materials: Materials, section_id: str, heading: str, pieces: Iterable[Piece], *, when: Condition = ALWAYS
) -> SectionDraft:
    """The section under `heading` (exact), measured under its own id."""
    pieces = (*pieces, label(SEPARATOR))
    return SectionDraft(
        id=section_id,
        title=heading.lstrip("# "),
        pieces=pieces,
        heading=heading,
        when=materials.override.generated & when,
        stability="static" if all(map(_is_fixed, pieces)) else "session",
        reference=section_id,
    )


def _is_fixed(piece: Piece) -> bool:
    """Whether nothing but the agent's version decides about the piece."""
    return piece.when is ALWAYS and piece.origin.kind in ("builtin", "label")
