"""One page: what is under the cursor, the keys from the table of actions, and what the signs mean."""

import json
from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import ACTIONS, Action, groups
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row
from promptscope_tui.widgets.row_list import RowList

_SIGNS: dict[str, list[tuple[str, Tone, str]]] = json.loads(
    Path(__file__).with_name("signs.json").read_text(encoding="utf-8")
)
"""What the glyphs mean, by where they are: the glyph, its tone, its meaning."""

_ROOMY = 60
"""Cells from which on the keys have a wide column."""


class Help(ModalScreen[None]):
    """What is under the cursor, every action with its keys, and what the signs mean."""

    CSS_PATH = "screen.tcss"
    BINDINGS = bindings("help")

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(id="help"):
            yield Static("promptscope: what the agent will be given, and why", id="help-title", markup=False)
            yield RowList(id="help-keys")
            yield Static("esc closes", id="help-foot", markup=False)

    def __init__(self, actions: Sequence[Action] = ACTIONS, about: Sequence[Row] = ()) -> None:
        """`about` is what is said first: of what is under the cursor."""
        super().__init__()
        self._actions, self._about = actions, about

    def on_mount(self) -> None:
        """Fill the page."""
        self.query_one(RowList).show(lambda width: help_rows(width, self._actions, self._about))


def help_rows(width: int, actions: Sequence[Action] = ACTIONS, about: Sequence[Row] = ()) -> list[Row]:
    """The rows of the page."""
    rows: list[Row] = [BLANK, row(Span("UNDER THE CURSOR", "title")), *about] if about else []
    for group, members in groups(actions).items():
        rows += [BLANK, row(Span(group.upper(), "title"))]
        for action in members:
            keys_width = 18 if width >= _ROOMY else 12
            keys = Span(pad(action.shown_keys, keys_width), "accent")
            rows.append(paragraph("  ", keys, action.help, indent=keys_width + 2))
    for place, signs in _SIGNS.items():
        rows += [BLANK, row(Span(place.upper(), "title"))]
        rows += [paragraph("  ", Span(pad(sign, 6), tone), words, indent=8) for sign, tone, words in signs]
    return rows[1:]
