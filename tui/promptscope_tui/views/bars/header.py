"""The top line: agent, version, mode and model, the folder, and whether its files are watched."""

from rich.cells import cell_len
from textual.reactive import reactive

from promptscope_engine.assembly.wording import coverage
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.experiments import edited_words
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Span, Tone, middle
from promptscope_tui.text.words import home_short
from promptscope_tui.watching import WatchStatus
from promptscope_tui.widgets.line_bar import BarPart, LineBar, part, width_of_parts

_NARROW = 90
_ROOMY = 120
_LEAST_PATH = 8  # less of a path is useless
_GOOD_PATH = 24


class Header(LineBar):
    """`promptscope  Roo Code 3.28.16 › code › claude-sonnet-4-5   ~/code/shop      ● live, 14 watched`."""

    DEFAULT_CSS = "Header { background: $panel; padding: 0 1; }"

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    status: reactive[WatchStatus | None] = reactive(None)
    """The watcher's state, None before its first report."""

    confirmed: reactive[bool] = reactive(True)
    """False in a frame that is kept for the next start."""

    edited: reactive[str] = reactive("")
    """That the scenario has edits, and what they change."""

    gone: reactive[bool] = reactive(False)
    """Whether the folder does not exist any more."""

    agent_name: reactive[str] = reactive("")
    """The agent's name as its makers write it."""

    progress: reactive[tuple[int, int] | None] = reactive(None)
    """How many files of how many are counted, while that takes long."""

    others: reactive[int] = reactive(0)
    """How many other agents have files in the folder."""

    def show_snapshot(self, snapshot: Snapshot, agent_name: str) -> None:
        """Show the line of a snapshot; `agent_name` as its makers write it."""
        self.gone, self.agent_name, self.progress = snapshot.gone, agent_name, snapshot.progress
        self.edited = edited_words(snapshot)
        if self.assembly is not snapshot.assembly:  # comparing them takes longer than drawing the line
            self.assembly = snapshot.assembly

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The line's parts."""
        assembly = self.assembly
        path = visible(home_short(assembly.workspace, assembly.home)) if assembly else ""
        for named, short in ((True, False), (True, True), (False, True)):  # the path is worth more than what goes here
            left = [part(Span("promptscope", "accent"), "   ")] if named and width >= _NARROW else []
            if assembly is not None:
                left += _scenario(self.agent_name, assembly)
                left += _calibrated(assembly, short=not named or width < _ROOMY)
            if self.edited:
                left.append(part(Span(f"  {self.edited}", "warn"), action="compare"))
            if self.others:
                words = f" agent{'s' * (self.others > 1)} here" if width >= _ROOMY and not short else ""
                left.append(part(Span(f"  +{self.others}{words}", "accent"), action="agent"))
            watching = _watching(self.status, short or width < _NARROW, self.gone) if self.confirmed else _LAST
            right = [*_diagnostics(assembly), watching]
            if self.progress:
                done, of = self.progress
                right.insert(0, part(Span(f"counting {done:,} of {of:,}   ", "accent")))
            room = width - width_of_parts([*left, *right]) - 5
            if room >= min(cell_len(path), _GOOD_PATH):
                break
        if path and room >= _LEAST_PATH:
            left.append(part("   ", Span(middle(path, room), "faint")))
        return left, right


_LAST = part(Span("◌ ", "warn"), Span("last view, loading", "dim"))


def _scenario(name: str, assembly: Assembly) -> list[BarPart]:
    arrow = Span(" › ", "faint")
    found = [part(Span(name, "strong"), Span(f" {assembly.agent_version}", "dim"), action="agent")]
    if assembly.mode:
        found.append(part(arrow, Span(assembly.mode), action="mode"))
    found.append(part(arrow, Span(assembly.model or "no model", "text" if assembly.model else "faint"), action="model"))
    return found


def _calibrated(assembly: Assembly, *, short: bool) -> list[BarPart]:
    """How much of the fixed prose is in the agent's own words, as learned on this machine."""
    if not assembly.learned:
        return []
    learned, known = coverage(assembly)
    more = "" if short else f" {assembly.agent_version}, {learned:,} of {known:,} parts"
    return [part(Span(f"  calibrated{more}", "good"))]


def _diagnostics(assembly: Assembly | None) -> list[BarPart]:
    counted = [d for d in assembly.diagnostics if d.severity != "info"] if assembly else []
    if not counted:
        return []
    tone: Tone = "error" if any(d.severity == "error" for d in counted) else "warn"
    return [part(Span(f"⚠ {len(counted)}   ", tone), action="problems")]


def _watching(status: WatchStatus | None, short: bool, gone: bool) -> BarPart:
    if gone:
        return part(Span("✗ ", "error"), Span("gone" if short else "the folder is gone", "error"), action="reload")
    if status is None or status.state == "off":
        return part(
            Span("○ ", "faint"), Span("not watching" if short else "not watching: r reloads", "dim"), action="reload"
        )
    mark = Span("● ", "good") if status.state == "live" else Span("◐ ", "warn")
    word = "live" if status.state == "live" else "polling"
    # without any file, the paths: one that is created there will be noticed
    count = f"{status.files:,} watched" if status.files else f"no files yet, watching {status.places:,} paths"
    return part(mark, Span(word if short else f"{word}, {count}", "dim"))
