"""What of the prompt takes how long: reading, gathering, assembling, counting, by section and file."""

from collections.abc import Hashable

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.timings import Timings, measured
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.split_view import SplitView

from .rows import phase_rows, timings_rows


class TimingsScreen(SplitView):
    """The list above, the phases of one of its rows below. It measures once, in a thread of its own."""

    title_words = "TIMINGS   how long each part takes to build"
    pane = "timings"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.found: tuple[Timings, Assembly] | None = None

    def on_mount(self) -> None:
        """Assemble the prompt again."""
        self.show_waiting("… measuring")
        self.find_again()

    def find(self) -> tuple[Timings, Assembly]:
        """Measure an assembly that reads and counts everything that is not kept on disk."""
        scenario = self._session.placed
        counter = counter_for(scenario.model, self._session.counter.cache)
        workspace = Workspace(self._session.workspace.disk)
        workspace.learned = self._session.workspace.learned
        with measured() as timings:
            return timings, assemble(scenario, workspace, counter)

    def show_found(self, found: tuple[Timings, Assembly]) -> None:
        """Show what took how long."""
        self.found = found
        self.show_choices(lambda width: timings_rows(*found, width), keep=True)

    def show_failure(self, words: str) -> None:
        """Say what is wrong with the scenario."""
        self.note(words, error=True)

    def detail(self, key: Hashable, _: int) -> list[Row]:
        """The phases of one of them."""
        return phase_rows(*self.found, key) if self.found and isinstance(key, str) else []
