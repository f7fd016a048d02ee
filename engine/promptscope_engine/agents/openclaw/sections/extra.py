"""Extra context of the session (specs/openclaw.md 1, part 20)."""

from __future__ import annotations

from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, label
from promptscope_engine.prompt.leaves import given

from .part import ANY_MODE, part


def extra_context(materials: Materials) -> SectionDraft:
    """One slot with two names: only in mode minimal, and exactly there, it is the sub-agent's."""
    heading = "## Subagent Context" if materials.facts.mode == "minimal" else "## Group Chat Context"
    when = ANY_MODE & given(
        "promptParams.extraSystemPrompt", yes="extra context is passed", no="no extra context is passed"
    )
    pieces = (label("\n"), *materials.prompt.pieces("extraSystemPrompt"))
    return part("extra_context", heading, pieces, when, stability="turn")
