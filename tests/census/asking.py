"""Asks a real client about turns, and writes its answers into a store.

Turns that promptscope expects to change nothing go into runs of several; a run in which something changes after all is
halved until each turn in it is alone. An answer in which something changes is asked for twice, unless promptscope
predicts it; lines that differ from run to run of the base world say nothing.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from tests.oracle.namespace import enter_namespace
from tests.oracle.situation import Json

from .changes import Seen, change, differences, prompt_part
from .comparing import together
from .knobs import Turn
from .running import Answer, asked, predicted
from .store import Row, append, rows
from .worlds import Start, turned

_BATCH = 24

_BASES = 3
"""Runs of a base world: what differs between them differs by itself."""


@dataclass
class Plan:
    """What is asked: `size` turns to a run at most, for `minutes`, in an order that `seed` decides."""

    agent: str
    store: Path
    suffix: str = ""
    size: int = 8
    minutes: float = 60.0
    seed: int = 0
    jobs: int = 2
    say: Callable[[str], None] = field(default=sys.stderr.write)


@dataclass(frozen=True)
class _Base:
    real: Seen
    ours: Seen
    volatile: frozenset[str]


def ask(plan: Plan, sets: Sequence[tuple[str, tuple[Turn, ...]]]) -> int:
    """Ask about each set of turns, `(world, turns)`, that the store lacks; how many answers were written."""
    enter_namespace()
    done = {row.key for row in rows(plan.agent, plan.store)}
    wanted = [Row(plan.agent, turns, world, None) for world, turns in sets]
    wanted = [row for row in wanted if row.key not in done]
    random.Random(plan.seed).shuffle(wanted)
    plan.say(f"{len(wanted)} to ask\n")
    end = time.monotonic() + plan.minutes * 60
    written = 0
    for row in wanted:
        _base(plan.agent, row.world)  # once, before the processes part
    with multiprocessing.get_context("fork").Pool(plan.jobs) as pool:
        jobs = [(batch, plan.size, end) for batch in _batches(wanted)]
        for found in pool.imap_unordered(_answered, jobs, chunksize=1):
            append(plan.agent, found, plan.store, plan.suffix)
            written += len(found)
            for row in found:
                if row.matters:
                    plan.say(f"{' + '.join(turn.key for turn in row.turns)[:150]}: {str(row.change)[:200]}\n")
    plan.say(f"{written} written, {len(wanted) - written} left\n")
    return written


def _batches(wanted: Sequence[Row]) -> list[list[Row]]:
    """Rows of one world each, as many as one process works through before it says what it found."""
    found: list[list[Row]] = []
    for world in dict.fromkeys(row.world for row in wanted):
        same = [row for row in wanted if row.world == world]
        found += [same[at : at + _BATCH] for at in range(0, len(same), _BATCH)]
    return found


def _answered(job: tuple[list[Row], int, float]) -> list[Row]:
    """The batch's rows with the client's answers; without those that it hangs at or answers anew each time."""
    batch, size, end = job
    base = _base(batch[0].agent, batch[0].world)
    several = [row for row in batch if len(row.turns) > 1]
    tried = together([row for row in batch if row not in several], size)
    calm = [row for group in tried for row in _unexpected(base, group)]
    groups = [[row] for row in batch if row not in calm] + together(calm, size)
    return [row for group in groups for row in _asked(base, group, end)]


def _unexpected(base: _Base, group: list[Row]) -> list[Row]:
    """Those of which promptscope expects no change. It decides what is run together, not what is written."""
    answer = predicted(turned(group[0].agent, group[0].world, [turn for row in group for turn in row.turns]))
    if answer.seen is not None and not prompt_part(change(base.ours, answer.seen)):
        return group
    half = len(group) // 2
    return [*_unexpected(base, group[:half]), *_unexpected(base, group[half:])] if half else []


def _asked(base: _Base, group: list[Row], end: float) -> list[Row]:
    """The rows of a run."""
    return _parted(base, group, _together(base, group, end), end)


class _Later:
    """No answer: the time is over, or the client hangs."""


def _together(base: _Base, group: list[Row], end: float) -> Json | _Later | None:
    """What the turns of all rows change together."""
    if time.monotonic() > end:
        return _Later()
    answer = asked(_start(group))
    return _Later() if answer.hung else _change(base, answer)


def _start(group: list[Row]) -> Start:
    return turned(group[0].agent, group[0].world, [turn for row in group for turn in row.turns])


def _parted(base: _Base, group: list[Row], said: Json | _Later | None, end: float) -> list[Row]:
    """The rows of a group of which is known what they change together. What one half does not change, or all of it,
    tells what the other one does."""
    if isinstance(said, dict) and not prompt_part(said):
        return [replace(row, change={} if len(group) > 1 else said) for row in group]
    if len(group) == 1:
        return [] if isinstance(said, _Later) else _alone(base, group[0], said)
    half = len(group) // 2
    halves = group[:half], group[half:]
    first = _together(base, halves[0], end)
    second = said if _same(first, {}) else {} if first and _same(first, said) else _together(base, halves[1], end)
    return [*_parted(base, halves[0], first, end), *_parted(base, halves[1], second, end)]


def _alone(base: _Base, row: Row, said: Json | None) -> list[Row]:
    """The row with an answer that is predicted or comes again, or with the one of two that comes a second time."""
    start = _start([row])
    if said is not None and _is_predicted(base, start, said):
        return [replace(row, change=said)]
    found: list[Json | _Later | None] = [said]
    for _ in range(2):
        answer = asked(start)
        new = _Later() if answer.hung else _change(base, answer)
        if not isinstance(new, _Later) and any(_same(new, old) for old in found):
            return [replace(row, change=new)]
        found.append(new)
    return []


def _same(one: Json | _Later | None, other: Json | _Later | None) -> bool:
    """Whether two answers say the same of the prompt."""
    if isinstance(one, dict) and isinstance(other, dict):
        return prompt_part(one) == prompt_part(other)
    return one is None and other is None


def _is_predicted(base: _Base, start: Start, said: Json) -> bool:
    ours = predicted(start).seen
    return ours is not None and not differences(said, change(base.ours, ours))


def _change(base: _Base, answer: Answer) -> Json | None:
    return None if answer.seen is None else change(base.real, answer.seen, base.volatile)


@cache
def _base(agent: str, world: str) -> _Base:
    start = turned(agent, world)
    with ThreadPoolExecutor(_BASES) as pool:
        runs = list(pool.map(asked, [start] * _BASES))
    ours = predicted(start)
    if ours.seen is None or any(run.seen is None for run in runs):
        raise ValueError(f"{agent}, {world} does not start: {ours.why} {[run.why for run in runs]}")
    seen = [run.seen for run in runs if run.seen is not None]
    hashes = [{line[1] for line in one["lines"]} for one in seen]
    volatile = set.union(*hashes) - set.intersection(*hashes)
    return _Base(seen[0], ours.seen, frozenset(volatile))
