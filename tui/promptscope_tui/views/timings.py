"""What of the prompt takes how long: reading, gathering, assembling, counting, by section and file."""

from collections.abc import Hashable

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.timings import PHASES, Timings, measured, milliseconds
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import BLANK, Row, Span, fit, paragraph, row
from promptscope_tui.text.words import short_path
from promptscope_tui.widgets.split_view import SplitView


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
