"""Every section, in the order of the definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from promptscope_engine.agents.declared.definition import Protocol
from promptscope_engine.agents.declared.materials import Materials, SectionMaterial
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, label


def sections(materials: Materials) -> list[SectionDraft]:
    """A draft for each section, those of the system prompt first."""
    if own := materials.own:
        made = {table: partial(_of_tables, materials, table) for table in own.tables}
        drafts = own.sections(materials.scope, made)
    else:
        drafts = _of_tables(materials)
    found = [_placed(draft, materials.protocol) for draft in drafts]
    ids = {draft.id for draft in found}
    found = [draft if draft.parent in ids else replace(draft, parent=None) for draft in found]
    return sorted(found, key=lambda draft: draft.place.channel == "messages")


def _of_tables(materials: Materials, table: str | None = None) -> Iterator[SectionDraft]:
    return (_drafted(each, materials.gap) for each in materials.sections if table in (None, each.table))


def _drafted(section: SectionMaterial, gap: str) -> SectionDraft:
    """A section of a table; a heading stands in front of its text."""
    return SectionDraft(
        id=section.id,
        title=section.title,
        pieces=(*_heading(section), *section.pieces),
        heading=section.heading,
        when=section.when,
        place=Place(gap=gap) if section.channel == "system" else Place("messages", message=1, gap=gap),
        stability=section.stability,
        parent=section.parent,
    )


def _heading(section: SectionMaterial) -> Iterator[Piece]:
    if section.heading:
        yield label(f"{section.heading}\n" if section.pieces else section.heading)


def _placed(draft: SectionDraft, protocol: Protocol) -> SectionDraft:
    """The Responses API has the system prompt as a developer's message."""
    if protocol != "responses" or draft.place.message is not None:
        return draft
    return replace(draft, place=replace(draft.place, message=0, role="developer"))
