"""Pairs of turns that change something: does promptscope know how they act together?"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from allpairspy import AllPairs

from .knobs import Turn
from .store import Row

_SUBSYSTEMS = {
    "servers": ("mcp", "server", "TOOL_SEARCH", "plugin"),
    "skills": ("skill", "command", "SLASH", "bundled"),
    "instructions": ("CLAUDE", "AGENTS", "GEMINI", "instruction", "project_doc", "context", "rule", "Md"),
    "permissions": ("permission", "sandbox", "approval", "tools", "Tools", "deny", "allow"),
    "memory": ("memor", "Memor"),
    "models": ("model", "effort", "MODEL", "agent"),
}
"""Words in a knob's kind, place or name by which it belongs to a subsystem; the rest are `other`."""


def subsystem(turn: Turn) -> str:
    """What a turn acts on."""
    words = " ".join(turn.knob.names)
    return next((name for name, parts in _SUBSYSTEMS.items() if any(part in words for part in parts)), "other")


def pairs(rows: Iterable[Row], seed: int) -> Iterator[tuple[Turn, ...]]:
    """Two turns of the base world each: every two knobs of a subsystem, with a value of each that changes something;
    and rows of a covering array across the subsystems, one knob of each."""
    changing: dict[str, list[Turn]] = {}
    for row in rows:
        is_gallery = row.turns[0].knob.turned_as == "files"
        if len(row.turns) == 1 and row.world == "base" and row.change and not is_gallery:
            changing.setdefault(str(row.turns[0].knob.names), []).append(row.turns[0])
    chance = random.Random(seed)
    chosen = [chance.choice(turns) for _, turns in sorted(changing.items())]
    by_subsystem: dict[str, list[Turn]] = defaultdict(list)
    for turn in chosen:
        by_subsystem[subsystem(turn)].append(turn)
    for turns in by_subsystem.values():
        for one, other in combinations(turns, 2):
            if one.spot != other.spot:
                yield one, other
    across = [[None, *turns] for turns in by_subsystem.values()]
    if len(across) > 1:
        for row in AllPairs(across):
            together = tuple(turn for turn in row if turn is not None)
            if len(together) > 1 and len({turn.spot for turn in together}) == len(together):
                yield together
