"""How a part is made: its heading, its lines, its condition.

The agent joins all lines with a line break and drops the empty ones (specs/openclaw.md 0.1), so there is no blank
line between parts: every part but the first begins with a line break.
"""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, SectionDraft, label
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Stability

FULL: Condition = mode_is("full")
ANY_MODE: Condition = mode_is("full", "minimal")
"""Everything but `none`, which is the identity line alone."""


def part(
    section_id: str,
    heading: str,
    lines: Iterable[Piece],
    when: Condition = ANY_MODE,
    *,
    stability: Stability = "session",
    reference: str | None = None,
    parent: str | None = None,
) -> SectionDraft:
    """A part under its heading; its measured size has the heading as key, unless it has variants."""
    return SectionDraft(
        section_id,
        heading.lstrip("# "),
        (label(f"\n{heading}"), *lines),
        heading=heading,
        when=when,
        stability=stability,
        parent=parent,
        reference=reference or heading,
    )
