"""What each switch, file, section, tool and repeated passage would save, the largest first."""

import time
from collections.abc import Callable, Hashable, Iterable, Iterator

from textual.worker import get_current_worker

from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.insight.costs import savings
from promptscope_engine.insight.effects import Effect, each_effect
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Intent, Snapshot
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.messages import pass_on
from promptscope_tui.widgets.split_view import FindingView

from .rows import FoundSaving, leads_to, saving_rows, savings_rows

_BATCH = 0.3
"""Seconds between two updates: a list that is sorted again by single numbers cannot be read."""


class SavingsScreen(FindingView[FoundSaving]):
    """The list above, what one of them is below; it follows the prompt. `go` is told where a chosen one leads."""

    title_words = "SAVINGS   how much smaller the prompt would be"
    pane = "savings"

    def __init__(self, session: Session, go: Callable[[Intent], object]) -> None:
        super().__init__(session)
        self._go, self._snapshot = go, session.snapshot

    def renew(self, snapshot: Snapshot) -> None:
        """Something changed, or the worker knows more switches."""
        if snapshot.assembly is not self._snapshot.assembly:
            self._snapshot = snapshot
            self.find_again()

    def find(self) -> FoundSaving | None:
        """First what the session knows of the switches, then the rest of them; known counts are not made again."""
        session, worker, snapshot = self._session, get_current_worker(), self._snapshot
        assembly = snapshot.assembly
        if assembly is None:
            return None
        counter = Counter(get_tokenizer(assembly.tokens.tokenizer), session.counter.cache)
        repeats = LiveCheck(counter).paid_twice(assembly, session.workspace.snapshot()).repeats

        def made(effects: Iterable[Effect], *, whole: bool) -> FoundSaving:
            return FoundSaving(assembly, savings(assembly, list(effects), repeats), repeats, whole)

        found = made(snapshot.effects.values(), whole=not snapshot.busy)
        if not snapshot.busy:
            return found
        effects: list[Effect] = []
        told, place = 0.0, session.workspace.snapshot()
        for effect in each_effect(session.placed, place, counter, assembly, knowledge=session.knowledge):
            if worker.is_cancelled:
                return None
            if time.monotonic() - told >= _BATCH:
                pass_on(self.app, self, self.show_found, made(effects, whole=False) if effects else found)
                told = time.monotonic()
            effects.append(effect)
        return made(effects, whole=True)

    def choice_rows(self, found: FoundSaving, width: int) -> list[Row]:
        """The savings, the largest first."""
        return savings_rows(found, width)

    def detail_rows(self, found: FoundSaving, key: Hashable, _: int) -> Iterator[Row]:
        """What one of them is."""
        return saving_rows(found, saving) if (saving := found.saving(key)) else iter(())

    def chosen(self, key: Hashable) -> None:
        """Set the switch, or go to the text."""
        if self.found is not None and (saving := self.found.saving(key)):
            self.dismiss()
            self._go(leads_to(saving))
