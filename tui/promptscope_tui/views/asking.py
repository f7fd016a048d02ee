"""Asking what is installed here: what would be run, then what came of it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.asking import Asking, Learning, ServerAsking, Status
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.widgets.messages import pass_on
from promptscope_tui.widgets.row_list import RowList

GO = "go"
"""The key of the row that starts what is planned."""

_Asking = TypeVar("_Asking", bound=Asking)


class AskingScreen(ModalScreen[ScreenResultType], Generic[ScreenResultType, _Asking]):
    """Lines that say how far it is, under a title and above the keys. Nothing is started before enter."""

    CSS_PATH = "report.tcss"
    WORDS: ClassVar[Mapping[str, str]]
    """What it is, what is said while it plans, what enter does; and the keys of each state, but esc alone."""

    def __init__(self, asking: _Asking) -> None:
        super().__init__()
        self.asking = asking

    def compose(self) -> ComposeResult:
        """The title, the lines, the keys."""
        with Vertical(id="report"):
            yield Static("", id="report-title", markup=False)
            yield RowList(id="report-lines")
            yield Static("", id="report-foot", markup=False)

    def on_mount(self) -> None:
        """Show how far it is."""
        self.query_one(RowList).focus()
        self.show(self.asking.told)

    def show(self, told: Status) -> None:
        """Show how far it is, with the cursor on what starts it."""
        self.query_one("#report-title", Static).update(visible(f"{self.WORDS['title']}   {told.title}"))
        lines, shown = self.query_one(RowList), list(asking_rows(told, self.WORDS))
        lines.show(lambda _: shown, keep=False)
        lines.go_to(GO)
        lines.scroll_end(animate=False)
        self.query_one("#report-foot", Static).update(self.WORDS.get(told.state, "esc leave"))

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Run it."""
        if event.key == GO:
            self.asking.go()


class LearnScreen(AskingScreen[None, Learning]):
    """Leaving while a client runs does not stop it: a note says when it has ended."""

    BINDINGS = bindings("learn")
    WORDS: ClassVar = {
        "title": "LEARN",
        "finding": "… finding out which runs show most",
        "go": "run it",
        "asking": "enter run it   esc leave",
        "running": "esc leave, it goes on   x end it, what was learned is kept",
    }

    def action_end(self) -> None:
        """Run no more."""
        if self.asking.told.state == "running":
            self.asking.stop()

    def action_close(self) -> None:
        """Leave; what was not begun is given up."""
        if self.asking.told.offers:
            self.asking.stop()
        self.dismiss(None)


class ServerScreen(AskingScreen[bool | None, ServerAsking]):
    """Leaving ends what was started; gives True where an answer was kept."""

    BINDINGS = bindings("server")
    WORDS: ClassVar = {
        "title": "ASK THE MCP SERVER",
        "finding": "… looking for what starts it",
        "go": "start it and ask for its tools",
        "asking": "enter start it   esc leave",
    }

    def on_mount(self) -> None:
        """Find out what would be started."""
        self.asking.tell = partial(pass_on, self.app, self, self.show)
        self.asking.start()

    def on_unmount(self) -> None:
        """End what was started."""
        self.asking.stop()

    def action_close(self) -> None:
        """Leave."""
        told = self.asking.told
        self.dismiss(True if told.ended and not told.failed else None)


def asking_rows(told: Status, words: Mapping[str, str]) -> Iterator[Row]:
    """What would be run, in words; then the row that runs it, or a line for each run and how far all is; the end."""
    for line in told.lines:
        yield paragraph(line, indent=2)
    if told.lines:
        yield BLANK
    for each in told.progress:
        count = Span(f"{each.done:>3}/{each.runs}  ", "dim")
        known = Span(f"{each.known:>4} of {each.expected} texts  ", "accent")
        yield paragraph(count, known, each.title, indent=4)
        if each.problem:
            yield paragraph(Span(f"     {each.problem}", "warn"), indent=6)
    if told.progress:
        yield BLANK
    if told.offers:
        yield row(Span("  → ", "accent"), Span(words["go"], "strong"), key=GO)
    elif told.ended:
        yield paragraph(Span(told.ended, "warn" if told.failed else "strong"), indent=2)
    elif told.progress:
        last = told.progress[-1]
        left = f"  about {max(last.seconds_left, 0):.0f} s left"
        yield row(Span(_bar(last.known, last.expected), "accent"), Span(left))
    else:
        yield row(Span("… asking" if told.lines else words["finding"], "dim"))


_CELLS = 40


def _bar(known: int, expected: int) -> str:
    full = _CELLS * known // max(expected, 1)
    return "━" * full + "╌" * (_CELLS - full)
