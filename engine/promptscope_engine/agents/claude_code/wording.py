"""How a stretch of fixed prose is written down: one named point per line of the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Piece, builtin

from .materials import Materials


def lines(
    prefix: str, points: Mapping[str, str], *, before: str = "", between: str = "\n", when: Condition = ALWAYS
) -> Iterator[Piece]:
    """A piece `<prefix>.<point>` per point: `before` in front of the first, `between` in front of the others."""
    for name, text in points.items():
        yield builtin(f"{prefix}.{name}", before + text, when=when)
        before = between


def fixed(prefix: str, points: Mapping[str, str]) -> Callable[[Materials], Iterator[Piece]]:
    """A text that is the same in every prompt: what `lines` gives, whatever the materials."""

    def pieces(_: Materials) -> Iterator[Piece]:
        return lines(prefix, points)

    return pieces
