"""When the main screen draws what the session knows, and the notes at its bottom."""

from collections.abc import Callable
from functools import partial

from textual.timer import Timer
from textual.widget import Widget

from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Tone
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.widgets.row_list import RowList

from .host import Host

DELAY = 0.1
"""Seconds before a change is drawn that has no answer yet."""


class DrawSchedule:
    """Draws what was asked for first, then everything else; after that the worker goes on."""

    def __init__(self, session: Session, screen: Host, later: Callable[[float, Callable[[], None]], object]) -> None:
        """`later` calls something after so many seconds."""
        self._session, self._screen, self._later = session, screen, later
        self._drawing = False

    def update(self, snapshot: Snapshot) -> None:
        """Draw a snapshot, now or a little later.

        Most answers come within a frame, and drawing would take the interpreter from the worker: a change that has no
        answer yet waits for one.
        """
        if snapshot.is_unanswered(self._screen.snapshot):
            self._later(DELAY, partial(self.draw, snapshot))
        else:
            self.draw(snapshot)

    def draw(self, snapshot: Snapshot) -> None:
        """Draw a snapshot, unless a newer one is on its way."""
        if snapshot is self._session.snapshot and self._screen.is_attached:
            self._drawing = True
            self._screen.show_first(snapshot)
            self._screen.once_drawn(self._finish)

    def _finish(self) -> None:
        self._drawing = False
        self._screen.show_rest()
        self._screen.once_drawn(self._session.drawn)
        if self.is_found_out:
            self._screen.settle()

    @property
    def is_found_out(self) -> bool:
        """Whether nothing more is to come about what is shown."""
        return not self._screen.snapshot.busy and not self._session.details_due

    @property
    def is_answer_due(self) -> bool:
        """Whether an answer is being drawn, or on its way to the screen."""
        now, shown = self._session.snapshot, self._screen.snapshot
        return self._drawing or now.scenario is not shown.scenario or now.is_unanswered(shown)


NOTE_SECONDS, ERROR_SECONDS = 8.0, 20.0
"""How long a note stays."""


class Notes:
    """One note at a time, for as long as it takes to read it: errors stay longer.

    While an answer is about to be drawn, a note waits for it. It would lay out the screen in a frame of its own, before
    the panes have asked for theirs, and the answer would be drawn in the next one.
    """

    def __init__(
        self,
        show: Callable[[str, Tone], None],
        later: Callable[[float, Callable[[], None]], Timer],
        is_answer_due: Callable[[], bool],
    ) -> None:
        """`later` calls something after so many seconds."""
        self._show, self._later, self._is_answer_due = show, later, is_answer_due
        self._due: tuple[str, bool, str] | None = None
        self._timer: Timer | None = None
        self.leads_to = ""
        """The id of the action that the note which is shown offers."""

    def say(self, words: str, *, error: bool = False, leads_to: str = "") -> None:
        """Show a note, now or after the answer that is due; "" removes the one that is shown."""
        self._due = words, error, leads_to
        if words and self._is_answer_due():
            self._later(DELAY, self.say_due)
        else:
            self.say_due()

    def say_due(self) -> None:
        """Show the note that waits, if there is one."""
        if self._due is None:
            return
        (words, error, self.leads_to), self._due = self._due, None
        self._show(words, "error" if error else "dim")
        if self._timer is not None:
            self._timer.stop()
        if words:
            self._timer = self._later(ERROR_SECONDS if error else NOTE_SECONDS, partial(self.say, ""))


def cursor_lines_above(footer: int, pane: Widget | None) -> range:
    """The lines of the row under a pane's cursor, counted up from the footer's line, from 1; none out of view."""
    lines = pane.cursor_lines if isinstance(pane, RowList | PromptView) else range(0)
    if pane is None or not lines:
        return range(0)
    first = footer - (pane.content_region.y + lines.start - pane.scroll_offset.y)
    return range(max(first - len(lines) + 1, 1), first + 1)
