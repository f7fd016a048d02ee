"""Lines to type in."""

from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible


class LineInput(Input):
    """Calls `entered` with the text on enter.

    An `Input` announces enter by a message, which reaches its owner only after the keys that were pressed next: typed
    fast or pasted, they would end up in the line.
    """

    def __init__(
        self, value: str = "", *, entered: Callable[[str], object], placeholder: str = "", id: str | None = None
    ) -> None:
        super().__init__(value, placeholder=placeholder, id=id, compact=True)
        self._entered = entered

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self._entered(self.value)


class FindBar(Horizontal):
    """A line for what to look for in a view: shown when it is opened, with what was found at its right."""

    placeholder = ""
    """What is said while nothing is typed."""

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    async def show_line(self) -> LineInput:
        """Show the line, and give it the keys."""
        self.add_class("-open")
        if not self.query(LineInput):  # mounted when it is first needed: inputs take long to style
            line = LineInput(placeholder=self.placeholder, entered=self.enter)
            await self.mount(Static("/", classes="mark"), line, Static("", classes="count", markup=False))
        line = self.query_one(LineInput)
        self.screen.set_focus(line)  # at once: the next key is meant for it
        return line

    def say_count(self, words: str) -> None:
        """Say at the right what was found."""
        self.query_one(".count", Static).update(words)

    def enter(self, typed: str) -> None:
        """Go into the view, which shows what was found."""
        self.leave(keep=bool(typed))

    def leave(self, *, keep: bool) -> None:
        """Give the keys back to the view; with `keep` it goes on showing what was found."""
        raise NotImplementedError

    def action_close(self) -> None:
        """Leave, and show the view as it was."""
        self.leave(keep=False)


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
