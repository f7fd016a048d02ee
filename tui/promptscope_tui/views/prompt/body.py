"""A section's text in rows that know the origin of each part, and what changed since the baseline."""

import re
from bisect import bisect_right
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from promptscope_engine.insight.costs import bullet_units, is_agents
from promptscope_engine.prompt.model import Section
from promptscope_tui.text.wrap import Wrapped, wrap

Mark = Literal["+", "~", "‾"]
"""How a line differs from the baseline: new, changed, or below deleted lines."""

_PAIRED = 1000
"""Lines on either side up to which changed lines are paired: `difflib` grows with the square."""
_WORD = re.compile(r"[^\W\d_]{2}")


class OriginSpan(NamedTuple):
    """Shown columns of a line that come from one fragment, by its index in the section."""

    start: int
    end: int
    fragment: int


class TextRow(NamedTuple):
    """Shown columns of a line: one row of a body. `sub` counts the line's rows from 0."""

    line: int
    sub: int
    start: int
    end: int


class Body:
    """A present section's text, fitted to a width."""

    def __init__(self, section: Section, before: str | None = None) -> None:
        """`before` is the baseline's text of the section, None if there is no baseline."""
        self.section = section
        self.absent = shown_absent(section)
        self._before = before
        self._width = 80
        self._wrapped: Wrapped | None = None

    @cached_property
    def text(self) -> str:
        """The section's text."""
        return self.section.text

    @cached_property
    def _starts(self) -> list[int]:
        """The offset in the text at which each fragment begins, and its length."""
        return list(accumulate((len(f.text) for f in self.section.fragments), initial=0))

    def fit(self, width: int) -> None:
        """Wrap to a width; until this is called, to 80 cells."""
        if width != self._width:
            self._width = width
            self._wrapped = None

    @property
    def wrapped(self) -> Wrapped:
        """The text in rows."""
        if self._wrapped is None:
            self._wrapped = wrap(self.text, self._width)
        return self._wrapped

    # --- rows

    def height(self, hide_absent: bool) -> int:
        """The number of rows: those of the text, and one for each absent fragment."""
        rows = self.wrapped.rows if self.text else 0
        return rows if hide_absent else rows + len(self.absent)

    def row(self, number: int, hide_absent: bool) -> TextRow | int:
        """The row of that number, or the index in `Section.absent` of its fragment."""
        passed = 0
        if not hide_absent and self.absent:
            absent_rows = self._absent_rows()
            passed = bisect_right(absent_rows, number)
            if passed and absent_rows[passed - 1] == number:
                return self.absent[passed - 1]
        line, sub = self.wrapped.locate(number - passed)
        return TextRow(line, sub, *self.wrapped.span(line, sub))

    def row_of(self, line: int, column: int, hide_absent: bool) -> int:
        """The number of the row that shows a column of a line."""
        line = min(line, len(self.wrapped.lines) - 1)
        row = self.wrapped.row_at(line, column)
        return row if hide_absent else row + bisect_right(self._absent_lines, line)

    def row_of_absent(self, index: int) -> int | None:
        """The number of the row of an absent fragment; None if it has none."""
        return self._absent_rows()[self.absent.index(index)] if index in self.absent else None

    def _absent_rows(self) -> list[int]:
        first = self.wrapped.first
        return [(first(line) if self.text else 0) + k for k, line in enumerate(self._absent_lines)]

    @cached_property
    def _absent_lines(self) -> list[int]:
        """For each absent fragment with a row, the line that it would precede; the number of lines for the end."""
        last, found = 0, []
        for index in self.absent:
            offset = self._starts[min(self.section.absent[index].at, len(self._starts) - 1)]
            while offset < len(self.text) and self.text[offset] == "\n":
                offset += 1
            ended = offset >= len(self.text)
            last = max(last, len(self.wrapped.lines) if ended else self.wrapped.line_at(offset))
            found.append(last)
        return found

    # --- origins

    def fragment_at(self, offset: int) -> int:
        """The index of the fragment that holds an offset of the text."""
        last = len(self.section.fragments) - 1
        return min(max(bisect_right(self._starts, offset) - 1, 0), last)

    def spans(self, line: int) -> tuple[OriginSpan, ...]:
        """The line's text by origin, in shown columns, without gaps."""
        base = start = self.wrapped.line_start(line)
        end = base + len(self.wrapped.raw_lines[line])
        shown = self.wrapped.revealed(line).shown
        fragment = self.fragment_at(start)
        found = []
        while start < end:
            upto = min(self._starts[fragment + 1], end)
            if upto > start:
                found.append(OriginSpan(shown(start - base), shown(upto - base), fragment))
                start = upto
            fragment += 1
        return tuple(found)

    def dominant(self, row: TextRow) -> int:
        """The index of the fragment that most of a row comes from; a label only if there is nothing else."""
        best, most = self.fragment_at(self.wrapped.line_start(row.line)), 0
        for span in self.spans(row.line):
            covered = min(span.end, row.end) - max(span.start, row.start)
            if self.section.fragments[span.fragment].origin.kind == "label":
                covered = min(covered, 1)
            if covered > most:
                best, most = span.fragment, covered
        return best

    def file_line(self, fragment: int, line: int) -> int | None:
        """The number that a line has in its file; None if the fragment is not from a file."""
        origin = self.section.fragments[fragment].origin
        if origin.kind != "file" or origin.start_line is None:
            return None
        return origin.start_line + max(line - self.wrapped.line_at(self._starts[fragment]), 0)

    @cached_property
    def number_width(self) -> int:
        """Cells for the line numbers: 0 if nothing comes from a file."""
        origins = [f.origin for f in self.section.fragments if f.origin.kind == "file"]
        last = max((o.end_line or o.start_line or 0 for o in origins), default=0)
        return max(len(str(last)), 2) if last else 0

    @cached_property
    def bullets(self) -> dict[int, int]:
        """The lines at which the bullets of the agent's own lists begin, each with its number, from 0."""
        found = bullet_units(self.section) if is_agents(self.section) else ()
        return {unit.first: number for number, unit in enumerate(found)}

    # --- the text itself

    def offset(self, line: int, column: int) -> int:
        """The offset in the text of a shown column."""
        return self.wrapped.line_start(line) + self.wrapped.revealed(line).raw(column)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and shown column of an offset in the text."""
        line = self.wrapped.line_at(offset)
        return line, self.wrapped.revealed(line).shown(offset - self.wrapped.line_start(line))

    @property
    def differs(self) -> bool:
        """Whether the text is not the baseline's."""
        return self._before is not None and self._before != self.text

    @cached_property
    def marks(self) -> dict[int, Mark]:
        """The lines that differ from the baseline."""
        if not self.differs:
            return {}
        return changed_lines(wrap(self._before, 80).raw_lines if self._before else [], self.wrapped.raw_lines)


def shown_absent(section: Section) -> tuple[int, ...]:
    """The absent fragments that have a row, by index.

    A lone number or dash of a list has none, unless it was cut out of a file.
    """
    return tuple(
        index
        for index, fragment in enumerate(section.absent)
        if fragment.origin.kind == "file" or _WORD.search(fragment.text)
    )


def _alike(before: list[str], after: list[str]) -> int:
    """How many lines are the same at the beginning."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((n for n, (was, now) in pairs if was != now), min(len(before), len(after)))


def changed_lines(before: list[str], after: list[str]) -> dict[int, Mark]:
    """The lines of `after` that are new, changed, or below a gap."""
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(old), len(new)) > _PAIRED:
        known = set(old)
        return {head + number: "+" for number, line in enumerate(new) if line not in known}
    marks: dict[int, Mark] = {}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "delete" and after:
            marks.setdefault(min(head + j1, len(after) - 1), "‾")
        elif tag in ("insert", "replace"):
            for number in range(j1, j2):
                marks[head + number] = "~" if number - j1 < i2 - i1 else "+"
    return marks
