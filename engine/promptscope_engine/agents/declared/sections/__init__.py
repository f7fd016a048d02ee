"""Every section, in the order of the definition."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from promptscope_engine.agents.declared.definition import Protocol
from promptscope_engine.agents.declared.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft


def sections(materials: Materials) -> list[SectionDraft]:
    """A draft for each section, those of the system prompt first."""
    made = {table: partial(materials.sections.__getitem__, table) for table in materials.own.tables}
    found = [_placed(draft, materials.protocol) for draft in materials.own.sections(materials.conditions.scope, made)]
    ids = {draft.id for draft in found}
    found = [draft if draft.parent in ids else replace(draft, parent=None) for draft in found]
    return sorted(found, key=lambda draft: draft.place.channel == "messages")


def _placed(draft: SectionDraft, protocol: Protocol) -> SectionDraft:
    """The Responses API has the system prompt as a developer's message."""
    if protocol != "responses" or draft.place.message is not None:
        return draft
    return replace(draft, place=replace(draft.place, message=0, role="developer"))
