"""What of the prompt takes how long: reading, gathering, assembling, counting, by section and file."""

from __future__ import annotations

from textual import on
from textual.worker import get_current_worker

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.timings import Timings, measured
from promptscope_engine.tokens import Counter, tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import Span, row
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import SplitView

from .rows import phase_rows, timings_rows


class TimingsScreen(SplitView):
    """The list above, the phases of one of its rows below. It measures once, in a thread of its own."""

    title_words = "TIMINGS   what of the prompt takes how long"
    pane = "timings"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.found: tuple[Timings, Assembly] | None = None

    def on_mount(self) -> None:
        """Assemble the prompt anew."""
        self.choices.show(lambda _: [row(Span("… measuring", "dim"))])
        self.run_worker(self._measure, thread=True, exclusive=True)

    def _measure(self) -> None:
        worker, scenario = get_current_worker(), self._session.placed
        counter = Counter(tokenizer_for_model(scenario.model), self._session.counter.cache)
        workspace = Workspace(self._session.workspace.disk)
        workspace.learned = self._session.workspace.learned
        try:
            with measured() as timings:
                assembly = assemble(scenario, workspace, counter)
        except ScenarioError as error:
            self.app.call_from_thread(self.note, str(error), error=True)
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._show, timings, assembly)

    def _show(self, timings: Timings, assembly: Assembly) -> None:
        self.found = timings, assembly
        self.choices.show(lambda width: timings_rows(timings, assembly, width))

    @on(RowList.Highlighted, "#choices")
    def highlighted(self, event: RowList.Highlighted) -> None:
        """Another one."""
        event.stop()
        if self.found is not None and isinstance(event.key, str):
            rows = phase_rows(*self.found, event.key)
            self.shown.show(lambda _: rows, keep=False)

    def action_copy(self) -> None:
        """Copy the list."""
        self.copy(self.choices.plain)
