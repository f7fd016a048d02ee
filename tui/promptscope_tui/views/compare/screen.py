"""Two prompts held against each other: what differs at the left, its text at the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual import on
from textual.widgets import Static
from textual.worker import get_current_worker

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.comparison import Comparison
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.comparing import SideChoice, compare_sides, first_sides, side_choices
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row, Span, paragraph, row
from promptscope_tui.widgets.picker import Option, Picker
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import SplitView

from .rows import ChangeKey, change_rows, copied, detail_rows, title_of

BESIDE = 160
"""Cells of a screen from which on texts stand side by side at first."""


class CompareScreen(SplitView):
    """The comparison of two sides; it follows the prompt."""

    title_words = "COMPARE"
    pane = "compare"
    BINDINGS = bindings("compare")

    def __init__(self, session: Session, state_folder: Callable[[], Path]) -> None:
        """`state_folder` tells where scenarios are saved."""
        super().__init__()
        self._session, self._state_folder = session, state_folder
        self.sides: tuple[str, str] | None = None
        self.found: Comparison | None = None
        self.beside: bool | None = None
        """Whether texts stand side by side; None: as there is room."""
        self._key: ChangeKey | None = None
        self._offered: tuple[SideChoice, ...] = ()

    def on_mount(self) -> None:
        """Compute it in a thread: an agent that was not shown yet takes a moment, and git may be slow."""
        self.choices.show(lambda _: [row(Span("… computing", "dim"))])
        self._compute()

    def renew(self, _: Snapshot) -> None:
        """The prompt changed."""
        self._compute()

    def _compute(self) -> None:
        self.run_worker(self._find, thread=True, exclusive=True)

    def _find(self) -> None:
        sides = self.sides or first_sides(self._session)
        self._offered = self._offered or side_choices(self._session, self._state_folder())
        try:
            found: Comparison | ScenarioError = compare_sides(self._session, sides)
        except ScenarioError as error:
            found = error
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._show, sides, found)

    def _show(self, sides: tuple[str, str], found: Comparison | ScenarioError) -> None:
        kept = self.sides == sides
        self.sides = sides
        self.found = found if isinstance(found, Comparison) else None
        self.query_one("#lists-title", Static).update(visible(title_of(sides, self.found)))
        if isinstance(found, ScenarioError):
            words = str(found)
            self.choices.show(lambda _: [paragraph(Span(f"✗ {words}", "error"))])
            self.shown.show(lambda _: [])
            return
        self.choices.show(lambda _: change_rows(found), keep=kept)
        self._key = self.choices.key if isinstance(self.choices.key, ChangeKey) else None
        self._show_text(keep=kept)

    def _show_text(self, *, keep: bool = False) -> None:
        found, key = self.found, self._key
        if found is not None:
            self.shown.show(partial(self._rows, found, key), keep=keep)

    def _rows(self, found: Comparison, key: ChangeKey | None, width: int) -> list[Row]:
        return detail_rows(found, key, width, beside=self.is_beside)

    @property
    def is_beside(self) -> bool:
        """Whether texts stand side by side."""
        return self.size.width >= BESIDE if self.beside is None else self.beside

    @on(RowList.Highlighted, "#choices")
    def highlighted(self, event: RowList.Highlighted) -> None:
        """Another change."""
        event.stop()
        if isinstance(event.key, ChangeKey) and event.key != self._key:
            self._key = event.key
            self._show_text()

    @on(RowList.Chosen, "#choices")
    def chosen(self, event: RowList.Chosen) -> None:
        """To the text."""
        event.stop()
        self.shown.focus()

    # --- actions -------------------------------------------------------------------------------------------------

    def action_choose_side(self, at: int) -> None:
        """Choose what stands before or after."""
        if self.sides is None:
            return
        home = str(Path("~").expanduser())
        options = [Option(each.text, each.detail, label=each.text.replace(home, "~")) for each in self._offered]
        title = f"COMPARE   {'ab'[at]}: {('before', 'after')[at]}   also git:REV, or a scenario file"
        self.app.push_screen(Picker(title, options, self.sides[at], free=True), partial(self._choose, at))

    def _choose(self, at: int, text: str | None) -> None:
        if text is None or self.sides is None:
            return
        chosen = (text, self.sides[1]) if at == 0 else (self.sides[0], text)
        self._compare(chosen)

    def _compare(self, sides: tuple[str, str]) -> None:
        self.sides = sides
        self.query_one("#lists-title", Static).update(visible(title_of(sides, None)))
        self.choices.show(lambda _: [row(Span("… computing", "dim"))])
        self._key = None
        self._compute()

    def action_swap(self) -> None:
        """The one side in place of the other."""
        if self.sides is not None:
            self._compare((self.sides[1], self.sides[0]))

    def action_beside(self) -> None:
        """Side by side, or unified."""
        self.beside = not self.is_beside
        self._show_text(keep=True)
        self.note("side by side" if self.beside else "unified")

    def action_copy(self) -> None:
        """Copy the change under the cursor."""
        if self.found is not None:
            self.copy(copied(self.found, self._key))
