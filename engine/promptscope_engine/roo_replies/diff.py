"""The unified diff that the agent shows after an edit, as the npm package `diff` 5.2.0 makes it.

That package compares lines by Myers' algorithm with its own choice among equally short scripts, and gives a
hunk four lines of context. Both are visible in the text, hence this module beside `difflib`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import TypeAlias

_CONTEXT = 4
_Steps: TypeAlias = "tuple[_Steps | None, str, int]"
"""The way through the edit graph: the steps before, the kind of the last ones and how many they are."""

_NO_FINAL_NEWLINE = "\\ No newline at end of file"


def create_pretty_patch(
    filename: str = "file",
    old: str | None = None,
    new: str | None = None,
) -> str:
    """The hunks that lead from `old` to `new`, without the four header lines; `""` where the texts are equal.

    An absent text counts as an empty one. Every line ends in a newline.
    """
    del filename  # it is in the header only, which is cut off
    before, after = old or "", new or ""
    return "".join(f"{line}\n" for hunk in _hunks(_runs(before, after), before, after) for line in hunk)


@dataclass
class _Run:
    """Consecutive lines of one kind: `-` removed, `+` added, a space for lines that both sides have."""

    kind: str
    lines: list[str]


def _split(text: str) -> list[str]:
    """The lines with their newlines; a carriage return belongs to its line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _runs(before: str, after: str) -> list[_Run]:
    """The edit script; removals change places with the additions directly before them."""
    old, new = _split(before), _split(after)
    old_rest, new_rest = iter(old), iter(new)
    runs: list[_Run] = []
    for kind, signs in groupby(_edit_signs(old, new)):
        count = sum(1 for _ in signs)
        removed = list(islice(old_rest, count)) if kind != "+" else []
        lines = list(islice(new_rest, count)) if kind != "-" else removed
        # Only neighbours are exchanged: of added, removed, added, removed the result is -, +, -, +.
        at = len(runs) - 1 if kind == "-" and runs and runs[-1].kind == "+" else len(runs)
        runs.insert(at, _Run(kind, [line.removesuffix("\n") for line in lines]))
    return runs


def _edit_signs(old: list[str], new: list[str]) -> str:
    """A shortest edit script by Myers' algorithm, one sign for every line."""
    graph = _EditGraph(old, new)
    steps = graph.start()
    length = 0
    while not graph.is_done:
        length += 1
        steps = graph.lengthened(length)
    return _signs(steps)


class _EditGraph:
    """The farthest path on each diagonal: how many old lines it passed, and its steps.

    A diagonal is old lines passed minus new lines passed. Paths are plain tuples, since texts of thousands of lines
    with little in common make millions of them.
    """

    def __init__(self, old: list[str], new: list[str]) -> None:
        self._old, self._new = old, new
        self._best: dict[int, tuple[int, _Steps | None]] = {}
        # Once a path has met an edge of the graph, diagonals beyond its own cannot lead to a shorter script. A round
        # starts at its own outermost diagonal or there, and takes every second one.
        self._lowest, self._highest = -len(new) - len(old), len(old) + len(new)
        self.is_done = False

    def start(self) -> _Steps | None:
        """The path of the lines that both texts begin with."""
        self._best[0] = passed, steps = self._slide(0, None, 0)
        self.is_done = passed == len(self._old) == len(self._new)
        return steps

    def lengthened(self, length: int) -> _Steps | None:
        """Make all paths longer by one edit, up to the first one that passes all lines."""
        for diagonal in range(max(self._lowest, -length), length + 1, 2):
            if diagonal > self._highest:  # which this very round may have lowered
                break
            found = self._edited(diagonal)
            if found is None:
                self._best.pop(diagonal, None)
                continue
            self._best[diagonal] = passed, steps = found
            old_done, new_done = passed >= len(self._old), passed - diagonal >= len(self._new)
            if old_done and new_done:
                self.is_done = True
                return steps
            if old_done:
                self._highest = min(self._highest, diagonal - 1)
            if new_done:
                self._lowest = max(self._lowest, diagonal + 1)
        return None

    def _edited(self, diagonal: int) -> tuple[int, _Steps | None] | None:
        """The farthest path that comes to a diagonal by one edit; None if there is none."""
        removing, adding = self._best.pop(diagonal - 1, None), self._best.get(diagonal + 1)
        if adding is not None and not 0 <= adding[0] - 1 - diagonal < len(self._new):
            adding = None
        # The package asks for one line more than Myers does before it prefers an addition.
        if adding is not None and (removing is None or removing[0] + 1 < adding[0]):
            return self._slide(adding[0], (adding[1], "+", 1), diagonal)
        if removing is not None:
            return self._slide(removing[0] + 1, (removing[1], "-", 1), diagonal)
        return None

    def _slide(self, passed: int, steps: _Steps | None, diagonal: int) -> tuple[int, _Steps | None]:
        """The path after all lines that are common from here on."""
        old, new, end = self._old, self._new, passed
        while end < len(old) and end - diagonal < len(new) and old[end] == new[end - diagonal]:
            end += 1
        return (end, (steps, " ", end - passed)) if end != passed else (passed, steps)


def _signs(steps: _Steps | None) -> str:
    signs: list[str] = []
    while steps is not None:
        steps, kind, count = steps
        signs.append(kind * count)
    return "".join(reversed(signs))


@dataclass
class _Hunk:
    """A hunk under construction: where it starts on each side (from 1) and its lines with their signs."""

    old_start: int
    new_start: int
    lines: list[str] = field(default_factory=list)

    def add(self, kind: str, lines: list[str]) -> None:
        self.lines += [kind + line for line in lines]

    def count(self, kinds: str) -> int:
        return sum(line[0] in kinds for line in self.lines)

    def text(self, before: str, after: str, at_end: bool) -> list[str]:
        """The head and the lines; `at_end` where the hunk reaches the end of both texts."""
        old_count, new_count = self.count(" -"), self.count(" +")
        # An empty side is said to start one line earlier; both numbers are always printed.
        old_start = self.old_start - (old_count == 0)
        new_start = self.new_start - (new_count == 0)
        head = f"@@ -{old_start},{old_count} +{new_start},{new_count} @@"
        return [head, *(self._with_end_marks(before, after, old_count) if at_end else self.lines)]

    def _with_end_marks(self, before: str, after: str, old_count: int) -> list[str]:
        lines = list(self.lines)
        old_open, new_open = not before.endswith("\n"), not after.endswith("\n")
        before_additions = lines[-1][0] != " " and len(lines) > old_count
        if old_open and before_additions and before:
            # By count, not by place: the mark is after as many lines as the old side has, wherever that
            # is.
            lines.insert(old_count, _NO_FINAL_NEWLINE)
        if new_open or (old_open and not before_additions):
            lines.append(_NO_FINAL_NEWLINE)
        return lines


def _hunks(runs: list[_Run], before: str, after: str) -> list[list[str]]:
    """The hunks' lines. Changes that at most twice the context separates share a hunk."""
    texts: list[list[str]] = []
    hunk: _Hunk | None = None
    old_line = new_line = 1
    for index, run in enumerate(runs):
        last = index == len(runs) - 1
        if run.kind != " ":
            if hunk is None:
                context = runs[index - 1].lines[-_CONTEXT:] if index else []
                hunk = _Hunk(old_line - len(context), new_line - len(context))
                hunk.add(" ", context)
            hunk.add(run.kind, run.lines)
        elif hunk is not None:
            if not last and len(run.lines) <= 2 * _CONTEXT:
                hunk.add(" ", run.lines)
            else:
                hunk.add(" ", run.lines[:_CONTEXT])
                texts.append(hunk.text(before, after, at_end=last and len(run.lines) <= _CONTEXT))
                hunk = None
        old_line += len(run.lines) if run.kind != "+" else 0
        new_line += len(run.lines) if run.kind != "-" else 0
    if hunk is not None:
        texts.append(hunk.text(before, after, at_end=True))
    return texts
