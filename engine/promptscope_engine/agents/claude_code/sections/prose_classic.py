"""Our wording of the long system prompt: layouts A and A' (specs/claude-code.md 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.draft import Piece, builtin, computed, label

from ..materials import Materials
from .shared_facts import machine_facts

SUBHEADINGS = (
    "## Types of memory",
    "## What NOT to save in memory",
    "## How to save memories",
    "## When to access memories",
    "## Before recommending from memory",
    "## Memory and other forms of persistence",
)


def intro(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("intro.text", "\nYou help the user with software engineering tasks.")


def system(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# System\n")
    yield builtin("system.text", " - What you write outside of tools is shown to the user.")


def doing_tasks(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Doing tasks\n")
    yield builtin("doing_tasks.text", " - Read code before you change it.")


def executing_actions(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Executing actions with care\n\n")
    yield builtin("executing_actions.text", "Ask before you do what cannot be undone.")


def using_tools(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Using your tools\n")
    yield builtin("using_tools.text", " - Prefer the dedicated tools.")


def tone_and_style(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Tone and style\n")
    yield builtin("tone_and_style.text", " - Be brief.")


def text_output(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Text output (does not apply to tool calls)\n\n")
    yield builtin("text_output.text", "Say what you are about to do in a sentence.")


def session_guidance(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Session-specific guidance\n")
    yield builtin("session_guidance.text", " - Hand broad searches to an agent.")


def memory_instructions(m: Materials) -> Iterator[Piece]:
    yield label("# auto memory\n\n")
    yield builtin("memory_instructions.intro", "Your memories are files below `")
    yield computed("memory.folder", m.memory_folder + "/")
    yield builtin("memory_instructions.folder_end", "`.")
    for heading in SUBHEADINGS:
        yield label(f"\n\n{heading}\n\n")
        yield builtin("memory_instructions.text", "Keep what will help in later sessions.")


def environment(m: Materials) -> Iterator[Piece]:
    yield label("# Environment\n")
    if m.layout == "A":
        yield builtin("environment.intro", "This is where you were started:\n")
        yield from machine_facts(m)
        yield label("\n")
    yield builtin("environment.model", " - The model is ")
    yield computed("model.id", m.model.id)


def tool_results_note(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("tool_results_note.text", "Note down what you need from tool results.")


def context_management(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield label("# Context management\n")
    yield builtin("context_management.text", "Long conversations are summarised.")


def closing(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield builtin("closing.text", "Finish what was asked.")
