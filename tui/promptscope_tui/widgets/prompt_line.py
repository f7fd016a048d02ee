"""Asking for one line of text, with errors shown in place."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible

from .line_input import LineInput

Try = Callable[[str], str | None]
"""Tries to use the text; returns the problem, or None if it worked."""


class PromptLine(ModalScreen[str | None]):
    """Gives the accepted text, or None. It stays open and shows the problem while the text is not accepted."""

    CSS_PATH = "picker.tcss"
    BINDINGS = bindings("dialog")

    def __init__(self, title: str, value: str, attempt: Try) -> None:
        super().__init__()
        self._title, self._value, self._attempt = title, value, attempt

    def compose(self) -> ComposeResult:
        """The title, the line, the problem."""
        with Vertical(id="ask"):
            yield Static(self._title, id="ask-title", markup=False)
            yield LineInput(self._value, entered=self._try)
            yield Static("", id="ask-error", markup=False)

    def on_mount(self) -> None:
        """Start in the line."""
        self.query_one(LineInput).focus()

    def _try(self, typed: str) -> None:
        problem = self._attempt(typed)
        if problem is None:
            self.dismiss(typed)
        else:
            self.query_one("#ask-error", Static).update(visible(f"✗ {problem}"))
