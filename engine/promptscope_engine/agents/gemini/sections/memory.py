"""What is remembered: the global memory, and the private memory of the project (specs/gemini.md 3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.gemini.materials import ContextFile, Materials
from promptscope_engine.agents.gemini.scope import text
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Choice, Piece, Place, SectionDraft, computed, label

from .collapsed import collapsed
from .part import SYSTEM

DEFAULT_NAME = "GEMINI.md"
HEADING = "# Contextual Instructions"

_INDEX = "--- Private Project Memory Index (private, not committed to repo) ---\n"
_INDEX_END = "\n--- End Private Project Memory Index ---"


def memory(m: Materials) -> SectionDraft:
    """Global and private memory. With a private one that is not blank, heading and prose are absent."""
    files = (*m.placed("global"), *m.placed("private"))
    there = Observed(
        "file",
        "memory",
        bool(files),
        "there is a global or a private memory",
        "there is neither a global nor a private memory",
        remedy=f"write something into {m.global_memory} or {m.private_memory}",
    )
    private = _private(m)
    # The older prompt names the default whatever names are set (3.2).
    names = m.names if m.model.variant == "modern" else (DEFAULT_NAME,)
    heading = f"{HEADING} ({', '.join(names)})"
    pieces = collapsed(_private_form(m) if m.placed("private") else _global_form(m, heading))
    return SectionDraft(
        "memory",
        "Memory",
        pieces,
        Choice(((private, "---"),), heading),
        there,
        Place("system", gap=SYSTEM.gap),
        "session",
    )


def _private(m: Materials) -> Condition:
    remedy = f"write something into {m.private_memory}"
    there = bool(m.placed("private"))
    return Observed("file", m.private_memory, there, "there is a private memory", "there is none", remedy=remedy)


def _global_form(m: Materials, heading: str) -> Iterator[Piece]:
    yield label(f"{heading}\n")
    yield from text(m, "memory")
    yield label("\n\n<loaded_context>\n")
    yield from entries(m.placed("global"))
    yield label("\n</loaded_context>")


def _private_form(m: Materials) -> Iterator[Piece]:
    yield label("---\n\n<loaded_context>\n")
    if files := m.placed("global"):
        yield label("<global_context>\n")
        yield from entries(files)
        yield label("\n</global_context>\n")
    yield label(f"<user_project_memory>\n{_INDEX}")
    yield from entries(m.placed("private"))
    yield label(f"{_INDEX_END}\n</user_project_memory>\n</loaded_context>")


def entries(files: Sequence[ContextFile]) -> Iterator[Piece]:
    """The files one behind the other, each between the lines that name it (5.3)."""
    for number, file in enumerate(files):
        yield label(("\n\n" if number else "") + "--- Context from: ")
        yield computed("path", file.path)
        yield label(" ---\n")
        yield from file.pieces
        yield label("\n--- End of Context from: ")
        yield computed("path", file.path)
        yield label(" ---")
