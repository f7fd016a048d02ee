"""Rows of pieces as text that can be cut: trimming and replacing keep every character's origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from promptscope_engine.javascript.text import js_trim, js_trim_end

from .drafts import Piece, guarded

Pieces = tuple[Piece, ...]


def joined(pieces: Iterable[Piece]) -> str:
    """The text of the pieces, whatever guards them."""
    return "".join(piece.text for piece in pieces)


def cut(pieces: Iterable[Piece], start: int, end: int) -> Pieces:
    """The pieces of the characters from `start` to `end` of the joined text."""
    walk = _Walk(pieces)
    for _ in walk.until(start):
        pass
    return tuple(walk.until(end))


def replaced(pieces: Iterable[Piece], places: Iterable[tuple[int, int, Iterable[Piece]]]) -> Pieces:
    """The pieces with others in the place of stretches: (start, end, the others), one stretch behind the other."""
    walk, out = _Walk(pieces), list[Piece]()
    for start, end, others in places:
        out += walk.until(start)
        out += others
        for _ in walk.until(end):
            pass
    return (*out, *walk.until(None))


def replaced_in_javascript(pieces: Pieces, placeholder: str, new: Pieces, most: int | None = None) -> Pieces:
    """`text.replace(/placeholder/g, new)`: every occurrence, or the first `most`. Of `new`, `$$` is a dollar, `$&` the
    placeholder, "$`" and `$'` what stands before and after it; `$1` and the like stay, as the pattern has no groups."""
    spans = [match.span() for match in re.finditer(re.escape(placeholder), joined(pieces))][:most]
    return replaced(pieces, [(*span, list(_expanded(pieces, new, *span))) for span in spans])


def _expanded(pieces: Pieces, new: Pieces, start: int, end: int) -> Iterator[Piece]:
    stretches = {"&": (start, end), "`": (0, start), "'": (end, len(joined(pieces)))}
    for piece in new:
        at = 0
        for match in _DOLLAR.finditer(piece.text):
            sign = match[1]
            yield from cut([piece], at, match.start() + (sign == "$"))
            if sign != "$":
                yield from guarded(cut(pieces, *stretches[sign]), piece.when)
            at = match.end()
        yield from cut([piece], at, len(piece.text))


_DOLLAR = re.compile(r"\$([$&`'])")


class _Walk:
    """Goes through pieces once, so that no line is counted twice; a stretch of a file's piece keeps its lines."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._pieces = iter(pieces)
        self._piece: Piece | None = None
        self._at = self._inside = self._lines = 0

    def until(self, end: int | None) -> Iterator[Piece]:
        """What is left up to the character `end` of the whole text."""
        while end is None or self._at < end:
            if self._piece is None or self._inside == len(self._piece.text):
                self._piece, self._inside, self._lines = next(self._pieces, None), 0, 0
            if self._piece is None:
                return
            piece, first = self._piece, self._inside
            last = len(piece.text) if end is None else min(len(piece.text), first + end - self._at)
            if first < last:
                yield piece if last - first == len(piece.text) else self._part(piece, first, last)
            self._at, self._inside = self._at + last - first, last

    def _part(self, piece: Piece, first: int, last: int) -> Piece:
        text, origin = piece.text[first:last], piece.origin
        if origin.start_line is not None:
            start = origin.start_line + self._lines
            self._lines += text.count("\n")
            origin = replace(origin, start_line=start, end_line=origin.start_line + self._lines)
        return Piece(text, origin, piece.when)


def put_in(pieces: Pieces, start: int, end: int, new: Pieces) -> Pieces:
    """The pieces with `new` in the place of the characters from `start` to `end`."""
    return replaced(pieces, [(start, end, new)])


def trimmed_pieces(pieces: Pieces) -> Pieces:
    """The pieces without JavaScript's white space around them all."""
    text = joined(pieces)
    kept = js_trim(text)
    start = text.find(kept)
    return cut(pieces, start, start + len(kept))


def trimmed_end(pieces: Pieces) -> Pieces:
    """The pieces without JavaScript's white space behind them all."""
    return cut(pieces, 0, len(js_trim_end(joined(pieces))))
