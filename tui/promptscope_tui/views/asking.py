"""Asking what is installed here: what would be run, then what came of it."""

from collections.abc import Iterator
from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Static

from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.learning import Learning, LearningStatus
from promptscope_tui.session.servers import Asking, AskingStatus
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.widgets.row_list import RowList

_KEYS = {
    "planning": "esc leave",
    "asking": "enter run it   esc leave",
    "running": "esc leave, it goes on   x end it, what was learned is kept",
    "ended": "esc leave",
}


GO = "go"
"""The key of the row that starts what is planned."""


class _Asking(ModalScreen[ScreenResultType]):
    """Lines that say how far it is, under a title and above the keys. Nothing is started before enter."""

    CSS_PATH = "report.tcss"

    def compose(self) -> ComposeResult:
        """The title, the lines, the keys."""
        with Vertical(id="report"):
            yield Static("", id="report-title", markup=False)
            yield RowList(id="report-lines")
            yield Static("", id="report-foot", markup=False)

    def put(self, title: str, rows: Iterator[Row], foot: str) -> RowList:
        """Show how far it is, with the cursor on what starts it; gives the lines."""
        self.query_one("#report-title", Static).update(visible(title))
        lines, shown = self.query_one(RowList), list(rows)
        lines.show(lambda _: shown, keep=False)
        lines.go_to(GO)
        self.query_one("#report-foot", Static).update(foot)
        return lines


class LearnScreen(_Asking[None]):
    """Leaving while a client runs does not stop it: a note says when it has ended."""

    BINDINGS = bindings("learn")

    def __init__(self, learning: Learning) -> None:
        super().__init__()
        self.learning = learning

    def on_mount(self) -> None:
        """Show how far it is."""
        self.query_one(RowList).focus()
        self.show(self.learning.told)

    def show(self, told: LearningStatus) -> None:
        """Show how far it is."""
        state = "asking" if self.learning.is_asking else "running" if self.learning.is_running else "planning"
        lines = self.put(f"LEARN   {told.title}", learn_rows(told), _KEYS["ended" if told.ended else state])
        lines.scroll_end(animate=False)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Run what was planned."""
        if event.key == GO and self.learning.is_asking:
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


def learn_rows(told: LearningStatus) -> Iterator[Row]:
    """The plan in words, then a line for each run, the bar of what is known, and the end."""
    if not told.lines and not told.ended:
        yield row(Span("… finding out which runs show most", "dim"))
    for line in told.lines:
        yield paragraph(line, indent=2)
    if told.lines and not told.progress and not told.ended:
        yield BLANK
        yield row(Span("  → ", "accent"), Span("run it", "strong"), key=GO)
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


class ServerScreen(_Asking[bool]):
    """Leaving ends what was started; the result is whether an answer was kept."""

    BINDINGS = bindings("server")

    def __init__(self, scenario: Scenario, name: str) -> None:
        super().__init__()
        self._scenario, self._server = scenario, name
        self.asking: Asking | None = None

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

    def show(self, told: AskingStatus) -> None:
        """Show how far it is."""
        foot = "enter start it   esc leave" if told.offers else "esc leave"
        self.put(f"ASK THE MCP SERVER   {self._server}", asking_rows(told), foot)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Start it."""
        if event.key == GO and self.asking is not None:
            self.asking.go()

    def action_close(self) -> None:
        """Leave."""
        told = self.asking.told if self.asking else AskingStatus()
        self.dismiss(bool(told.ended) and not told.failed)


def asking_rows(told: AskingStatus) -> Iterator[Row]:
    """What would be started, the row that starts it, and the end."""
    for line in told.lines:
        yield paragraph(line, indent=2)
    if told.lines:
        yield BLANK
    if told.offers:
        yield row(Span("  → ", "accent"), Span("start it and ask for its tools", "strong"), key=GO)
    elif told.ended:
        yield paragraph(Span(told.ended, "warn" if told.failed else "strong"), indent=2)
    else:
        yield row(Span("… asking" if told.lines else "… looking for what starts it", "dim"))
