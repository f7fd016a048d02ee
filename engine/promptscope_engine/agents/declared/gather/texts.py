"""Texts of a definition and of files as pieces, which keep the lines that they stand on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.declared.reading import Read
from promptscope_engine.prompt.drafts import Piece, computed, file_text
from promptscope_engine.prompt.pieces import Pieces, joined, replaced

MAX_NAMES = 1_000
"""`{{name}}` that are filled in one text."""

_MAX_TRACED = 100_000
"""Characters of a text with escapes whose lines are looked for in the definition."""

_NAME = re.compile(r"\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.]*)[ \t]*\}\}")


def written_text(read: Read, value: str, *path: str | int) -> Pieces:
    """A text of the definition, line by line where it is written with escapes."""
    raw, begin = read.written(*path)
    name = ".".join(map(str, path))
    if value in raw and (read.is_verbatim or "\n" not in value):
        return (file_text(read.path, value, read.places.position(begin + raw.index(value))[0]),)
    return tuple(_lines(read, value, begin, len(raw), name)) if len(raw) <= _MAX_TRACED else (computed(name, value),)


def _lines(read: Read, value: str, begin: int, length: int, name: str) -> Iterator[Piece]:
    at, end = begin, begin + length
    for number, line in enumerate(value.split("\n")):
        if number:
            yield computed(name, "\n")
        found = read.text.find(line, at, end)
        if found == -1:
            yield computed(name, line)
        else:
            yield file_text(read.path, line, read.places.position(found)[0])
            at = found + len(line)


def filled(pieces: Pieces, values: Mapping[str, Piece]) -> tuple[Pieces, list[tuple[str, int]], int]:
    """The pieces with each `{{name}}` replaced, the names that mean nothing with their offsets in the text, and how
    many names beyond the limit stay as they are."""
    names = list(_NAME.finditer(joined(pieces)))
    unknown = [(found[1], found.start()) for found in names if found[1] not in values]
    known = [found for found in names if found[1] in values]
    places = [(*found.span(), (values[found[1]],)) for found in known[:MAX_NAMES]]
    return replaced(pieces, places), unknown, len(known[MAX_NAMES:])
