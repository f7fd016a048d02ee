"""Our wording of the short system prompt: layout B (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.draft import Piece, builtin, computed, label

from ..materials import Materials


def intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("intro.text", "\nYou help the user with software engineering tasks.")


def harness(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Harness\n")
    yield builtin("harness.text", " - What you write outside of tools is shown to the user.")


def notes(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("notes.text", "Read code before you change it.")


def session_guidance(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Session-specific guidance\n")
    yield builtin("session_guidance.text", " - Hand broad searches to an agent.")


def memory_instructions(m: Materials) -> Iterator[Piece]:
    yield label("# Memory\n\n")
    yield builtin("memory_instructions.intro", "Your memories are files below `")
    yield computed("memory.folder", m.memory_folder + "/")
    yield builtin("memory_instructions.folder_end", "`.")


def environment(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Environment\n")
    yield builtin("environment.models", " - Newer models exist in the same family.")


def context_management(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Context management\n")
    yield builtin("context_management.text", "Long conversations are summarised.")


def closing(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("closing.text", "Finish what was asked.")
