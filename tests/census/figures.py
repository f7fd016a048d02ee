"""What the census says of an agent in numbers: for its document, and for the README."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from .knobs import knobs_of
from .known import excuse, pending
from .store import rows
from .worlds import version_of

FIRST_LOOK = Path(__file__).parent / "first-look.json"
"""{agent: {"date", "kinds": {kind: [knobs that change the request, of these predicted]}}}: as it was before anything
that the census showed was mended."""


@dataclass(frozen=True)
class Kind:
    """The knobs of one kind: all that are known, those asked, those that change the request or stop the client, and
    how many of these are predicted, now and at first look."""

    name: str
    known: int
    asked: int
    change: int
    right: int
    first: int | None


@dataclass(frozen=True)
class Figures:
    """An agent's figures, kind by kind; `date` is that of the first look."""

    version: str
    date: str
    kinds: tuple[Kind, ...]

    @property
    def total(self) -> Kind:
        """All kinds together."""
        first = [kind.first for kind in self.kinds if kind.first is not None]
        sums = [sum(getattr(kind, key) for kind in self.kinds) for key in ("known", "asked", "change", "right")]
        return Kind("all", *sums, sum(first) if first else None)


def figures(agent: str) -> Figures | None:
    """The figures of what is stored; None of an agent that was not asked."""
    single = [row for row in rows(agent) if len(row.turns) == 1 and not excuse(agent, row.key)]
    if not single:
        return None
    wrong = pending(agent)
    known = Counter(kind for kind, *_ in {knob.names for knob in knobs_of(agent)})
    asked: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    change: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    missed: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for row in single:
        names = row.turns[0].knob.names
        kind = names[0]
        asked[kind].add(names)
        if row.matters or row.key in wrong:
            change[kind].add(names)
        if row.key in wrong:
            missed[kind].add(names)
    look = json.loads(FIRST_LOOK.read_text()).get(agent, {})
    first = look.get("kinds", {})
    kinds = [
        Kind(
            kind,
            known[kind],
            len(asked[kind]),
            len(change[kind]),
            len(change[kind] - missed[kind]),
            first[kind][1] if kind in first else None,
        )
        for kind in sorted(asked)
    ]
    return Figures(version_of(agent), look.get("date", ""), tuple(kinds))
