"""Draws the visible rows of a layout; knows the mouse's row and selection."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.geometry import Offset, Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style as VisualStyle

from promptscope_tui.widgets.row_list import resize_content
from promptscope_tui.widgets.top_line import TopLineView

from .layout import BodyRow, Layout, Place
from .matches import Matches, Search
from .paint import Painted, Painter, Piece, overlay
from .panels import Panels


class Look(NamedTuple):
    """What a piece changes of what is beneath it; None leaves it. Colours as in a style sheet: `$name`, `$name 70%`."""

    color: str | None = None
    background: str | None = None
    bold: bool = False
    underline: bool = False


# These are no component classes: Textual would match each of the thirty against every rule of the app whenever the view
# is styled, three times for a start and twice for a change of focus.
_DATA = json.loads(Path(__file__).with_name("looks.json").read_text(encoding="utf-8"))

LOOKS = {name: Look(**row) for group in _DATA.pop("looks").values() for name, row in group.items()}
"""The look of the prompt's rows, piece by piece, in the theme's variables."""

STATES = {state: {name: Look(**row) for name, row in rows.items()} for state, rows in _DATA.items()}
"""What differs while the view has the focus, with a terminal's own colours, and without colours."""

_KEPT_ROWS, _KEPT_STRIPS = 1000, 200
_BARS = {"blank": " ", "outer": "▌"}
"""By the name of the border in the style sheet."""
_EMPTY = Layout(Panels(None), frozenset(), False, 0)


class _Row(NamedTuple):
    """A visible row as it looks. `over` is the name of what covers the row; `selected` are columns."""

    y: int
    over: str
    has_focus: bool
    selected: tuple[int, int] | None


class PanelCanvas(TopLineView[Place]):
    """A line-API view of a `Layout`, with a cursor on one row."""

    DEFAULT_CSS = """
    PanelCanvas {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
    }
    """

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
        self.strips: dict[tuple[_Row, int, int], Strip] = {}

    def draw(self, rows: Layout, search: Search, cursor: int) -> None:
        """Show these rows from now on, with the cursor on one of them; only what looks different is drawn again."""
        before, cursors = self._painted, {self.cursor_row, cursor}
        self.strips.clear()
        moved = cursor != self.cursor_row
        self.rows, self.cursor_row = rows, cursor
        self._painter, self._painted = Painter(rows, search.matches, search.current, self.weights), {}
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

    def render_lines(self, crop: Region) -> list[Strip]:
        """Some visible rows as the terminal gets them.

        Textual would style each line that it asks for once more, for borders, padding and translucency, of which there
        is only the bar of the pane that has the keys: that takes longer than all else.
        """
        left, right = crop.column_span
        keys = [(row, left, right) for row in self._visible(crop.line_range)]
        if len(self.strips) > _KEPT_STRIPS:
            self.strips.clear()
        if new := [key for key in keys if key not in self.strips]:
            behind, background = self.background_colors
            surface = Style(bgcolor=(behind + background).rich_color)
            width = self.scrollable_content_region.width
            bar = self._bar(surface)
            edge = []  # where the scroll bar is, or will be
            if right > (end := len(bar) + width):
                edge.append(Segment(" " * (right - end), surface))
            filters = self.get_line_filters()
            for key in new:
                segments = bar + self._segments(key[0], width) + edge
                for each in filters:
                    segments = each.apply(segments, background)
                self.strips[key] = Strip(segments, max(right, end)).crop(left, right)
        return [self.strips[key] for key in keys]

    def _bar(self, surface: Style) -> list[Segment]:
        """The border at the left, where there is one."""
        kind, color = self.styles.border_left
        if not self.styles.border.spacing.left:
            return []
        return [Segment(_BARS[kind], surface + Style(color=color.rich_color))]

    def render_line(self, y: int) -> Strip:
        """The strip of a visible row; its pieces tell the mouse where in the text they are.

        `y` counts from the first row.
        """
        (row,) = self._visible((y,))
        return Strip(self._segments(row, self.scrollable_content_region.width)).apply_offsets(0, row.y)

    def _visible(self, lines: Iterable[int]) -> list[_Row]:
        """What some visible lines show."""
        top, selection, has_focus = self.scroll_offset.y, self.text_selection, self.has_focus
        over = {self.cursor_row - top: "cursor"}
        if self._hover is not None:
            over.setdefault(self._hover, "hover")
        selected = selection.get_span if selection else lambda _: None
        return [_Row(y + top, over.get(y, ""), has_focus, selected(y + top)) for y in lines]

    def _segments(self, row: _Row, width: int) -> list[Segment]:
        """A row from edge to edge."""
        has_focus = row.has_focus
        if row.y >= self.rows.height:
            return [Segment(" " * width, self._style(("body",), has_focus))]
        painted = self._paint(row.y)
        pieces = painted.pieces
        if row.over == "cursor":
            pieces = [Piece("▌", ("cursor-mark",)), Piece(pieces[0].text[1:]), *pieces[1:]]
        if row.selected is not None:
            start, end = row.selected
            end = painted.text_end if end < 0 else min(end, painted.text_end)
            pieces = overlay(pieces, max(start, painted.text_at), end, "selection")
        base = (painted.base, row.over) if row.over else (painted.base,)
        segments = [Segment(text, self._style((*base, *classes), has_focus)) for text, classes in pieces if text]
        return Segment.adjust_line_length(segments, width, self._style(base, has_focus))

    def _paint(self, y: int) -> Painted:
        """The row, painted once for all the times that it is drawn."""
        if y not in self._painted:
            if len(self._painted) > _KEPT_ROWS:  # somebody pages through megabytes
                self._painted.clear()
            self._painted[y] = self._painter.paint(self.rows.row(y))
        return self._painted[y]

    def _style(self, classes: tuple[str, ...], has_focus: bool) -> Style:
        """The looks of these names, one over the other; `selection` is the screen's own."""
        key = has_focus, classes
        style = self._styles.get(key)
        if style is None:
            states = {"focused": has_focus, "ansi": self.has_pseudo_class("ansi"), "no colour": self.app.no_color}
            looks = LOOKS | {name: look for state, on in states.items() if on for name, look in STATES[state].items()}
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
        self.strips.clear()
        super().notify_style_update()

    # --- the mouse

    def row_under(self, event: events.MouseEvent) -> int | None:
        """The row under the mouse; None outside the rows."""
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        row = offset.y + self.scroll_offset.y
        return row if row < self.rows.height else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where a click begins."""
        self._pressed = event.screen_offset

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the row under the mouse."""
        self._light(None if self.row_under(event) is None else event.get_content_offset_capture(self).y)

    def on_leave(self) -> None:
        """The mouse left."""
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


def laid_over(base: VisualStyle, looks: Iterable[Look], variables: Mapping[str, str]) -> VisualStyle:
    """One look after the other over what is beneath: colours mixed where they are translucent.

    `base` has a background and a foreground; `variables` are the theme's, without the `$`.
    """
    background, color = base.background or Color(0, 0, 0), base.foreground or Color(255, 255, 255)
    bold, underline = bool(base.bold), bool(base.underline)
    for look in looks:
        if look.background is not None:
            background += _color(look.background, variables)
        if look.color is not None:
            color = _color(look.color, variables)
        bold, underline = bold or look.bold, underline or look.underline
    return VisualStyle(background, color, bold=bold, underline=underline)


def _color(text: str, variables: Mapping[str, str]) -> Color:
    """The colour of `$name`, `$name 70%` or a name of Textual's; a variable may itself be translucent."""
    name, _, share = text.partition(" ")
    if name.startswith("$"):
        name, _, own_share = variables[name[1:]].partition(" ")
        share = share or own_share
    color = Color.parse(name)
    return color.multiply_alpha(float(share.rstrip("%")) / 100) if share else color
