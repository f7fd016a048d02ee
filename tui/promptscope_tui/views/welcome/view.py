"""The first page of a folder in which the agent finds no files."""

from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.widgets.row_list import RowList

from .rows import welcome_rows


class Welcome(RowList):
    """Says who would read what; what can be done is a row to choose."""

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show what the agents find in the folder of a session."""
        self.show(lambda _: welcome_rows(snapshot))
