"""The blocks of a request as sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.agents.observed.gates import SENT
from promptscope_engine.agents.observed.materials import Materials, SentBlock
from promptscope_engine.agents.observed.origins import pieces
from promptscope_engine.prompt.drafts import Place, SectionDraft
from promptscope_engine.prompt.pieces import cut

from .parts import Part, parts_of

_TITLE = 48
"""Characters of a title that is made of a text's beginning."""
_SLUG = 40


def sections(materials: Materials) -> tuple[SectionDraft, ...]:
    """Each block in its parts, in the order in which they were sent."""
    return tuple(section for block in materials.blocks for section in _sections(block))


def _sections(block: SentBlock) -> Iterator[SectionDraft]:
    text, all_pieces = block.text, pieces(block.parts)
    place = Place(block=block.name, message=block.message)
    parts = parts_of(text, block.files) if block.kind in ("text", "tool_result") else [Part(0, len(text))]
    ids: list[str] = []
    used: set[str] = set()
    for part in parts:
        ids.append(_id(block.name, part, used))
        yield SectionDraft(
            id=ids[-1],
            title=_title(block, part, text),
            pieces=cut(all_pieces, part.start, part.end),
            heading=part.heading,
            when=SENT,
            place=place,
            stability="session" if block.message is None else "turn",
            parent=None if part.parent is None else ids[part.parent],
        )


def _id(name: str, part: Part, used: set[str]) -> str:
    """`system.1.harness`: the block, then the title; unique in its block."""
    shown = "/".join(part.path.split("/")[-2:]) if part.path else part.title
    slug = re.sub(r"[^\w]+", "_", shown.lower()).strip("_")[:_SLUG]
    wanted = f"{name}.{slug}" if slug else name
    found, number = wanted, 1
    while found in used:
        number += 1
        found = f"{wanted}-{number}"
    used.add(found)
    return found


def _title(block: SentBlock, part: Part, text: str) -> str:
    if part.path or part.title:
        return part.path.rpartition("/")[2] if part.path else part.title
    begins = " ".join(text[part.start : min(part.end, part.start + 4 * _TITLE)].split())
    begins = begins if len(begins) <= _TITLE else f"{begins[: _TITLE - 1]}…"
    if block.kind != "text":
        return f"{block.kind}: {begins}"
    return f"{block.role}: {begins}" if block.message is not None else begins or block.name
