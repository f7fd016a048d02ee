"""Each stretch of the sent texts with the file that it stands in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from promptscope_engine.agents.observed.materials import FromFile, Traced
from promptscope_engine.frozen import frozen

from .candidates import Candidate
from .matching import ANY_FILE, INSTRUCTIONS, FileWords, Piece, Texts

_NEAR = 400
"""Characters in front of a stretch in which the name of its file may stand."""

_HEAD = 5
"""Lines within which the beginning of a file is: front matter names it and describes it."""

_LONG = 160
"""Characters of a stretch that is no coincidence wherever in the file it stands."""

_OWN_SECTION = 60
"""Characters of a file's text from which on it is a part of its own."""


@frozen
class Found:
    """A file's pieces in the texts, in order, and whether they hold its first and its last word."""

    candidate: Candidate
    text: str
    pieces: tuple[Piece, ...]

    @property
    def has_start(self) -> bool:
        lead = self.text[: len(self.text) - len(self.text.lstrip())]
        return any(piece.start_line <= 1 + lead.count("\n") for piece in self.pieces)

    @property
    def has_end(self) -> bool:
        return any(piece.end_line >= 1 + self.text.rstrip().count("\n") for piece in self.pieces)

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The stretches of lines, joined where only blank lines lie between them."""
        numbered = self.text.split("\n")
        joined: list[tuple[int, int]] = []
        for start, end in sorted({(piece.start_line, piece.end_line) for piece in self.pieces}):
            last = joined[-1] if joined else None
            if last and not "".join(numbered[last[1] : start - 1]).strip():
                joined[-1] = (last[0], max(last[1], end))
            else:
                joined.append((start, end))
        return joined


@frozen
class _Claim:
    """A stretch that a file could be the origin of: its pieces in one text, and how well they fit."""

    candidate: Candidate
    file: str
    pieces: tuple[Piece, ...]
    weight: tuple[object, ...]


def locate(texts: Sequence[str], files: Iterable[tuple[Candidate, str]]) -> list[Found]:
    """The files that text stands in, each stretch in one of them: the longest wins, then the one that is named near
    it, then an instruction file."""
    index = Texts(texts)
    claims = [claim for candidate, text in files for claim in _claims(index, candidate, text)]
    claims.sort(key=lambda claim: claim.weight)
    taken: list[list[tuple[int, int]]] = [[] for _ in texts]
    won: dict[str, tuple[Candidate, str, list[Piece]]] = {}
    for claim in claims:
        free = [piece for piece in claim.pieces if not _overlaps(piece, taken[piece.text])]
        if sum(piece.end - piece.start for piece in free) * 2 < sum(p.end - p.start for p in claim.pieces):
            continue  # what is left over of a stretch that belongs to another file is a coincidence
        for piece in free:
            taken[piece.text].append((piece.start, piece.end))
        won.setdefault(claim.candidate.path, (claim.candidate, claim.file, []))[2].extend(free)
    return [
        Found(candidate, text, tuple(sorted(pieces, key=lambda piece: (piece.text, piece.start))))
        for candidate, text, pieces in won.values()
    ]


def _claims(index: Texts, candidate: Candidate, text: str) -> Iterator[_Claim]:
    runs = index.runs(text, INSTRUCTIONS if candidate.kind else ANY_FILE)
    words = FileWords(text) if runs else None
    found = [tuple(index.pieces(run, words)) for run in dict.fromkeys(runs) if words]
    if not found and candidate.kind:
        found = [(piece,) for piece in index.verbatim(text)]
    if not any(_is_meant(index, candidate, text, pieces) for pieces in found):
        return
    for pieces in found:
        chars = sum(piece.end - piece.start for piece in pieces)
        named = _named(index.texts[pieces[0].text][: pieces[0].start][-_NEAR:], candidate.path)
        unnamed = tuple(not each for each in named)
        weight = (-chars, unnamed, not candidate.kind, len(candidate.path), candidate.path)
        yield _Claim(candidate, text, pieces, weight)


def _is_meant(index: Texts, candidate: Candidate, text: str, pieces: Sequence[Piece]) -> bool:
    """Whether a stretch tells that the file itself was sent: it begins the file, is long, or its name stands near.

    A sentence from the middle of a guide for agents may stand in any agent's own prose.
    """
    chars = sum(piece.end - piece.start for piece in pieces)
    before = index.texts[pieces[0].text][: pieces[0].start]
    begins = not "".join(text.split("\n")[: pieces[0].start_line - 1][_HEAD:]).strip()
    return begins or chars >= _LONG or any(_named(before[-_NEAR:], candidate.path))


def _named(before: str, path: str) -> tuple[bool, bool, bool]:
    """Whether the text in front names the file: by its path, by its last two names, by its name."""
    folder, name = posixpath.split(path)
    near = f"{posixpath.basename(folder)}/{name}"
    return path in before, near in before, name in before


def _overlaps(piece: Piece, taken: Sequence[tuple[int, int]]) -> bool:
    return any(piece.start < end and start < piece.end for start, end in taken)


def traced(texts: Sequence[str], found: Sequence[Found]) -> list[tuple[Traced, ...]]:
    """Each text as stretches that join to it."""
    pieces = sorted(
        ((piece, file.candidate.path) for file in found for piece in file.pieces),
        key=lambda pair: (pair[0].text, pair[0].start),
    )
    made: list[list[Traced]] = [[] for _ in texts]
    at = [0] * len(texts)
    for piece, path in pieces:
        text = texts[piece.text]
        if at[piece.text] < piece.start:
            made[piece.text].append(Traced(text[at[piece.text] : piece.start]))
        made[piece.text].append(Traced(text[piece.start : piece.end], path, piece.start_line, piece.end_line))
        at[piece.text] = piece.end
    for number, text in enumerate(texts):
        if at[number] < len(text):
            made[number].append(Traced(text[at[number] :]))
    return [tuple(parts) for parts in made]


def stretches(number: int, found: Sequence[Found]) -> tuple[FromFile, ...]:
    """Where the text of a file begins and ends in one text; neighbouring pieces of a file are one, short ones none."""
    pieces = sorted(
        ((piece, file.candidate.path) for file in found for piece in file.pieces if piece.text == number),
        key=lambda pair: pair[0].start,
    )
    joined: list[FromFile] = []
    for piece, path in pieces:
        last = joined[-1] if joined else None
        if last and last.path == path and piece.start - last.end < _NEAR:
            joined[-1] = FromFile(last.start, piece.end, path)
        else:
            joined.append(FromFile(piece.start, piece.end, path))
    return tuple(each for each in joined if each.end - each.start >= _OWN_SECTION)
