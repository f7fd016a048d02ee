"""Sections that a client sends at another place than the model has them: known by their lines, sent there."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from promptscope_engine.insight.sent_blocks import lines_of
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned.model import Moved
from promptscope_engine.prompt.model import Channel

from .corrections import MARKED
from .lines import with_runs

_TELLING = 8
"""Characters of a line that tells where a section is."""
_ENOUGH = 0.4
"""The share of such lines that has to be there."""

Place = tuple[Channel, int, int]
"""A channel, a block of it, a line of that."""


def moved_parts(sides: Sides, not_sent: Collection[str]) -> Iterator[Moved]:
    """Those of the sections that were `not_sent` where they are predicted, and were sent elsewhere."""
    known = owners(sides)
    free: dict[str, list[Place]] = defaultdict(list)
    for channel, blocks in sides.theirs.items():
        for block in blocks:
            for at, line in enumerate(block.lines):
                if (channel, block.index, at) not in known:
                    free[line.masked].append((channel, block.index, at))
    for section in sides.assembly.sections:
        if section.present and section.id in not_sent:
            lines = lines_of(section.text, sides.unpredictable)
            telling = [line.masked for line in lines if len(line.masked) >= _TELLING]
            found = sorted(place for line in telling for place in free[line][:1])
            together = [place for place in found if place[:2] == found[0][:2]]
            enough = len(together) >= max(len(telling) * _ENOUGH, 1)
            if enough and (moved := _beside(section.id, together[0], known)):
                yield moved


def new_blocks(sides: Sides) -> Iterator[tuple[str, str]]:
    """The blocks of a request that no predicted one is the counterpart of: the part before each, and its text."""
    last: dict[Channel, str] = {}
    for our, their, mine in sides.pairs():
        if our and mine:
            last[our.channel] = mine[-1].id
        elif our is None and their and their.channel in last and MARKED not in their.text.lower():
            yield last[their.channel], their.text


def owners(sides: Sides) -> dict[Place, str]:
    """The parts of the lines that were sent as predicted."""
    found: dict[Place, str] = {}
    for their, mine, run in with_runs(sides):
        if run.equal:
            pairs = zip(run.before, run.after, strict=True)
            found.update({(their.channel, their.index, at): mine[here].id for here, at in pairs})
    return found


def _beside(part: str, place: Place, owners: Mapping[Place, str]) -> Moved | None:
    """The place by the part before it, or behind it; of a part for each file, by all of them."""
    channel, block, at = place
    known = {line: name for (c, b, line), name in owners.items() if (c, b) == (channel, block)}
    before = [line for line in known if line < at]
    near = max(before) if before else min(known, default=None)
    if near is None:
        return None
    name, colon, _ = known[near].partition(":")
    return Moved(part, f"{name}{colon}", is_before=not before)
