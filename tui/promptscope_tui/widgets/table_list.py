"""A list with columns: sorted by any of them, filtered as one types."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.widgets import Input

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Row
from promptscope_tui.text.tables import Arrangement, Column, Order, column_at, named, shown_columns
from promptscope_tui.text.words import many

from .messages import Noted
from .picker import FindBar, LineInput
from .row_list import RowList


class TableList(RowList):
    """The base of Tools and Files. The order and the filter stay when another prompt is shown."""

    BINDINGS = bindings("table")
    sticky = 1
    filters_text = False

    columns: ClassVar[Sequence[Column]] = ()
    """All columns, those too that have no room."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._order: Order | None = None
        self._snapshot: Snapshot | None = None

    @property
    def arrangement(self) -> Arrangement:
        """The order that was chosen, and the words of the filter."""
        return Arrangement(self._order, self.needle)

    def table_rows(self, assembly: Assembly, width: int) -> list[Row]:
        """The rows as they are arranged, for a width in cells."""
        raise NotImplementedError

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the records of a session's assembly."""
        self._snapshot = snapshot
        self.show_arranged()

    def show_arranged(self) -> None:
        """Show the rows again in another order, or others."""
        if self._snapshot is not None and self._snapshot.assembly is not None:
            self.show(partial(self.table_rows, self._snapshot.assembly))

    @property
    def found(self) -> int:
        """How many records are shown."""
        return sum(self.is_record(row.key) for row in self.rows)

    def is_record(self, key: object) -> bool:
        """Whether a row with this key is one of the table's records."""
        return key is not None

    def filter(self, needle: str) -> None:
        """Show only the records that contain all these words, below the table what it always says."""
        self.needle = needle
        self.show_arranged()

    def sort(self, order: Order | None) -> None:
        """Sort, and go to the first row; None is the agent's own order."""
        self._order = order
        self.show_arranged()
        self.action_end(-1)
        self.scroll_home(animate=False)
        if order is None:
            self.post_message(Noted("in the agent's own order"))
        else:
            way = "down" if order.down else "up"
            self.post_message(Noted(f"sorted by {named(self.columns, order.column)}, {way}"))

    def action_sort(self, step: int) -> None:
        """Sort by the next column in view (1) or the previous one (-1).

        Between the last and the first is the agent's own order.
        """
        if not self.rows:
            return
        ring: list[int | None] = [None, *shown_columns(self.rows[0], self.columns)]
        order = self._order
        at = ring.index(order.column) if order is not None and order.column in ring else 0
        column = ring[(at + step) % len(ring)]
        self.sort(None if column is None else Order.by(self.columns, column))

    def action_reverse(self) -> None:
        """The other way round; not sorted yet, by the first column."""
        order = self._order
        self.sort(Order.by(self.columns, 0) if order is None else order.reversed())

    def on_click(self, event: events.Click) -> None:
        """A click on a head sorts by its column, another one the other way round."""
        inside = event.get_content_offset(self)
        if inside is None or inside.y != 0 or not self.rows:
            return
        column = column_at(self.rows[0], self.columns, inside.x)
        order = self._order
        if column is not None:
            again = order is not None and order.column == column
            self.sort(order.reversed() if again and order else Order.by(self.columns, column))


class FilterBar(FindBar):
    """Filters with every letter; the arrows move in the table, enter goes into it, escape shows all rows again."""

    BINDINGS = bindings("filter")
    placeholder = "show only rows with these words"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._list: RowList | None = None

    async def open(self, rows: RowList) -> None:
        """Show the line, with what a list is filtered by, and take the keys."""
        if rows is not self._list:
            self._end()
        self._list = rows
        (await self.show_line()).value = rows.needle
        self._count()

    def resume(self, rows: RowList, needle: str) -> None:
        """Filter a list again as it was when it was left."""
        self._list = rows
        rows.filter(needle)
        self.add_class("-open")
        self.query_one(LineInput).value = needle
        self._count()

    def leave(self, *, keep: bool) -> None:
        """Back to the list; it stays filtered with `keep`."""
        rows, focused = self._list, self.has_focus_within
        if rows is None or not keep or not rows.needle:
            self._end()
        if focused and rows is not None:
            self.screen.set_focus(rows)

    def follow(self, page: object) -> None:
        """A page is shown: the filter of another one ends."""
        if self._list is not page:
            self._end()

    def renew(self) -> None:
        """The rows are others: say how many are left; where there are none to filter, the filter ends."""
        if self._list is not None and self._list.can_filter:
            self._count()
        elif self._list is not None:
            self.leave(keep=False)

    def _end(self) -> None:
        if self._list is not None and self._list.needle:
            self._list.filter("")
        self._list = None
        self.remove_class("-open")

    def _count(self) -> None:
        found = self._list.found if self._list else 0
        self.say_count(many(found, "row") if found else "no row")

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Filter with every letter."""
        event.stop()
        if self._list is not None and self._list.needle != event.value:
            self._list.filter(event.value)
        self._count()

    def action_step(self, by: int) -> None:
        """Down (1) or up in the list."""
        if self._list is not None:
            self._list.action_move(by)
