"""The agents and the files: who takes what, and what each pays."""

from __future__ import annotations

from textual import on
from textual.worker import get_current_worker

from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.insight.agents_table import AgentsTable, agents_table
from promptscope_engine.tokens import Counter, tokenizer_for_model
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Span, row
from promptscope_tui.widgets.outside import open_editor
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import SplitView

from .rows import agents_rows, use_rows


class AgentsScreen(SplitView):
    """The table above, what each agent makes of one file below; it follows the files."""

    title_words = "AGENTS   which agent takes which file, and what each pays"
    pane = "agents"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.found: AgentsTable | None = None

    def on_mount(self) -> None:
        """Compute it in a thread: every agent is assembled."""
        self.choices.show(lambda _: [row(Span("… computing", "dim"))])
        self._compute()

    def renew(self, _: Snapshot) -> None:
        """A file changed."""
        self._compute()

    def _compute(self) -> None:
        self.run_worker(self._find, thread=True, exclusive=True)

    def _find(self) -> None:
        session, worker = self._session, get_current_worker()
        scenarios = [(agent, session.scenario_of(agent)) for agent in agents_for(session.placed)]
        counter = Counter(tokenizer_for_model(session.placed.model), session.counter.cache)
        copy = session.workspace.snapshot()  # the session's thread is reading with the original
        found = agents_table(scenarios, copy, counter, lambda: not worker.is_cancelled)
        if found is not None and not worker.is_cancelled:
            self.app.call_from_thread(self._show, found)

    def _show(self, found: AgentsTable) -> None:
        kept = self.found is not None
        self.found = found
        self.choices.show(lambda width: agents_rows(found, width), keep=kept)
        self._show_file(self.choices.key)

    def _show_file(self, key: object) -> None:
        if self.found is not None and isinstance(key, str):
            rows = use_rows(self.found, key)
            self.shown.show(lambda _: rows, keep=False)

    @on(RowList.Highlighted, "#choices")
    def highlighted(self, event: RowList.Highlighted) -> None:
        """Another file."""
        event.stop()
        self._show_file(event.key)

    @on(RowList.Chosen, "#choices")
    def chosen(self, event: RowList.Chosen) -> None:
        """Open the file in the editor."""
        event.stop()
        open_editor(self.app, str(event.key), 1, self._editor_failed)

    def _editor_failed(self, words: str) -> None:
        """From any thread."""
        self.call_later(self.note, words, error=True)

    def action_copy(self) -> None:
        """Copy the table."""
        self.copy(self.choices.plain)
