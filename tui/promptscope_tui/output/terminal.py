"""What only a terminal is shown: colours and tables, by rich. Imported when something is printed there (35 ms)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

if TYPE_CHECKING:
    from .stdout import Styled, Table


def print_styled(lines: Iterable[Sequence[Styled]], *, wrap: bool) -> None:
    """Lines of text in rich's styles; `wrap` breaks them between words at the terminal's width."""
    console = _console()
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=not wrap)


def print_table(table: Table) -> None:
    """The table, its headings bold; its cells must be harmless."""
    shown = RichTable(box=None, pad_edge=False, header_style="bold")
    for name in table.columns:
        is_number = name in table.right
        # folded, not cut: names and paths get copied
        shown.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in table.rows:
        shown.add_row(*map(Text, row))
    _console().print(shown)


def _console() -> Console:
    """On stdout; it honours NO_COLOR and the terminal's colours."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
