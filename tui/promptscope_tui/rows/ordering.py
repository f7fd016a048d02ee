"""A table's records in the order, and as few, as the user asks for: sorted by a column, filtered by typed words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_tui.text.spans import Row, Span

from .columns import Column, Record

_R = TypeVar("_R", bound=Record)

_DOWN, _UP = "↓", "↑"
_NUMBER = re.compile(r"[\d,]*\d")


class Order(Struct, frozen=True):
    """Sorted by a column, by its index; `down`: the largest or last first."""

    column: int
    down: bool = False

    @classmethod
    def by(cls, columns: Sequence[Column], column: int) -> Order:
        """As one wants to see it first: of numbers the largest, of words the alphabet."""
        return cls(column, down=columns[column].right)

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

    def shows(self, text: str) -> bool:
        """Whether a text contains all the words that were typed, in any order."""
        folded = text.casefold()
        return all(word in folded for word in self.needle.casefold().split())


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
