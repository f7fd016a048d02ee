"""A part's text, edited as an experiment: what is accepted becomes an edit of the scenario, never a file."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible


class ExperimentScreen(ModalScreen[str | None]):
    """Gives the text that was accepted, or None."""

    CSS_PATH = "experiment.tcss"
    BINDINGS = bindings("experiment")

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """What it is, the text, the keys."""
        with Vertical():
            yield Static(visible(f"TRY ANOTHER TEXT: {self._title}"), id="experiment-title", markup=False)
            yield TextArea(self._text, id="experiment-text", compact=True)
            yield Static("^s tries it   esc leaves it as it was   no file changes", id="experiment-keys", markup=False)

    def on_mount(self) -> None:
        """Start in the text."""
        self.query_one(TextArea).focus()

    def action_accept(self) -> None:
        """Try the text; one that is as it was is no experiment."""
        text = self.query_one(TextArea).text
        self.dismiss(None if text == self._text else text)

    def action_leave(self) -> None:
        """Leave the prompt as it is."""
        self.dismiss(None)
