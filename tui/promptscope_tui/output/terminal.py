"""What only a terminal is shown: colours and tables, by rich. Imported when something is printed there (35 ms)."""

import sys
from collections.abc import Collection, Iterable, Sequence

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text


def print_styled(lines: Iterable[Sequence[tuple[str, str]]], *, wrap: bool) -> None:
    """Lines of texts, each with its style in rich's words; `wrap` breaks them between words at the terminal's width."""
    console = _console()
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=not wrap)


def print_table(columns: Iterable[str], rows: Iterable[Iterable[str]], right: Collection[str]) -> None:
    """A table with bold headings; the columns in `right` hold numbers. Its cells must be harmless."""
    shown = RichTable(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        is_number = name in right
        # folded, not cut: names and paths get copied
        shown.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in rows:
        shown.add_row(*map(Text, row))
    _console().print(shown)


def _console() -> Console:
    """On stdout; it honours NO_COLOR and the terminal's colours."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
