"""What each switch, file, section, tool and repeated passage would save, the largest first."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from textual import on
from textual.worker import get_current_worker

from promptscope_engine.insight.effects import Effect, each_effect
from promptscope_engine.insight.repeats import find_repeats
from promptscope_engine.insight.savings import savings
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens import Counter, get_tokenizer
from promptscope_tui.session.intents import Intent
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Span, row
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import SplitView

from .rows import FoundSaving, leads_to, saving_rows, savings_rows

_BATCH = 0.3
"""Seconds between two updates: a list that is sorted anew by single numbers cannot be read."""


class SavingsScreen(SplitView):
    """The list above, what one of them is below; it follows the prompt. `go` is told where a chosen one leads."""

    title_words = "SAVINGS   how much smaller the prompt would be"
    pane = "savings"

    def __init__(self, session: Session, go: Callable[[Intent], object]) -> None:
        super().__init__()
        self._session, self._go = session, go
        self.found: FoundSaving | None = None
        self._shown_of: Assembly | None = None

    def on_mount(self) -> None:
        """Compute it in a thread: repeated passages are looked for."""
        self.choices.show(lambda _: [row(Span("… computing", "dim"))])
        self.renew(self._session.snapshot)

    def renew(self, snapshot: Snapshot) -> None:
        """Something changed, or the worker knows more switches."""
        if snapshot.assembly is not None and snapshot.assembly is not self._shown_of:
            self._shown_of = snapshot.assembly
            self.run_worker(lambda: self._find(snapshot), thread=True, exclusive=True)

    def _find(self, snapshot: Snapshot) -> None:
        """First what the session knows of the switches, then the rest of them; known counts are not made again."""
        session, worker, assembly = self._session, get_current_worker(), snapshot.assembly
        assert assembly is not None
        counter = Counter(get_tokenizer(assembly.tokens.tokenizer), session.counter.cache)
        repeats = find_repeats(assembly, counter.count)
        known: dict[tuple[str, str], Effect] = dict(snapshot.effects)

        def tell(effects: list[Effect], *, whole: bool) -> None:
            found = FoundSaving(assembly, savings(assembly, effects, repeats), repeats, whole)
            if not worker.is_cancelled:
                self.app.call_from_thread(self._show, found)

        tell(list(known.values()), whole=not snapshot.busy)
        if not snapshot.busy:
            return
        effects: list[Effect] = []
        told = time.monotonic()
        for effect in each_effect(session.placed, session.workspace.snapshot(), counter, assembly):
            if worker.is_cancelled:
                return
            effects.append(effect)
            if time.monotonic() - told >= _BATCH:
                tell(effects, whole=False)
                told = time.monotonic()
        tell(effects, whole=True)

    def _show(self, found: FoundSaving) -> None:
        kept = self.found is not None
        self.found = found
        self.choices.show(lambda width: savings_rows(found, width), keep=kept)
        self._show_one(self.choices.key)

    def _show_one(self, key: Hashable) -> None:
        if self.found is not None:
            saving = self.found.saving(key)
            rows = list(saving_rows(self.found, saving)) if saving else []
            self.shown.show(lambda _: rows, keep=False)

    @on(RowList.Highlighted, "#choices")
    def highlighted(self, event: RowList.Highlighted) -> None:
        """Another one."""
        event.stop()
        self._show_one(event.key)

    @on(RowList.Chosen, "#choices")
    def chosen(self, event: RowList.Chosen) -> None:
        """Set the switch, or go to the text."""
        event.stop()
        saving = self.found.saving(event.key) if self.found is not None else None
        if saving is not None:
            self.dismiss()
            self._go(leads_to(saving))

    def action_copy(self) -> None:
        """Copy the list."""
        self.copy(self.choices.plain)
