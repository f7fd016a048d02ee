"""Every section, in the order of the definition."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from promptscope_engine.prompt.drafts import SectionDraft, label

from .definition import Protocol
from .materials import Materials


def sections(materials: Materials) -> list[SectionDraft]:
    """A draft for each section, those of the system prompt first."""
    made = {table: partial(_of_table, materials, table) for table in materials.own.tables}
    found = [_placed(draft, materials.protocol) for draft in materials.own.sections(materials.conditions.scope, made)]
    ids = {draft.id for draft in found}
    found = [draft if draft.parent in ids else replace(draft, parent=None) for draft in found]
    return sorted(found, key=lambda draft: draft.place.channel == "messages")


def _of_table(materials: Materials, table: str) -> Iterator[SectionDraft]:
    """The sections of a table; a heading stands in front of their text."""
    for section in materials.sections:
        if section.table == table:
            heading = section.heading and (f"{section.heading}\n" if section.spans else section.heading)
            yield SectionDraft(
                id=section.id,
                title=section.title,
                spans=(*([label(heading)] if heading else ()), *section.spans),
                heading=section.heading,
                when=section.when,
                place=materials.own.place(section.channel),
                stability=section.stability,
                parent=section.parent,
            )


def _placed(draft: SectionDraft, protocol: Protocol) -> SectionDraft:
    """The Responses API has the system prompt as a developer's message."""
    if protocol != "responses" or draft.place.message is not None:
        return draft
    return replace(draft, place=replace(draft.place, message=0, role="developer"))
