"""How a stretch of fixed prose is written down: one named point per line of the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Piece, builtin

from .materials import Materials


def lines(
    prefix: str, points: Mapping[str, str], *, before: str = "", between: str = "\n", when: Condition = ALWAYS
) -> Iterable[Piece]:
    """A piece `<prefix>.<point>` per point: `before` in front of the first, `between` in front of the others."""
    pieces = _unguarded(prefix, tuple(points.items()), before, between)
    return pieces if when is ALWAYS else [Piece(piece.text, piece.origin, when) for piece in pieces]


@cache  # the prose is fixed, and an assembly asks for hundreds of its lines
def _unguarded(prefix: str, points: tuple[tuple[str, str], ...], before: str, between: str) -> tuple[Piece, ...]:
    gaps = (before, *(between for _ in points[1:]))
    return tuple(builtin(f"{prefix}.{name}", gap + text) for gap, (name, text) in zip(gaps, points, strict=True))


def fixed(prefix: str, text: str) -> Callable[[Materials], Iterable[Piece]]:
    """A text that is the same in every prompt."""

    def pieces(_: Materials) -> Iterable[Piece]:
        return (builtin(prefix, text),)

    return pieces
