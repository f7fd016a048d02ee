"""Draws the visible rows of a layout; knows the mouse's row and selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from promptscope_tui.panels.layout import BodyRow, Layout
from promptscope_tui.panels.matches import Matches
from promptscope_tui.panels.paint import Painted, Painter, Piece, overlay
from promptscope_tui.panels.styles import ANSI, FOCUSED, LOOKS, NO_COLOR
from promptscope_tui.panels.tree import Panels

from .content_size import resize_content
from .looks import laid_over

_KEPT_ROWS = 1000
_EMPTY = Layout(Panels(None), frozenset(), False, 0)


class PanelCanvas(ScrollView):
    """A line-API view of a `Layout`, with a cursor on one row."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = _EMPTY
        self.weights: Mapping[str, Sequence[int | None]] = {}
        self.cursor_row = 0
        self._painter = Painter(_EMPTY, Matches(_EMPTY.panels, "", False))
        self._painted: dict[int, Painted] = {}
        self._hover: int | None = None
        self._pressed: Offset | None = None
        self._styles: dict[tuple[bool, tuple[str, ...]], Style] = {}

    def draw(self, rows: Layout, matches: Matches, current: int, cursor: int) -> None:
        """Show these rows from now on, with the cursor on one of them; only what looks different is drawn again."""
        before, cursors = self._painted, {self.cursor_row, cursor}
        moved = cursor != self.cursor_row
        self.rows, self.cursor_row = rows, cursor
        self._painter, self._painted = Painter(rows, matches, current, self.weights), {}
        resize_content(self, Size(rows.width, rows.height))
        top = self.scroll_offset.y
        changed = [
            Region(0, y - top, max(rows.width, self.size.width), 1)
            for y in range(top, top + self.scrollable_content_region.height)
            if (moved and y in cursors) or y not in before or y >= rows.height or before[y] != self._paint(y)
        ]
        if changed:
            self.refresh(*changed)

    # --- rows and styles

    def render_line(self, y: int) -> Strip:
        """The strip of a visible row; `y` counts from the first of them."""
        width = self.scrollable_content_region.width
        row_y = y + self.scroll_offset.y
        if row_y >= self.rows.height:
            return Strip.blank(width, self._style(("body",)))
        painted = self._paint(row_y)
        pieces = painted.pieces
        base: tuple[str, ...] = (painted.base,)
        if row_y == self.cursor_row:
            base = (painted.base, "cursor")
            pieces = [Piece("▌", ("cursor-mark",)), Piece(pieces[0].text[1:]), *pieces[1:]]
        elif y == self._hover:
            base = (painted.base, "hover")
        selection = self.text_selection
        span = selection.get_span(row_y) if selection else None
        if span is not None:
            end = painted.text_end if span[1] < 0 else min(span[1], painted.text_end)
            pieces = overlay(pieces, max(span[0], painted.text_at), end, "selection")
        strip = Strip(Segment(text, self._style((*base, *classes))) for text, classes in pieces if text)
        return strip.adjust_cell_length(width, self._style(base)).apply_offsets(0, row_y)

    def _paint(self, y: int) -> Painted:
        """The row, painted once for all the times that it is drawn."""
        if y not in self._painted:
            if len(self._painted) > _KEPT_ROWS:  # somebody pages through megabytes
                self._painted.clear()
            self._painted[y] = self._painter.paint(self.rows.row(y))
        return self._painted[y]

    def _style(self, classes: tuple[str, ...]) -> Style:
        """The looks of these names, one over the other; `selection` is the screen's own."""
        key = self.has_focus, classes
        style = self._styles.get(key)
        if style is None:
            looks = {
                **LOOKS,
                **(FOCUSED if self.has_focus else {}),
                **(ANSI if self.has_pseudo_class("ansi") else {}),
                **(NO_COLOR if self.app.no_color else {}),
            }
            found = [looks[name] for name in classes if name != "selection"]
            style = laid_over(self.get_visual_style(), found, self.app.theme_variables).rich_style
            if "selection" in classes:
                style += self.screen.get_component_rich_style("screen--selection")
            if "cursor" in classes and self.app.no_color:
                style = Style(reverse=True, bold=style.bold, underline=style.underline)
            self._styles[key] = style
        return style

    def notify_style_update(self) -> None:
        """The theme changed."""
        self._styles = {}
        super().notify_style_update()

    # --- the mouse

    def row_under(self, event: events.MouseEvent) -> int | None:
        """The row under the mouse; None outside the rows."""
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        row = offset.y + self.scroll_offset.y
        return row if row < self.rows.height else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the row under the mouse."""
        self._light(None if self.row_under(event) is None else event.get_content_offset_capture(self).y)

    def on_leave(self) -> None:
        self._light(None)

    def _light(self, y: int | None) -> None:
        if y != self._hover:
            before, self._hover = self._hover, y
            for line in (before, y):
                if line is not None:
                    self.refresh_line(line + self.scroll_offset.y)

    # --- what the mouse selects

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text: the prompt's own, without wrapping, gutters and marks."""
        first = selection.start.y if selection.start else 0
        last = selection.end.y if selection.end else self.rows.height - 1
        found = []
        for y in range(max(first, 0), min(last + 1, self.rows.height)):
            span = selection.get_span(y)
            if span is not None:
                found.append(self._extract_row(y, *span))
        text = "".join(found)
        return text.removesuffix("\n") if last > first else text, "\n"

    def _extract_row(self, y: int, start: int, end: int) -> str:
        row = self.rows.row(y)
        painted = self._painter.paint(row)
        to_end = end < 0
        low = min(max(start, painted.text_at), painted.text_end) - painted.text_at
        high = (painted.text_end if to_end else max(min(end, painted.text_end), painted.text_at)) - painted.text_at
        if not isinstance(row, BodyRow):
            return painted.text[low:high] + "\n" * to_end
        body, (line, _, column, line_end) = row.panel.body, row.text
        text = body.text[body.offset(line, column + low) : body.offset(line, column + high)]
        return text + "\n" * (to_end and line_end == len(body.wrapped.lines[line]))
