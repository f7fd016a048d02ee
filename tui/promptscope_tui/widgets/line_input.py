"""Lines to type in: they take keys in the order in which they were pressed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible


class Returned(events.Key):
    """A key that reached a line after it was left: it is meant for what has the focus now."""


class LineInput(Input):
    """Calls `entered` with the text on enter.

    An `Input` announces enter by a message, which reaches its owner only after the keys that were pressed next: typed
    fast or pasted, they would end up in the line.
    """

    def __init__(
        self, value: str = "", *, entered: Callable[[str], None], placeholder: str = "", id: str | None = None
    ) -> None:
        super().__init__(value, placeholder=placeholder, id=id, compact=True)
        self._entered = entered

    async def _on_key(self, event: events.Key) -> None:
        if self.app.focused is not self:
            event.stop()
            event.prevent_default()
            self.app.post_message(Returned(event.key, event.character))
        elif event.key == "enter":
            event.stop()
            event.prevent_default()
            self._entered(self.value)


Try = Callable[[str], str | None]
"""Tries to use the text; returns the problem, or None if it worked."""


class PromptLine(ModalScreen[str | None]):
    """Gives the accepted text, or None. It stays open and shows the problem while the text is not accepted."""

    CSS_PATH = Path(__file__).with_name("picker.tcss")
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
