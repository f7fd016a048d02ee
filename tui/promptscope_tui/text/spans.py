"""Text with tones: what every list and bar of the app is made of before it is drawn.

A `Span` names what its text means (`more`, `file`, `dim`), never a colour; the theme gives each tone a colour, so
the same rows work dark, light, in sixteen colours and without any. Rows are plain values, made without a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from msgspec import Struct
from rich.cells import cell_len, set_cell_size

from .escape import visible
from .words import contains, difference

Tone = Literal[
    "text",
    "strong",
    "title",
    "dim",
    "faint",
    "accent",
    "more",
    "fewer",
    "warn",
    "error",
    "good",
    "builtin",
    "file",
    "param",
    "environment",
    "tool",
    "gone",
    "new",
]

_WORDS = re.compile(r"\s*(?:[^\s/-]+[/-]*|[/-]+)|\s+")  # paths and slugs break inside


class Span(NamedTuple):
    """Text of one tone."""

    text: str
    tone: Tone = "text"


Spans = tuple[Span, ...]

_BEGINNING = 4
"""Cells of the beginning of a path that are worth showing."""


class Row(Struct, frozen=True):
    """One row of a list. A row with a `key` can be highlighted and chosen.

    `right` is at the right edge and is never cut; `left` is cut, or wrapped with an indent of `indent` cells.
    """

    left: Sequence[Span] = ()
    right: Sequence[Span] = ()
    key: Hashable | None = None
    wrap: bool = False
    indent: int = 0

    @property
    def plain(self) -> str:
        """What it says."""
        return "".join(text for text, _ in (*self.left, *self.right))

    def cell(self, column: int) -> Span:
        """A part of what is at the left; of a table's row, the cell in a column."""
        return self.left[column]


def row(*left: Span | str, right: Sequence[Span] = (), key: Hashable | None = None) -> Row:
    """A row of one line; plain strings are text."""
    return Row(_spans(left), tuple(right), key)


def matching(rows: Sequence[Row], needle: str, head: int = 0) -> Sequence[Row]:
    """The rows that contain all words of a text, and the first ones, which are a head; all rows without any word.

    Where none does, a row that says so.
    """
    if not needle:
        return rows
    return [*rows[:head], *([row for row in rows[head:] if contains(row.plain, needle)] or [NO_MATCH])]


def paragraph(*left: Span | str, indent: int = 0, key: Hashable | None = None) -> Row:
    """A row that wraps; its further lines are indented by `indent` cells."""
    return Row(_spans(left), key=key, wrap=True, indent=indent)


BLANK = Row()


def _spans(parts: Iterable[Span | str]) -> Spans:
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


NO_MATCH = paragraph("  ", Span("no row has all of these words; esc shows every row", "dim"), indent=2)
"""What a list shows that its filter has emptied."""


def width_of(spans: Iterable[Span]) -> int:
    """The width in cells."""
    return sum(cell_len(span.text) for span in spans)


def shown(spans: Iterable[Span]) -> Spans:
    """The spans with every control character made visible."""
    return tuple(Span(visible(span.text), span.tone) for span in spans)


def cut(spans: Sequence[Span], width: int) -> Spans:
    """The spans in `width` cells, cut with an ellipsis."""
    if width_of(spans) <= width:
        return tuple(spans)
    found: list[Span] = []
    left = max(width - 1, 0)
    for span in spans:
        cells = cell_len(span.text)
        if cells > left:
            found.append(Span(set_cell_size(span.text, left).rstrip() + "…" * (width > 0), span.tone))
            break
        found.append(span)
        left -= cells
    return tuple(found)


def fit(text: str, width: int) -> str:
    """The text, cut with an ellipsis if it is wider."""
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)) + "…" * (width > 0)


def pad(text: str, width: int) -> str:
    """The text in exactly `width` cells, cut with an ellipsis or filled with spaces."""
    return set_cell_size(fit(visible(text), width), width)


def joined(spans: Iterable[Span]) -> Spans:
    """Neighbours of one tone as one span."""
    runs = groupby(spans, key=lambda span: span.tone)
    return tuple(Span("".join(span.text for span in run), tone) for tone, run in runs)


def lay_out(row: Row, width: int) -> list[Line]:
    """The (left, right) lines of a row in `width` cells; one, unless it wraps."""
    left, right = shown(row.left), shown(row.right)
    taken = width_of(right)
    if not row.wrap:
        return [(cut(left, width - taken - (1 if taken else 0)), right)]
    lines = _wrapped(left, max(width - taken, 8), min(row.indent, max(width - 8, 0)))
    return [(line, right if number == 0 else ()) for number, line in enumerate(lines)]


def _wrapped(spans: Spans, width: int, indent: int) -> list[Spans]:
    lines: list[list[Span]] = [[]]
    used = 0
    for span in spans:
        for word in _WORDS.findall(span.text):
            if used + cell_len(word) > width and used > indent:
                lines.append([Span(" " * indent)] if indent else [])
                used, word = indent, word.lstrip()
            while cell_len(word) > width - used:
                head = _head(word, width - used)
                lines[-1].append(Span(head, span.tone))
                lines.append([Span(" " * indent)] if indent else [])
                used, word = indent, word[len(head) :]
            lines[-1].append(Span(word, span.tone))
            used += cell_len(word)
    return [tuple(line) for line in lines]


def _head(word: str, width: int) -> str:
    """As many characters as fit in `width` cells, at least one, so that wrapping always ends."""
    used = 0
    for count, char in enumerate(word):
        used += cell_len(char)
        if used > width:
            return word[: max(count, 1)]
    return word


Line = tuple[Spans, Spans]
"""What a line shows at the left and at the right."""


class Spot(NamedTuple):
    """A place in rows that survives another width: a row by its number, and how many of its letters come before.

    The row itself finds it again where another width has other rows.
    """

    at: int
    row: Row
    letters: int


class LaidRows:
    """Rows laid out for a width in cells, found by line. Of rows of one line, only those are laid out that are seen."""

    def __init__(self, rows: Iterable[Row] = (), width: int = -1, before: LaidRows | None = None) -> None:
        """Wrapped rows that `before` has too are taken over if it is as wide."""
        self.rows, self.width = list(rows), width
        self._laid_out: dict[int, list[Line]] = {}
        self._lines: list[tuple[int, int]] = []
        self._firsts: list[int] = []
        known = before._wrapped() if before is not None and before.width == width else {}
        for index, row in enumerate(self.rows):
            self._firsts.append(len(self._lines))
            if row.wrap:
                self._laid_out[index] = known.get(row) or lay_out(row, width)
            self._lines += [(index, part) for part in range(len(self._laid_out[index]) if row.wrap else 1)]

    def _wrapped(self) -> dict[Row, list[Line]]:
        return {self.rows[index]: lines for index, lines in self._laid_out.items() if self.rows[index].wrap}

    def __len__(self) -> int:
        """The number of lines."""
        return len(self._lines)

    def __getitem__(self, line: int) -> Line:
        index, part = self._lines[line]
        if index not in self._laid_out:
            self._laid_out[index] = lay_out(self.rows[index], self.width)
        return self._laid_out[index][part]

    def index_at(self, line: int) -> int:
        """The index of the row that a line belongs to, -1 for a line that there is not."""
        return self._lines[line][0] if 0 <= line < len(self._lines) else -1

    def lines_of(self, index: int) -> range:
        """The lines of a row; none for an index that no row has."""
        if not 0 <= index < len(self.rows):
            return range(0)
        ends = [*self._firsts[index : index + 2], len(self._lines)]
        return range(ends[0], ends[1])

    def spot(self, line: int) -> Spot | None:
        """What a line shows; None without any line."""
        if not self._lines:
            return None
        index, part = self._lines[min(line, len(self._lines) - 1)]
        return Spot(index, self.rows[index], sum(map(_letters, self._laid_out[index][:part])) if part else 0)

    def line_of_spot(self, spot: Spot) -> int:
        """The line that shows a spot of these rows, or of others for another width."""
        same = (
            n for n, row in enumerate(self.rows) if row == spot.row or (row.key is not None and row.key == spot.row.key)
        )
        index = min(same, key=lambda n: abs(n - spot.at), default=min(spot.at, len(self.rows) - 1))
        lines, before = self.lines_of(index), 0
        for line in lines if spot.letters else ():
            before += _letters(self[line])
            if before > spot.letters:
                return line
        return lines.start

    def key(self, index: int) -> Hashable | None:
        """The key of a row; None for an index that no row has."""
        return self.rows[index].key if 0 <= index < len(self.rows) else None

    def index_of(self, key: Hashable) -> int:
        """The index of the row with this key, -1 if none has it."""
        return next((n for n, row in enumerate(self.rows) if row.key == key), -1)

    def next(self, index: int, step: int) -> int:
        """The index of the nearest row with a key after `index`, in the direction of `step`; -1 if there is none."""
        index += step
        while 0 <= index < len(self.rows):
            if self.rows[index].key is not None:
                return index
            index += step
        return -1

    @property
    def plain(self) -> str:
        """All lines, as text."""
        lines = []
        for left, right in map(self.__getitem__, range(len(self))):
            start, end = ("".join(span.text for span in spans) for spans in (left, right))
            gap = " " * max(max(self.width, 0) - width_of(left) - width_of(right), 1) if end else ""
            lines.append(f"{start}{gap}{end}".rstrip())
        return "\n".join(lines)


def _letters(line: Line) -> int:
    """The characters at the left that are no spaces: those of an indent, and at a break, are another line's."""
    return sum(len(span.text) - span.text.count(" ") for span in line[0])


def signed(tokens: int | None) -> Span:
    """A difference in tokens: `+1,240`, `−612`, `·` for none, `…` while it is unknown."""
    if not tokens:
        return Span("…" if tokens is None else "·", "faint")
    return Span(difference(tokens), "more" if tokens > 0 else "fewer")


def middle(text: str, width: int) -> str:
    """The beginning and the end of a text that does not fit in `width` cells: where a path begins, and its name."""
    text = visible(text)
    if cell_len(text) <= width:
        return text
    name = cell_len(text[text.rfind("/") :])
    start = width - 1 - max(name, (width - 1) * 2 // 3)
    return tail(text, width) if start < _BEGINNING else set_cell_size(text, start) + tail(text, width - start)


def tail(text: str, width: int) -> str:
    """The end of a text that does not fit in `width` cells: of a path, the name matters."""
    text = visible(text)
    while cell_len(text) > width:
        text = "…" + text[1 + max(cell_len(text) - width, 1) :]
    return text
