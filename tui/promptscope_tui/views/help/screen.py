"""One page: what is under the cursor, the keys from the table of actions, and what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import ACTIONS, Action, groups
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row
from promptscope_tui.views.prompt.paint import GUTTER
from promptscope_tui.widgets.row_list import RowList

Signs = tuple[tuple[str, Tone, str], ...]

_SIGNS: dict[str, Signs] = {
    "Colours, and the line beside a text": (
        (GUTTER["file"], "file", "your files, with the numbers of their lines"),
        (GUTTER["builtin"], "builtin", "the agent's own wording"),
        (GUTTER["param"], "param", "a setting"),
        (GUTTER["environment"], "environment", "the machine"),
        (GUTTER["tool"], "tool", "a tool"),
    ),
    "Sections": (
        ("▸ ▾", "text", "folded, unfolded"),
        ("▹", "faint", "absent, with the reason"),
        ("✗ ┊", "faint", "text that the section lacks, with the reason"),
        ("✂", "warn", "lines that were cut out of a file"),
        ("+ ~ ‾", "good", "a line that is new, changed, or below deleted ones"),
    ),
    "Tokens": (
        ("=", "text", "exact"),
        ("≈", "text", "an estimate, or scaled from our own wording"),
        ("…", "faint", "not counted yet"),
        ("+1", "more", "more tokens"),
        ("−1", "fewer", "fewer tokens"),
        ("·", "faint", "as many"),
    ),
    "Files": (
        ("●", "text", "loaded always"),
        ("◐", "text", "loaded under a condition"),
        ("○", "text", "loaded when the agent asks for it"),
        ("@", "text", "imported by another file"),
        ("✗", "faint", "not loaded"),
        ("⊘", "warn", "a rule that can never load"),
        ("⚠", "warn", "something is wrong with a file"),
    ),
    "Around": (
        ("◉ ○", "accent", "a switch that is on, off; at the right what flipping it costs or saves"),
        ("●", "good", "the folder is watched; ◐ looked at every second, ○ not watched"),
        ("◆", "accent", "a baseline is set; in the request, what is cached up to here"),
        ("▒", "builtin", "what the agent keeps free of the window"),
        ("→", "accent", "something to go to or to do: enter"),
    ),
}
"""What the glyphs mean, by where they are."""


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
            keys_width = 18 if width >= 60 else 12
            keys = Span(pad(action.shown_keys, keys_width), "accent")
            rows.append(paragraph("  ", keys, action.help, indent=keys_width + 2))
    for place, signs in _SIGNS.items():
        rows += [BLANK, row(Span(place.upper(), "title"))]
        rows += [paragraph("  ", Span(pad(sign, 6), tone), words, indent=8) for sign, tone, words in signs]
    return rows[1:]
