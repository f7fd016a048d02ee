"""The agents and the files: who takes what, and what each pays."""

from collections.abc import Hashable

from textual.worker import get_current_worker

from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.insight.agents_table import AgentsTable, agents_table
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import tokenizer_for_model
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.outside import open_editor
from promptscope_tui.widgets.split_view import FollowingView

from .rows import agents_rows, use_rows


class AgentsScreen(FollowingView):
    """The table above, what each agent makes of one file below; it follows the files."""

    title_words = "AGENTS   which agent reads which file, and what it costs"
    pane = "agents"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.found: AgentsTable | None = None

    def find(self) -> None:
        """Assemble every agent, with a copy of the workspace: the session's thread is reading with the original."""
        session, worker = self._session, get_current_worker()
        scenarios = [(agent, session.scenario_of(agent)) for agent in agents_for(session.placed)]
        counter = Counter(tokenizer_for_model(session.placed.model), session.counter.cache)
        found = agents_table(scenarios, session.workspace.snapshot(), counter, lambda: not worker.is_cancelled)
        if found is not None:
            self.tell(self._show, found)

    def _show(self, found: AgentsTable) -> None:
        kept, self.found = self.found is not None, found
        self.show_choices(lambda width: agents_rows(found, width), keep=kept)

    def detail(self, key: Hashable, _: int) -> list[Row]:
        """What each agent makes of the file."""
        return use_rows(self.found, key) if self.found and isinstance(key, str) else []

    def chosen(self, key: Hashable) -> None:
        """Open the file in the editor."""
        open_editor(self.app, str(key), 1, self._editor_failed)

    def _editor_failed(self, words: str) -> None:
        """From any thread."""
        self.call_later(self.note, words, error=True)
