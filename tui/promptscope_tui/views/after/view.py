"""The page of what is left of the prompt at a session's later request."""

from promptscope_engine.inputs.after import EVENTS, After
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.widgets.row_list import RowList

from .rows import after_rows


class AfterView(RowList):
    """What stays, comes back, is cut or lost, each with its reason; below it the same of every agent."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session, self._wanted = session, After()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show what a session knows; from now on it finds out what is left."""
        wanted = self._wanted
        self._session.request_after(wanted)
        if snapshot.assembly is not None:
            self.show(lambda width: [*after_rows(snapshot, wanted, width)])

    def next_event(self) -> None:
        """Ask about the next kind of event."""
        events = [*EVENTS]
        following = events[(events.index(self._wanted.event) + 1) % len(events)]
        self._ask(self._wanted.model_copy(update={"event": following}))

    def invoke(self, skill: str) -> None:
        """Take a skill as invoked, the last one of all, or not any more."""
        invoked = self._wanted.skills
        left = [name for name in invoked if name != skill]
        self._ask(self._wanted.model_copy(update={"skills": left if skill in invoked else [*left, skill]}))

    def _ask(self, wanted: After) -> None:
        self._wanted = wanted
        self.show_snapshot(self._session.snapshot)
