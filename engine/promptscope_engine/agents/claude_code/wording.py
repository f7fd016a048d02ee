"""How a stretch of fixed prose is written down: one named point per line of the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label

from .materials import Materials
from .versions import V100


def lines(
    prefix: str, points: Mapping[str, str], *, before: str = "", between: str = "\n", when: Condition = ALWAYS
) -> Iterable[Piece]:
    """A piece `<prefix>.<point>` per point: `before` in front of the first, `between` in front of the others."""
    pieces = _unguarded(prefix, tuple(points.items()), before, between)
    return pieces if when is ALWAYS else [Piece(piece.text, piece.origin, when) for piece in pieces]


@cache  # the prose is fixed, and an assembly asks for a thousand of its lines
def _unguarded(prefix: str, points: tuple[tuple[str, str], ...], before: str, between: str) -> tuple[Piece, ...]:
    gaps = (before, *(between for _ in points[1:]))
    return tuple(builtin(f"{prefix}.{name}", gap + text) for gap, (name, text) in zip(gaps, points, strict=True))


def commit_trailer(m: Materials) -> Iterator[Piece]:
    """What commit messages end with: the settings' own text, else the line that credits the model."""
    if m.commit_trailer:
        yield m.commit_trailer.piece()
        return
    # An id that tells nothing: 2.1.100 credits the model that was its best, to judge by the length of the recording.
    unknown = "Opus 4.6" if m.version == V100 else "Code"
    yield label("Co-Authored-By: Claude ")
    yield computed("model.display", m.credited.display if m.credited.known else unknown)
    yield label(" <noreply@anthropic.com>")


def pull_request_footer(m: Materials) -> Piece:
    """What descriptions of pull requests end with."""
    usual = label("🤖 Generated with [Claude Code](https://claude.com/claude-code)")
    return m.pull_request_footer.piece() if m.pull_request_footer else usual
