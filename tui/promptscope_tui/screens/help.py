"""One page with the keys, from the table of actions, and the signs."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import ACTIONS, Action, groups
from promptscope_tui.text.spans import BLANK, Row, Span, pad, paragraph, row
from promptscope_tui.widgets.row_list import RowList

_SIGNS = (
    ("▎", "file", "your files"),
    ("▎", "builtin", "built-in wording"),
    ("▎", "param", "settings"),
    ("▎", "environment", "the machine"),
    ("▎", "tool", "tools"),
    ("=", "text", "exact tokens"),
    ("≈", "text", "an estimate, or scaled from our own wording"),
    ("+1", "more", "more tokens"),
    ("−1", "fewer", "fewer tokens"),
)


class Help(ModalScreen[None]):
    """Every action with its keys, and what the signs mean."""

    CSS_PATH = "help.tcss"
    BINDINGS = bindings("help")

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(id="help"):
            yield Static("promptscope: what the agent will be given, and why", id="help-title", markup=False)
            yield RowList(id="help-keys")
            yield Static("esc closes", id="help-foot", markup=False)

    def __init__(self, actions: Sequence[Action] = ACTIONS) -> None:
        super().__init__()
        self._actions = actions

    def on_mount(self) -> None:
        """Fill the page."""
        self.query_one(RowList).show(lambda width: help_rows(width, self._actions))


def help_rows(width: int, actions: Sequence[Action] = ACTIONS) -> list[Row]:
    """The rows of the page."""
    rows: list[Row] = []
    for group, members in groups(actions).items():
        rows += [BLANK, row(Span(group.upper(), "title"))]
        for action in members:
            keys_width = 18 if width >= 60 else 12
            keys = Span(pad(action.shown_keys, keys_width), "accent")
            rows.append(paragraph("  ", keys, action.help, indent=keys_width + 2))
    rows += [BLANK, row(Span("SIGNS", "title"))]
    for sign, tone, words in _SIGNS:
        rows.append(row("  ", Span(pad(sign, 4), tone), words))  # type: ignore[arg-type]  # the tones are literals
    return rows[1:]
