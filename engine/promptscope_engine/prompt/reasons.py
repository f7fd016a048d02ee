"""Why something is there or not: a condition and its facts, put into words when someone asks.

Assembling needs the verdict alone, and a what-if assembles dozens of times; so sentence, tree and levers are made at
the first look at them.
"""

from __future__ import annotations

from functools import cached_property

from .conditions import Always, Condition, Facts, Levers, Observed
from .model import Lever, Reason, Verdict

_ALWAYS = Reason("always present")


def reason(condition: Condition, facts: Facts) -> Reason:
    """One sentence, the tree, and the levers that would flip the verdict."""
    return _ALWAYS if isinstance(condition, Always) else _Lazy(condition, facts)


class _Lazy(Reason):
    """A `Reason` like any other, whose fields are made when they are first read."""

    def __init__(self, guard: Condition, facts: Facts) -> None:
        # a frozen dataclass: its own fields are the properties below
        self.__dict__.update(guard=guard, facts=facts, _ok=guard.holds(facts))

    @property
    def ok(self) -> bool:
        return bool(self.__dict__["_ok"])

    @cached_property
    def _made(self) -> tuple[str, Verdict, Levers]:
        guard: Condition = self.__dict__["guard"]
        facts: Facts = self.__dict__["facts"]
        verdict = guard.evaluate(facts)
        text = f"{'present' if verdict.ok else 'absent'}: {verdict.text}"
        return text, verdict, levers_that_act(guard, facts, not verdict.ok)

    @property
    def text(self) -> str:
        return self._made[0]

    @property
    def condition(self) -> Verdict:
        return self._made[1]

    @property
    def levers(self) -> Levers:
        return self._made[2]


def levers_that_act(condition: Condition, facts: Facts, to: bool) -> Levers:
    """Levers that were tried: each member finds its own, and two of them may undo each other through the mode."""
    direct = condition.levers(facts, to)
    if isinstance(condition, Observed):
        return direct or ()  # no mode changes what was observed, and a prompt may hold thousands of such files
    if direct and condition.holds(facts.after(direct)) is to:
        return direct
    for mode in facts.modes:
        first = (Lever("mode", mode.slug),)
        there = facts.after(first)
        rest = condition.levers(there, to)
        settled = rest is not None and all(lever.param != "mode" for lever in rest)
        if settled and condition.holds(there.after(rest or ())) is to:
            return first + (rest or ())
    return ()
