"""The first page: the overview of the prompt that is shown."""

from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.widgets.row_list import RowList

from .items import overview_of
from .rows import overview_rows


class OverviewView(RowList):
    """One screen: every line with a figure leads to its place."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self._lines = 0

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show what a session knows; from now on it finds out what only this page shows."""
        self._session.request_overview()
        if (found := overview_of(snapshot, self._session.today)) is not None:
            self.show(lambda width: overview_rows(found, width, self.size.height))

    def on_resize(self) -> None:
        """Another height has room for more or fewer lines."""
        if self.size.height != self._lines:
            self._lines = self.size.height
            self.show(self._make)
