"""Simulating that the agent reads a file: shows with every letter what would load."""

from collections.abc import Callable, Hashable, Iterable

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.text.spans import Row, Span, paragraph, row
from promptscope_tui.text.words import contains, short_path
from promptscope_tui.widgets.line_input import LineInput
from promptscope_tui.widgets.picker import TypedChoice
from promptscope_tui.widgets.row_list import ChoiceList, RowList

_LISTED = 200
_HEIGHT = 8

Reads = tuple[str, ...]


class SimulateRead(TypedChoice[Reads | None]):
    """Gives the files that are read from now on, in order, or None. Choosing one of them again removes it."""

    CSS_PATH = "simulate_read.tcss"

    def __init__(
        self,
        assembly: Assembly,
        lazy_rules: LazyRules | None,
        reads: Iterable[str],
        light: Callable[[Iterable[str]], None],
    ) -> None:
        """`light` marks the files at these paths in the table behind it."""
        super().__init__()
        self._assembly, self._lazy_rules, self._reads, self._light = assembly, lazy_rules, tuple(reads), light
        self._files = _names(assembly, lazy_rules) if lazy_rules else []

    def compose(self) -> ComposeResult:
        """The line, the files of the repository, what the chosen one loads."""
        with Vertical(id="imagine"):
            yield Static("SIMULATE THAT THE AGENT READS", classes="imagine-title", markup=False)
            yield LineInput(placeholder="type a path or part of one", entered=self.entered)
            yield ChoiceList(id="imagine-files")
            yield Static("IT LOADS", classes="imagine-title", markup=False)
            yield RowList(id="imagine-loads")

    def on_mount(self) -> None:
        """Start with the current reads."""
        self.filter("")
        self.query_one(Input).focus()

    @property
    def _chosen(self) -> str:
        """The highlighted file, else what was typed."""
        key = self.choices.key
        return str(key) if key is not None else self.query_one(Input).value.strip()

    def filter(self, typed: str) -> None:
        """Show the files that have all words of what was typed, those that are read first."""
        names = [*self._reads, *(name for name in self._files if name not in self._reads)]
        found = [name for name in names if contains(name, typed)]
        rows = [self._row(name) for name in found[:_LISTED]]
        if len(found) > _LISTED:
            rows.append(row(Span(f"  … {len(found) - _LISTED:,} more", "faint")))
        if not rows:
            rows = [paragraph(Span(f"enter uses {typed.strip()!r}, which need not exist", "dim"))]
        files = self.choices
        files.styles.height = max(min(len(rows), _HEIGHT), 1)
        files.show(lambda _: rows, keep=False)
        self._show_loaded()

    def _row(self, name: str) -> Row:
        read = name in self._reads
        right = [Span("already read; enter removes it", "faint")] if read else []
        return row(Span("◉ " if read else "○ ", "accent" if read else "faint"), Span(name), right=right, key=name)

    def _show_loaded(self) -> None:
        lazy_rules, chosen = self._lazy_rules, self._chosen
        loaded = lazy_rules.loaded_by(chosen, self._assembly.workspace) if lazy_rules else ()
        self._light(lazy.path for lazy in loaded)
        rows = [
            row(
                Span("» ", "accent"),
                Span(short_path(lazy.path, self._assembly)),
                right=[Span(", ".join(lazy.patterns) or f"below {short_path(lazy.base, self._assembly)}", "dim")],
            )
            for lazy in loaded
        ]
        if lazy_rules is None:
            rows = [paragraph(Span("… looking for what loads when it is read", "faint"))]
        elif not rows:
            rows = [paragraph(Span("nothing", "faint"))]
        loads = self.query_one("#imagine-loads", RowList)
        loads.styles.height = min(len(rows), _HEIGHT)
        loads.show(lambda _: rows, keep=False)

    @on(RowList.Highlighted)
    def look(self, event: RowList.Highlighted) -> None:
        """Another file: what does it load?"""
        event.stop()
        self._show_loaded()

    def take(self, typed: str, key: Hashable) -> None:
        """Read the highlighted file, or what was typed; one that is read already is read no more."""
        name = typed.strip() if key is None else str(key)
        if name:
            rest = tuple(read for read in self._reads if read != name)
            self.dismiss(rest if name in self._reads else (*rest, name))


def _names(assembly: Assembly, lazy_rules: LazyRules) -> list[str]:
    """The repository's files, relative to the agent's folder, those below it first."""
    base = assembly.workspace.rstrip("/") + "/"
    absolute = sorted(lazy_rules.listing.absolute(), key=lambda path: not path.startswith(base))
    return [path.removeprefix(base) for path in absolute]
