"""How a part is made: its heading, its lines, its condition.

The agent joins all lines with a line break and drops the empty ones (specs/openclaw.md 0.1), so there is no blank
line between parts: every part but the first begins with a line break.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain

from promptscope_engine.agents.openclaw.gates import ANY_MODE
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Choice, Later, Piece, SectionDraft, label
from promptscope_engine.prompt.model import Stability

Words = str | Choice[str]


def part(
    section_id: str,
    heading: Words,
    lines: Iterable[Piece],
    when: Condition = ANY_MODE,
    *,
    stability: Stability = "session",
    reference: Words | None = None,
    parent: str | None = None,
) -> SectionDraft:
    """A part under its heading; its measured size has the heading as key, unless it has variants."""
    return SectionDraft(
        section_id,
        _title(heading),
        Later(chain(_heading(heading), lines)),
        heading=heading,
        when=when,
        stability=stability,
        parent=parent,
        reference=reference or heading,
    )


def _title(heading: Words) -> Words:
    if isinstance(heading, str):
        return heading.lstrip("# ")
    options = tuple((when, value.lstrip("# ")) for when, value in heading.options)
    return Choice(options, heading.otherwise.lstrip("# "))


def _heading(heading: Words) -> Iterator[Piece]:
    """The heading's line; of a choice the one that counts."""
    if isinstance(heading, str):
        yield label(f"\n{heading}")
        return
    ((when, value),) = heading.options  # no heading here has more than two forms
    yield label(f"\n{value}", when=when)
    yield label(f"\n{heading.otherwise}", when=~when)


def literal(text: str) -> str:
    """A path as it may stand in a prompt (1, "Display workspace dir"): without control and format characters and
    line separators; what they held apart joins up."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") and c not in "\u2028\u2029")
