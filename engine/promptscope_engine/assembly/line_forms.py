"""Lines by their form: what is fixed in them, the values that are pieces of their own, and where a client has them.

A row of a list is a name, a description and a path between words that are fixed: a client of another version may have
the same values in another order, between other words, or the whole path in the place of a short one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.learned import PIECE
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import Fragment, Origin

Traced = Span | Fragment
"""A piece of text with its origin, before and after its condition was evaluated."""

_TEXTS = ("file", "builtin", "learned")


class Value(Struct, frozen=True):
    """A value in a text, from `start` to `end`; `name` is that of its origin, "text" for a file's or fixed prose."""

    start: int
    end: int
    text: str
    name: str
    origin: Origin

    def shown(self, hole: str) -> str:
        """What a hole of learned lines has of it: its text, or with `.path` the path of the file that it names."""
        return (self.origin.path or self.text) if hole.endswith(".path") else self.text


def values_in(pieces: Sequence[Traced]) -> Iterator[Value]:
    """The values in the text of the pieces joined; neighbours of a kind are one."""
    at = 0
    last: Value | None = None
    for piece in pieces:
        start, at = at, at + len(piece.text)
        if piece.origin.kind == "label" or not piece.text:
            continue
        name = "text" if piece.origin.kind in _TEXTS else piece.origin.name or piece.origin.kind
        if last and (last.end, last.name) == (start, name):
            last = Value(last.start, at, last.text + piece.text, name, last.origin)
            continue
        if last:
            yield last
        last = Value(start, at, piece.text, name, piece.origin)
    if last:
        yield last


def matched(form: Sequence[str], text: str, at: int, values: Mapping[int, Value]) -> tuple[int, list[Value]] | None:
    """Where lines that begin at a place of the text end, and their values, if they have a form; else None.

    `form` has literals at even places and names of values at odd ones, `values` are those of the text by their start.
    """
    found: list[Value] = []
    for place, each in enumerate(form):
        if place % 2:
            value = values.get(at)
            if value is None or value.name != each.removeprefix(PIECE):
                return None
            found.append(value)
            at = value.end
        elif text.startswith(each, at):
            at += len(each)
        else:
            return None
    return (at, found) if at == len(text) or text[at] == "\n" else None


T = TypeVar("T", bound=Traced)


class Place(Struct, frozen=True):
    """Lines, and the form of the rows that they are before or behind."""

    form: Sequence[str]
    lines: Sequence[str]
    is_before: bool


def in_order(place: Place, pieces: Sequence[T]) -> Sequence[T]:
    """The pieces with the lines at this place; without such lines or such rows, as they are."""
    text = "".join([piece.text for piece in pieces])
    lines = text.split("\n")
    wanted = {at for at, line in enumerate(lines) if line in place.lines}
    if not wanted:
        return pieces
    values = {value.start: value for value in values_in(pieces)}
    starts = accumulate((len(line) + 1 for line in lines[:-1]), initial=0)
    rows = [at for at, start in enumerate(starts) if matched(place.form, text, start, values)]
    if not rows:
        return pieces
    first, end = rows[0], rows[-1] + 1
    moved = [at for at in sorted(wanted) if (at > first if place.is_before else at < end - 1)]
    if not moved:
        return pieces
    left = [at for at in range(len(lines)) if at not in moved]
    here = left.index(first) if place.is_before else left.index(end - 1) + 1
    return _joined([*_by_line(pieces)], [*left[:here], *moved, *left[here:]])


def _by_line(pieces: Sequence[T]) -> Iterator[list[tuple[int, T]]]:
    """Each line in parts, with the numbers of their pieces; but for the last line, its break is a part of its own."""
    line: list[tuple[int, T]] = []
    for number, piece in enumerate(pieces):
        first, *others = piece.text.split("\n")
        line.append((number, replace(piece, text=first)))
        for other in others:
            yield [*line, (number, replace(piece, text="\n"))]
            line = [(number, replace(piece, text=other))]
    yield line


def _joined(lines: Sequence[list[tuple[int, T]]], order: Sequence[int]) -> list[T]:
    """The lines in another order, with the breaks between them where they were; what is left of a piece is one."""
    found: list[tuple[int, T]] = []
    last = len(lines) - 1
    for place, at in enumerate(order):
        found += lines[at] if at == last else lines[at][:-1]
        found += lines[place][-1:] if place < last else []
    pieces = ([part for _, part in group] for _, group in groupby(found, key=itemgetter(0)))
    joined = [replace(group[0], text="".join([part.text for part in group])) for group in pieces]
    return [piece for piece in joined if piece.text]
