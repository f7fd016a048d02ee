"""The role definition, the only part without a heading (specs/roo.md 1.1), and what overrides all but it (1.2)."""

from __future__ import annotations

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, label

from .part import SEPARATOR


def role(materials: Materials) -> SectionDraft:
    """The role of the mode in force; an override file does not replace it (1.2)."""
    return SectionDraft(
        id="role", title="Role definition", pieces=(*materials.mode.role, label(SEPARATOR)), reference="role"
    )


def override(materials: Materials) -> SectionDraft:
    """The override file's text as the prompt shows it."""
    return SectionDraft(
        id="override",
        title="System prompt override",
        pieces=(*materials.override.text, label(SEPARATOR)),
        when=materials.override.condition,
    )
