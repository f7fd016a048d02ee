"""The screen of agents and files: the tables above, what is under the cursor below."""

from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from textual.worker import get_current_worker

from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.insight.agents_table import AgentsTable, Column, agents_table
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_tui.session.installed import Standing
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.editor import open_editor
from promptscope_tui.widgets.split_view import FindingView

from .lines import OPEN, FolderKey
from .rows import agents_rows, folder_rows, standing_rows, use_rows


class _Found(NamedTuple):
    table: AgentsTable
    standings: Mapping[str, Standing]
    """By the agents' ids."""


class AgentsScreen(FindingView[_Found]):
    """The table above, what each agent makes of one file below; it follows the files."""

    title_words = "AGENTS   which agent reads which file, and what it costs"
    pane = "agents"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._choices: dict[bool, dict[str, bool]] = {True: {}, False: {}}
        """Which folders were opened or folded, among the files that are read and among the others."""

    def find(self) -> _Found | None:
        """Assemble every agent, with a copy of the workspace: the session's thread is reading with the original."""
        session, worker = self._session, get_current_worker()
        agents = list(agents_for(session.placed))
        columns = [Column(agent, session.scenario_of(agent)) for agent in agents]
        counter = counter_for(session.placed.model, session.counter.cache)
        check, workspace = LiveCheck(counter), session.workspace.snapshot()

        def repeats_of(assembly: Assembly) -> tuple[Repeat, ...]:
            return check.paid_twice(assembly, workspace).repeats

        found = agents_table(
            columns, workspace, counter, lambda: not worker.is_cancelled, repeats_of, knowledge=session.knowledge
        )
        standings = {each.id: Standing.of(each, session.learned, session.today) for each in agents}
        return _Found(found, standings) if found else None

    def choice_rows(self, found: _Found, width: int) -> list[Row]:
        """The tables."""
        return agents_rows(found.table, width, list(found.standings.values()), self._choices)

    def detail_rows(self, found: _Found, key: Hashable, _: int) -> Iterator[Row]:
        """What each agent makes of a file, or of a folder's files, or how an agent stands."""
        if isinstance(key, FolderKey):
            return folder_rows(found.table, key)
        standing = found.standings.get(str(key))
        return standing_rows(standing) if standing else use_rows(found.table, str(key))

    def chosen(self, key: Hashable) -> None:
        """Open or fold a folder; open a file in the editor."""
        if isinstance(key, FolderKey):
            is_open = self.choices.rows[self.choices.cursor].plain.startswith(OPEN)
            self._choices[key.is_read][key.path] = not is_open
            self.choices.filter("")
        elif self.found and key not in self.found.standings:
            open_editor(self.app, str(key), 1, partial(self.call_later, self.note, error=True))
