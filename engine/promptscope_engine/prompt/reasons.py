"""Why something is there or not: a condition and its facts, put into words when someone asks.

Assembling needs the verdict alone, and a what-if assembles dozens of times; so sentence, tree and levers are made at
the first look at them.
"""

import shlex
from collections.abc import Iterable, Iterator
from itertools import chain

from .conditions import Always, Condition, Fact, Facts, Levers, Verdicts
from .model import Lever, Reason, Verdict

_ALWAYS = Reason("always present")


class VerdictCache:
    """Verdicts and reasons under the same facts, by the identity of their conditions.

    The reasons of an assembly share most conditions, and parts with one condition share its reason.
    """

    def __init__(self) -> None:
        self.verdicts: Verdicts = {}
        self.reasons: dict[int, tuple[Condition, Reason]] = {}


def reason(condition: Condition, facts: Facts, known: VerdictCache | None = None) -> Reason:
    """One sentence, the tree, the levers that would flip the verdict, and without any what else would.

    `known` collects what is found out under these facts.
    """
    if isinstance(condition, Always):
        return _ALWAYS
    known = VerdictCache() if known is None else known
    found = known.reasons.get(id(condition))
    if found is None:
        verdicts = known.verdicts  # what the words need: all of `known` would hold itself
        made = Reason.later(condition.holds(facts), lambda: _in_words(condition, facts, verdicts))
        known.reasons[id(condition)] = found = (condition, made)
    return found[1]


def _in_words(condition: Condition, facts: Facts, known: Verdicts) -> Reason:
    verdict = condition.evaluated(facts, known)
    text = f"{'present' if verdict.ok else 'absent'}: {verdict.text}"
    levers = levers_that_act(condition, facts, not verdict.ok)
    return Reason(text, verdict, levers, "" if levers or verdict.ok else remedy(verdict))


def remedy(verdict: Verdict) -> str:
    """What would turn a failing verdict round where no lever does: the words of the leaves that decide.

    Anything that can be typed verbatim is in backticks; options of one command are together.
    """
    steps = dict.fromkeys(_steps(verdict))
    return "; ".join([*(step for step in steps if not step.startswith(_OPTION)), *_together(steps)])


_OPTION = "`--"


def _together(steps: Iterable[str]) -> Iterator[str]:
    """The options as one step; of an input for which they want several values a person has to make one."""
    words = [shlex.split(step.strip("`")) for step in steps if step.startswith(_OPTION)]
    wanted: dict[str, list[str]] = {}
    for option, value in dict.fromkeys(chain.from_iterable(zip(each[::2], each[1::2], strict=True) for each in words)):
        name = value.partition("=")[0] if option == "--set" else option.removeprefix("--")
        wanted.setdefault(name, []).append(f"{option} {shlex.quote(value)}")
    unclear = {name: options[0] for name, options in wanted.items() if len(options) > 1}
    yield from (f"change `{name}`" if "=" in first else f"choose another {name}" for name, first in unclear.items())
    if together := " ".join(options[0] for options in wanted.values() if len(options) == 1):
        yield f"`{together}`"


def _steps(verdict: Verdict) -> list[str]:
    deciding = [child for child in verdict.children if verdict.op == "not" or child.ok is verdict.ok]
    steps = list(filter(None, map(_steps, deciding)))
    if (verdict.op, verdict.ok) in (("any", False), ("all", True)):  # turning one of them round is enough
        steps = steps[:1]
    return list(chain.from_iterable(steps)) or [verdict.remedy] * bool(verdict.remedy)


def levers_that_act(condition: Condition, facts: Facts, to: bool) -> Levers:
    """Levers that were tried: each member finds its own, and two of them may undo each other through the mode."""
    if isinstance(condition, Fact):
        return condition.levers(facts, to) or ()  # no mode changes it, and a prompt may hold thousands of such files
    if direct := _in_rounds(condition, facts, to):
        return _needed(direct, condition, facts, to)
    for mode in facts.modes:
        first = (Lever("mode", mode.slug),)
        there = facts.after(first)
        rest = condition.levers(there, to)
        settled = rest is not None and all(lever.param != "mode" for lever in rest)
        if settled and condition.holds(there.after(rest or ())) is to:
            return first + (rest or ())
    return ()


def _needed(levers: Levers, condition: Condition, facts: Facts, to: bool) -> Levers:
    """Those without which the others do not act: one may settle what another member found a lever of its own for."""
    for lever in levers:
        others = tuple(other for other in levers if other is not lever)
        if others and condition.holds(facts.after(others)) is to:
            levers = others
    return levers


_ROUNDS = 3


def _in_rounds(condition: Condition, facts: Facts, to: bool) -> Levers:
    """The levers of all members: setting one may call for another (out of bare mode, tool search is on)."""
    found: dict[str, Lever] = {}
    for _ in range(_ROUNDS):
        more = condition.levers(facts, to)
        if not more:
            break
        found |= {lever.param: lever for lever in more}
        facts = facts.after(more)
        if condition.holds(facts) is to:
            return tuple(found.values())
    return ()
