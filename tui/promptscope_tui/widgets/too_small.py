"""What a terminal shows if it is too small."""

from __future__ import annotations

from textual.app import RenderResult
from textual.widget import Widget

COLUMNS, LINES = 40, 10


class TooSmall(Widget):
    """Says how many cells are needed. The screen's classes show it."""

    DEFAULT_CSS = """
    TooSmall {
        display: none;
        content-align: center middle;
        text-align: center;
        background: $background;
        color: $tone-dim;
        width: 100%;
        height: 100%;
    }
    """

    def on_resize(self) -> None:
        """The words name the size."""
        self.refresh()

    def render(self) -> RenderResult:
        """The words."""
        size = self.app.size
        return f"promptscope needs\n{COLUMNS} × {LINES} cells;\nthis terminal has {size.width} × {size.height}"
