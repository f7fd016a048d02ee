"""The agent's own context report, line by line, with notes on what it leaves out."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_engine.agents.features import AgentReport, Reporting
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.workspace import Workspace
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.text.totals import with_total
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.threads import in_thread


class Report(ModalScreen[None]):
    """The report in its views; it follows the prompt."""

    CSS_PATH = "report.tcss"
    BINDINGS = bindings("report")

    def __init__(self, agent: Reporting, snapshot: Snapshot, workspace: Workspace) -> None:
        super().__init__()
        self._agent, self._snapshot, self._workspace = agent, snapshot, workspace
        self._found: AgentReport | None = None
        self._view = 0

    def compose(self) -> ComposeResult:
        """The views, the lines."""
        with Vertical(id="report"):
            yield Static("", id="report-title", markup=False)
            yield RowList(id="report-lines")
            yield KeyLine("report", id="report-foot")

    def on_mount(self) -> None:
        """Compute it: with thousands of skills that takes a second, so not in the screen's thread."""
        self.query_one(RowList).show(lambda _: [row(Span("… computing", "dim"))])
        self.query_one(RowList).focus()
        self.renew(self._snapshot)

    def renew(self, snapshot: Snapshot) -> None:
        """The prompt changed."""
        self._snapshot = snapshot
        in_thread(self, self._find, self._take)

    def _find(self) -> AgentReport:
        scenario, assembly = self._snapshot.scenario, self._snapshot.assembly
        assert assembly is not None  # the screen is not opened without one
        workspace = self._workspace.snapshot()  # the session's thread is reading with the original
        return with_total(self._agent.report(resolve(scenario, workspace)[1], workspace, assembly), assembly)

    def _take(self, found: AgentReport | ScenarioError) -> None:
        # The main screen says what is wrong; the last good report stays here.
        if not isinstance(found, ScenarioError):
            self._show(found)

    def _show(self, found: AgentReport, *, keep: bool = True) -> None:
        self._found = found
        views = list(found.views)
        name = views[self._view]
        shown = "  ".join(f"[{view}]" if view == name else f" {view} " for view in views)
        self.query_one("#report-title", Static).update(f"{found.command} {shown}")
        self.query_one(RowList).show(lambda _: report_rows(found, name), keep=keep)

    def action_turn(self, by: int) -> None:
        """To another view."""
        if self._found is not None:
            self._view = (self._view + by) % len(self._found.views)
            self._show(self._found, keep=False)


def report_rows(found: AgentReport, view: str) -> list[Row]:
    """The view's lines, each followed by its notes, and the notes on the whole report at the end."""
    rows: list[Row] = []
    for line in found.views[view]:
        indent = len(line.text) - len(line.text.lstrip())
        rows.append(paragraph(line.text, indent=indent + 2))
        rows += [paragraph(" " * indent, Span(f"◂ {note}", "warn"), indent=indent + 2) for note in line.notes]
    if found.notes:
        rows += [BLANK, row(Span("ON THE WHOLE REPORT", "title"))]
        rows += [paragraph(Span(f"◂ {note}", "warn"), indent=2) for note in found.notes]
    return rows
