"""The line that filters a table as one types, with the number of rows that are left."""

from __future__ import annotations

from textual import on
from textual.containers import Horizontal
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings

from .line_input import LineInput
from .table_list import TableList


class FilterBar(Horizontal):
    """Filters with every letter; the arrows move in the table, enter goes into it, escape shows all rows again."""

    BINDINGS = bindings("filter")

    DEFAULT_CSS = """
    FilterBar {
        display: none;
        height: 1;
        background: $panel;
        padding: 0 1;
        & > #filter-mark { width: 2; color: $primary; }
        & > Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
        & > #filter-count { width: auto; color: $tone-dim; }
        &.-open { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._table: TableList | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    async def open(self, table: TableList) -> None:
        """Show the line under a table, with what it is filtered by, and take the keys."""
        self._table = table
        self.add_class("-open")
        if not self.query(Input):  # mounted with the first filter: inputs take long to style
            line = LineInput(placeholder="show only rows with these words", entered=lambda _: self.leave(keep=True))
            await self.mount(Static("/", id="filter-mark"), line, Static("", id="filter-count", markup=False))
        line = self.query_one(LineInput)
        line.value = table.arrangement.needle
        self._count()
        self.screen.set_focus(line)  # at once: the next key is meant for it

    def leave(self, *, keep: bool) -> None:
        """Back to the table; it stays filtered with `keep`."""
        table, focused = self._table, self.has_focus_within
        if table is not None and not keep:
            table.filter("")
        if table is None or not table.arrangement.needle:
            self.remove_class("-open")
        if focused and table is not None:
            self.screen.set_focus(table)

    def follow(self, page: object) -> None:
        """Another tab is shown: show what its table is filtered by."""
        self._table = page if isinstance(page, TableList) and page.arrangement.needle else None
        self.set_class(self._table is not None, "-open")
        if self._table is not None:
            self.query_one(LineInput).value = self._table.arrangement.needle
            self._count()

    def _count(self) -> None:
        found = self._table.found if self._table else 0
        words = "1 row" if found == 1 else f"{found:,} rows"
        self.query_one("#filter-count", Static).update(words if found else "no row")

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Filter with every letter."""
        event.stop()
        if self._table is not None and self._table.arrangement.needle != event.value:
            self._table.filter(event.value)
        self._count()

    def action_step(self, by: int) -> None:
        """Down (1) or up in the table."""
        if self._table is not None:
            self._table.action_move(by)

    def action_close(self) -> None:
        """Show all rows again."""
        self.leave(keep=False)
