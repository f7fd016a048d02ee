"""The main screen: shows what the session knows, and passes on what the user does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from operator import is_not
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.dom import DOMNode
from textual.geometry import Size
from textual.getters import query_one
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, Static, TextArea

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Reporting
from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly, Section, Tool
from promptscope_engine.replies import completion_of, replies_of
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import BY_ID, Action, Owner
from promptscope_tui.session.agents import others_here
from promptscope_tui.session.demo import demo_folder
from promptscope_tui.session.experiments import Experiment, dropped, editable, edited_words, moved, named, replaced
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.intents import ApplyLevers, GoTo, OpenSource
from promptscope_tui.session.sent import View
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.unavailable import unavailable_actions
from promptscope_tui.text.escape import visible
from promptscope_tui.text.reasons import refusal
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import home_short
from promptscope_tui.views.bars.budget import BudgetBar
from promptscope_tui.views.bars.header import Header
from promptscope_tui.views.bars.status import Hint, StatusBar
from promptscope_tui.views.bars.tabs import TABS, SentBar, TabBar
from promptscope_tui.views.changes import ChangesView
from promptscope_tui.views.controls.rows import subject_of
from promptscope_tui.views.controls.view import Controls
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.message_bar import MessageBar
from promptscope_tui.views.pickers import FolderPicker, recording_options
from promptscope_tui.views.prompt.search_bar import SearchBar
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.report import Report
from promptscope_tui.views.request.view import RequestView
from promptscope_tui.views.subjects import (
    Cursor,
    DiagnosticSubject,
    FileSubject,
    Subject,
    SwitchSubject,
    ToolSubject,
    WindowSubject,
)
from promptscope_tui.views.tools import ToolsTable
from promptscope_tui.views.transcript.screen import TranscriptScreen
from promptscope_tui.views.under_cursor import (
    COPIES,
    CopyText,
    copy_text,
    of_row,
    on_disk,
    part_of,
    place,
    system_prompt,
)
from promptscope_tui.views.welcome.rows import BeginFile, ChooseAgent, OpenDemo, ShowPrompt, needs_welcome
from promptscope_tui.views.welcome.view import Welcome
from promptscope_tui.views.why.edits import limited_mode
from promptscope_tui.views.why.files import file_behind, file_of
from promptscope_tui.views.why.view import Why
from promptscope_tui.views.window.view import WindowView
from promptscope_tui.widgets.messages import Assembled, Noted, Requested, Settled, Shown, TabShown, Updated, Watched
from promptscope_tui.widgets.note import COLUMNS, LINES, Note, TooSmall
from promptscope_tui.widgets.outside import copy, open_editor
from promptscope_tui.widgets.picker import Option, Picker
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.table_list import FilterBar, TableList

from .compositor import SparingCompositor
from .navigation import Location, NavigationHistory
from .sent_views import SentViews

Page = ToolsTable | FilesTable | WindowView | RequestView | ChangesView
"""What is shown of a session beside the prompt."""


DELAY = 0.1
"""Seconds before a change is drawn that has no answer yet."""
_WIDTHS = [(0, "-tiny"), (COLUMNS, "-one"), (90, "-two"), (120, "-three"), (140, "-roomy"), (170, "-wide")]
_HEIGHTS = [(0, "-flat"), (LINES, "-tall")]


NOTE_SECONDS, ERROR_SECONDS = 8.0, 20.0
"""How long a note stays."""


def _owners(focused: Widget) -> frozenset[Owner]:
    """What has the keys, as the table of actions calls it."""
    if isinstance(focused, PromptView):
        return frozenset({"cursor", "prompt"})
    if isinstance(focused, TableList):
        return frozenset({"cursor", "list", "table"})
    if isinstance(focused, RowList):
        return frozenset({"cursor", "list"})
    around: dict[type[DOMNode], Owner] = {
        SearchBar: "search",
        FilterBar: "filter",
        MessageBar: "draft",
        Controls: "controls",
    }
    return frozenset(owner for node in focused.ancestors for kind, owner in around.items() if isinstance(node, kind))


def _trouble(snapshot: Snapshot) -> str:
    """What is wrong with all of it, "" if nothing is: the scenario makes no sense, or the agent does not start."""
    if snapshot.error:
        return f"✗ {snapshot.error}{'   u undoes' if snapshot.can_undo else ''}"
    refused = refusal(snapshot.assembly) if snapshot.assembly else None
    return f"✗ {refused}" if refused else ""


def _classes(size: Size) -> list[str]:
    """The classes of a screen of this size."""
    reached = ((_WIDTHS, size.width), (_HEIGHTS, size.height))
    return [[name for least, name in steps if cells >= least][-1] for steps, cells in reached]


class MainScreen(Screen[None]):
    """One session on one screen: three columns when wide, two when not so wide, one when narrow (see main.tcss)."""

    AUTO_FOCUS = "#prompt"
    BINDINGS = bindings("main")
    HORIZONTAL_BREAKPOINTS = _WIDTHS
    VERTICAL_BREAKPOINTS = _HEIGHTS

    header = query_one("#header", Header)
    error = query_one("#error", Static)
    controls = query_one("#controls", Controls)
    tabs = query_one("#tabs", TabBar)
    prompt = query_one("#prompt", PromptView)
    sent_bar = query_one("#sent", SentBar)
    search = query_one("#search", SearchBar)
    filter = query_one("#filter", FilterBar)
    draft = query_one("#draft", MessageBar)
    why = query_one("#why", Why)
    status = query_one("#status", StatusBar)

    def __init__(
        self,
        session: Session,
        state_folder: Callable[[], Path],
        tab: str = "prompt",
        recent: Callable[[], Sequence[str]] = tuple,
        hint: bool = False,
    ) -> None:
        """`state_folder` tells where scenarios are saved; `tab` is the first to be shown; `recent` are the folders that
        were opened before; `hint`: whether to show the line for a first start."""
        super().__init__()
        self._compositor = SparingCompositor()
        self._recent, self._hint = recent, hint
        self._first_tab = tab
        self.session = session
        self._state_folder = state_folder
        self.snapshot: Snapshot = session.snapshot
        self._shown: Snapshot | None = None
        self._page_of: tuple[Widget, Snapshot] | None = None
        self._prompt_of: tuple[object, object] | None = None
        self.inputs: AgentInputs | None = None
        self.subject: Subject | None = None
        self.tools = ToolsTable(id="tools")
        self.files = FilesTable(session, id="files")
        self.window = WindowView(id="window")
        self.request = RequestView(id="request")
        self.changes = ChangesView(session, id="changes")
        self.welcome = Welcome(id="welcome")
        self._note_timer: Timer | None = None
        self._due_note: tuple[str, bool] | None = None
        self._drawing = False  # whether a snapshot is to be drawn before anything else
        self._due_transcript: tuple[str, str, str] | None = None
        """The path, the agent that wrote it, and what to say once it was looked at."""
        self._trail = NavigationHistory()
        self.sent = SentViews(self)
        self._pages: tuple[Page, ...] = (self.tools, self.files, self.window, self.request, self.changes)

    def compose(self) -> ComposeResult:
        """Top to bottom, left to right."""
        self.add_class(*_classes(self.app.size))  # Textual would style everything again when it sets them
        yield Header(id="header")
        yield BudgetBar(id="budget")
        yield Static("", id="error", markup=False)
        with Horizontal(id="body"):
            yield Controls(self.session, self._state_folder, id="controls")
            with Vertical(id="centre"):
                yield TabBar(id="tabs")
                yield SentBar(id="sent")
                with ContentSwitcher(id="pages", initial="prompt"):
                    yield PromptView(id="prompt")
                yield SearchBar(id="search")
                yield FilterBar(id="filter")
                yield MessageBar(self.session, id="draft")
            yield Why(id="why")
        if self._hint:
            yield Hint(id="hint")
        yield Note(id="note")
        yield StatusBar(id="status")
        yield TooSmall(id="too-small")

    def on_mount(self) -> None:
        """The first frame: whatever needs no counting."""
        self.show_snapshot(self.session.snapshot)
        # Whoever left another folder at another tab is welcomed in an empty one all the same.
        if self._first_tab != self.tabs.active and not needs_welcome(self.snapshot):
            self._show_tab(self._first_tab)
        self._welcome()
        self._once_drawn(partial(self.post_message, Shown()))

    def confirm(self, confirmed: bool) -> None:
        """Whether the frame is this start's own, not one that the next start shows before it knows anything."""
        self.header.confirmed = confirmed
        for hint in self.query(Hint):
            hint.confirmed = confirmed

    # --- from the session ----------------------------------------------------------------------------------------

    def on_updated(self, event: Updated) -> None:
        """The session knows more. Most answers come within a frame, and drawing would take the interpreter from the
        worker: a change without an answer yet is drawn later."""
        if event.snapshot.is_unanswered(self.snapshot):
            self.set_timer(DELAY, partial(self.show_latest, event.snapshot))
        else:
            self.show_latest(event.snapshot)

    def show_latest(self, snapshot: Snapshot) -> None:
        """Show a snapshot, unless a newer one is on its way."""
        if snapshot is not self.session.snapshot or not self.is_attached:
            return
        self._drawing = True
        self._show_first(snapshot)
        self._once_drawn(self._drawn)

    def _drawn(self) -> None:
        """The answer is seen: all else follows, and a note on it, for which the screen may be laid out anew; then the
        worker goes on."""
        self._drawing = False
        self._show_rest()
        self._say_due()
        self._once_drawn(self.session.drawn)
        if self._is_found_out:
            self.call_after_refresh(self.post_message, Settled())

    @property
    def _is_found_out(self) -> bool:
        """Whether nothing more is to come about what is shown."""
        return not self.snapshot.busy and not self.session.details_due

    def _once_drawn(self, do: Callable[[], object]) -> None:
        """Do something once what is shown now is drawn: the panes ask for that in this refresh, and get it in the next
        one. Whatever runs before takes the interpreter from them."""
        self.prompt.call_after_refresh(self.prompt.call_after_refresh, do)

    def on_watched(self, event: Watched) -> None:
        """The watcher's state changed."""
        self.header.status = event.status
        if event.status.state != "live" and event.status.detail:
            self.note(event.status.detail)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show everything of a snapshot; pages that would look the same are not redrawn."""
        self._show_first(snapshot)
        self._show_rest()

    def _show_first(self, snapshot: Snapshot) -> None:
        """Show what was asked for: the switches, and the page in view."""
        before, self.snapshot = self.snapshot, snapshot
        assembly = snapshot.assembly
        self.inputs = inputs = AgentInputs.shown(snapshot)
        self.header.gone = snapshot.gone
        self.header.agent_name = inputs.agent.name if inputs else ""
        self.header.progress = snapshot.progress
        self.header.edited = edited_words(snapshot)
        if self.header.assembly is not assembly:  # comparing them takes longer than drawing the line
            self.header.assembly = assembly
        if (words := _trouble(snapshot)) or _trouble(before):
            self.error.update(visible(words))
            self.error.set_class(bool(words), "-shown")
        if inputs:
            self.controls.show_switches(snapshot, inputs)
        if assembly is not None:
            self._show_page(before, snapshot)
        moved = before.assembly and assembly and before.assembly.workspace != assembly.workspace
        if moved or self.page is self.welcome:
            self._welcome()

    def _show_page(self, before: Snapshot, snapshot: Snapshot) -> None:
        """Show the page in view."""
        page = self._page(self.tabs.active)
        if isinstance(page, PromptView):
            if snapshot.assembly is not None:
                self._show_prompt(snapshot.assembly)
        elif isinstance(page, Page) and (
            before.assembly is not snapshot.assembly or before.changes is not snapshot.changes
        ):
            page.show_snapshot(snapshot)
            self._page_of = page, snapshot

    def _show_prompt(self, assembly: Assembly) -> None:
        """Show the prompt, if it is another one, or compared with another one."""
        shown = assembly.sections, self.snapshot.compared
        if self._prompt_of is None or any(map(is_not, shown, self._prompt_of)):
            self._prompt_of = shown
            self.prompt.show(assembly, self.snapshot.compared)

    def _show_rest(self) -> None:
        """Show all else of the snapshot, once what was asked for is drawn."""
        snapshot = self.snapshot
        if self._shown is snapshot:
            return
        before, self._shown = self._shown or snapshot, snapshot
        assembly = snapshot.assembly
        if self.inputs:
            self.controls.show(snapshot, self.inputs)
        self.status.idle = self._idle
        if before.other_agents is not snapshot.other_agents or before.assembly is not assembly:
            self.header.others = others_here(snapshot)
        if assembly is not None:
            self._show_prompt(assembly)
            self._show_assembly(assembly, before, snapshot)
            self.sent.show_snapshot(snapshot)
        self._open_due(snapshot)
        changed = before.assembly and assembly and before.assembly.agent != assembly.agent
        self.explain(self.under_cursor if changed and not isinstance(self.subject, SwitchSubject) else self.subject)

    def _show_assembly(self, assembly: Assembly, before: Snapshot, snapshot: Snapshot) -> None:
        fresh = self.tabs.counts == {}
        # What a check finds comes later, and is nothing that these pages show.
        if fresh or before.assembly is None or assembly.sections is not before.assembly.sections:
            self.query_one(BudgetBar).assembly = assembly
            self._update(snapshot, self.tools, self.window, self.request)
            if self.draft.is_open:
                self.call_after_refresh(self.draft.follow)
        if snapshot.weights is not before.weights:
            self.prompt.weigh(snapshot.weights)
        if fresh or assembly is not before.assembly or snapshot.lazy_rules is not before.lazy_rules:
            self._update(snapshot, self.files)
            self._once_drawn(partial(self.post_message, Assembled()))
        elif _beside(snapshot) != _beside(before):
            self._once_drawn(partial(self.post_message, Assembled()))  # screens over this one show these
        if fresh or snapshot.changes is not before.changes or snapshot.pinned_at != before.pinned_at:
            self._update(snapshot, self.changes)
        self.tabs.count(snapshot)

    def _update(self, snapshot: Snapshot, *pages: Page) -> None:
        """Show a snapshot in the pages that are mounted."""
        for page in pages:
            if page.is_attached and self._page_of != (page, snapshot):
                page.show_snapshot(snapshot)

    # --- what Why explains ---------------------------------------------------------------------------------------

    def explain(self, subject: Subject | None) -> None:
        """Explain a subject in the right column."""
        self.subject = subject = subject if subject != Cursor() else None
        if self.snapshot.assembly and (file := file_behind(subject, self.snapshot.assembly)):
            self.session.request_details(file)
        if self.snapshot.assembly and (mode := limited_mode(subject, self.snapshot.assembly)):
            self.session.request_editable(mode.slug)
        if self.inputs:
            self.why.explain(subject, self.snapshot, self.inputs)

    def offered(self, actions: Iterable[Action]) -> list[Action]:
        """The actions that show something for this agent."""
        lacking = self._lacking
        return [action for action in actions if action.id not in lacking]

    @property
    def _lacking(self) -> Mapping[str, str]:
        """The actions that show nothing for this agent, each with what it lacks."""
        agent, assembly = self._agent, self.snapshot.assembly
        return unavailable_actions(agent, assembly, self.sent.shown) if agent and assembly else {}

    def calibration(self) -> list[tuple[str, str, Callable[[], object]]]:
        """Entries of the palette about the wording of the agent that is shown."""
        assembly = self.snapshot.assembly
        if assembly is None or self._agent is None or assembly.agent.startswith(OBSERVED):
            return []
        name, agent = self._agent.name, assembly.agent
        from promptscope_tui.session.calibrating import forget, learn_from, newest  # not loaded for the first frame

        offered: list[tuple[str, str, Callable[[], str]]] = []
        if path := newest(agent):
            words = f"learn {name}'s wording from its newest capture"
            offered.append(("Calibration: Relearn", words, partial(learn_from, path)))
        if assembly.learned:
            words = f"forget what was learned of {name}'s wording"
            offered.append(("Calibration: Forget", words, partial(forget, agent)))
        return [(entry, words, partial(self._calibrate, work)) for entry, words, work in offered]

    def _calibrate(self, work: Callable[[], str]) -> None:
        """Do it in a thread of its own, then assemble anew."""

        def done() -> None:
            try:
                words, error = work(), False
            except ScenarioError as problem:
                words, error = str(problem), True
            else:
                self.session.use_wordings()
            self.app.call_from_thread(self.note, visible(words), error=error)

        self.note("learning …")
        self.run_worker(done, thread=True, exclusive=True, group="calibration")

    @property
    def _idle(self) -> frozenset[str]:
        """The actions that would do nothing now."""
        agent, now = self._agent, self.snapshot
        found = {*unavailable_actions(agent, now.assembly)} if agent and now.assembly else set()
        there = {"undo": now.can_undo, "redo": now.can_redo, "reset": now.can_reset, "problems": self._has_problems}
        if self.why.has_focus:
            there |= {"choose_row": self.why.link is not None, "editor": bool(self.why.source or self._place)}
        return frozenset(found | {id for id, acts in there.items() if not acts})

    @property
    def _has_problems(self) -> bool:
        assembly = self.snapshot.assembly
        return assembly is not None and any(found.severity != "info" for found in assembly.diagnostics)

    @property
    def subject_of_focus(self) -> Subject | None:
        """What is under the cursor of the pane with the keys; in Why, what it explains."""
        if self.focused is None or self.why.has_focus:
            return self.subject
        return self._subject_in(self.focused)

    @property
    def under_cursor(self) -> Subject | None:
        """What the active tab's cursor is on."""
        return self._subject_in(self.page)

    def _subject_in(self, pane: Widget) -> Subject | None:
        match pane:
            case PromptView():
                return pane.cursor
            case WindowView():
                return subject_of(pane.key, self.inputs) or WindowSubject()
            case RowList():
                return subject_of(pane.key, self.inputs)
        return None

    def on_prompt_view_moved(self, event: PromptView.Moved) -> None:
        """The cursor went through the prompt."""
        if self.tabs.active == "prompt":
            self.explain(event.cursor)

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """The cursor or the mouse came to a row that can be explained."""
        if self.why.has_focus:
            self.status.idle = self._idle
        if (subject := subject_of(event.key, self.inputs)) is not None:
            self.explain(subject)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Another pane got the keys: show them, and explain what is under its cursor."""
        self.status.typing = isinstance(event.widget, Input | TextArea)
        self.status.owners = _owners(event.widget)
        self.status.pane = "" if self.status.typing else event.widget.id or ""
        if self.status.typing:
            self.note("")  # it may cover the line
        self.status.idle = self._idle
        self.place_note()
        if event.widget is not self.why and (subject := self._subject_in(event.widget)) is not None:
            self.explain(subject)

    # --- from the widgets ----------------------------------------------------------------------------------------

    def on_requested(self, event: Requested) -> None:
        """A widget requests something."""
        event.stop()
        match event.intent:
            case ApplyLevers(levers):
                self.note("set " + ", ".join(lever.param for lever in levers) + "; u undoes it")
                self.session.apply(levers)
            case OpenSource(path, line):
                self.open_file(path, line)
            case GoTo():
                self.go_to(event.intent)

    def on_noted(self, event: Noted) -> None:
        """A widget has a note."""
        self.note(event.words, error=event.error)

    def note(self, words: str, *, error: bool = False) -> None:
        """Show a note at the bottom, for as long as it takes to read it: errors longer.

        A note on a change whose answer is not drawn yet follows it, see `on_updated`: it would lay the screen out in a
        frame of its own, before the panes have asked for theirs, and the answer would be drawn in the next one.
        """
        self._due_note = words, error
        now, shown = self.session.snapshot, self.snapshot
        if words and (self._drawing or now.scenario is not shown.scenario or now.is_unanswered(shown)):
            self.set_timer(DELAY, self._say_due)
        else:
            self._say_due()

    def _say_due(self) -> None:
        if self._due_note is None:
            return
        (words, error), self._due_note = self._due_note, None
        self.status.tone = "error" if error else "dim"
        self.status.note = words
        if self._note_timer is not None:
            self._note_timer.stop()
        if words:
            self._note_timer = self.set_timer(ERROR_SECONDS if error else NOTE_SECONDS, partial(self.note, ""))
        self.place_note()

    @on(events.Resize)
    def place_note(self) -> None:
        """In the footer if there is room beside the keys, else above it."""
        if self.focused is None:  # what had the keys was hidden while the terminal was too small
            self.call_after_refresh(self.page.focus)
        words = "" if self.status.holds_note else self.status.note
        self.query_one(Note).say(words, self.status.tone, self.size.width, self._lines_above_the_footer())

    def _lines_above_the_footer(self) -> range:
        """The lines of the row under the cursor, counted from the footer up, from 1; none if it is not in view."""
        focused = self.focused
        lines = focused.cursor_lines if isinstance(focused, RowList | PromptView) else range(0)
        if focused is None or not lines:
            return range(0)
        first = self.status.region.y - (focused.content_region.y + lines.start - focused.scroll_offset.y)
        return range(max(first - len(lines) + 1, 1), first + 1)

    async def action_run(self, id: str) -> None:
        """Run an action of the table on its owner; one that would show nothing for this agent says so. Without a report
        of the agent's own its window is shown."""
        if id != "report" and (lacks := self._lacking.get(id)):
            self.note(lacks, error=True)
            return
        action = BY_ID[id]
        await self.app.run_action(action.call, self._owner(action.owner))

    def _owner(self, owner: Owner) -> DOMNode:
        if owner in ("main", "app"):
            return self if owner == "main" else self.app
        return self._page(owner) if owner in TABS else self.query_one(f"#{owner}")

    # --- tabs and drawers ----------------------------------------------------------------------------------------

    @property
    def page(self) -> Widget:
        """The page of the active tab, or what stands in for it."""
        if self.query_one("#pages", ContentSwitcher).current == self.welcome.id:
            return self.welcome
        return self._page(self.tabs.active)

    def _page(self, name: str) -> Widget:
        """The page of a tab; all but the prompt are mounted when they are first needed."""
        page = next((page for page in self._pages if page.id == name), None)
        if page is None:
            return self.prompt
        if not page.is_attached:
            page.display = False
            self.query_one("#pages", ContentSwitcher).mount(page)
            page.show_snapshot(self.snapshot)
        return page

    def action_show_tab(self, name: str) -> None:
        """Show a tab's page and give it the keys; there is no way back to where one jumped from before."""
        self._trail.clear()
        self._show_tab(name)
        self.post_message(TabShown(name))

    def _show_tab(self, name: str) -> None:
        self._page(name)
        self.query_one("#pages", ContentSwitcher).current = name
        self.tabs.active = name
        self.close_drawers()
        self.filter.follow(self.page)
        self.set_focus(self.page)  # at once: the next key is meant for it
        self.explain(self.under_cursor)  # also nothing, where the page has no row to explain

    def action_problems(self) -> None:
        """To the next problem in Files: errors and warnings, in the order of the rows."""
        if not self._has_problems:
            self.note(f"no problems were found{'' if self._is_found_out else ' so far'}")
            return
        self.action_show_tab("files")
        self.files.once_laid_out(self.files.next_problem)

    # --- a folder without files ----------------------------------------------------------------------------------

    def _welcome(self) -> None:
        """Show the welcome in place of a prompt in which nothing is the user's, and take it away from any other."""
        shown, snapshot = self.page is self.welcome, self.snapshot
        if needs_welcome(snapshot) and (shown or self.tabs.active == "prompt"):
            if not self.welcome.is_attached:
                self.welcome.display = False
                self.query_one("#pages", ContentSwitcher).mount(self.welcome)
            self.welcome.show_snapshot(snapshot)
            if not shown:
                focused = self.focused is None or self.prompt.has_focus
                self.query_one("#pages", ContentSwitcher).current = self.welcome.id
                if focused:
                    self.set_focus(self.welcome)
        elif shown:
            focused = self.welcome.has_focus
            self.query_one("#pages", ContentSwitcher).current = "prompt"
            if focused:
                self.set_focus(self.prompt)

    @on(RowList.Chosen, "#welcome")
    def begin(self, event: RowList.Chosen) -> None:
        """What was chosen in the welcome."""
        event.stop()
        match event.key:
            case ChooseAgent(agent):
                self.session.choose_agent(agent, load_agent(agent).versions[-1])
            case BeginFile(path):
                self.open_file(path, 1)
            case OpenDemo():
                self.open_folder(demo_folder())
            case ShowPrompt():
                self.action_show_tab("prompt")

    def action_folder(self) -> None:
        """Offer the repository's packages, and the folders that were opened before."""
        try:
            _, inputs = resolve(self.snapshot.scenario, self.session.workspace)
        except ScenarioError as error:
            self.note(str(error), error=True)
            return
        self.app.push_screen(FolderPicker(inputs.workspace, inputs.home, inputs.env, self._recent()), self.open_folder)

    def open_folder(self, folder: str | None) -> None:
        """Show another folder."""
        if folder is None:
            return
        path = str(Path(folder).expanduser().absolute())
        if not Path(path).is_dir():
            self.note(f"no such folder: {folder}", error=True)
            return
        self.session.open_folder(path)
        self.note(f"the folder is {path}; u goes back")

    def action_flags(self) -> None:
        """To the controls and back."""
        self._open_drawer("-controls-open", self.controls.switches)

    def action_why(self) -> None:
        """To the reasons and back."""
        self._open_drawer("-why-open", self.why)

    def _open_drawer(self, name: str, column: Widget) -> None:
        """To the column, which is a drawer if there is no room for it; if it has the keys already, close it."""
        drawer_open = column.has_focus
        self.close_drawers()
        if drawer_open:
            self.page.focus()
            return
        self.add_class(name)
        # The column is laid out only now: focus works on what is displayed.
        self.call_after_refresh(column.focus)

    def close_drawers(self) -> None:
        """Close the drawers; columns with room stay."""
        self.remove_class("-controls-open", "-why-open")

    @property
    def drawer_open(self) -> bool:
        """Whether a drawer covers the page."""
        return self.has_class("-controls-open") or self.has_class("-why-open")

    def action_back(self) -> None:
        """Close the drawer, else the search or the filter; else back to where one jumped from, or to the prompt.

        The hint goes in any case.
        """
        self.query(Hint).remove()
        if self.drawer_open:
            self.close_drawers()
        elif self.search.is_open:
            self.search.leave(keep=False)
        elif self.filter.is_open:
            self.filter.leave(keep=False)
        elif stop := self._trail.pop():
            self._return(stop)
        elif self.page is self.welcome or (self.page.has_focus and self.tabs.active != "prompt"):
            self.action_show_tab("prompt")
        self.page.focus()

    async def action_search(self) -> None:
        """Search the prompt; filter a table."""
        if isinstance(self.page, TableList):
            await self.filter.open(self.page)
        else:
            await self.search.action_search()

    # --- jumps -----------------------------------------------------------------------------------------------------

    @on(RowList.Chosen)
    def jump(self, event: RowList.Chosen) -> None:
        """Enter on a row: to its place in the prompt, or in another tab."""
        found = of_row(event.key, self.snapshot)
        if found is not None:
            self.go_to(found)
        elif isinstance(event.key, FileSubject | ToolSubject | DiagnosticSubject):
            self.note("nothing of it stands in the prompt")

    def go_to(self, place: GoTo) -> None:
        """Show a place; back leads to where the cursor is now."""
        self._trail.push(self._stop)
        self._show_tab(place.tab)
        # The page is laid out only now, in two steps if it is mounted first.
        self.call_after_refresh(self.call_after_refresh, self._arrive, place)

    @property
    def _stop(self) -> Location:
        page = self.page
        if isinstance(page, PromptView):
            return Location(self.tabs.active, page.scroll_offset.y, place=page.place)
        return Location(self.tabs.active, page.scroll_offset.y, key=page.key if isinstance(page, RowList) else None)

    def _arrive(self, place: GoTo) -> None:
        page = self._page(place.tab)
        if isinstance(page, PromptView):
            if place.key is not None:
                page.goto(str(place.key), place.line)
        elif isinstance(page, RowList) and place.key is not None:
            page.once_laid_out(partial(self._mark, page, place.key))

    def _mark(self, page: RowList, key: Hashable) -> None:
        """Highlight a row, also one that a filter hides."""
        assembly = self.snapshot.assembly
        if isinstance(key, FileSubject) and assembly and (file := file_of(key.path, assembly)):
            key = FileSubject(file.path)
        if page.go_to(key):
            return
        self.filter.leave(keep=False)
        if not page.go_to(key):
            self.note("it has no row there", error=True)

    def _return(self, stop: Location) -> None:
        self._show_tab(stop.tab)
        self.call_after_refresh(self._restore, stop)

    def _restore(self, stop: Location) -> None:
        page = self._page(stop.tab)
        if isinstance(page, RowList):
            page.return_to(stop.key, stop.top)
        elif isinstance(page, PromptView) and stop.place is not None:
            page.return_to(stop.place, stop.top)

    @on(MessageBar.Closed)
    def typing_ended(self) -> None:
        """Back to the page."""
        self.page.focus()

    # --- the prompt and its files --------------------------------------------------------------------------------

    def action_copy_section(self) -> None:
        """Copy the selection, else the section or the row under the cursor."""
        if selected := self.get_selected_text():
            self._copy(CopyText("the selection", selected))
        elif self.tabs.active == "window":
            self._copy(CopyText("the window", self.window.plain))
        elif found := copy_text(self.under_cursor, self.snapshot, self.session.text_of):
            self._copy(found)
        else:
            self.note("nothing to copy here", error=True)

    def action_copy_prompt(self) -> None:
        """Copy the system prompt."""
        if self.snapshot.assembly:
            self._copy(system_prompt(self.snapshot.assembly), "^y for the rest")

    def action_copy_request(self) -> None:
        """Choose what to copy of the request."""
        if assembly := self.snapshot.assembly:
            options = [
                Option(name, copying.detail, Span(f"{len(copying.make(assembly).text):,} characters", "dim"))
                for name, copying in COPIES.items()
            ]
            self.app.push_screen(Picker("COPY", options, None), partial(self._copy_chosen, assembly))

    def _copy_chosen(self, assembly: Assembly, name: str | None) -> None:
        if name is not None:
            self._copy(COPIES[name].make(assembly))

    def _copy(self, found: CopyText, hint: str = "") -> None:
        copy(self.app, found.text)
        size = f"{len(found.text):,} characters"
        self.note(f"copied {found.name}: {size}{f'; {hint}' if hint else ''}")

    def action_editor(self) -> None:
        """Open what is under the cursor."""
        source = (self.why.source if self.why.has_focus else None) or self._place
        if source is None:
            self.note("no source file", error=True)
        else:
            self.open_file(source.path, source.line)

    @property
    def _place(self) -> OpenSource | None:
        """The file and line of what the cursor of the page is on."""
        return place(self.under_cursor, self.snapshot)

    def open_file(self, path: str, line: int) -> None:
        """Open a file in the user's editor."""
        open_editor(self.app, on_disk(path, self.snapshot.assembly), line, self._editor_failed)

    def _editor_failed(self, words: str) -> None:
        """From any thread."""
        self.post_message(Noted(words, error=True))

    # --- what was sent -------------------------------------------------------------------------------------------

    def action_next_view(self) -> None:
        """Predicted, sent, differences."""
        self.sent.next_view()

    def action_show_view(self, view: View) -> None:
        """One view of the capture that is open."""
        self.sent.show_view(view)

    def action_request(self, by: int) -> None:
        """Another request of the capture, as it was sent."""
        self.sent.step(by)

    def action_capture(self) -> None:
        """Capture the agent in front; then its request beside the prediction."""
        agent, assembly = self._agent, self.snapshot.assembly
        if agent is None or assembly is None:
            return
        from promptscope_tui.views.capture.screen import CaptureScreen

        name = assembly.agent.removeprefix(OBSERVED)
        again = self.sent.shown.capture.header.command if self.sent.shown is not None else ()
        self.app.push_screen(CaptureScreen(name, agent.name, assembly.workspace, again), self._captured)

    def _captured(self, path: str | None) -> None:
        if path is not None:
            self.sent.open(path, differences=True)
            self.note(f"recorded in {home_short(path, str(Path('~').expanduser()))}; o opens it again")

    # --- experiments ---------------------------------------------------------------------------------------------

    def action_experiment(self) -> None:
        """Another text for the section or the tool under the cursor."""
        if (part := self._part) is None:
            return
        text = self.session.text_to_edit(named(part))
        if problem := editable(part, text):
            self.note(problem, error=True)
            return
        from promptscope_tui.views.experiment import ExperimentScreen  # rarely used: not loaded for the first frame

        def tried(typed: str | None) -> None:
            if typed is not None:
                self._try(replaced(self.snapshot.scenario.edits, part, typed))

        self.app.push_screen(ExperimentScreen(named(part), text or ""), tried)

    def action_experiment_drop(self) -> None:
        """The prompt without it."""
        if (part := self._part) is not None:
            self._try(dropped(self.snapshot.scenario.edits, part))

    def action_experiment_move(self, step: int) -> None:
        """The prompt with it elsewhere."""
        if (part := self._part) is not None and (assembly := self.snapshot.assembly):
            self._try(moved(self.snapshot.scenario.edits, assembly, part, step))

    @property
    def _part(self) -> Section | Tool | None:
        """The section or the tool under the cursor; without one a note says what is needed."""
        part = part_of(self.under_cursor, self.snapshot.assembly)
        if part is None:
            self.note("go to a section of the prompt or to a tool first", error=True)
        return part

    def _try(self, experiment: Experiment) -> None:
        self.note(experiment.words, error=experiment.edits is None)
        if experiment.edits is not None:
            self.session.edit(experiment.edits)

    # --- what opens over the screen ------------------------------------------------------------------------------

    @property
    def _agent(self) -> Agent | None:
        """The agent whose prompt is shown."""
        return load_agent(self.snapshot.assembly.agent) if self.snapshot.assembly else None

    def action_report(self) -> None:
        """What the agent's own report would say."""
        agent = self._agent
        if isinstance(agent, Reporting):
            self.app.push_screen(Report(agent, self.snapshot, self.session.workspace))
        elif agent:
            self.action_show_tab("window")
            self.note(f"{agent.name} has no context report; this is its window")

    def action_compare(self) -> None:
        """Two prompts held against each other."""
        from promptscope_tui.views.compare.screen import CompareScreen

        self.app.push_screen(CompareScreen(self.session, self._state_folder))

    def action_agents(self) -> None:
        """Which agent takes which file."""
        from promptscope_tui.views.agents.screen import AgentsScreen

        self.app.push_screen(AgentsScreen(self.session))

    def action_may_edit(self) -> None:
        """Ask whether the mode may edit a file."""
        assembly, agent = self.snapshot.assembly, self._agent
        if assembly and agent and (mode := next((m for m in assembly.modes if m.slug == assembly.mode), None)):
            from promptscope_tui.views.why.may_edit import MayEdit

            self.session.request_editable(mode.slug)
            self.app.push_screen(MayEdit(self.session, agent, mode))

    def action_savings(self) -> None:
        """What each switch, file, section, tool and repeated passage would save."""
        from promptscope_tui.views.savings.screen import SavingsScreen

        self.app.push_screen(SavingsScreen(self.session, lambda intent: self.post_message(Requested(intent))))

    def action_timings(self) -> None:
        """What of the prompt takes how long."""
        from promptscope_tui.views.timings.screen import TimingsScreen

        self.app.push_screen(TimingsScreen(self.session))

    def action_responses(self) -> None:
        """Every reply of the agent."""
        if (agent := self._agent) and replies_of(agent):
            from promptscope_tui.views.responses import ResponsesScreen  # rarely used: not loaded for the first frame

            self.app.push_screen(ResponsesScreen(agent, self.session.counter.count))

    def action_completion(self) -> None:
        """How a task ends."""
        if (agent := self._agent) and (machine := completion_of(agent)):
            from promptscope_tui.views.completion import CompletionScreen

            self.app.push_screen(CompletionScreen(agent, machine, self.session.counter.count))

    def action_transcript(self) -> None:
        """Offer this workspace's captures and transcripts, then others, newest first; any path can be typed."""
        from promptscope_tui.capturing import store  # as below: not loaded for the first frame
        from promptscope_tui.session.recordings import recordings
        from promptscope_tui.session.transcripts import keeper_of

        agent, assembly = self._agent, self.snapshot.assembly
        try:
            _, inputs = resolve(self.snapshot.scenario, self.session.workspace)
        except ScenarioError as error:
            self.note(str(error), error=True)
            return
        if agent is None or assembly is None:
            return
        keeper = keeper_of(agent.id)
        kept = keeper.transcript_files(inputs, self.session.workspace) if keeper else ()
        found = recordings(store.stored(self._state_folder()), kept, agent.name, assembly.workspace)
        options = recording_options(found, inputs.home)
        chosen = {each.path: each.problem for each in found if each.kind == "capture"}
        picker = Picker("CAPTURES AND TRANSCRIPTS", options, None, free=True)
        picker.add_class("-wide")
        self.app.push_screen(picker, partial(self._open, chosen))

    def _open(self, captures: Mapping[str, str], path: str | None) -> None:
        """Open what was chosen, or typed. `captures` are those that were offered, each with what is wrong with it."""
        from promptscope_tui.session.recordings import kind_of

        if path is None:
            return
        if problem := captures.get(path):
            self.note(f"{path}: {problem}", error=True)
        elif path in captures or kind_of(path) == "capture":
            self.sent.open(path)
        else:
            self.open_transcript(path)

    def open_transcript(self, path: str | None, afterwards: str = "") -> None:
        """Open a transcript with the agent that wrote it; a turn chosen in it fills the window."""
        from promptscope_tui.session.transcripts import keeper_of, writer_of

        agent, assembly = self._agent, self.snapshot.assembly
        if path is None or agent is None or assembly is None:
            return
        writer = writer_of(path)
        if writer is not None and writer.id != agent.id.removeprefix(OBSERVED):
            words = f"{writer.name} wrote it and is shown now; u goes back to {agent.name}"
            self._due_transcript = path, writer.id, words
            self.session.choose_agent(writer.id, writer.versions[-1])
        elif keeper := keeper_of(agent.id):
            self.app.push_screen(TranscriptScreen(path, keeper, self.session), partial(self._filled, afterwards))
        else:
            self.note(f"{agent.name} keeps no transcripts that can be read", error=True)

    def _open_due(self, snapshot: Snapshot) -> None:
        """Open the transcript for whose sake another agent was chosen, once that one's prompt is there."""
        if self._due_transcript is None:
            return
        path, writer, words = self._due_transcript
        assembly = snapshot.assembly
        there = assembly is not None and assembly.agent == writer and assembly.tokens.expected is not None
        if there or snapshot.error or snapshot.scenario.agent != writer:
            self._due_transcript = None
        if there:
            self.open_transcript(path, words)

    def _filled(self, otherwise: str, fill: int | None) -> None:
        if fill is None:
            self.note(otherwise)
        else:
            self.action_show_tab("window")
            self.note(f"the window is filled as after that turn: {fill:,} tok; u undoes it")


def _beside(snapshot: Snapshot) -> tuple[object, ...]:
    """What is found out beside the prompt: about other agents, and about a mode's files."""
    return snapshot.other_agents, snapshot.agent_tokens, snapshot.editable
