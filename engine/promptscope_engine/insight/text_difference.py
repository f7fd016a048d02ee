"""The difference of two texts: lines side by side, with the words that differ.

Texts are strangers' and may be megabytes: work that would grow with the product of two lengths is done on short
stretches only. What is left over counts as replaced as a whole.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Literal

from msgspec import Struct

LineKind = Literal["same", "changed", "removed", "added"]

_SMALL = 40_000
"""Pairs of lines or words that are all compared with each other."""
_DEPTH = 20
_WORK = 4_000_000
"""Pairs of words of one text; lines after that are marked as a whole."""
_ALIKE = 0.4
"""The share of words that two lines have in common for one to be a change of the other."""
_PAIRED = 400
"""Pairs of removed and added lines among which the most alike are looked for."""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

_Block = tuple[int, int, int]
"""Where an equal stretch begins in the one, in the other, and how long it is."""


class LinePart(Struct, frozen=True):
    """A part of a line; `marked` if the other line lacks it."""

    text: str
    marked: bool = False


class DiffLine(Struct, frozen=True):
    """A line of one text, by its 1-based number."""

    number: int
    stretches: tuple[LinePart, ...]

    @property
    def text(self) -> str:
        """The text of the line."""
        return "".join(stretch.text for stretch in self.stretches)


class LinePair(Struct, frozen=True):
    """Lines side by side; one of them is missing where a line was removed or added."""

    kind: LineKind
    before: DiffLine | None
    after: DiffLine | None


def text_difference(before: str, after: str) -> tuple[LinePair, ...]:
    """Every line of both texts in order, the equal and the changed ones in pairs."""
    old, new = _lines(before), _lines(after)
    work = _WORK
    found: list[LinePair] = []
    for run in _runs(old, new):
        i, j = run.before.start, run.after.start
        if run.equal:
            for a, b in zip(run.before, run.after, strict=True):
                text = (LinePart(old[a]),)
                found.append(LinePair("same", DiffLine(a + 1, text), DiffLine(b + 1, text)))
            continue
        for m, n in _paired(old[i : run.before.stop], new[j : run.after.stop]):
            if m is None or n is None:
                found.append(_alone(old, i, m) if n is None else _alone(new, j, n, added=True))
                continue
            left, right = _WORDS.findall(old[i + m]), _WORDS.findall(new[j + n])
            work -= len(left) * len(right)
            marked = _marked(left, right) if work > 0 else (_whole(old[i + m]), _whole(new[j + n]))
            found.append(LinePair("changed", DiffLine(i + m + 1, marked[0]), DiffLine(j + n + 1, marked[1])))
    return tuple(found)


class LineRun(Struct, frozen=True):
    """Neighbouring lines that are equal in both texts, or other ones in their place: their numbers, from 0."""

    equal: bool
    before: range
    after: range


def line_runs(before: str, after: str) -> Iterator[LineRun]:
    """Which lines are equal, and no more: to find the words that differ takes many times as long."""
    return _runs(_lines(before), _lines(after))


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[LineRun]:
    i = j = 0
    for a, b, length in (*_blocks(old, new), (len(old), len(new), 0)):
        if i < a or j < b:
            yield LineRun(False, range(i, a), range(j, b))
        i, j = a + length, b + length
        if length:
            yield LineRun(True, range(a, i), range(b, j))


def signed_lines(hunk: Sequence[LinePair]) -> Iterator[tuple[str, DiffLine]]:
    """The lines with their signs, ` `, `-` or `+`: the removed lines of a stretch before the added ones."""
    added: list[DiffLine] = []
    for pair in hunk:
        if pair.kind == "same" and pair.after:
            yield from (("+", line) for line in added)
            added.clear()
            yield " ", pair.after
            continue
        if pair.before:
            yield "-", pair.before
        if pair.after:
            added.append(pair.after)
    yield from (("+", line) for line in added)


def hunks(pairs: Sequence[LinePair], context: int) -> Iterator[tuple[LinePair, ...]]:
    """What differs, with so many equal lines around it; neighbours that touch are one hunk."""
    start = end = 0
    for at, pair in enumerate(pairs):
        if pair.kind == "same":
            continue
        if end and at - context > end:
            yield tuple(pairs[start:end])
            end = 0
        if not end:
            start = max(at - context, 0)
        end = min(at + context + 1, len(pairs))
    if end:
        yield tuple(pairs[start:end])


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _whole(text: str) -> tuple[LinePart, ...]:
    return (LinePart(text, marked=True),)


def _alone(lines: Sequence[str], start: int, at: int | None, *, added: bool = False) -> LinePair:
    assert at is not None
    line = DiffLine(start + at + 1, (LinePart(lines[start + at]),))
    return LinePair("added", None, line) if added else LinePair("removed", line, None)


# --- which lines are equal -------------------------------------------------------------------------------------------


def _blocks(old: Sequence[str], new: Sequence[str], depth: int = _DEPTH) -> list[_Block]:
    """The equal stretches, in order."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    most -= head
    tail = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    inner = [(i + head, j + head, n) for i, j, n in _between(a, b, depth)]
    found = [(0, 0, head), *inner, (len(old) - tail, len(new) - tail, tail)]
    return [block for block in found if block[2]]


def _between(a: Sequence[str], b: Sequence[str], depth: int) -> list[_Block]:
    pairs = len(a) * len(b)
    if not pairs:
        return []
    if pairs <= _SMALL:
        return [(m.a, m.b, m.size) for m in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()]
    found: list[_Block] = []
    i = j = 0
    anchors = _anchors(a, b) if depth else []
    for x, y in (*anchors, (len(a), len(b))) if anchors else ():
        found += [(m + i, n + j, size) for m, n, size in _blocks(a[i:x], b[j:y], depth - 1)]
        if x < len(a):
            found.append((x, y, 1))
        i, j = x + 1, y + 1
    return found


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that each side has once, as many as are in the same order."""
    counts, others = Counter(a), Counter(b)
    places = {line: at for at, line in enumerate(b) if others[line] == 1}
    pairs = [(at, places[line]) for at, line in enumerate(a) if counts[line] == 1 and line in places]
    kept = rising([there for _, there in pairs])
    return [pairs[at] for at in kept]


def rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest run of numbers that rise."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int | None] = []
    for at, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(places[length - 1] if length else None)
        ends[length : length + 1] = [number]
        places[length : length + 1] = [at]
    found: list[int] = []
    last = places[-1] if places else None
    while last is not None:
        found.append(last)
        last = before[last]
    return found[::-1]


# --- which lines are changes of each other ---------------------------------------------------------------------------


def _paired(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """The places of lines side by side, each line once and in order."""
    if len(old) * len(new) > _PAIRED:
        yield from ((n, None) for n in range(len(old)))
        yield from ((None, n) for n in range(len(new)))
        return
    i = j = 0
    for m, n in (*_most_alike(old, new), (len(old), len(new))):
        yield from ((k, None) for k in range(i, m))
        yield from ((None, k) for k in range(j, n))
        if m < len(old):
            yield m, n
        i, j = m + 1, n + 1


def _most_alike(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs, in order, whose likeness together is greatest."""
    left, right = ([Counter(filter(str.strip, _WORDS.findall(line))) for line in lines] for lines in (old, new))
    best: list[list[tuple[float, tuple[tuple[int, int], ...]]]] = [[(0.0, ()), *((0.0, ()) for _ in new)]]
    for m, one in enumerate(left):
        row = [best[-1][0]]
        for n, other in enumerate(right):
            alike = _likeness(one, other)
            score, pairs = best[-1][n]
            with_both = (score + alike, (*pairs, (m, n))) if alike >= _ALIKE else (-1.0, ())
            row.append(max(best[-1][n + 1], row[-1], with_both, key=lambda each: each[0]))
        best.append(row)
    return list(best[-1][-1][1])


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    whole = one.total() + other.total()
    return 2 * (one & other).total() / whole if whole else 0.0


def _marked(left: Sequence[str], right: Sequence[str]) -> tuple[tuple[LinePart, ...], tuple[LinePart, ...]]:
    blocks = _blocks(left, right)
    return _stretches(left, [(a, n) for a, _, n in blocks]), _stretches(right, [(b, n) for _, b, n in blocks])


def _stretches(words: Sequence[str], equal: Sequence[tuple[int, int]]) -> tuple[LinePart, ...]:
    marks = [True] * len(words)
    for start, length in equal:
        marks[start : start + length] = [False] * length
    for at in range(1, len(words) - 1):  # a space between two words that differ
        marks[at] = marks[at] or (words[at].isspace() and marks[at - 1] and marks[at + 1])
    runs = groupby(zip(words, marks, strict=True), key=itemgetter(1))
    return tuple(LinePart("".join(word for word, _ in run), marked) for marked, run in runs)
