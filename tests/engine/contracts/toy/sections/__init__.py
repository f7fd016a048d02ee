"""Every section, in the order of the prompt."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import Place, SectionDraft, builtin, file_text, label
from promptscope_engine.prompt.leaves import flag
from toy.materials import Materials

SYSTEM = Place(gap="\n\n")


def sections(materials: Materials) -> tuple[SectionDraft, ...]:
    """The role, then the notes."""
    role = (builtin("role", "You are a toy."), builtin("role.manners", " Say please.", when=flag("polite")))
    notes = (label("# Notes\n"), file_text(materials.path, materials.notes, 1))
    return (
        SectionDraft("role", "Role", role, place=SYSTEM, stability="static"),
        SectionDraft("notes", "Notes", notes, "# Notes", materials.noted, SYSTEM),
    )
