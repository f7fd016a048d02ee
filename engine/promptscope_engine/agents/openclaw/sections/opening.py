"""The first line, which has no heading (specs/openclaw.md 1, part 1): all there is in mode `none`."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import SectionDraft, builtin


def identity() -> SectionDraft:
    """Who the model is."""
    text = "You serve one person as an assistant within OpenClaw."
    return SectionDraft("identity", "Identity", (builtin("identity", text),), stability="static", reference="identity")
