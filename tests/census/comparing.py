"""Holds promptscope against a store: is every change that a client makes predicted, and no other?"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from tests.oracle.situation import Json

from .changes import Seen, change, differences, prompt_part
from .running import predicted
from .store import Row
from .worlds import turned

RIGHT = ("same", "no effect", "refused, said")
"""Verdicts that aren't mistakes."""

_GROUP = 12
"""How many turns without an effect are predicted at once."""


@dataclass(frozen=True)
class Verdict:
    """One of RIGHT, or: unmodelled (only the client changes), false (only promptscope does), other (both, not alike),
    refused, not said (the client asks nothing), refused falsely, failed."""

    row: Row
    name: str
    why: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the prediction holds."""
        return self.name in RIGHT


def verdict(row: Row) -> Verdict:
    """Of one row."""
    agent = row.agent
    answer = predicted(turned(agent, row.world, row.turns))
    if "failed" in answer.notes:
        is_value = row.change is None and answer.why.startswith("ScenarioError")  # a value that neither of them takes
        return Verdict(row, "refused, said" if is_value else "failed", (answer.why,))
    if row.change is None:
        return Verdict(row, "refused, not said" if answer.seen is not None else "refused, said")
    if answer.seen is None:
        return Verdict(row, "refused falsely", (answer.why,))
    found = change(_base(agent, row.world), answer.seen)
    real = row.change
    if row.coarse:
        found = _coarse(found)
    if len(turned(agent, row.world).situation.reads) > 1:  # results of several reads come as they are ready
        found, real = ({key: value for key, value in one.items() if key != "order"} for one in (found, real))
    ours, theirs = prompt_part(found), prompt_part(real)
    wrong = differences(real, found)
    if not wrong:
        return Verdict(row, "same" if theirs else "no effect")
    name = "unmodelled" if not ours else "false" if not theirs else "other"
    return Verdict(row, name, tuple(wrong))


def verdicts(group: Sequence[Row]) -> list[Verdict]:
    """Of rows of one world, as `groups` puts them together: several are asked about at once where nothing changes."""
    if len(group) > 1:
        first = group[0]
        turns = [turn for row in group for turn in row.turns]
        answer = predicted(turned(first.agent, first.world, turns))
        if answer.seen is not None and not prompt_part(change(_base(first.agent, first.world), answer.seen)):
            return [Verdict(row, "no effect") for row in group]
    return [verdict(row) for row in group]


def groups(rows: Iterable[Row]) -> list[list[Row]]:
    """Rows that matter alone, the others of a world by twelve where no two of them write to one spot."""
    found: list[list[Row]] = []
    calm: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.matters or len(row.turns) > 1:
            found.append([row])
        else:
            calm[row.world].append(row)
    return [*found, *(group for same in calm.values() for group in together(same, _GROUP))]


def together(rows: Iterable[Row], size: int) -> list[list[Row]]:
    """Rows of one turn each in groups of a size at most, in which no two turns meet."""
    found: list[list[Row]] = []
    for row in rows:
        turn = row.turns[0]
        free = (one for one in found if len(one) < size and not any(turn.meets(other.turns[0]) for other in one))
        home = next(free, None)
        if home is None:
            home = []
            found.append(home)
        home.append(row)
    return found


@cache
def _base(agent: str, world: str) -> Seen:
    answer = predicted(turned(agent, world))
    if answer.seen is None:
        raise ValueError(f"{agent}, {world}: promptscope predicts no request: {answer.why}")
    return answer.seen


def _coarse(said: Json) -> Json:
    """A change with every role but system counted as messages."""
    found = json.loads(json.dumps(said))
    for key in ("text+", "text-", "marks+", "marks-"):
        counted: dict[str, int] = defaultdict(int)
        for name, size in said.get(key, {}).items():
            role, _, mark = name.partition(" ")
            role = role if role in ("system", "tool") else "messages"
            counted[f"{role} {mark}".strip()] += size
        if counted:
            found[key] = dict(counted)
    return {key: value for key, value in found.items() if not key.startswith("own")}
