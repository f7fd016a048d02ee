"""The text of `.roo/system-prompt-<mode>` (specs/roo.md 1.2)."""

from __future__ import annotations

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, label

from .part import SEPARATOR


def override(materials: Materials) -> SectionDraft:
    """The override file's text as the prompt shows it."""
    return SectionDraft(
        id="override",
        title="System prompt override",
        pieces=(*materials.override.text, label(SEPARATOR)),
        when=materials.override.condition,
    )
