"""A list drawn line by line: the base of the controls, the tables, Why and the request view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.spans import NO_MATCH, LaidRows, Row, Spot, matching

from .row_painter import RowPainter, differing
from .top_line import TopLineView

Make = Callable[[int], Sequence[Row]]
"""Makes the rows for a width in cells."""


class RowList(TopLineView[Spot], can_focus=True):
    """Rows made by a function of the width; those with a key can be highlighted and chosen.

    A list without any key scrolls instead.
    """

    BINDINGS = bindings("cursor", "list")

    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor", "rows--hover", "rows--head"}

    DEFAULT_CSS = """
    RowList {
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        & > .rows--head { background: $panel; }
        & > .rows--hover { background: $row-hover; }
        & > .rows--cursor { background: $row-cursor-blurred; }
        &:focus > .rows--cursor { background: $row-cursor; }
        &:ansi > .rows--cursor { text-style: underline; }
        &:ansi:focus > .rows--cursor { text-style: reverse; background: ansi_default; }
        &:nocolor:focus > .rows--cursor { text-style: reverse; }
    }
    """

    cursor: reactive[int] = reactive(-1, repaint=False)
    """The index of the highlighted row, -1 if there is none."""

    @dataclass
    class _OfRow(Message):
        rows: RowList
        key: Hashable

        @property
        def control(self) -> RowList:
            return self.rows

    class Highlighted(_OfRow):
        """The cursor, or the mouse, came to a row with a key."""

    class Chosen(_OfRow):
        """A row with a key was chosen: enter, space or a double click."""

    clicks = 2
    """How many clicks choose a row; the first one highlights it."""

    sticky = 0
    """Rows at the top that do not scroll: a table's head."""

    filters_text = True  # else what makes the rows goes by `needle` itself

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._make: Make = lambda _: ()
        self.needle = ""  # the words of the rows that are shown
        self.can_filter = False
        """Whether there is a row that can be chosen, whatever is shown of them."""
        self._laid = LaidRows()
        self._due: list[Callable[[], object]] = []
        self._hover = self._clicked = -1
        self._painter = RowPainter(self)

    # --- content ------------------------------------------------------------------------------------------------

    def show(self, make: Make, *, keep: bool = True) -> None:
        """Show the rows of `make`; with `keep` the cursor stays on its key, and the scroll position stays."""
        key = self.key
        self._make = make
        self._remake()
        index = self._laid.index_of(key) if keep and key is not None else -1
        if index < 0:
            last = len(self._laid.rows) - 1
            index = self._laid.next(min(max(self.cursor, 0), last) - 1 if keep else -1, 1)
        self._redraw_rows(self.cursor, index)
        self.set_reactive(RowList.cursor, index)
        if self.has_focus and self.key is not None and self.key != key:
            self.post_message(self.Highlighted(self, self.key))
        if not keep:
            self.scroll_to(0, 0, animate=False)

    def filter(self, needle: str) -> None:
        """Show only the rows that contain all these words."""
        self.needle = needle
        self.show(self._make)

    def is_worth_filtering(self, rows: Sequence[Row]) -> bool:
        """Whether these are more than words about an empty list."""
        return any(row.key is not None for row in rows)

    @property
    def found(self) -> int:
        """How many rows the filter leaves: of those that can be chosen, else of all."""
        return sum(row.key is not None for row in self.rows) or len(self.rows) - self.sticky - (NO_MATCH in self.rows)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The current rows."""
        return tuple(self._laid.rows)

    @property
    def key(self) -> Hashable | None:
        """The key of the highlighted row."""
        return self._laid.key(self.cursor)

    @property
    def plain(self) -> str:
        """Everything that is shown, as text."""
        return self._laid.plain

    def go_to(self, key: Hashable) -> bool:
        """Highlight the row with this key and bring it into view; False if there is none."""
        index = self._laid.index_of(key)
        if index >= 0:
            self.cursor = index
            self.reveal()  # it may be highlighted already, and out of view
        return index >= 0

    def return_to(self, key: Hashable | None, top: Spot | None) -> None:
        """Highlight a row that was left, with the same line at the top."""
        if key is not None:
            self.go_to(key)
        self.fix_top(top)

    def once_laid_out(self, do: Callable[[], object]) -> None:
        """Do something that needs the rows: at once, or as soon as a list that is new has a width to make them for."""
        if self._laid.width > 0:
            do()
        else:
            self._due.append(do)

    def _remake(self) -> None:
        width = self.scrollable_content_region.width
        again = width == self._laid.width
        before, top = self._painter.in_view(self._laid, self.sticky) if again else {}, self.top_spot
        rows = self._make(width) if width > 0 else ()
        needle = self.needle if self.filters_text else ""
        if width > 0 and (self.filters_text or not self.needle):
            self.can_filter = self.is_worth_filtering(rows)
        self._take(LaidRows(matching(rows, needle, head=self.sticky), width, self._laid))
        resize_content(self, Size(width, len(self._laid)))
        self.fix_top(None if again else top)
        if again:  # a few numbers have changed: drawing all of it takes 20 ms
            self._redraw(differing(before, self._painter.in_view(self._laid, self.sticky)))
        else:
            self.refresh()

    def _take(self, laid: LaidRows) -> None:
        """These are the rows from now on."""
        self._laid = laid

    def _redraw(self, lines: Iterable[int]) -> None:
        """Draw these lines again, as far as they are in view."""
        self._painter.redraw(lines, self._laid.width, self.sticky)

    def _redraw_rows(self, *indexes: int) -> None:
        """Draw these rows again if there is more than one of them, as when the cursor moves from one to the other."""
        if len(set(indexes)) > 1:
            self._redraw(line for index in indexes for line in self._laid.lines_of(index))

    def on_resize(self) -> None:
        """The rows depend on the width, and there are none before the first."""
        if self.scrollable_content_region.width != self._laid.width:
            self.show(self._make)
        else:
            self.fix_top(self.top_spot)
        if self._laid.width > 0:
            due, self._due = self._due, []
            for do in due:
                do()

    def spot_at(self, line: int) -> Spot | None:
        """What a line below the head shows."""
        return self._laid.spot(line + self.sticky)

    def line_showing(self, spot: Spot) -> int:
        """The line below the head that shows a spot."""
        return max(self._laid.line_of_spot(spot) - self.sticky, 0)

    def notify_style_update(self) -> None:
        """The theme changed: look up the styles again."""
        super().notify_style_update()
        self._painter.forget()

    # --- moving -------------------------------------------------------------------------------------------------

    def watch_cursor(self, before: int, cursor: int) -> None:
        """Scroll the row into view, and post it."""
        if not 0 <= cursor < len(self._laid.rows):
            return
        self.reveal()
        self._redraw_rows(before, cursor)
        self.post_message(self.Highlighted(self, self.key))

    @property
    def cursor_lines(self) -> range:
        """The lines of the highlighted row."""
        return self._laid.lines_of(self.cursor)

    def line_of(self, key: Hashable) -> int:
        """The first line of the row with this key, -1 if there is none."""
        lines = self._laid.lines_of(self._laid.index_of(key))
        return lines.start if lines else -1

    def reveal(self) -> None:
        """Bring the highlighted row into view."""
        lines = self.cursor_lines
        if not lines:
            return
        # A heading above the first selectable row comes into view with it.
        above = lines.start if self._laid.next(self.cursor, -1) >= 0 else 0
        region = Region(0, above - self.sticky, 1, lines.stop - above + self.sticky)
        self.scroll_to_region(region, animate=False, force=True)

    def action_move(self, step: int) -> None:
        """One selectable row up or down; a list without any scrolls."""
        found = self._laid.next(self.cursor, step)
        if found >= 0:
            self.cursor = found
        else:
            self.scroll_relative(y=step, animate=False)

    def action_page(self, step: int) -> None:
        """A page up or down."""
        page = max(self.scrollable_content_region.height - 1, 1)
        if self.key is None:
            self.scroll_relative(y=step * page, animate=False)
            return
        keyed = [index for index, row in enumerate(self._laid.rows) if row.key is not None]
        self.cursor = keyed[min(max(keyed.index(self.cursor) + step * page, 0), len(keyed) - 1)]

    def action_end(self, step: int) -> None:
        """The first or the last row."""
        found = self._laid.next(-1, 1) if step < 0 else self._laid.next(len(self._laid.rows), -1)
        if found >= 0:
            self.cursor = found
        elif step < 0:
            self.scroll_home(animate=False)
        else:
            self.scroll_end(animate=False)

    def action_choose(self) -> None:
        """Choose the highlighted row."""
        if self.key is not None:
            self.post_message(self.Chosen(self, self.key))

    # --- mouse --------------------------------------------------------------------------------------------------

    def _row_at(self, y: int) -> int:
        return self._laid.index_at(y if y < self.sticky else y + self.scroll_offset.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the row under the pointer."""
        index = self._row_at(event.y)
        if index == self._hover:
            return
        self._light(index)
        if (key := self._laid.key(index)) is not None:
            self.post_message(self.Highlighted(self, key))

    def on_leave(self) -> None:
        """The pointer left."""
        self._light(-1)

    def _light(self, index: int) -> None:
        """Mark a row as the one under the pointer."""
        self._redraw_rows(self._hover, index)
        self._hover = index

    def on_click(self, event: events.Click) -> None:
        """A click highlights, two of them choose: both in this list, not the first one in a dialog that is gone."""
        index, before = self._row_at(event.y), self._clicked if event.chain > 1 else -1
        self._clicked = index
        if self._laid.key(index) is None:
            return
        self.cursor = index
        if event.chain == self.clicks and (before == index or self.clicks == 1):
            self.action_choose()

    # --- drawing ------------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """All lines in one style of the list."""
        self._painter.begin()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        line = y if y < self.sticky else y + self.scroll_offset.y
        index = self._laid.index_at(line)
        if index < 0:
            return self._painter.strip(None, self._laid.width)
        names = []
        if line < self.sticky:
            names.append("rows--head")
        elif index == self._hover and self._laid.key(index) is not None:
            names.append("rows--hover")
        if index == self.cursor and self.key is not None:
            names.append("rows--cursor")
        return self._painter.strip(self._laid[line], self._laid.width, names)


class ChoiceList(RowList):
    """A list in which to choose is all there is to do: one click does it."""

    clicks = 1


def resize_content(view: ScrollView, size: Size) -> None:
    """Set the size of a view's content; the screen is laid out again (10 ms) only if the scroll bar comes or goes."""
    height = view.scrollable_content_region.height
    if size == view.virtual_size:
        return
    if (view.virtual_size.height > height) == (size.height > height) and size.width == view.virtual_size.width:
        view.set_reactive(Widget.virtual_size, size)
        view.vertical_scrollbar.window_virtual_size = size.height
        view.scroll_y = min(view.scroll_y, view.max_scroll_y)
    else:
        view.virtual_size = size
