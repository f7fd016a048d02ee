"""A session that is running, beside the prompt: how full its window is, and its last turns."""

from promptscope_engine.agents.transcripts import Transcript
from promptscope_engine.prompt.model import TokenSummary
from promptscope_tui.session.transcripts import Follower
from promptscope_tui.text.spans import Row, Span, row
from promptscope_tui.text.words import bar, many, number, percent
from promptscope_tui.widgets.row_list import RowList

from .transcript import ROLES

TURNS = 6
"""The last turns that are shown."""


def running_rows(name: str, found: Transcript, tokens: TokenSummary) -> list[Row]:
    """The session's name and fill, then its last turns, the newest last."""
    fill = f"  {number(found.fill)} tok  {percent(found.fill, tokens.window)}  "
    title = row(
        Span("● ", "good"),
        Span(name, "strong"),
        Span(f"  {many(len(found.turns), 'turn')}", "dim"),
        Span(fill),
        Span(bar(min(found.fill, tokens.window), tokens.window, 10), "environment"),
        right=[Span("F stops following", "faint")],
    )
    return [title, *(_turn(at, found) for at in range(max(len(found.turns) - TURNS, 0), len(found.turns)))]


def _turn(at: int, found: Transcript) -> Row:
    turn = found.turns[at]
    said = " ".join((*turn.reads, *turn.text.split())) if turn.reads else " ".join(turn.text.split())
    words = Span(f"{turn.role:<11}", ROLES[turn.role]), Span(" ".join(turn.calls), "tool"), Span(f"  {said}", "dim")
    return row(Span(f"{at + 1:>4} ", "faint"), *words, right=[Span(f"+{turn.tokens:,}", "more")])


class RunningSession(RowList):
    """A strip below the prompt."""

    can_focus = False
    follower: Follower | None = None
    """Goes on reading, once the session is read so far."""

    DEFAULT_CSS = "RunningSession { height: 8; border-top: solid $line; padding: 0 1; }"

    def on_unmount(self) -> None:
        """Stop reading."""
        if self.follower is not None:
            self.follower.stop()
