"""Asking for one line of text, with what is wrong with it said in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible

Try = Callable[[str], str | None]
"""Does what was asked for; gives what is wrong, or None when it is done."""


class Ask(ModalScreen[str | None]):
    """Gives the text that was accepted, or None. It stays open, saying why, while the text is not accepted."""

    CSS_PATH = "picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")

    def __init__(self, title: str, value: str, attempt: Try) -> None:
        super().__init__()
        self._title, self._value, self._attempt = title, value, attempt

    def compose(self) -> ComposeResult:
        """The title, the line, the complaint."""
        with Vertical(id="ask"):
            yield Static(self._title, id="ask-title", markup=False)
            yield Input(self._value, compact=True)
            yield Static("", id="ask-error", markup=False)

    def on_mount(self) -> None:
        """Begin in the line."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def submit(self, event: Input.Submitted) -> None:
        """Enter tries it."""
        problem = self._attempt(event.value)
        if problem is None:
            self.dismiss(event.value)
        else:
            self.query_one("#ask-error", Static).update(visible(f"✗ {problem}"))

    def action_leave(self) -> None:
        """Give nothing."""
        self.dismiss(None)
