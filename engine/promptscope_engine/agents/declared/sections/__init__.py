"""Every section, in the order of the definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from promptscope_engine.agents.declared.definition import Channel, Protocol
from promptscope_engine.agents.declared.materials import Materials, SectionMaterial
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, label


def sections(materials: Materials) -> Iterator[SectionDraft]:
    """A draft for each section; a heading stands in front of its text."""
    for section in materials.sections:
        yield SectionDraft(
            id=section.id,
            title=section.title,
            pieces=(*_heading(section), *section.pieces),
            heading=section.heading,
            when=section.when,
            place=place(section.channel, materials.protocol, materials.gap),
            stability=section.stability,
            parent=section.parent,
        )


def _heading(section: SectionMaterial) -> Iterator[Piece]:
    if section.heading:
        yield label(f"{section.heading}\n" if section.pieces else section.heading)


def place(channel: Channel, protocol: Protocol, gap: str) -> Place:
    """Where a channel's text goes: one block each. The Responses API has the system prompt as a developer's message."""
    if channel == "system" and protocol != "responses":
        return Place(gap=gap)
    role: Literal["developer", "user"] = "developer" if channel == "system" else "user"
    return Place(channel, message=int(channel == "messages"), role=role, gap=gap)
