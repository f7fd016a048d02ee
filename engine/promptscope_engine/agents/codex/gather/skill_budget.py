"""What the list of skills may take of the window, and how descriptions are shortened to fit (specs/codex.md 8.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from promptscope_engine.frozen import frozen

PERCENT = 2
BYTES_PER_TOKEN = 4
"""As Codex estimates; it says nothing of descriptions that are shortened."""
_SPARED = 158
"""Bytes that the wording around short paths is shorter by, and one for rounding [0.169.0]."""


@frozen
class Line:
    """A line of the list: what it says around the description, and the description."""

    name: str
    description: str
    path: str

    def text(self, characters: int) -> str:
        """The line with so many characters of the description."""
        described = f"{self.description[:characters]} " if characters else ""
        return f"- {self.name}: {described}(file: {self.path})"


@frozen
class Fitted:
    """How many characters of each description fit; None for a line that is left out."""

    characters: tuple[int | None, ...]
    table: int = 0
    """Tokens that the table of roots takes."""

    def rank(self, lines: Sequence[Line]) -> tuple[int, int, int]:
        """The less the better: lines left out, characters lost, tokens."""
        kept = [(line, got) for line, got in zip(lines, self.characters, strict=True) if got is not None]
        lost = sum(len(line.description) for line in lines) - sum(got for _, got in kept)
        return len(lines) - len(kept), lost, self.table + sum(cost(line.text(got)) for line, got in kept)


def budget(window: int) -> int:
    """Tokens that the list may take of the raw window."""
    return max(window * PERCENT // 100, 1)


def cost(line: str) -> int:
    """Tokens of a line, as Codex estimates them: four bytes each, its line break included."""
    return _tokens(len(line.encode("utf-8", "surrogatepass")) + 1)


def _tokens(size: int) -> int:
    return -(-size // BYTES_PER_TOKEN)


def fitted(lines: Sequence[Line], limit: int) -> Fitted:
    """All descriptions if they fit; else as much of each as fits, one character at a time; else as many bare lines."""
    if sum(cost(line.text(len(line.description))) for line in lines) <= limit:
        return Fitted(tuple(len(line.description) for line in lines))
    bare = [cost(line.text(0)) for line in lines]
    if sum(bare) <= limit:
        return Fitted(tuple(_shared(lines, limit - sum(bare))))
    used, kept = 0, []
    for tokens in bare:  # a long name that does not fit does not keep a shorter one out
        fits = used + tokens <= limit
        used += tokens if fits else 0
        kept.append(0 if fits else None)
    return Fitted(tuple(kept))


def with_table(lines: Sequence[Line], roots: Sequence[str], limit: int) -> Fitted | None:
    """Lines of short paths beside the table of their roots, given as its rows; None if that alone is too long.

    The table takes what it is longer by than the wording is shorter [0.169.0].
    """
    rows = "".join(f"{row}\n" for row in ("### Skill roots", *roots))
    table = max(0, _tokens(len(rows.encode("utf-8", "surrogatepass")) - _SPARED))
    return None if table >= limit else replace(fitted(lines, limit - table), table=table)


def _shared(lines: Sequence[Line], left: int) -> list[int]:
    """Characters of each description, handed out in rounds; one that would cost too much waits."""
    given = [0] * len(lines)
    sizes = [len(line.text(0).encode("utf-8", "surrogatepass")) + 1 for line in lines]
    pending = [n for n, line in enumerate(lines) if line.description]
    while pending:
        still = []
        changed = False
        for number in pending:
            character = lines[number].description[given[number]]
            # the first character brings the blank behind the description along
            size = sizes[number] + len(character.encode("utf-8", "surrogatepass")) + (given[number] == 0)
            more = _tokens(size) - _tokens(sizes[number])
            if more <= left:
                left -= more
                given[number] += 1
                sizes[number] = size
                changed = True
            if given[number] < len(lines[number].description):
                still.append(number)
        if not changed:
            break
        pending = still
    return given
