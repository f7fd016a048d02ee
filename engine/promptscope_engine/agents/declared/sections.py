"""The sections of a definition: those of its tables and those with files of their own."""

from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.folder import Made
from promptscope_engine.prompt.drafts import SectionDraft

from .definition import Protocol
from .materials import Materials


def section_drafts(materials: Materials) -> tuple[SectionDraft, ...]:
    """A draft for each section, the absent ones too, those of the system prompt first."""
    made: Made = {table: partial(list, materials.tables.drafts.get(table, [])) for table in materials.own.tables}
    drafts = materials.own.sections(materials.conditions.scope, made)
    found = [_placed(draft, materials.protocol) for draft in drafts]
    ids = {draft.id for draft in found}
    found = [draft if draft.parent in ids else replace(draft, parent=None) for draft in found]
    return tuple(sorted(found, key=lambda draft: draft.place.channel == "messages"))


def _placed(draft: SectionDraft, protocol: Protocol) -> SectionDraft:
    """The Responses API has the system prompt as a developer's message."""
    if protocol != "responses" or draft.place.message is not None:
        return draft
    return replace(draft, place=replace(draft.place, message=0, role="developer"))
