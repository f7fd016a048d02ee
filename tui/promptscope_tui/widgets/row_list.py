"""A list drawn line by line: the base of the controls, the tables, Why and the request view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.spans import Row, Spans, lay_out, width_of

from .line_bar import tone_style

Make = Callable[[int], Sequence[Row]]
"""Makes the rows for a width in cells."""

_Line = tuple[int, int]
"""A line of the list: the index of its row, and which of the row's lines it is."""

_Shown = list[tuple[Spans, Spans]]
"""The lines of a row as they are shown: what is at the left and at the right."""


class RowList(ScrollView, can_focus=True):
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
        """A row with a key was chosen: enter, space or a click."""

    sticky = 0
    """Rows at the top that do not scroll: a table's head."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._make: Make = lambda _: ()
        self._rows: list[Row] = []
        self._lines: list[_Line] = []
        self._first_line: list[int] = []
        self._laid_out: dict[int, _Shown] = {}
        self._made_for = -1
        self._due: list[Callable[[], object]] = []
        self._hover = -1
        self._styles: dict[str, Style] = {}
        self._base = Style()

    # --- content ------------------------------------------------------------------------------------------------

    def show(self, make: Make, *, keep: bool = True) -> None:
        """Show the rows of `make`; with `keep` the cursor stays on its key, and the scroll position stays."""
        key = self.key
        self._make = make
        self._remake()
        index = self.index_of(key) if keep and key is not None else -1
        if index < 0:
            last = len(self._rows) - 1
            index = self._next(min(max(self.cursor, 0), last) - 1, 1) if keep else self._next(-1, 1)
        self._redraw_rows(self.cursor, index)
        self.set_reactive(RowList.cursor, index)
        if self.has_focus and self.key is not None and self.key != key:
            self.post_message(self.Highlighted(self, self.key))
        if not keep:
            self.scroll_to(0, 0, animate=False)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The current rows."""
        return tuple(self._rows)

    @property
    def key(self) -> Hashable | None:
        """The key of the highlighted row."""
        return self._rows[self.cursor].key if 0 <= self.cursor < len(self._rows) else None

    @property
    def plain(self) -> str:
        """Everything that is shown, as text."""
        width = max(self._made_for, 0)
        lines = []
        for line in range(len(self._lines)):
            left, right = self._shown(line)
            start = "".join(s.text for s in left)
            end = "".join(s.text for s in right)
            gap = " " * max(width - width_of(left) - width_of(right), 1) if end else ""
            lines.append(f"{start}{gap}{end}".rstrip())
        return "\n".join(lines)

    def index_of(self, key: Hashable) -> int:
        """The index of the row with this key, -1 if none has it."""
        return next((n for n, row in enumerate(self._rows) if row.key == key), -1)

    def go_to(self, key: Hashable) -> bool:
        """Highlight the row with this key and bring it into view; False if there is none."""
        index = self.index_of(key)
        if index >= 0:
            self.cursor = index
            self.reveal()  # it may be highlighted already, and out of view
        return index >= 0

    def return_to(self, key: Hashable | None, top: int) -> None:
        """Highlight a row that was left, with the same line at the top."""
        if key is not None:
            self.go_to(key)
        self.scroll_to(y=top, animate=False, force=True)

    def once_laid_out(self, do: Callable[[], object]) -> None:
        """Do something that needs the rows: at once, or as soon as a list that is new has a width to make them for."""
        if self._made_for > 0:
            do()
        else:
            self._due.append(do)

    def _remake(self) -> None:
        width = self.scrollable_content_region.width
        rows = list(self._make(width)) if width > 0 else []
        before = self._in_view() if width == self._made_for else {}
        again = width == self._made_for
        wrapped = {self._rows[n]: lines for n, lines in self._laid_out.items() if self._rows[n].wrap} if before else {}
        seen = {index for index, _ in before.values()}
        self._laid_out = {n: self._laid_out[n] for n in seen if n < len(rows) and rows[n] == self._rows[n]}
        self._made_for, self._rows = width, rows
        self._lines, self._first_line = [], []
        for index, row in enumerate(rows):
            self._first_line.append(len(self._lines))
            if not row.wrap:  # what it says is found out when it comes into view
                self._lines.append((index, 0))
                continue
            lines = self._laid_out.get(index) or wrapped.get(row) or lay_out(row, width)
            self._laid_out[index] = lines
            self._lines += [(index, part) for part in range(len(lines))]
        resize_content(self, Size(width, len(self._lines)))
        if again:  # a few numbers have changed: drawing all of it takes 20 ms
            after = self._in_view()
            self._redraw(line for line in before.keys() | after.keys() if after.get(line) != before.get(line))
        else:
            self.refresh()

    def _shown(self, line: int) -> tuple[Spans, Spans]:
        """What a line of the list shows at the left and at the right."""
        index, part = self._lines[line]
        if index not in self._laid_out:
            self._laid_out[index] = lay_out(self._rows[index], self._made_for)
        return self._laid_out[index][part]

    def _in_view(self) -> dict[int, tuple[int, tuple[Spans, Spans]]]:
        """The lines in view: the row of each, and what is shown."""
        top = self.scroll_offset.y
        lines = [*range(self.sticky), *range(top + self.sticky, top + self.size.height)]
        return {line: (self._lines[line][0], self._shown(line)) for line in lines if line < len(self._lines)}

    def _redraw(self, lines: Iterable[int]) -> None:
        """Draw these lines again, as far as they are in view."""
        top, height = self.scroll_offset.y, self.size.height
        for line in lines:
            y = line if line < self.sticky else line - top
            if 0 <= y < height:
                self.refresh(Region(0, y, self._made_for, 1))

    def _redraw_rows(self, *indexes: int) -> None:
        """Draw these rows again if there is more than one of them, as when the cursor moves from one to the other."""
        if len(set(indexes)) > 1:
            self._redraw(line for index in indexes for line in self._lines_of(index))

    def on_resize(self) -> None:
        """The rows depend on the width, and there are none before the first."""
        if self.scrollable_content_region.width != self._made_for:
            self.show(self._make)
        if self._made_for > 0:
            due, self._due = self._due, []
            for do in due:
                do()

    def notify_style_update(self) -> None:
        """The theme changed: look up the styles again."""
        super().notify_style_update()
        self._styles.clear()

    # --- moving -------------------------------------------------------------------------------------------------

    def watch_cursor(self, before: int, cursor: int) -> None:
        """Scroll the row into view, and post it."""
        if not 0 <= cursor < len(self._rows):
            return
        self.reveal()
        self._redraw_rows(before, cursor)
        self.post_message(self.Highlighted(self, self._rows[cursor].key))

    @property
    def cursor_lines(self) -> range:
        """The lines of the highlighted row."""
        return self._lines_of(self.cursor)

    def line_of(self, key: Hashable) -> int:
        """The first line of the row with this key, -1 if there is none."""
        index = self.index_of(key)
        return self._first_line[index] if index >= 0 else -1

    def _lines_of(self, index: int) -> range:
        """The lines of a row; none for an index that no row has."""
        if not 0 <= index < len(self._rows):
            return range(0)
        ends = [*self._first_line[index : index + 2], len(self._lines)]
        return range(ends[0], ends[1])

    def reveal(self) -> None:
        """Bring the highlighted row into view."""
        cursor = self.cursor
        if not 0 <= cursor < len(self._rows):
            return
        top, height = self._first_line[cursor], len(self._lines_of(cursor))
        # A heading above the first selectable row comes into view with it.
        above = top if self._next(cursor, -1) >= 0 else 0
        region = Region(0, above - self.sticky, 1, top - above + height + self.sticky)
        self.scroll_to_region(region, animate=False, force=True)

    def _next(self, index: int, step: int) -> int:
        """The nearest selectable row from `index` on, -1 if there is none."""
        index += step
        while 0 <= index < len(self._rows):
            if self._rows[index].key is not None:
                return index
            index += step
        return -1

    def action_move(self, step: int) -> None:
        """One selectable row up or down; a list without any scrolls."""
        found = self._next(self.cursor, step)
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
        keyed = [index for index, row in enumerate(self._rows) if row.key is not None]
        self.cursor = keyed[min(max(keyed.index(self.cursor) + step * page, 0), len(keyed) - 1)]

    def action_end(self, step: int) -> None:
        """The first or the last row."""
        found = self._next(-1, 1) if step < 0 else self._next(len(self._rows), -1)
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
        line = y if y < self.sticky else y + self.scroll_offset.y
        return self._lines[line][0] if 0 <= line < len(self._lines) else -1

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the row under the pointer."""
        index = self._row_at(event.y)
        if index == self._hover:
            return
        self._light(index)
        if index >= 0 and (key := self._rows[index].key) is not None:
            self.post_message(self.Highlighted(self, key))

    def on_leave(self) -> None:
        """The pointer left."""
        self._light(-1)

    def _light(self, index: int) -> None:
        """Mark a row as the one under the pointer."""
        self._redraw_rows(self._hover, index)
        self._hover = index

    def on_click(self, event: events.Click) -> None:
        """A click highlights and chooses."""
        index = self._row_at(event.y)
        if index < 0 or self._rows[index].key is None:
            return
        self.cursor = index
        self.action_choose()

    # --- drawing ------------------------------------------------------------------------------------------------

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self.get_component_rich_style(name, partial=True)
        return self._styles[name]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Look up the style of the list once for all lines: that takes as long as drawing one."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self._made_for
        line = y if y < self.sticky else y + self.scroll_offset.y
        base = self._base
        if line >= len(self._lines):
            return Strip.blank(width, base)
        index = self._lines[line][0]
        left, right = self._shown(line)
        if line < self.sticky:
            base += self._style("rows--head")
        elif index == self._hover and self._rows[index].key is not None:
            base += self._style("rows--hover")
        if index == self.cursor and self._rows[index].key is not None:
            base += self._style("rows--cursor")
        gap = " " * max(width - width_of(left) - width_of(right), 0)
        tones = self.app.theme_variables
        segments = [Segment(text, base + tone_style(tone, tones)) for text, tone in left]
        segments.append(Segment(gap, base))
        segments += [Segment(text, base + tone_style(tone, tones)) for text, tone in right]
        return Strip(segments).adjust_cell_length(width, base)


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
