"""Panels as rows at a width: what is unfolded, which row shows what, and which row shows a place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Set
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct

from promptscope_tui.views.subjects import Cursor

from .body import TextRow
from .panels import ABSENT_PARTS, Panel, Panels

_NARROWEST = 8
"""Minimum cells for a body's text, however deep it is nested."""


WEIGHTS = 7
"""` ≈1,234`."""

_ROOMY = 60
"""Cells from which on there is room for them."""

_FIRST_LINES = 6
"""Rows of a panel that are seen without scrolling, or the view is scrolled."""


class Place(NamedTuple):
    """A place in the prompt that survives folding, resizing and reloading.

    The header of a section while `line` is None; else a shown column of a line of its text; `absent` is the
    index of an absent fragment.
    """

    section_id: str
    line: int | None = None
    column: int = 0
    absent: int | None = None


class HeaderRow(Struct, frozen=True):
    """The header of a panel, present or absent."""

    panel: Panel
    is_open: bool


class BodyRow(Struct, frozen=True):
    """A row of a panel's text."""

    panel: Panel
    text: TextRow


class AbsentRow(Struct, frozen=True):
    """A fragment that a present section lacks, by its index in `Section.absent`."""

    panel: Panel
    absent: int


Row = HeaderRow | BodyRow | AbsentRow


class Indents(NamedTuple):
    """The columns of a panel's rows: gutter, mark, line number, text. Before the text each character is one cell."""

    bar: int
    text: int

    @classmethod
    def of(cls, panel: Panel) -> Indents:
        """Those of a panel."""
        bar = 1 + 2 * panel.depth
        return cls(bar, bar + 2 + panel.body.number_width + 1)


class Layout:
    """The visible rows. Cheap to rebuild: only what is open is wrapped, and that is cached."""

    def __init__(
        self, panels: Panels, opened: Set[str], hide_absent: bool, width: int, last: Layout | None = None
    ) -> None:
        """`last` are the rows shown before: of thousands of panels of which one is another, the others keep theirs."""
        self.panels = panels
        self.opened = frozenset(opened)
        self.hide_absent = hide_absent
        self.width = width
        self._folded = frozenset(panels.folded)
        self.shown: list[Panel] = []
        self._heights: list[int] = []
        if last is None or not self._patch(last):
            self._lay_out()
        self.starts = list(accumulate(self._heights, initial=0))

    def _lay_out(self) -> None:
        visible: list[bool] = []
        panels = self.panels.all
        for panel in panels:
            above = panel.parent is None or (visible[panel.parent] and self._is_open(panels[panel.parent]))
            visible.append(above and (self._shows_absent(panel) if panel.folds or not panel.present else True))
            if visible[-1]:
                self.shown.append(panel)
                self._heights.append(1 + self._body_height(panel))
        self._order = [panel.index for panel in self.shown]

    def _shows_absent(self, panel: Panel) -> bool:
        """Whether an absent panel, or the one for all of them, is in view."""
        return not self.hide_absent and (ABSENT_PARTS in self.opened or panel.id not in self._folded)

    def _patch(self, last: Layout) -> bool:
        """Take over the rows shown before; False if other panels are in view now."""
        difference = self.panels.difference
        if difference is None or difference.key is not last.panels.key:
            return False
        if (self.opened, self.hide_absent, self.width) != (last.opened, last.hide_absent, last.width):
            return False
        before, now = last.panels.all, self.panels.all
        if any(before[index].present is not now[index].present for index in difference.anew):
            return False
        self.shown, self._heights, self._order = last.shown.copy(), last._heights.copy(), last._order
        for index in difference.anew:
            found = bisect_left(self._order, index)
            if found < len(self._order) and self._order[found] == index:
                self.shown[found] = now[index]
                self._heights[found] = 1 + self._body_height(now[index])
        return True

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.starts[-1]

    def _is_open(self, panel: Panel) -> bool:
        return panel.id in self.opened and panel.present and not panel.leads

    def weights(self, panel: Panel) -> int:
        """Cells at the right of a body that are kept for what its bullets weigh."""
        return WEIGHTS if self.width >= _ROOMY and panel.body.bullets else 0

    def _body_height(self, panel: Panel) -> int:
        if not self._is_open(panel):
            return 0
        panel.body.fit(max(self.width - Indents.of(panel).text - 1 - self.weights(panel), _NARROWEST))
        return panel.body.height(self.hide_absent)

    def panel_at(self, y: int) -> tuple[Panel, int]:
        """The panel that a row belongs to, and the row's number in it: 0 is the header."""
        found = bisect_right(self.starts, y) - 1
        return self.shown[found], y - self.starts[found]

    def row(self, y: int) -> Row:
        """What a row shows. `y` must be in range."""
        panel, number = self.panel_at(y)
        if number == 0:
            return HeaderRow(panel, self._is_open(panel))
        row = panel.body.row(number - 1, self.hide_absent)
        return AbsentRow(panel, row) if isinstance(row, int) else BodyRow(panel, row)

    def header(self, section_id: str) -> int | None:
        """The row of a section's header; None if it is hidden."""
        panel = self.panels.by_id.get(section_id)
        if panel is None:
            return None
        found = bisect_left(self._order, panel.index)
        seen = found < len(self._order) and self._order[found] == panel.index
        return self.starts[found] if seen else None

    def place(self, y: int) -> Place:
        """The place that a row shows."""
        row = self.row(y)
        if isinstance(row, HeaderRow):
            return Place(row.panel.id)
        if isinstance(row, AbsentRow):
            return Place(row.panel.id, 0, 0, row.absent)
        return Place(row.panel.id, row.text.line, row.text.start)

    def find(self, place: Place) -> int | None:
        """The row that shows a place, or the nearest header above it; None if the section is unknown."""
        panel = self.panels.by_id.get(place.section_id)
        if panel is None:
            return None
        start = self.header(panel.id)
        if start is None:
            above = (self.header(ancestor.id) for ancestor in self.panels.ancestors(panel))
            before = self.starts[max(bisect_left(self._order, panel.index) - 1, 0)] if self.shown else None
            return next((y for y in above if y is not None), before)
        height = self._body_height(panel)
        if place.line is None or not height:
            return start
        if place.absent is not None:
            row = None if self.hide_absent else panel.body.row_of_absent(place.absent)
            return start if row is None else start + 1 + row
        row = panel.body.row_of(place.line, place.column, self.hide_absent) if panel.body.text else 0
        return start + 1 + min(row, height - 1)

    def top_for(self, y: int, height: int) -> int:
        """The row at the top of a view of `height` rows when the view begins at a panel.

        It is the first one, so that what is above stays in sight, as long as the panel's first lines are in view.
        """
        panel, number = self.panel_at(y) if self.shown else (None, 0)
        rows = self._body_height(panel) - number + 1 if panel else 0
        return 0 if y + min(rows, _FIRST_LINES) <= height else max(y - height // 3, 0)

    def neighbour(self, y: int, step: int) -> int:
        """The header before (-1) or after (1) a row; the row itself if there is none."""
        found = bisect_left(self.starts, y) - 1 if step < 0 else bisect_right(self.starts, y)
        return self.starts[found] if 0 <= found < len(self.shown) else y


def cursor_at(row: Row) -> Cursor:
    """What is under a cursor on this row."""
    panel = row.panel
    if isinstance(row, AbsentRow):
        return Cursor(panel.id, "absent", tool=panel.tool, fragment=row.absent)
    if isinstance(row, BodyRow):
        fragment = panel.body.dominant(row.text)
        line = panel.body.file_line(fragment, row.text.line)
        return Cursor(panel.id, "body", panel.section.fragments[fragment].origin.path, line, panel.tool, fragment)
    if panel.leads:
        return Cursor(kind="tools")
    if panel.folds:
        return Cursor(kind="absent")
    path, line = panel.file or (None, None)
    return Cursor(panel.id, "header" if panel.present else "absent", path, line, panel.tool)


MOST_LINES = 200
"""Lines of a file that is unfolded."""

_MOST_TOGETHER = 2_000
"""Lines of all that are unfolded: thousands of rule files stay folded, as wrapping them takes seconds."""

_LINE = 120
"""Characters that take a line, where a file has none."""


def unfolded(panels: Panels, known: Set[str]) -> set[str]:
    """The ids of the panels to unfold: files that are not known yet, and what contains no files but such."""
    found: set[str] = set()
    if not any(panels.by_id[id].present for id in panels.by_id.keys() - known):
        return found
    left = _MOST_TOGETHER
    for panel in panels.all:
        files = [child for child in panel.children if panels.all[child].file]
        if files and not any(panels.all[child].id in known for child in files):
            found.add(panel.id)
        if panel.id in known or files:
            continue
        if left > 0 and panel.file and panel.is_own and (lines := _lines(panel)) <= min(MOST_LINES, left):
            found.add(panel.id)
            left -= lines
    return found


def _lines(panel: Panel) -> int:
    """About how many rows the text takes; one without line breaks may be a megabyte long."""
    text = panel.body.text
    return max(text.count("\n", 0, len(text.rstrip("\n"))) + 1, len(text) // _LINE)
