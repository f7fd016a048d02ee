"""A note that is too long for the footer, above it."""

from textual.app import RenderResult
from textual.widget import Widget
from textual.widgets import Static

from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Tone
from promptscope_tui.text.wrap import wrap

_MOST = 4
"""Lines that are shown."""


class Note(Static):
    """Covers what is behind it while the note is shown, so that nothing moves.

    It never covers the row under the cursor: often the note is about what was done there.
    """

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)

    def say(self, words: str, tone: Tone, width: int, cursor: range) -> None:
        """Show the note in a screen of `width` cells; "" hides it.

        `cursor`: the lines of the row under the cursor, counted from the footer up, from 1.
        """
        self.set_class(bool(words), "-shown")
        self.set_class(tone == "error", "-error")
        if not words:
            return
        rows = wrap(visible(words), max(width - self.gutter.width, 1))
        lines = []
        for line, part in map(rows.locate, range(min(rows.rows, _MOST))):
            start, end = rows.span(line, part)
            lines.append(rows.lines[line][start:end].rstrip())
        above = cursor.stop - 1 if cursor and cursor.start <= len(lines) else 0
        self.styles.margin = (0, 0, 1 + above, 0)
        self.update("\n".join(lines))


COLUMNS, LINES = 40, 10


class TooSmall(Widget):
    """Says how many cells are needed. The screen's classes show it."""

    def on_resize(self) -> None:
        """The words name the size."""
        self.refresh()

    def render(self) -> RenderResult:
        """The words."""
        size = self.app.size
        return f"promptscope needs\n{COLUMNS} × {LINES} cells;\nthis terminal has {size.width} × {size.height}"
