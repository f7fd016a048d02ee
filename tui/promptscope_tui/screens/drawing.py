"""When the main screen draws what the session knows."""

from collections.abc import Callable
from functools import partial

from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot

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
