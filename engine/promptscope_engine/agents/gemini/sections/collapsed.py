"""Blank lines in the system text: three and more line feeds become two, in user text as well (specs/gemini.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.pieces import Pieces, joined, replaced

_RUN = re.compile(r"\n{3,}")


def collapsed(pieces: Iterable[Piece]) -> Pieces:
    """The pieces without the line feeds that the client takes out; a run may go over several pieces."""
    pieces = tuple(pieces)
    return replaced(pieces, ((run.start() + 2, run.end(), ()) for run in _RUN.finditer(joined(pieces))))
