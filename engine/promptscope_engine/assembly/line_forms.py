"""Lines by their form: what is fixed in them, and the values that are pieces of their own.

A row of a list is a name, a description and a path between words that are fixed: a client of another version may have
the same values in another order, between other words, or the whole path in the place of a short one.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from promptscope_engine.learned.model import PIECE
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
