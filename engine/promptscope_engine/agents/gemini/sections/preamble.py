"""Who the agent is, and in which mode (specs/gemini.md 3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.gates import INTERACTIVE
from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label

from .part import part


def preamble(m: Materials) -> SectionDraft:
    """The first lines, which have no heading."""
    pieces = _modern(m) if m.model.variant == "modern" else _legacy(m)
    return part(m, "preamble", "Preamble", None, pieces, switch="preamble")


def _modern(m: Materials) -> Iterator[Piece]:
    g = m.gates
    yield builtin("preamble.who", "You are Gemini CLI, ")
    yield builtin(
        "preamble.headless",
        "an agent that does software engineering tasks autonomously",
        when=m.gates.headless,
    )
    yield builtin(
        "preamble.interactive", "an agent that does software engineering tasks together with the user", when=INTERACTIVE
    )
    yield builtin("preamble.mode", ". The mode in force is ")
    yield label("**Default**", when=g.usual)
    yield label("**Auto-Edit**", when=g.auto_edit)
    yield label("**YOLO**", when=g.yolo)
    yield label("**Plan**", when=g.plan)
    yield builtin(
        "preamble.goal", ". Your main goal is to help the user well and efficiently, without causing any harm."
    )


def _legacy(m: Materials) -> Iterator[Piece]:
    yield builtin(
        "preamble.legacy.headless",
        "You are a CLI agent that does software engineering tasks autonomously",
        when=m.gates.headless,
    )
    yield builtin(
        "preamble.legacy.interactive",
        "You are a CLI agent for software engineering tasks that works with the user",
        when=INTERACTIVE,
    )
    yield builtin(
        "preamble.legacy.goal",
        ". Your main goal is to help users quickly and without causing harm. Follow the rules below exactly, and use the tools that you have.",
    )
