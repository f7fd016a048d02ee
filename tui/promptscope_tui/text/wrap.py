"""A text as rows that fit a width: by cells, by words, keeping the indentation of list items.

A text of 2 MB is wrapped at once: a row of narrow characters costs one `rfind`, wide text is measured by
running sums. Results are cached per text and width: folding, reloading and returning to a width cost nothing.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from rich.cells import get_character_cell_size

from .escape import Line, reveal

_LEAD = re.compile(r"[ →]*(?:(?:[-*+•·–—>]|#{1,6}|\(?\w{1,2}[.)]|\d+[.)]) +)*")
_WIDE = 2
"""Cells of a wide character."""
_ABSORBED = 64
"""How many spaces after a break may overflow, unseen."""

_CONTROLS = tuple(chr(code) for code in (*range(0x20), 0x7F) if chr(code) != "\n")
"""What of ASCII is not shown as it is, within a line."""


class Breaks(NamedTuple):
    """Where a line's rows begin, the first at 0, and by how many cells the further ones are indented."""

    starts: tuple[int, ...]
    hang: int


_WHOLE = Breaks((0,), 0)


class _Widths(dict[str, int]):
    """Cells by character, filled as characters are met."""

    def __missing__(self, char: str) -> int:
        cells = self[char] = get_character_cell_size(char)
        return cells


_WIDTH = _Widths()


def break_line(line: str, width: int) -> Breaks:
    """The rows of a line that is already visible, each of at most `width` cells (of 2 at the least).

    A row ends after its spaces; spaces that do not fit overflow. Rows joined are the line.
    """
    width = max(width, _WIDE)
    plain = line.isascii()
    sums = None if plain else list(accumulate(map(_WIDTH.__getitem__, line), initial=0))
    if (len(line) if sums is None else sums[-1]) <= width:
        return _WHOLE
    lead = _LEAD.match(line)
    floor = lead.end() if lead else 0
    hang = floor if sums is None else sums[floor]
    if hang > min(width // 2, width - 2):
        floor = hang = 0
    starts = [0]
    position, room, end = 0, width, len(line)
    while (limit := _last_fitting(sums, position, room)) < end:
        cut = _row_end(line, floor, limit, plain=plain)
        if cut >= end:
            break
        starts.append(cut)
        position = floor = cut
        room = width - hang
    return Breaks(tuple(starts), hang)


def _last_fitting(sums: Sequence[int] | None, position: int, room: int) -> int:
    """The last place after `position` up to which the text fits in `room` cells; `sums` are those of wide text."""
    if sums is None:
        return position + room
    limit = bisect_right(sums, sums[position] + room) - 1
    # zero-width characters without end must not make a row without end
    return min(max(limit, position + 1), position + 8 * room)


def _row_end(line: str, floor: int, limit: int, *, plain: bool) -> int:
    """Where a row ends, at most at `limit`: behind spaces or beside a wide character that come after `floor`."""
    cut = line.rfind(" ", floor, limit + 1) + 1
    if not plain:
        cut = max(cut, _between_wide(line, limit, max(floor, cut)))
    if cut <= floor:
        return limit
    last = min(cut + _ABSORBED, len(line))
    while cut < last and line[cut] == " ":
        cut += 1
    return cut


def _between_wide(line: str, limit: int, floor: int) -> int:
    """The last place after `floor`, up to `limit`, beside a wide character: a row may end there. Else 0."""
    for at in range(limit, floor, -1):
        here = _WIDTH[line[at]]
        if here == _WIDE or (here and _WIDTH[line[at - 1]] == _WIDE):
            return at
    return 0


def _to_look_at(text: str, lines: Sequence[str], width: int) -> Iterable[int]:
    """The numbers of the lines that may not be shown as they are, in a row of their own. Most need no look at all."""
    plain = not any(control in text for control in _CONTROLS)
    if plain and text.isascii():
        return [n for n, size in enumerate(map(len, lines)) if size > width]
    if plain:
        return (n for n, line in enumerate(lines) if len(line) > width or not line.isascii())
    return (n for n, line in enumerate(lines) if len(line) > width or not (line.isascii() and line.isprintable()))


class Wrapped:
    """The rows of a text, found by number. Lines are those between newlines, without them, made visible."""

    def __init__(self, text: str, width: int) -> None:
        raw = text.split("\n")
        if len(raw) > 1 and not raw[-1]:
            raw.pop()  # the newline that ends the text starts no line
        self.raw_lines = raw
        self.lines = raw.copy()
        self._starts = [0]  # of the first lines, as many as somebody asked for
        self._edited: dict[int, Line] = {}
        self._broken: dict[int, Breaks] = {}
        for number in _to_look_at(text, raw, width):
            revealed = reveal(raw[number])
            if revealed.edits:
                self._edited[number] = revealed
                self.lines[number] = revealed.text
            breaks = break_line(revealed.text, width)
            if len(breaks.starts) > 1:
                self._broken[number] = breaks
        # In order. Few lines of a file of megabytes are broken: a row for each of the others would take as long as all.
        self._broken_lines = list(self._broken)
        self._more_rows = list(accumulate((len(each.starts) - 1 for each in self._broken.values()), initial=0))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.lines) + self._more_rows[-1]

    def first(self, line: int) -> int:
        """The row at which a line begins; the number of rows for the line after the last."""
        return line + self._more_rows[bisect_left(self._broken_lines, line)]

    def line_start(self, line: int) -> int:
        """The offset in the text at which a line begins."""
        starts = self._starts
        if line >= len(starts):
            further = (len(line) + 1 for line in self.raw_lines[len(starts) - 1 : line])
            starts.extend(accumulate(further, initial=starts.pop()))
        return starts[line]

    def line_at(self, offset: int) -> int:
        """The line that holds an offset of the text."""
        starts, last = self._starts, len(self.raw_lines) - 1
        while starts[-1] < offset and len(starts) <= last:
            self.line_start(min(2 * len(starts), last))
        return max(bisect_right(starts, offset) - 1, 0)

    def breaks(self, line: int) -> Breaks:
        """Where a line's rows begin."""
        return self._broken.get(line, _WHOLE)

    def revealed(self, line: int) -> Line:
        """The line with the mapping between its raw and its shown columns."""
        return self._edited.get(line) or Line(self.lines[line])

    def locate(self, row: int) -> tuple[int, int]:
        """The line that a row belongs to, and which of the line's rows it is."""
        line = bisect_right(range(len(self.lines)), row, key=self.first) - 1
        return line, row - self.first(line)

    def row_at(self, line: int, column: int) -> int:
        """The row that shows a shown column of a line."""
        return self.first(line) + bisect_right(self.breaks(line).starts, column) - 1

    def span(self, line: int, sub: int) -> tuple[int, int]:
        """The shown columns of a line's row."""
        starts = self.breaks(line).starts
        return starts[sub], starts[sub + 1] if sub + 1 < len(starts) else len(self.lines[line])


@lru_cache(maxsize=1024)
def wrap(text: str, width: int) -> Wrapped:
    """The rows of a text, from the cache if this text was wrapped to this width before."""
    return Wrapped(text, width)
