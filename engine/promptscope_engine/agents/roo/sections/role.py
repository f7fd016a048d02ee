"""The role definition, the only part without a heading (specs/roo.md 1.1)."""

from __future__ import annotations

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, label

from .part import SEPARATOR


def role(materials: Materials) -> SectionDraft:
    """The role of the mode in force; an override file does not replace it (1.2)."""
    return SectionDraft(
        id="role", title="Role definition", pieces=(*materials.mode.role, label(SEPARATOR)), reference="role"
    )
