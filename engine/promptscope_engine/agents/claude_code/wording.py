"""How a stretch of fixed prose is written down: one named point per line of the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label

from .materials import Materials
from .versions import V100


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


def commit_trailer(m: Materials) -> Iterator[Piece]:
    """What commit messages end with: the settings' own text, else the line that credits the model."""
    if m.commit_trailer:
        yield m.commit_trailer.piece()
        return
    # An id that tells nothing: 2.1.100 credits the model that was its best, to judge by the length of the recording.
    unknown = "Opus 4.6" if m.version == V100 else "Code"
    yield label("Co-Authored-By: Claude ")
    yield computed("model.display", m.model.display if m.model.known else unknown)
    yield label(" <noreply@anthropic.com>")


def pull_request_footer(m: Materials) -> Piece:
    """What descriptions of pull requests end with."""
    usual = label("🤖 Generated with [Claude Code](https://claude.com/claude-code)")
    return m.pull_request_footer.piece() if m.pull_request_footer else usual
