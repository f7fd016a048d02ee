"""A part of the system text: joined to its neighbours by a blank line, and guarded by what can leave it out."""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Choice, Later, Piece, Place, SectionDraft

SYSTEM = Place("system", gap="\n\n")


def part(
    m: Materials,
    section_id: str,
    title: str,
    heading: str | Choice[str] | None,
    pieces: Iterable[Piece],
    when: Condition = ALWAYS,
    *,
    switch: str | None = None,
) -> SectionDraft:
    """A section of the built-in prompt. `switch`: the name of its variable in `Gates.switches`."""
    gate = m.gates.built_in & when
    if switch is not None:
        gate = gate & m.gates.switches[switch]
    return SectionDraft(section_id, title, Later(pieces), heading, gate, SYSTEM, "session", reference=section_id)
