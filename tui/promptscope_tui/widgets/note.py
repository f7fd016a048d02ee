"""A note that is too long for the footer, above it."""

from __future__ import annotations

from textual.widgets import Static

from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Tone


class Note(Static):
    """Covers what is behind it for as long as the note is shown, so that nothing moves."""

    ALLOW_SELECT = False

    DEFAULT_CSS = """
    Note {
        display: none;
        width: 100%;
        height: auto;
        max-height: 4;
        padding: 0 1;
        background: $boost;
        color: $text;
        &.-error { color: $error; }
        &.-shown { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)

    def say(self, words: str, tone: Tone) -> None:
        """Show the note; "" hides it."""
        self.set_class(bool(words), "-shown")
        self.set_class(tone == "error", "-error")
        if words:
            self.update(visible(words))
