"""Columns for lists: as wide as their cells; the last one takes what is left."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.model import Assembly, Reason
from promptscope_tui.rows.sums import Sum
from promptscope_tui.text.paths import short_text
from promptscope_tui.text.spans import Row, Span, cut, middle, pad, paragraph, row, shown, width_of

NOTHING = "·"
"""A cell of what is there, and counts nothing."""

_GAP = 2
_WELL, _HARDLY = 48, 16
"""Cells in which a reason can be read."""
_PREFIXES = ("present: ", "absent: ")  # the row's glyph says so


@frozen
class Column:
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
    text = why.text
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return short_text(text.replace("`", ""), assembly)


def sum_rows(found: Sum) -> list[Row]:
    """The parts of a sum and, last, the total."""
    *parts, whole = found.lines()
    indent = whole.index(" tok  ") + len("   tok  ")
    return [*(paragraph("  ", Span(line, "dim"), indent=indent) for line in parts), row("  ", Span(whole))]


def table(columns: Sequence[Column], rows: Sequence[Row], width: int) -> list[Row]:
    """A head and the rows, which have a span for each column, aligned in `width` cells.

    A column in which no row has anything is left out, and what is least useful where there is no room for it.
    """
    last = len(columns) - 1
    kept = [n for n in range(len(columns)) if n == last or _says_anything(columns[n], [r.left[n] for r in rows])]
    widths = {n: _width(columns[n], [r.left[n] for r in rows]) for n in kept[:-1]}
    for n in sorted(widths, key=lambda n: -columns[n].spare):
        enough = _WELL if columns[n].spare > 1 else _HARDLY
        if columns[n].spare and width - sum(cells + _GAP for cells in widths.values()) < enough:
            del widths[n]
    kept = [*widths, last]
    head = row(*(Span(c.head, "title") for c in columns))
    return [_aligned(columns, kept, widths, each) for each in (head, *rows)]


def _says_anything(column: Column, cells: Sequence[Span]) -> bool:
    """Whether one of the cells has more than a mark for nothing; glyphs without a head are no content."""
    return not column.head or any(cell.text not in ("", NOTHING) for cell in cells)


def _width(column: Column, cells: Sequence[Span]) -> int:
    return min(max([cell_len(column.head), *(width_of(shown([c])) for c in cells)]), column.most)


def _aligned(columns: Sequence[Column], kept: Sequence[int], widths: dict[int, int], record: Row) -> Row:
    found: list[Span] = []
    for n in kept:
        span = record.left[n]
        if n not in widths:
            found.append(span)
            continue
        width = widths[n]
        if columns[n].right:
            text = "".join(s.text for s in cut(shown([span]), width))
            text = " " * (width - cell_len(text)) + text
        else:
            text = pad(middle(span.text, width) if columns[n].path else span.text, width)
        found += [Span(text, span.tone), Span(" " * _GAP)]
    return Row(tuple(found), key=record.key)
