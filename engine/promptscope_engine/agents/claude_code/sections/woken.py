"""Instruction files that the imagined reads wake, after the base messages (specs/claude-code.md 3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials, Woken
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, label

from .user_context import entry_pieces

FIRST_MESSAGE = 10  # after every base message, whatever the layout


def woken_sections(m: Materials) -> Iterator[SectionDraft]:
    """A block per file. An AGENTS.md follows in a message of role `system`, after those of the user turn [R329]."""
    for number, woken in enumerate(m.woken):
        if woken.file.kind != "agents-md":
            pieces = (
                label("<system-reminder>\n"),
                *entry_pieces(woken.file, labelled=False),
                label("\n</system-reminder>"),
            )
            yield _draft(woken, pieces, Place(f"woken {number}", FIRST_MESSAGE))
    for number, woken in enumerate(m.woken):
        if woken.file.kind == "agents-md":
            pieces = tuple(entry_pieces(woken.file, labelled=False))
            yield _draft(woken, pieces, Place(f"woken {number}", FIRST_MESSAGE + 1, "system"))


def _draft(woken: Woken, pieces: tuple[Piece, ...], place: Place) -> SectionDraft:
    shown = woken.file.shown
    when = Observed("file", woken.read, True, f"woken by reading {woken.read}", "")
    return SectionDraft(f"woken:{shown}", f"Woken: {shown}", pieces, None, when, place, "turn")
