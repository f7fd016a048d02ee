"""Draws the lines of a list, and says which of them are to be drawn again."""

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from promptscope_tui.text.spans import LaidRows, Line, width_of

from .line_bar import tone_style

InView = dict[int, tuple[int, Line]]
"""The lines in view: the row of each, and what is shown."""


class RowPainter:
    """Draws for one list, with the styles of its component classes, which are looked up once."""

    def __init__(self, view: Widget) -> None:
        self._view = view
        self._styles: dict[str, Style] = {}
        self._base = Style()

    def begin(self) -> None:
        """Look up the style of the list once for all lines: that takes as long as drawing one."""
        self._base = self._view.rich_style

    def forget(self) -> None:
        """The theme changed: look up the styles again."""
        self._styles.clear()

    def strip(self, line: Line | None, width: int, names: Iterable[str] = ()) -> Strip:
        """A line in the styles of these classes, one over the other; None for one below the last row."""
        base = self._base
        if line is None:
            return Strip.blank(width, base)
        for name in names:
            base += self._style(name)
        left, right = line
        gap = " " * max(width - width_of(left) - width_of(right), 0)
        tones = self._view.app.theme_variables
        segments = [Segment(text, base + tone_style(tone, tones)) for text, tone in left]
        segments.append(Segment(gap, base))
        segments += [Segment(text, base + tone_style(tone, tones)) for text, tone in right]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self._view.get_component_rich_style(name, partial=True)
        return self._styles[name]

    def in_view(self, laid: LaidRows, sticky: int) -> InView:
        """What is in view of these rows, of whose lines the first do not scroll."""
        top = self._view.scroll_offset.y
        lines = [*range(sticky), *range(top + sticky, top + self._view.size.height)]
        return {line: (laid.index_at(line), laid[line]) for line in lines if line < len(laid)}

    def redraw(self, lines: Iterable[int], width: int, sticky: int) -> None:
        """Draw these lines again, as far as they are in view."""
        top, height = self._view.scroll_offset.y, self._view.size.height
        for line in lines:
            y = line if line < sticky else line - top
            if 0 <= y < height:
                self._view.refresh(Region(0, y, width, 1))


def differing(before: InView, after: InView) -> Iterable[int]:
    """The lines that look different."""
    return (line for line in before.keys() | after.keys() if after.get(line) != before.get(line))
