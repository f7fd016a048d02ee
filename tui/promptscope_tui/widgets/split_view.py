"""A screen of two lists: what can be chosen, and the result."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.getters import query_one
from textual.screen import Screen
from textual.widgets import Static

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import Block, block_text
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row, Span, paragraph, row

from .clipboard import copy
from .line_bar import KeyLine
from .messages import in_thread
from .row_list import RowList

BESIDE = 160
"""The width in cells from which texts are shown side by side at first."""

_BREAKPOINTS = [(0, "-narrow"), (100, "-beside"), (150, "-roomy")]

Count = Callable[[str], int]
"""Tokens of a text."""

T = TypeVar("T")


class SplitView(Screen[None]):
    """Side by side if there is room, else one above the other."""

    AUTO_FOCUS = "#choices"
    CSS_PATH = Path(__file__).with_name("split_view.tcss")
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDINGS = bindings("split")

    choices = query_one("#choices", RowList)
    shown = query_one("#shown", RowList)

    title_words = ""
    """The title, at the top."""

    pane = ""
    """Its name in the table of footers."""

    def compose(self) -> ComposeResult:
        """The title, the lists, a note, the keys."""
        yield Static(self.title_words, id="lists-title", markup=False)
        with Container(id="lists"):
            yield RowList(id="choices")
            yield RowList(id="shown")
        yield Static("", id="lists-note", markup=False)
        yield KeyLine(self.pane, id="lists-keys")

    # --- what a screen shows

    under_cursor: Hashable = None
    """The key of the choice that the cursor, or the mouse, came to last."""

    def detail(self, key: Hashable, width: int) -> Sequence[Row]:
        """The rows of what is chosen, for a width in cells; none while nothing is known of it."""
        raise NotImplementedError

    def show_detail(self, *, keep: bool = False) -> None:
        """Show what the choice under the cursor is."""
        key = self.under_cursor
        self.shown.show(lambda width: self.detail(key, width), keep=keep)

    # --- what the user does

    @on(RowList.Highlighted, "#choices")
    def _come_to(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.highlighted(event.key)

    def highlighted(self, key: Hashable) -> None:
        """Another choice is under the cursor."""
        if key != self.under_cursor:
            self.under_cursor = key
            self.show_detail()

    @on(RowList.Chosen, "#choices")
    def _choose(self, event: RowList.Chosen) -> None:
        event.stop()
        self.chosen(event.key)

    def chosen(self, _: Hashable) -> None:
        """A choice was made: to what is shown of it."""
        self.shown.focus()

    def action_copy(self) -> None:
        """Copy the choices."""
        self.copy(self.choices.plain)

    def note(self, words: str, *, error: bool = False) -> None:
        """Show a note above the keys."""
        line = self.query_one("#lists-note", Static)
        line.update(visible(words))
        line.set_class(error, "-error")

    def copy(self, text: str) -> None:
        """Copy a text, and say so."""
        copy(self.app, text)
        self.note(f"copied {len(text):,} characters")


class FindingView(SplitView, Generic[T]):
    """A split view whose choices are found in a thread, when it opens and again when the prompt changes."""

    found: T | None = None
    """What was found last."""

    waiting = "… computing"
    """What is said until the choices are found."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def find(self) -> T | None:
        """Find the choices, in a thread; None where that is given up. Raises ScenarioError."""
        raise NotImplementedError

    def choice_rows(self, found: T, width: int) -> Sequence[Row]:
        """The rows of the choices, for a width in cells."""
        raise NotImplementedError

    def detail_rows(self, found: T, key: Hashable, width: int) -> Iterable[Row]:
        """The rows of the choice with this key, for a width in cells."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Find the choices."""
        self.show_waiting()
        self.find_again()

    def renew(self, _: Snapshot) -> None:
        """Something was assembled."""
        self.find_again()

    def show_waiting(self) -> None:
        """Say that the choices are being found."""
        self.choices.show(lambda _: [row(Span(self.waiting, "dim"))])

    def find_again(self) -> None:
        """Begin to find them; what is being found already is given up."""
        in_thread(self, self.find, self._take)

    def _take(self, found: T | ScenarioError | None) -> None:
        if isinstance(found, ScenarioError):
            self.show_failure(str(found))
        elif found is not None:
            self.show_found(found)

    def show_found(self, found: T) -> None:
        """Show the choices, and what the one under the cursor is; both lists stay where they were."""
        kept, self.found = self.found is not None, found
        self.choices.show(lambda width: self.choice_rows(found, width), keep=kept)
        self.under_cursor = self.choices.key
        self.show_detail(keep=kept)

    def show_failure(self, words: str) -> None:
        """Say what failed, in place of the choices."""
        self.found = None
        self.choices.show(lambda _: [paragraph(Span(f"✗ {words}", "error"))])
        self.shown.show(lambda _: [])

    def detail(self, key: Hashable, width: int) -> Sequence[Row]:
        """What the choice is, once it is found."""
        return list(self.detail_rows(self.found, key, width)) if self.found is not None else []


class TextsScreen(FindingView[T]):
    """The base of screens that show two texts, side by side or unified."""

    beside: bool | None = None
    """Whether texts are side by side; None: if there is room."""

    @property
    def is_beside(self) -> bool:
        """Whether texts are side by side now."""
        return self.size.width >= BESIDE if self.beside is None else self.beside

    def action_beside(self) -> None:
        """Show texts side by side, or unified."""
        self.beside = not self.is_beside
        self.show_detail(keep=True)
        self.note("side by side" if self.beside else "unified")


def block_rows(blocks: tuple[Block, ...]) -> list[Row]:
    """The lines of content blocks, with a mark before each block if there are several."""
    rows: list[Row] = []
    for number, block in enumerate(blocks, start=1):
        if len(blocks) > 1:
            rows.append(paragraph(Span(f" ── block {number}: {block.get('type', '')}", "faint")))
        rows += [paragraph(" ", line, indent=1) for line in block_text(block).split("\n")]
    return rows
