"""`new RegExp(pattern).test(text)` as a set of positions in the pattern: never one try after the other.

The patterns are strangers'. An engine that goes back and forth, as JavaScript's and Python's do, may take years for
twenty characters of `(a+)+$`; a set of positions takes a step for each character of the text. Looking ahead and
behind is settled first, for every place of the text. What cannot be told in this way (backreferences), and what is
larger than the limits, is not decided, and says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Row
from dataclasses import dataclass, field

from msgspec import Struct

from .glob import MAX_PATTERN_CHARS
from .regexp import WORD_CHARS, Chars, Choice, Edge, Look, Node, Ranges, Repeat, Sequence, parse
from .text import utf16_units

MAX_STATES = 2_000
"""Positions of a pattern with its repetitions written out: `a{100}` has a hundred."""

MAX_DEPTH = 150
"""Levels of a pattern's tree."""

MAX_WORK = 500_000
"""Positions that are entered for one text: some tenths of a second's."""

_MAX_KEPT = 2_000
"""Sets of positions of which it is kept where they lead."""

_START, _END, _WORD = 1, 2, 4
_FIRST_LOOK = 8


class NotDecided(Exception):  # noqa: N818 - it names what is the case
    """Whether a pattern matches is not told here; the message says what is in the way."""


class _State(Struct, frozen=True):
    """A position: `ranges` are the units that lead on to `to`.

    Without ranges it leads to all of `to` by itself, as far as the facts of the place are those of `asks` (a bit, and
    whether it is set; no bit is never set).
    """

    ranges: Ranges | None
    to: tuple[int, ...]
    asks: tuple[int, bool] = (0, False)


@dataclass
class _Set:
    """Positions that are entered together, and where each unit leads, at a place with certain facts."""

    states: frozenset[int]
    next: dict[tuple[int, str], tuple[bool, _Set]] = field(default_factory=dict)


class _Machine:
    """The positions of a pattern, or of what one looks for before or behind a place; `backward`: from right to left."""

    start: int
    asked: int
    """The facts that any position asks for."""

    def __init__(self, *, backward: bool) -> None:
        self.backward = backward
        self.states: list[_State] = [_State(None, ())]  # the first is where it has matched
        self.work = 0
        self._sets: dict[frozenset[int], _Set] = {}

    def places(self, text: str, facts: Row[int]) -> Iterator[bool]:
        """Of each place of the text, in the machine's direction: whether a match that began before ends there.

        `facts` are what is the case at the places, in the same direction. Raises NotDecided when it takes too long.
        """
        limit = self.work + MAX_WORK
        self.work += len(text)
        current = self._set(frozenset((self.start,)))
        asked = self.asked
        for unit, fact in zip((*(reversed(text) if self.backward else text), ""), facts, strict=True):
            key = (fact & asked, unit)
            found = current.next.get(key)
            if found is None:
                found = current.next[key] = self._step(current.states, *key)
                if self.work > limit:
                    raise NotDecided(f"it takes more than {MAX_WORK:,} steps")
            matched, current = found
            yield matched

    def _step(self, states: frozenset[int], facts: int, unit: str) -> tuple[bool, _Set]:
        entered = set(states)
        pending = list(states)
        onward = {self.start}
        code = ord(unit or "\0")  # behind the end: nobody looks where that leads
        while pending:
            state = self.states[pending.pop()]
            if state.ranges is not None:
                if any(low <= code <= high for low, high in state.ranges):
                    onward.update(state.to)
                continue
            bit, wanted = state.asks
            if bool(facts & bit) is not wanted:
                continue
            for each in state.to:
                if each not in entered:
                    entered.add(each)
                    pending.append(each)
        self.work += len(entered)
        return 0 in entered, self._set(frozenset(onward))

    def _set(self, states: frozenset[int]) -> _Set:
        kept = self._sets.get(states)
        if kept is None:
            if len(self._sets) >= _MAX_KEPT:
                for each in self._sets.values():
                    each.next.clear()  # sets lead to each other: without this none would ever go
                self._sets.clear()
            kept = self._sets[states] = _Set(states)
        return kept


class Matcher:
    """A pattern, ready to match texts. Raises RegexpError for one that JavaScript refuses, and NotDecided."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_PATTERN_CHARS:
            raise NotDecided(f"it is longer than {MAX_PATTERN_CHARS:,} characters")
        self._looks: list[tuple[_Machine, int]] = []
        self._copies = 0
        self._whole = self._machine(parse(pattern), backward=False, depth=0)
        self._asks_for_words = any(machine.asked & _WORD for machine in self._machines)

    @property
    def work(self) -> int:
        """Positions that were entered so far, for all texts."""
        return sum(machine.work for machine in self._machines)

    @property
    def _machines(self) -> list[_Machine]:
        return [self._whole, *(machine for machine, _ in self._looks)]

    def test(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text. Raises NotDecided when that takes too long."""
        units = utf16_units(text)
        return any(self._whole.places(units, self._facts(units)))

    def _facts(self, text: str) -> list[int]:
        """What is the case at each place of a text."""
        facts = [0] * (len(text) + 1)
        facts[0] |= _START
        facts[-1] |= _END
        if self._asks_for_words:
            words = [False, *(_is_word(char) for char in text), False]
            for at in range(len(facts)):
                facts[at] |= _WORD if words[at] is not words[at + 1] else 0
        for machine, bit in self._looks:
            found = machine.places(text, facts[::-1] if machine.backward else facts)
            for at, matched in enumerate(list(found)):
                if matched:
                    facts[len(text) - at if machine.backward else at] |= bit
        return facts

    # --- from the tree to positions -----------------------------------------------------------------------------

    def _machine(self, node: Node, *, backward: bool, depth: int) -> _Machine:
        machine = _Machine(backward=backward)
        machine.start = self._add(machine, node, 0, depth)
        machine.asked = sum({state.asks[0] for state in machine.states})
        return machine

    def _add(self, machine: _Machine, node: Node, to: int, depth: int) -> int:
        """The position from which the node leads to the position `to`."""
        self._copies += 1
        if depth > MAX_DEPTH:
            raise NotDecided(f"it is nested more than {MAX_DEPTH} levels deep")
        if self._copies > 10 * MAX_STATES:
            raise NotDecided(f"it has more than {MAX_STATES:,} positions")
        match node:
            case Chars(ranges):
                return self._state(machine, _State(ranges, (to,)))
            case Sequence(items):
                for item in items if machine.backward else reversed(items):
                    to = self._add(machine, item, to, depth + 1)
                return to
            case Choice(options):
                starts = tuple(self._add(machine, option, to, depth + 1) for option in options)
                return self._state(machine, _State(None, starts))
            case Repeat():
                return self._add_repeat(machine, node, to, depth + 1)
            case Edge(kind, wanted):
                bit = {"start": _START, "end": _END, "word": _WORD}[kind]
                return self._state(machine, _State(None, (to,), (bit, wanted)))
            case Look():
                return self._add_look(machine, node, to, depth + 1)
            case unfollowed:
                raise NotDecided(f"it has {unfollowed.what}")

    def _add_repeat(self, machine: _Machine, node: Repeat, to: int, depth: int) -> int:
        if node.high is None:
            again = self._state(machine, _State(None, ()))
            machine.states[again] = _State(None, (self._add(machine, node.item, again, depth), to))
            to = again
        else:
            end = to
            for _ in range(node.high - node.low):
                to = self._state(machine, _State(None, (self._add(machine, node.item, to, depth), end)))
        for _ in range(node.low):
            to = self._add(machine, node.item, to, depth)
        return to

    def _add_look(self, machine: _Machine, node: Look, to: int, depth: int) -> int:
        inner = self._machine(node.body, backward=not node.behind, depth=depth)
        bit = _FIRST_LOOK << len(self._looks)
        self._looks.append((inner, bit))
        return self._state(machine, _State(None, (to,), (bit, node.wanted)))

    def _state(self, machine: _Machine, state: _State) -> int:
        machine.states.append(state)
        if sum(len(each.states) for each in (machine, *(inner for inner, _ in self._looks))) > MAX_STATES:
            raise NotDecided(f"it has more than {MAX_STATES:,} positions")
        return len(machine.states) - 1


def _is_word(char: str) -> bool:
    code = ord(char)
    return any(low <= code <= high for low, high in WORD_CHARS)
