"""The role definition, the only part without a heading (specs/roo.md 1.1)."""

from __future__ import annotations

from ....draft import SectionDraft, label
from ..materials import Materials
from .part import SEPARATOR


def role(materials: Materials) -> SectionDraft:
    """The role of the mode in force; an override file does not replace it (1.2)."""
    return SectionDraft(
        id="role",
        title="Role definition",
        pieces=(*materials.mode.role, label(SEPARATOR)),
        reference="role",
    )
