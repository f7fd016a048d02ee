"""The base instructions: the first developer message (specs/codex.md 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.agents.codex.texts import FOLDER, base_parts
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label

PERSONALITY = "personality"


def base_sections(m: Materials) -> Iterator[SectionDraft]:
    """The user's own text, or the model's own, a section for each of its headings."""
    place = FOLDER.place("base")
    yield SectionDraft("base", "Base instructions of your own", m.base, when=m.gates["own_base"], place=place)
    above = ""
    for part, text in base_parts(m.model.base):
        heading, _, rest = text.partition("\n") if text.startswith("#") else (None, "", text)
        top = heading is not None and heading.startswith("# ")
        above = part if top else above
        when: Condition = ~m.gates["own_base"]
        # `personality = "none"` takes the section with its subsections; models that are not known keep theirs (3.1).
        if above == PERSONALITY and m.model.known:
            when = when & m.gates["personality"]
        pieces: tuple[Piece, ...] = (builtin(f"base.{part}", rest),)
        if heading is not None:
            pieces = (label(f"{heading}\n"), *pieces)
        yield SectionDraft(
            id=f"base.{part}",
            title=(heading or "Introduction").lstrip("# "),
            pieces=pieces,
            heading=heading,
            when=when,
            place=place,
            stability="static",
            parent=None if top or heading is None or above in ("", part) else f"base.{above}",
            reference=f"base.{m.model.base}.{part}",
        )
