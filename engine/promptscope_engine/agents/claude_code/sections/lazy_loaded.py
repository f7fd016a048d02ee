"""Instruction files that the simulated reads load, after the base messages (specs/claude-code.md 3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import LazyLoaded, Materials
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, label

from .places import LAZY, LAZY_AGENTS
from .user_context import entry_pieces


def lazy_sections(m: Materials) -> Iterator[SectionDraft]:
    """A block per file. An AGENTS.md follows in a message of role `system`, after those of the user turn [R329]."""
    for number, loaded in enumerate(m.lazy):
        if loaded.file.kind != "agents-md":
            pieces = (
                label("<system-reminder>\n"),
                *entry_pieces(loaded.file, labelled=False),
                label("\n</system-reminder>"),
            )
            yield _draft(loaded, pieces, Place(f"lazy {number}", LAZY))
    for number, loaded in enumerate(m.lazy):
        if loaded.file.kind == "agents-md":
            pieces = tuple(entry_pieces(loaded.file, labelled=False))
            yield _draft(loaded, pieces, Place(f"lazy {number}", LAZY_AGENTS, "system"))


def _draft(loaded: LazyLoaded, pieces: tuple[Piece, ...], place: Place) -> SectionDraft:
    shown = loaded.file.shown
    when = Observed("file", loaded.read, True, f"loaded by reading {loaded.read}", "")
    return SectionDraft(f"woken:{shown}", f"Loaded on a read: {shown}", pieces, None, when, place, "turn")
