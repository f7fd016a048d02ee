"""Rows of pieces as text that can be cut: trimming and replacing keep every character's origin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from promptscope_engine.javascript.text import js_trim, js_trim_end

from .drafts import Piece

Pieces = tuple[Piece, ...]


def joined(pieces: Iterable[Piece]) -> str:
    """The text of the pieces, whatever guards them."""
    return "".join(piece.text for piece in pieces)


def cut(pieces: Iterable[Piece], start: int, end: int) -> Pieces:
    """The pieces of the characters from `start` to `end` of the joined text."""
    out: list[Piece] = []
    at = 0
    for piece in pieces:
        first, last = max(start - at, 0), min(end - at, len(piece.text))
        if first < last:
            out.append(piece if last - first == len(piece.text) else _part(piece, first, last))
        at += len(piece.text)
    return tuple(out)


def _part(piece: Piece, first: int, last: int) -> Piece:
    """A stretch of a piece; one of a file keeps its lines."""
    text, origin = piece.text[first:last], piece.origin
    if origin.start_line is not None:
        start = origin.start_line + piece.text.count("\n", 0, first)
        origin = replace(origin, start_line=start, end_line=start + text.count("\n"))
    return Piece(text, origin, piece.when)


def put_in(pieces: Pieces, start: int, end: int, new: Pieces) -> Pieces:
    """The pieces with `new` in the place of the characters from `start` to `end`."""
    return (*cut(pieces, 0, start), *new, *cut(pieces, end, len(joined(pieces))))


def trimmed_pieces(pieces: Pieces) -> Pieces:
    """The pieces without JavaScript's white space around them all."""
    text = joined(pieces)
    kept = js_trim(text)
    start = text.find(kept)
    return cut(pieces, start, start + len(kept))


def trimmed_end(pieces: Pieces) -> Pieces:
    """The pieces without JavaScript's white space behind them all."""
    return cut(pieces, 0, len(js_trim_end(joined(pieces))))
