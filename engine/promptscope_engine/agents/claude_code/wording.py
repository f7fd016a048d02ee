"""What stands at the end of a commit message, and of a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.prompt.drafts import Piece, computed, label

from .materials import Materials
from .versions import V100


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
