"""Learning a client's own words: what will be run, then each run as it ends."""

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.learning import Learning, Told
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.widgets.row_list import RowList

_KEYS = {
    "planning": "esc leave",
    "asking": "enter run it   esc leave",
    "running": "esc leave, it goes on   x end it, what was learned is kept",
    "ended": "esc leave",
}


RUN = "run"
"""The key of the row that runs what is planned."""


class LearnScreen(ModalScreen[None]):
    """Nothing is run before enter. Who leaves while it runs goes on working, and is told at the end."""

    CSS_PATH = "report.tcss"
    BINDINGS = bindings("learn")

    def __init__(self, learning: Learning) -> None:
        super().__init__()
        self.learning = learning

    def compose(self) -> ComposeResult:
        """The client, the lines, the keys."""
        with Vertical(id="report"):
            yield Static("", id="report-title", markup=False)
            yield RowList(id="report-lines")
            yield Static("", id="report-foot", markup=False)

    def on_mount(self) -> None:
        """Show how far it is."""
        self.query_one(RowList).focus()
        self.show(self.learning.told)

    def show(self, told: Told) -> None:
        """Show how far it is."""
        self.query_one("#report-title", Static).update(visible(f"LEARN   {told.title}"))
        lines = self.query_one(RowList)
        lines.show(lambda _: list(learn_rows(told)), keep=False)
        lines.go_to(RUN)
        lines.scroll_end(animate=False)
        state = "asking" if self.learning.is_asking else "running" if self.learning.is_running else "planning"
        self.query_one("#report-foot", Static).update(_KEYS["ended" if told.ended else state])

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Run what was planned."""
        if event.key == RUN and self.learning.is_asking:
            self.learning.go()
            self.show(self.learning.told)

    def action_end(self) -> None:
        """Run no more."""
        if self.learning.is_running:
            self.learning.stop()

    def action_close(self) -> None:
        """Leave; what was not begun is given up."""
        if self.learning.is_asking:
            self.learning.stop()
        self.dismiss(None)


def learn_rows(told: Told) -> Iterator[Row]:
    """The plan in words, then a line for each run, the bar of what is known, and the end."""
    if not told.lines and not told.ended:
        yield row(Span("… finding out which runs show most", "dim"))
    for line in told.lines:
        yield paragraph(line, indent=2)
    if told.lines and not told.progress and not told.ended:
        yield BLANK
        yield row(Span("  → ", "accent"), Span("run it", "strong"), key=RUN)
    if told.progress:
        yield BLANK
    for each in told.progress:
        count = Span(f"{each.done:>3}/{each.runs}  ", "dim")
        known = Span(f"{each.known:>4} of {each.expected} texts  ", "accent")
        yield paragraph(count, known, each.title, indent=4)
        if each.problem:
            yield paragraph(Span(f"     {each.problem}", "warn"), indent=6)
    if told.progress and not told.ended:
        last = told.progress[-1]
        yield BLANK
        yield row(
            Span(_bar(last.known, last.expected), "accent"), Span(f"  about {max(last.seconds_left, 0):.0f} s left")
        )
    if told.ended:
        yield BLANK
        yield paragraph(Span(told.ended, "warn" if told.failed else "strong"), indent=2)


_CELLS = 40


def _bar(known: int, expected: int) -> str:
    full = _CELLS * known // max(expected, 1)
    return "━" * full + "╌" * (_CELLS - full)
