"""Asking an MCP server what it offers: what would be started, then what it answered."""

from collections.abc import Iterator
from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.asking import Asking, Told
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.widgets.row_list import RowList

START = "start"
"""The key of the row that starts the server."""


class ServerScreen(ModalScreen[bool]):
    """Nothing is started before enter. Leaving ends what was started; the result is whether an answer was kept."""

    CSS_PATH = "report.tcss"
    BINDINGS = bindings("server")

    def __init__(self, scenario: Scenario, name: str) -> None:
        super().__init__()
        self._scenario, self._server = scenario, name
        self.asking: Asking | None = None

    def compose(self) -> ComposeResult:
        """The server, the lines, the keys."""
        with Vertical(id="report"):
            yield Static(visible(f"ASK THE MCP SERVER   {self._server}"), id="report-title", markup=False)
            yield RowList(id="report-lines")
            yield Static("", id="report-foot", markup=False)

    def on_mount(self) -> None:
        """Find out what would be started."""
        self.asking = Asking(self._scenario, self._server, partial(self.app.call_from_thread, self.show))
        self.asking.start()
        self.query_one(RowList).focus()
        self.show(self.asking.told)

    def on_unmount(self) -> None:
        """End what was started."""
        if self.asking is not None:
            self.asking.stop()

    def show(self, told: Told) -> None:
        """Show how far it is."""
        lines = self.query_one(RowList)
        lines.show(lambda _: list(asking_rows(told)), keep=False)
        lines.go_to(START)
        self.query_one("#report-foot", Static).update("enter start it   esc leave" if told.offers else "esc leave")

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Start it."""
        if event.key == START and self.asking is not None:
            self.asking.go()

    def action_close(self) -> None:
        """Leave."""
        told = self.asking.told if self.asking else Told()
        self.dismiss(bool(told.ended) and not told.failed)


def asking_rows(told: Told) -> Iterator[Row]:
    """What would be started, the row that starts it, and the end."""
    for line in told.lines:
        yield paragraph(line, indent=2)
    if told.lines:
        yield BLANK
    if told.offers:
        yield row(Span("  → ", "accent"), Span("start it and ask for its tools", "strong"), key=START)
    elif told.ended:
        yield paragraph(Span(told.ended, "warn" if told.failed else "strong"), indent=2)
    else:
        yield row(Span("… asking" if told.lines else "… looking for what starts it", "dim"))
