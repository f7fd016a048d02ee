"""Reports over the main screen: the agent's own on its context, and how long each part takes."""

from collections.abc import Hashable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_engine.agents.features import AgentReport, Reporting
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.timings import PHASES, Timings, measured, milliseconds
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, fit, paragraph, row
from promptscope_tui.text.totals import with_total
from promptscope_tui.text.words import short_path
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.messages import in_thread
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import FindingView


class Report(ModalScreen[None]):
    """The report in its views; it follows the prompt."""

    CSS_PATH = "report.tcss"
    BINDINGS = bindings("report")

    def __init__(self, agent: Reporting, snapshot: Snapshot, session: Session) -> None:
        super().__init__()
        self._agent, self._snapshot, self._session = agent, snapshot, session
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
        workspace = self._session.workspace.snapshot()  # the session's thread is reading with the original
        inputs = resolve(scenario, workspace, self._session.knowledge).inputs
        return with_total(self._agent.report(inputs, workspace, assembly), assembly)

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


class TimingsScreen(FindingView[tuple[Timings, Assembly]]):
    """The list above, the phases of one of its rows below. It measures once, in a thread of its own."""

    title_words = "TIMINGS   how long each part takes to build"
    pane = "timings"
    waiting = "… measuring"

    def renew(self, _: Snapshot) -> None:
        """What was measured stays."""

    def find(self) -> tuple[Timings, Assembly]:
        """Measure an assembly that reads and counts everything that is not kept on disk."""
        scenario = self._session.placed
        counter = counter_for(scenario.model, self._session.counter.cache)
        workspace = Workspace(self._session.workspace.disk)
        with measured() as timings:
            return timings, assemble(scenario, workspace, counter, knowledge=self._session.knowledge)

    def choice_rows(self, found: tuple[Timings, Assembly], width: int) -> list[Row]:
        """What took how long."""
        return timings_rows(*found, width)

    def show_failure(self, words: str) -> None:
        """Say what is wrong with the scenario."""
        self.note(words, error=True)

    def detail_rows(self, found: tuple[Timings, Assembly], key: Hashable, _: int) -> list[Row]:
        """The phases of one of them."""
        return phase_rows(*found, key) if isinstance(key, str) else []


def timings_rows(timings: Timings, assembly: Assembly, width: int) -> list[Row]:
    """The phases, then every file, section and tool, the longest first; the keys are their names."""
    rows = [paragraph(Span("re-read and rebuilt, with the counts that are kept", "dim")), BLANK]
    rows += [row(Span(phase, "strong"), right=[Span(milliseconds(timings.total(phase)), "strong")]) for phase in PHASES]
    rows.append(BLANK)
    for name, phases in timings.by_name():
        shown = fit(short_path(name, assembly), max(width - 14, 8))
        rows.append(row(Span(shown), right=[Span(milliseconds(sum(phases.values())), "dim")], key=name))
    return rows


def phase_rows(timings: Timings, assembly: Assembly, name: str) -> list[Row]:
    """One of them, phase by phase."""
    found = dict(timings.by_name()).get(name, {})
    rows = [paragraph(Span(short_path(name, assembly), "strong"))]
    return rows + [
        row(Span(f" {phase}"), right=[Span(milliseconds(found[phase]), "dim")]) for phase in PHASES if phase in found
    ]
