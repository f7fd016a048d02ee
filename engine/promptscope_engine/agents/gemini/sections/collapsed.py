"""Blank lines in the system text: three and more line feeds become two, in user text as well (specs/gemini.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.pieces import joined, replaced

_RUN = re.compile(r"\n{3,}")


def collapsed(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without the line feeds that the client takes out; a run may go over several pieces."""
    pieces = tuple(pieces)
    yield from replaced(pieces, ((run.start() + 2, run.end(), ()) for run in _RUN.finditer(joined(pieces))))
