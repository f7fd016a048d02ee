"""Imagining that the agent reads a file: what would wake is said with every letter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_engine.insight.lazy_rules import Survey
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.spans import Row, Span, paragraph, row, short_path

from .row_list import RowList

_LISTED = 200
_HEIGHT = 8

Reads = tuple[str, ...]


class SimulateRead(ModalScreen[Reads | None]):
    """Gives what is read from now on, in order, or None. Choosing what is read already takes it out again."""

    CSS_PATH = "simulate_read.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog", "picker")

    def __init__(
        self, assembly: Assembly, survey: Survey | None, reads: Iterable[str], light: Callable[[Iterable[str]], None]
    ) -> None:
        """`light` marks the files at these paths in the table behind."""
        super().__init__()
        self._assembly, self._survey, self._reads, self._light = assembly, survey, tuple(reads), light
        self._files = tuple(_names(assembly, survey))

    def compose(self) -> ComposeResult:
        """The line, the files of the repository, what the chosen one wakes."""
        with Vertical(id="imagine"):
            yield Static("IMAGINE THAT THE AGENT READS", classes="imagine-title", markup=False)
            yield Input(placeholder="type a path, or a part of one", compact=True)
            yield RowList(id="imagine-files")
            yield Static("IT WAKES", classes="imagine-title", markup=False)
            yield RowList(id="imagine-wakes")

    def on_mount(self) -> None:
        """Begin with what is read already."""
        self._narrow("")
        self.query_one(Input).focus()

    @property
    def _chosen(self) -> str:
        """The highlighted file, else what was typed."""
        key = self.query_one("#imagine-files", RowList).key
        return str(key) if key is not None else self.query_one(Input).value.strip()

    def _narrow(self, typed: str) -> None:
        words = typed.lower().split()
        names = [*self._reads, *(name for name in self._files if name not in self._reads)]
        found = [name for name in names if all(word in name.lower() for word in words)]
        rows = [self._row(name) for name in found[:_LISTED]]
        if len(found) > _LISTED:
            rows.append(row(Span(f"  … {len(found) - _LISTED:,} more", "faint")))
        if not rows:
            rows = [paragraph(Span(f"enter takes {typed.strip()!r}, which need not exist", "dim"))]
        files = self.query_one("#imagine-files", RowList)
        files.styles.height = max(min(len(rows), _HEIGHT), 1)
        files.show(lambda _: rows, keep=False)
        self._wake()

    def _row(self, name: str) -> Row:
        read = name in self._reads
        right = [Span("is read; enter takes it out", "faint")] if read else []
        return row(Span("◉ " if read else "○ ", "accent" if read else "faint"), Span(name), right=right, key=name)

    def _wake(self) -> None:
        survey, chosen = self._survey, self._chosen
        woken = survey.woken_by(chosen, self._assembly.workspace) if survey else ()
        self._light(lazy.path for lazy in woken)
        rows = [
            row(
                Span("» ", "accent"),
                Span(short_path(lazy.path, self._assembly)),
                right=[Span(", ".join(lazy.patterns) or f"below {short_path(lazy.base, self._assembly)}", "dim")],
            )
            for lazy in woken
        ]
        if survey is None:
            rows = [paragraph(Span("this agent loads no file only when another one is read", "faint"))]
        elif not rows:
            rows = [paragraph(Span("nothing", "faint"))]
        wakes = self.query_one("#imagine-wakes", RowList)
        wakes.styles.height = min(len(rows), _HEIGHT)
        wakes.show(lambda _: rows, keep=False)

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """Narrow with every letter."""
        self._narrow(event.value)

    @on(RowList.Highlighted)
    def look(self, event: RowList.Highlighted) -> None:
        """Another file: what does it wake?"""
        event.stop()
        self._wake()

    @on(Input.Submitted)
    def submit(self) -> None:
        """Enter takes the highlighted file, or what was typed."""
        self._take(self._chosen)

    @on(RowList.Chosen)
    def choose(self, event: RowList.Chosen) -> None:
        """A click takes the file."""
        event.stop()
        self._take(str(event.key))

    def _take(self, name: str) -> None:
        if not name:
            return
        self._light(())
        rest = tuple(read for read in self._reads if read != name)
        self.dismiss(rest if name in self._reads else (*rest, name))

    def action_step(self, by: int) -> None:
        """Up or down in the list while the line keeps the keys."""
        self.query_one("#imagine-files", RowList).action_move(by)

    def action_leave(self) -> None:
        """Leave everything as it was."""
        self._light(())
        self.dismiss(None)


def _names(assembly: Assembly, survey: Survey | None) -> Iterator[str]:
    """The repository's files as one types them: relative to where the agent is started, those below it first."""
    if survey is None:
        return
    base = assembly.workspace.rstrip("/") + "/"
    absolute = survey.listing.absolute()
    yield from (path[len(base) :] for path in absolute if path.startswith(base))
    yield from (path for path in absolute if not path.startswith(base))
