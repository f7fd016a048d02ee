"""A screen of two lists: what can be chosen, and the result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Container
from textual.getters import query_one
from textual.screen import Screen
from textual.widgets import Static

from promptscope_engine.replies import Block, block_text
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row, Span, paragraph

from .line_bar import KeyLine
from .outside import copy
from .row_list import RowList

Count = Callable[[str], int]
"""Tokens of a text."""


class SplitView(Screen[None]):
    """Side by side if there is room, else one above the other."""

    AUTO_FOCUS = "#choices"
    CSS_PATH = Path(__file__).with_name("split_view.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-beside"), (150, "-roomy")]  # noqa: RUF012 - as Textual declares it
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

    def note(self, words: str, *, error: bool = False) -> None:
        """Show a note above the keys."""
        line = self.query_one("#lists-note", Static)
        line.update(visible(words))
        line.set_class(error, "-error")

    def copy(self, text: str) -> None:
        """Copy a text, and say so."""
        copy(self.app, text)
        self.note(f"copied {len(text):,} characters")


def block_rows(blocks: tuple[Block, ...]) -> list[Row]:
    """The lines of content blocks, with a mark before each block if there are several."""
    rows: list[Row] = []
    for number, block in enumerate(blocks, start=1):
        if len(blocks) > 1:
            rows.append(paragraph(Span(f" ── block {number}: {block.get('type', '')}", "faint")))
        rows += [paragraph(" ", line, indent=1) for line in block_text(block).split("\n")]
    return rows
