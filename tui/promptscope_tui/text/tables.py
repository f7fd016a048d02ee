"""Tables as rows: columns as wide as their cells, sorted and filtered as the user asks."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.json import decode as json_decode
from msgspec.structs import replace
from rich.cells import cell_len

from promptscope_engine.prompt.drafts import LazySequence

from .escape import visible
from .short_names import ShortNames
from .spans import NO_MATCH, Row, Span, cut, pad, paragraph, row, shown
from .totals import Sum
from .words import contains

NOTHING = "·"
"""A cell of what is there, and counts nothing."""

_GAP = 2
_WELL, _HARDLY = 48, 16
"""Cells in which a reason can be read."""


class Column(Struct, frozen=True):
    """A column: its head, whether it is right-aligned, its maximum width, and how soon it makes room.

    Where the last column would be too narrow to be read well, the one with the highest `spare` goes first. Those with
    1 stay until hardly anything could be read, those with 0 always.

    `path`: its cells are paths, which are cut where they are alike. `least`: what a column of paths keeps where the
    last column lacks room, and what that one needs, or it is left out. `up`: it is sorted upwards first.
    """

    head: str
    right: bool = False
    most: int = 40
    spare: int = 0
    path: bool = False
    least: int = 0
    up: bool = False


COLUMNS = json_decode(Path(__file__).with_name("columns.json").read_bytes(), type=dict[str, tuple[Column, ...]])
"""The columns of the tables of tools, files and versions, and of a transcript's turns."""


def sum_rows(found: Sum) -> list[Row]:
    """The parts of a sum and, last, the total."""
    *parts, whole = found.lines()
    indent = whole.index(" tok  ") + len("   tok  ")
    return [*(paragraph("  ", Span(line, "dim"), indent=indent) for line in parts), row("  ", Span(whole))]


class Record(Protocol):
    """A line of a table before it is laid out, with a cell for each column, made when it is asked for."""

    @property
    def key(self) -> Hashable | None:
        """The key of its row."""
        ...

    def cell(self, column: int) -> Span:
        """The cell in a column, by the column's index."""
        ...


def table(columns: Sequence[Column], records: Sequence[Record], width: int) -> list[Row]:
    """A head and the records, which have a cell for each column, aligned in `width` cells.

    A column in which no record has anything is left out, and what is least useful where there is no room for it. What a
    row says is made when it is drawn: one of thousands is hardly ever looked at.
    """
    last = len(columns) - 1
    names = {n: ShortNames(record.cell(n).text for record in records) for n in range(last) if columns[n].path}
    widths = dict(sorted(_widths(columns, records, width).items()))
    if _make_room(columns, widths, width, columns[last].least):
        widths[last] = 0
    else:
        _make_room(columns, widths, width, -_GAP)
    made = partial(_aligned, columns, widths, names)
    heads = row(*(Span(c.head, "title") for c in columns))
    lines = (Row(LazySequence(made(record)), key=record.key) for record in records)
    return [Row(tuple(made(heads))), *lines]


def _widths(columns: Sequence[Column], records: Sequence[Record], width: int) -> dict[int, int]:
    """The widths of the columns that there is room for, by index, without the last one."""
    widths: dict[int, int] = {}
    for n in sorted(range(len(columns) - 1), key=lambda n: (columns[n].spare, -n)):
        column = columns[n]
        # glyphs without a head are no content
        if column.head and all(record.cell(n).text in ("", NOTHING) for record in records):
            continue
        enough = _WELL if column.spare > 1 else _HARDLY
        widths[n] = cell_len(column.head)
        if not column.spare or _most(columns, widths, width) >= enough:  # else it need not be looked at
            widths[n] = _width(column, {record.cell(n).text for record in records})
        if column.spare and _most(columns, widths, width) < enough:
            del widths[n]
            break  # nor is there room for those that are less useful
    return widths


def _gap(column: Column) -> int:
    """The cells behind a column; a mark is close to what it is about."""
    return _GAP if column.head else 1


def _left(columns: Sequence[Column], widths: Mapping[int, int], width: int) -> int:
    """The cells that these columns leave to the last one."""
    return width - sum(cells + _gap(columns[n]) for n, cells in widths.items())


def _most(columns: Sequence[Column], widths: Mapping[int, int], width: int) -> int:
    """The same, with what columns of paths may give away."""
    return _left(columns, widths, width) + sum(_elastic(columns, widths).values())


def _elastic(columns: Sequence[Column], widths: Mapping[int, int]) -> dict[int, int]:
    """The cells that columns of paths may give away."""
    return {n: max(cells - columns[n].least, 0) for n, cells in widths.items() if columns[n].path and columns[n].least}


def _make_room(columns: Sequence[Column], widths: dict[int, int], width: int, room: int) -> bool:
    """Whether so much room is left to the last column; columns of paths give what is lacking."""
    lacks, elastic = room - _left(columns, widths, width), _elastic(columns, widths)
    if lacks > sum(elastic.values()):
        return False
    for n, cells in elastic.items():
        taken = min(max(lacks, 0), cells)
        widths[n] -= taken
        lacks -= taken
    return True


def _width(column: Column, texts: Set[str]) -> int:
    """The width of the widest cell, as far as the column may grow."""
    width = cell_len(column.head)
    for text in texts:
        if width >= column.most:
            break
        width = max(width, cell_len(visible(text)))
    return min(width, column.most)


def _aligned(
    columns: Sequence[Column], widths: Mapping[int, int], names: Mapping[int, ShortNames], record: Record
) -> Iterator[Span]:
    gap = 0
    for n, width in widths.items():
        if gap:
            yield Span(" " * gap)
        gap = _gap(columns[n])
        span = record.cell(n)
        if n == len(columns) - 1:
            yield span
        elif columns[n].right:
            text = "".join(s.text for s in cut(shown([span]), width))
            yield Span(" " * (width - cell_len(text)) + text, span.tone)
        else:
            yield Span(pad(names[n].cut(span.text, width) if n in names else span.text, width), span.tone)


_R = TypeVar("_R", bound=Record)

_MEANS = str.maketrans({"✗": "✗ absent", "⊘": "⊘ never loads", "✂": "✂ cut", "◐": "◐ conditional", "●": "● present"})
"""The words by which a mark is found."""

_DOWN, _UP = "↓", "↑"
_NUMBER = re.compile(r"[\d,]*\d")


class Order(Struct, frozen=True):
    """Sorted by a column, by its index; `down`: the largest or last first."""

    column: int
    down: bool = False

    @classmethod
    def by(cls, columns: Sequence[Column], column: int) -> Order:
        """As one wants to see it first: of numbers the largest, of words the alphabet."""
        return cls(column, down=columns[column].right and not columns[column].up)

    def reversed(self) -> Order:
        """The other way round."""
        return replace(self, down=not self.down)


class Arrangement(Struct, frozen=True):
    """What a table shows of its records: the order (None: the agent's own) and the words that a row must contain."""

    order: Order | None = None
    needle: str = ""

    def heads(self, columns: Sequence[Column]) -> tuple[Column, ...]:
        """The columns, the one that sorts with an arrow."""
        if self.order is None:
            return tuple(columns)
        mark = _DOWN if self.order.down else _UP
        return tuple(
            replace(column, head=f"{column.head} {mark}".strip()) if n == self.order.column else column
            for n, column in enumerate(columns)
        )

    def of(self, columns: Sequence[Column], records: Sequence[_R]) -> list[_R]:
        """The records that contain all words, sorted; cells without a value come last either way."""
        found = list(records)
        if self.needle:
            cells = range(len(columns))
            found = [record for record in found if self.shows(" ".join(record.cell(n).text for n in cells))]
        if self.order is None:
            return found
        at, down = self.order.column, self.order.down
        numeric = columns[at].right
        filled: list[tuple[int | str, _R]] = []
        empty: list[_R] = []
        for record in found:
            value = _value(record.cell(at), numeric)
            if value is None:
                empty.append(record)
            else:
                filled.append((value, record))
        filled.sort(key=itemgetter(0), reverse=down)
        return [*(record for _, record in filled), *empty]

    def rows(self, columns: Sequence[Column], records: Sequence[_R], width: int) -> list[Row]:
        """The table of these records in `width` cells; where the filter leaves none, a row says so."""
        found = self.of(columns, records)
        rows = table(self.heads(columns), found, width)
        return rows if found or not self.needle else [*rows, NO_MATCH]

    def shows(self, text: str) -> bool:
        """Whether a text, with what its marks mean, contains all the words that were typed, in any order."""
        return contains(text.translate(_MEANS), self.needle)


def named(columns: Sequence[Column], column: int) -> str:
    """A column in words; the one with the marks has no head."""
    return columns[column].head or "state"


def shown_columns(head: Row, columns: Sequence[Column]) -> list[int]:
    """The indices of the columns that have room, from the head's row."""
    names = {_name(span.text) for span in head.left}
    return [n for n, column in enumerate(columns) if column.head in names]


def column_at(head: Row, columns: Sequence[Column], x: int) -> int | None:
    """The index of the column whose head is at a cell of the head's row; None where there is none."""
    at = 0
    for span in head.left:
        end = at + len(span.text)
        if at <= x < end:
            return next((n for n, column in enumerate(columns) if column.head == _name(span.text)), None)
        at = end
    return None


def _name(head: str) -> str:
    return head.strip().rstrip(_DOWN + _UP).strip()


def _value(cell: Span, numeric: bool) -> int | str | None:
    """What a cell sorts by; None if it is empty."""
    text = cell.text.strip()
    if not numeric:
        return text.casefold() or None
    number = _NUMBER.search(text)
    return int(number[0].replace(",", "")) if number else None
