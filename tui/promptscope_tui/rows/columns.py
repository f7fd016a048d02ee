"""Columns for lists: as wide as their cells; the last one takes what is left."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from functools import partial
from typing import Protocol

from msgspec import Struct
from rich.cells import cell_len

from promptscope_engine.prompt.model import Assembly, Reason
from promptscope_tui.rows.totals import Sum
from promptscope_tui.text.escape import visible
from promptscope_tui.text.paths import short_text
from promptscope_tui.text.reasons import own_reason, refusal
from promptscope_tui.text.spans import LaterSpans, Row, Span, Spans, cut, middle, pad, paragraph, row, shown

NOTHING = "·"
"""A cell of what is there, and counts nothing."""

_GAP = 2
_WELL, _HARDLY = 48, 16
"""Cells in which a reason can be read."""
_PREFIXES = ("present: ", "absent: ", "absent")  # the row's glyph says so


class Column(Struct, frozen=True):
    """A column: its head, whether it is right-aligned, its maximum width, and how soon it makes room.

    Where the last column would be too narrow to be read well, the one with the highest `spare` goes first. Those with
    1 stay until hardly anything could be read, those with 0 always.

    `path`: its cells are paths, which are cut in the middle.
    """

    head: str
    right: bool = False
    most: int = 40
    spare: int = 0
    path: bool = False


def plain_reason(why: Reason, assembly: Assembly) -> str:
    """A reason's sentence for a cell, without backticks and without what the row's glyph says."""
    text = own_reason(why, refusal(assembly))
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return short_text(text.replace("`", ""), assembly)


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
    texts = [{record.cell(n).text for record in records} for n in range(last)]
    widths = {n: _width(columns[n], texts[n]) for n in range(last) if _says_anything(columns[n], texts[n])}
    for n in sorted(widths, key=lambda n: -columns[n].spare):
        enough = _WELL if columns[n].spare > 1 else _HARDLY
        if columns[n].spare and width - sum(cells + _GAP for cells in widths.values()) < enough:
            del widths[n]
    heads = row(*(Span(c.head, "title") for c in columns))
    lines = (Row(LaterSpans(partial(_aligned, columns, widths, record)), key=record.key) for record in records)
    return [Row(_aligned(columns, widths, heads)), *lines]


def _says_anything(column: Column, texts: Set[str]) -> bool:
    """Whether one of the cells has more than a mark for nothing; glyphs without a head are no content."""
    return not column.head or not texts <= {"", NOTHING}


def _width(column: Column, texts: Set[str]) -> int:
    """The width of the widest cell, as far as the column may grow."""
    width = cell_len(column.head)
    for text in texts:
        if width >= column.most:
            break
        width = max(width, cell_len(visible(text)))
    return min(width, column.most)


def _aligned(columns: Sequence[Column], widths: Mapping[int, int], record: Record) -> Spans:
    found: list[Span] = []
    for n, width in widths.items():
        span = record.cell(n)
        if columns[n].right:
            text = "".join(s.text for s in cut(shown([span]), width))
            text = " " * (width - cell_len(text)) + text
        else:
            text = pad(middle(span.text, width) if columns[n].path else span.text, width)
        found += [Span(text, span.tone), Span(" " * _GAP)]
    return (*found, record.cell(len(columns) - 1))
