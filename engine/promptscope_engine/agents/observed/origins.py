"""Stretches of sent text as pieces of the prompt."""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.model import Origin

from .materials import Traced

_SENT = Origin("sent")


def pieces(parts: Iterable[Traced]) -> tuple[Piece, ...]:
    """Each stretch with the file that it stands in; the rest was sent, and more is not known."""
    return tuple(map(_piece, parts))


def _piece(part: Traced) -> Piece:
    if part.path is None:
        return Piece(part.text, _SENT)
    return Piece(part.text, Origin("file", path=part.path, start_line=part.start_line, end_line=part.end_line))
