"""What is remembered: the global memory, and the private memory of the project (specs/gemini.md 3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.gemini.materials import ContextFile, Materials
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, computed, label

DEFAULT_NAME = "GEMINI.md"


def remembered(m: Materials) -> dict[str, object]:
    """What the text of the memory may name. With a private one that is not blank, heading and prose are absent."""
    of_user, private = m.placed("global"), m.placed("private")
    there = Observed(
        "file",
        "memory",
        bool(of_user or private),
        "there is a global or a private memory",
        "there is neither a global nor a private memory",
        remedy=f"write something into {m.global_memory} or {m.private_memory}",
    )
    remedy = f"write something into {m.private_memory}"
    is_private = Observed(
        "file", m.private_memory, bool(private), "there is a private memory", "there is none", remedy=remedy
    )
    # The older prompt names the default whatever names are set (3.2).
    names = ", ".join(m.names if m.model.variant == "modern" else (DEFAULT_NAME,))
    return {
        "remembered": there,
        "private": is_private,
        "memory.names": label(names),
        "memory.heading": label(f"# Contextual Instructions ({names})\n"),
        "memory.is_private": bool(private),
        "memory.is_global": bool(of_user),
        "memory.global": tuple(entries(of_user)),
        "memory.private": tuple(entries(private)),
    }


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
