"""The instruction files of the user context; agent.toml has what stands around them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from promptscope_engine.agents.claude_code.answers import startup_files
from promptscope_engine.agents.claude_code.materials import InstructionFile, Materials, MemoryCut
from promptscope_engine.agents.claude_code.scope import memory_cut
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, guarded, label
from promptscope_engine.prompt.kept import KeptWith

from .places import PROMPT, reminder


def entry_pieces(file: InstructionFile, *, labelled: bool) -> Iterator[Piece]:
    """`Contents of <path> (<label>):`, a blank line, the text. Files that a read loaded have no label (3.6)."""
    yield label(f"Contents of {file.shown} ({file.label}):\n\n" if labelled else f"Contents of {file.shown}:\n\n")
    yield from file.pieces if labelled else file.lazy_pieces


def file_sections(m: Materials) -> Iterator[SectionDraft]:
    """One section per file, each with the blank line before it."""
    place = Place("user_context", PROMPT) if m.message_layout == "A" else reminder("user_context")
    for file in startup_files(m):
        if file.kind == "memory":
            yield _entry(file, place, tuple(_memory_warning(m)))
        else:
            yield _ENTRIES.get(file, place, partial(_entry, file, place))


_ENTRIES: KeptWith[InstructionFile, SectionDraft] = KeptWith()


def _entry(file: InstructionFile, place: Place, more: tuple[Piece, ...] = ()) -> SectionDraft:
    pieces = (label("\n\n"), *entry_pieces(file, labelled=True), *more)
    name = f"user_context.file:{file.shown}"
    return SectionDraft(name, file.shown, pieces, None, file.when, place, "session", "user_context")


def _memory_warning(m: Materials) -> Iterator[Piece]:
    remedy = "a longer MEMORY.md is cut"
    there = m.memory_cut is not None
    cut = Observed("file", "memory.cut", there, "MEMORY.md is too long", "MEMORY.md is sent whole", remedy=remedy)
    yield label("\n\n> WARNING: MEMORY.md is ", when=cut)
    yield from guarded(memory_cut(m, m.memory_cut or MemoryCut("", "", 0, 0)), cut)
