"""The lines at the top: the agent and its scenario, the tabs, and what of an open capture is shown."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from rich.cells import cell_len
from textual.reactive import reactive
from textual.timer import Timer

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.assembly.wording import coverage
from promptscope_engine.inputs.params import flatten
from promptscope_engine.prompt.model import Assembly, Severity
from promptscope_tui.session.experiments import edited_words
from promptscope_tui.session.snapshot import Sent, Snapshot, View
from promptscope_tui.session.versions import the_model
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Span, Tone, middle
from promptscope_tui.text.words import home_short
from promptscope_tui.watching.status import WatchStatus
from promptscope_tui.widgets.line_bar import BarPart, LineBar, part, width_of_parts

_TINY = 50  # the version is worth more than the word beside the mark
_NARROW = 90
_WIDE = 120
_LEAST_PATH = 8  # less of a path is useless
_GOOD_PATH = 24
_MARGIN = 3  # cells around the path
_INSTALLED = "releases"
SECONDS = 6.0
"""For how long it says what was changed last."""


class Header(LineBar):
    """`promptscope  Roo Code 3.28.16 › code › claude-sonnet-4-5   ~/code/shop      ● live, 14 watched`."""

    DEFAULT_CSS = "Header { background: $panel; padding: 0 1; }"

    _ends: Timer | None = None

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    status: reactive[WatchStatus | None] = reactive(None)
    """The watcher's state, None before its first report."""

    confirmed: reactive[bool] = reactive(True)
    """False in a frame that is kept for the next start."""

    edited: reactive[str] = reactive("")
    """That the scenario has edits, and what they change."""

    saved: reactive[str] = reactive("")
    """What the last save or switch changed, for some seconds."""

    view: reactive[str] = reactive("")
    """The view of the session that is shown, "" for the main one."""

    gone: reactive[bool] = reactive(False)
    """Whether the folder does not exist any more."""

    agent: reactive[Describes | None] = reactive(None)
    """Whose prompt it is."""

    installed: reactive[str] = reactive("")
    """The version of its client that is installed, "" until that is found, and without one."""

    progress: reactive[tuple[int, int] | None] = reactive(None)
    """How many files of how many are counted, while that takes long."""

    others: reactive[int] = reactive(0)
    """How many other agents have files in the folder."""

    def flash(self, words: str) -> None:
        """Show what was changed, wherever the cursor is."""
        if self._ends is not None:
            self._ends.stop()
        self.saved = words
        self._ends = self.set_timer(SECONDS, partial(setattr, self, "saved", ""))

    def show_snapshot(self, snapshot: Snapshot, agent: Describes | None) -> None:
        """Show the line of a snapshot."""
        if agent is not self.agent:
            self.agent, self.installed = agent, ""
        self.gone, self.progress = snapshot.gone, snapshot.progress
        self.edited = edited_words(snapshot)
        self.view = view_in_force(snapshot)
        if self.assembly is not snapshot.assembly:  # comparing them takes longer than drawing the line
            self.assembly = snapshot.assembly

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The line's parts."""
        assembly = self.assembly
        path = visible(home_short(assembly.workspace, assembly.home)) if assembly else ""
        for named, short, terse in _FORMS:  # the path is worth more than what goes here
            left = [part(Span("promptscope", "accent"), "   ")] if named and width >= _NARROW else []
            if assembly is not None:
                is_terse = terse or width < _WIDE
                left += _scenario(self.agent.name if self.agent else "", assembly, is_terse)
                left += _installed(self.agent, self.installed, assembly, is_terse)
            left += self._differs()
            if self.others:
                words = f" agent{'s' * (self.others > 1)} here" if width >= _WIDE and not short else ""
                left.append(part(Span(f"  +{self.others}{words}", "accent"), action="agent"))
            right = _diagnostics(assembly)
            if self.saved:
                right.insert(0, part(Span(f"{self.saved}   ", "new"), action="tab_changes"))
            if self.progress:
                done, of = self.progress
                right.insert(0, part(Span(f"counting {done:,} of {of:,}   ", "accent")))
            room = width - width_of_parts([*left, *right]) - 2
            watching = self._watching(room, short or width < _NARROW)
            if width < _TINY:
                watching = BarPart(watching.spans[:1], watching.action)
            right.append(watching)
            room -= width_of_parts([watching]) + _MARGIN
            if room >= min(cell_len(path), _GOOD_PATH):
                break
        if room < -_MARGIN:  # half of a version says nothing
            left = [each for each in left if each.action != _INSTALLED]
        if path and room >= _LEAST_PATH:
            left.append(part("   ", Span(middle(path, room), "faint")))
        return left, right

    def _watching(self, room: int, short: bool) -> BarPart:
        """How changes are noticed: in full, or the longest of the short forms that fits the room."""
        if not self.confirmed:
            return _LAST
        full, *others = _watching(self.status, self.gone)
        return next((each for each in others if width_of_parts([each]) <= room), others[-1]) if short else full

    def _differs(self) -> Iterator[BarPart]:
        """What makes it another prompt than the main session's, or than the agent's own."""
        if self.view:
            yield part(Span(" › ", "faint"), Span(f"sub-agent {self.view}", "warn"), action="flags")
        if self.edited:
            yield part(Span(f"  {self.edited}", "warn"), action="compare")


_FORMS = ((True, False, False), (True, True, False), (True, True, True), (False, True, True))
"""Whether the app is named, what is here is short, and what is known of the version is."""

_LAST = part(Span("◌ ", "warn"), Span("last view, loading", "dim"))


def _scenario(name: str, assembly: Assembly, terse: bool) -> list[BarPart]:
    arrow = Span(" › ", "faint")
    version = Span(f" {assembly.shown_version}", "dim")
    found = [part(Span(name, "strong"), version, *_learned(assembly, terse), action="agent")]
    if assembly.mode:
        found.append(part(arrow, Span(assembly.mode), action="mode"))
    found.append(part(arrow, Span(assembly.model or "no model", "text" if assembly.model else "faint"), action="model"))
    return found


def view_in_force(snapshot: Snapshot) -> str:
    """The prompt of the session that is shown in place of the main one, as a sub-agent's; "" for the main one."""
    given = flatten(snapshot.scenario.params)
    views = snapshot.assembly.views if snapshot.assembly else ()
    return next(
        (view.title for view in views if view.lever.value and given.get(view.lever.param) == view.lever.value), ""
    )


def _learned(assembly: Assembly, terse: bool) -> Iterator[Span]:
    """Whether the words are the client's own, as learned on this machine, and in how much of the fixed prose."""
    if assembly.learned:
        learned, known = coverage(assembly)
        yield Span(" learned" if terse else f" learned, {learned:,} of {known:,} parts", "good")


def _installed(agent: Describes | None, version: str, assembly: Assembly, terse: bool) -> list[BarPart]:
    """Another version than the one that is shown, and how old the model is."""
    if agent is None or version in ("", assembly.shown_version):
        return []
    model = "" if terse or version in agent.versions else f", {the_model(agent)}"
    return [part(Span(f"  {version} installed{model}", "warn"), action=_INSTALLED)]


def _diagnostics(assembly: Assembly | None) -> list[BarPart]:
    counted = Counter(each.severity for each in assembly.diagnostics) if assembly else Counter()
    marks: tuple[tuple[Severity, str, Tone], ...] = (("error", "✗", "error"), ("warning", "⚠", "warn"))
    return [
        part(Span(f"{mark} {counted[severity]}   ", tone), action="problems")
        for severity, mark, tone in marks
        if counted[severity]
    ]


def _watching(status: WatchStatus | None, gone: bool) -> list[BarPart]:
    """How changes are noticed, from the full form to the shortest."""
    if gone:
        return [part(Span("✗ ", "error"), Span(words, "error"), action="reload") for words in _GONE]
    if status is None or status.state == "off":
        return [part(Span("○ ", "faint"), Span(words, "dim"), action="reload") for words in _OFF]
    mark = Span("◐ ", "warn") if status.polled else Span("● ", "good")
    return [part(mark, Span(words, "dim"), action="watching") for words in status.forms]


_GONE = ("the folder is gone", "gone")
_OFF = ("not watching: r reloads", "not watching")

TABS = ("overview", "prompt", "tools", "files", "window", "request", "changes", "after")
"""The pages by their names, in the order of the keys from 0."""
_ROOMY, _COUNTED, _NAMED = 100, 86, 74
"""Cells with room for wide gaps, for the numbers behind the names, and for whole names."""
_SHORT = 4
"""Letters of a name where there is no room for all of it."""


class TabBar(LineBar):
    """`0 Overview   1 Prompt   2 Tools 15   3 Files 14   4 Window   5 Request   6 Changes 1   7 After`."""

    DEFAULT_CSS = "TabBar { background: $background; padding: 0 0 0 1; }"

    active: reactive[str] = reactive("prompt")
    """The name of the tab that is shown."""

    counts: reactive[dict[str, int]] = reactive(dict)
    """The number after a tab's name."""

    pinned: reactive[str] = reactive("")
    """When the baseline was set, empty without one."""

    def count(self, snapshot: Snapshot) -> None:
        """Count what the tabs hold; the snapshot has an assembly."""
        assembly = snapshot.assembly
        assert assembly is not None
        self.pinned = f"{snapshot.pinned_at:%H:%M}" if snapshot.pinned_at else ""
        self.counts = {
            "prompt": sum(s.present and s.parent is None for s in assembly.sections),
            "tools": sum(t.present for t in assembly.tools),
            "files": sum(f.present for f in assembly.files),
            "changes": len(snapshot.changes),
        }

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The tabs, closer together on a narrow screen."""
        found = []
        shown: Tone = "strong" if self.app.no_color else "accent"
        for position, name in enumerate(TABS):
            on = name == self.active
            title = name.title() if on or width >= _NAMED else name.title()[:_SHORT]
            words = [Span(f"{position} ", shown if on else "faint"), Span(title, shown if on else "dim")]
            if (count := self.counts.get(name)) and width >= _COUNTED:
                words.append(Span(f" {count}", "dim" if on else "faint"))
            if name == "changes" and self.pinned:
                words.append(Span(" ◆" if width < _ROOMY + 16 else f" ◆ since {self.pinned}", "accent"))
            gap = "" if name == TABS[-1] else "   " if width >= _ROOMY else " "
            found.append(part(*words, gap, action=f"tab_{name}"))
        return found, []


VIEWS: tuple[View, ...] = ("predicted", "sent", "differences")


class SentBar(LineBar):
    """`V predicted · sent · differences   [ ] request 2 of 3: main    97.8 % of 61,204 characters explained`."""

    DEFAULT_CSS = """
    SentBar { display: none; background: $panel; padding: 0 0 0 1; }
    SentBar.-shown { display: block; }
    """

    sent: reactive[Sent | None] = reactive(None)
    """The request that is open."""

    view: reactive[View | None] = reactive(None)
    """What is shown."""

    summary: reactive[str] = reactive("")
    """How far the prediction was from it; "" until that is computed."""

    def watch_view(self) -> None:
        """Without a view there is nothing to say."""
        self.set_class(self.view is not None, "-shown")

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The views, the request, what was explained."""
        if self.sent is None:
            return [], []
        offered = VIEWS if self.sent.agent else VIEWS[1:2]
        left = [part(Span("V ", "accent"))] if self.sent.agent else []
        for number, name in enumerate(offered):
            left.append(part(Span(" · ", "faint") if number else ""))
            left.append(part(Span(name, "strong" if name == self.view else "dim"), action=name))
        if len(self.sent.numbers) > 1:
            words = f"request {self.sent.at} of {len(self.sent.numbers)}: {self.sent.request.label}"
            left.append(part("   ", Span("[ ] ", "accent"), Span(words, "dim")))
        shares = self.summary.partition(" of ")[0]
        for words in (self.summary, self.summary.partition(", ")[0], shares and f"{shares} explained", shares):
            right = [part(Span(words, "dim"))]
            if width_of_parts([*left, *right]) + 3 <= width:
                return left, right
        return left, []

    async def act(self, id: str) -> None:
        """To the view under the pointer."""
        await self.run_action(f"screen.show_view('{id}')")
