"""The main screen: composes widgets and controllers, shows what the session knows, and routes what the user does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.folders import others_here
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import GoTo, Snapshot, View
from promptscope_tui.session.unavailable import trouble
from promptscope_tui.settings.memory import Look
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Tone
from promptscope_tui.views.bars.bottom import Hint, Note, StatusBar, TooSmall
from promptscope_tui.views.bars.budget import AssumedBar, BudgetBar
from promptscope_tui.views.bars.top import Header, SentBar, TabBar
from promptscope_tui.views.change_words import change_words
from promptscope_tui.views.controls.rows import subject_of
from promptscope_tui.views.controls.view import Controls
from promptscope_tui.views.message_bar import MessageBar
from promptscope_tui.views.prompt.view import PromptView, SearchBar
from promptscope_tui.views.subjects import Subject, SwitchSubject
from promptscope_tui.views.welcome import needs_welcome
from promptscope_tui.views.why.view import Why
from promptscope_tui.views.window.rows import conversation_of
from promptscope_tui.widgets.messages import Assembled, Requested, Shown, TabShown, Updated, Watched
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.table_list import FilterBar

from .drawing import DrawSchedule, Notes, cursor_lines_above
from .intents import Intents
from .later import LaterControllers
from .navigation import Drawers, Folders, Navigation, Routes, owners
from .under_cursor import Copies, Editor, Experiments

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly


_NEW = Look(hinted=True)


class MainScreen(LaterControllers):
    """One session on one screen: switches, a page, and the reasons beside it if there is room (see main.tcss)."""

    AUTO_FOCUS = "#prompt"
    BINDINGS = bindings("main", "note")

    error = query_one("#error", Static)
    controls = query_one("#controls", Controls)
    tabs = query_one("#tabs", TabBar)
    search = query_one("#search", SearchBar)
    filter = query_one("#filter", FilterBar)
    draft = query_one("#draft", MessageBar)
    status = query_one("#status", StatusBar)

    def __init__(
        self,
        session: Session,
        state_folder: Callable[[], Path],
        tab: str = "prompt",
        recent: Callable[[], Sequence[str]] = tuple,
        look: Look = _NEW,
    ) -> None:
        """`state_folder` says where scenarios are saved; `recent` gives the folders that were opened before.

        `tab` is the first to be shown; `look` says what is open, and whether to show the line for a first start.
        """
        super().__init__(session, state_folder)
        self._first_tab, self._hint = tab, not look.hinted
        self._shown: Snapshot | None = None
        self._noted_problems: frozenset[str] = frozenset()
        self.prompt = self.pages.prompt
        self.schedule = DrawSchedule(session, self, self.set_timer)
        self.notes = Notes(self._show_note, self.set_timer, lambda: self.schedule.is_answer_due)
        self.navigation = Navigation(self, self._show_tab, lambda: self.filter)
        self.drawers = Drawers(self, why_is_open=look.why)
        self.routes = Routes(self, lambda: self.sent)
        self.copies = Copies(self)
        self.editor = Editor(self)
        self.experiments = Experiments(self)
        self.folders = Folders(self, recent, self.drawers.open_controls)
        self.intents = Intents(self, self.navigation, self.editor, self.folders)

    def compose(self) -> ComposeResult:
        """Top to bottom, left to right."""
        self.take_size()
        yield Header(id="header")
        yield BudgetBar(id="budget")
        yield AssumedBar(id="assumed")
        yield Static("", id="error", markup=False)
        with Horizontal(id="body"):
            yield Controls(self.session, self.state_folder, id="controls")
            with Container(id="reading"):
                with Vertical(id="centre"):
                    yield TabBar(id="tabs")
                    yield SentBar(id="sent")
                    yield self.pages
                    yield SearchBar(id="search")
                    yield MessageBar(self.session, id="draft")
                yield Why(id="why")
        yield FilterBar(id="filter")
        if self._hint:
            yield Hint(id="hint")
        yield Note(id="note")
        yield StatusBar(id="status")
        yield TooSmall(id="too-small")

    def on_mount(self) -> None:
        """Draw the first frame: whatever needs no counting."""
        self.show_snapshot(self.session.snapshot)
        # An empty folder is greeted with the welcome, whatever tab was shown last.
        if self._first_tab != self.tabs.active and not needs_welcome(self.snapshot):
            self._show_tab(self._first_tab)
        self.pages.greet()
        self.once_drawn(partial(self.post_message, Shown()))

    def confirm(self, confirmed: bool) -> None:
        """Mark the frame as this start's own, or as one that the next start shows before it knows anything."""
        self.header.confirmed = confirmed
        for hint in self.query(Hint):
            hint.confirmed = confirmed

    # --- from the session ----------------------------------------------------------------------------------------

    def on_updated(self, event: Updated) -> None:
        """The session knows more."""
        self.schedule.update(event.snapshot)

    def on_watched(self, event: Watched) -> None:
        """The watcher's state changed."""
        self.header.status = event.status
        found, before = event.status.problems, self._noted_problems
        self._noted_problems = before | found if found else found
        if self._noted_problems != before:  # said once: a watcher that fails is tried again and again
            self.action_watching()

    def action_watching(self) -> None:
        """Say how changes are noticed, and what to raise where they aren't at once."""
        if self.header.status:
            self.note(self.header.status.detail)

    def show_first(self, snapshot: Snapshot) -> None:
        """Show what was asked for: the switches, the total, and the page in view."""
        before, self.snapshot = self.snapshot, snapshot
        inputs = AgentInputs.shown(snapshot)
        self.explanation.snapshot, self.explanation.inputs = snapshot, inputs
        self.header.show_snapshot(snapshot, inputs.agent if inputs else None)
        if (words := trouble(snapshot)) or trouble(before):
            self.error.update(visible(words))
            self.error.set_class(bool(words), "-shown")
        if inputs:
            self.controls.show_switches(snapshot, inputs)
        if snapshot.assembly is not None:
            self.query_one(BudgetBar).show(snapshot.assembly, conversation_of(snapshot))
            self.query_one(AssumedBar).show(snapshot.assembly)
        self.pages.show_first(snapshot)
        if snapshot.assembly is not before.assembly:  # beside the page that it explains, or both would disagree
            self._explain_again(before.assembly)

    def show_rest(self) -> None:
        """Show everything else, once what was asked for is drawn; then the note on it."""
        if self._shown is not self.snapshot:
            self._show_rest(self._shown or Snapshot(self.snapshot.scenario), self.snapshot)
        self.notes.say_due()

    def _show_rest(self, before: Snapshot, snapshot: Snapshot) -> None:
        self._shown = snapshot
        assembly, old = snapshot.assembly, before.assembly
        if inputs := self.explanation.inputs:
            self.controls.show(snapshot, inputs)
        self.status.idle = self.routes.idle()
        if before.other_agents is not snapshot.other_agents or old is not assembly:
            self.header.others = others_here(snapshot)
        if (newest := snapshot.changes[:1]) and newest[0] not in before.changes:
            self.header.flash(change_words(newest[0]))
        if assembly is not None:
            if self.draft.is_open and (old is None or assembly.sections is not old.sections):
                self.call_after_refresh(self.draft.follow)
            self.pages.show_rest(before)
            if assembly is not old or _beside(snapshot) != _beside(before):
                self.once_drawn(partial(self.post_message, Assembled()))  # also for screens over this one
            self.tabs.count(snapshot)
        self.show_later(snapshot)
        self.filter.renew()
        sent = self.sent
        self.status.has_views = sent is not None and sent.agent is not None
        self._explain_again(old)

    def _explain_again(self, old: Assembly | None) -> None:
        """Explain what was explained before; of another agent than before what is under the cursor."""
        now, subject = self.snapshot.assembly, self.explanation.subject
        changed = old and now and old.agent != now.agent
        self.explain(self.under_cursor if changed and not isinstance(subject, SwitchSubject) else subject)

    # --- what is shown, and what has the keys --------------------------------------------------------------------

    @property
    def page(self) -> Widget:
        """The page in view."""
        return self.pages.in_view

    def explain(self, subject: Subject | None) -> None:
        """Explain a subject in the right column."""
        self.explanation.show(subject, self.why)

    def on_prompt_view_moved(self, event: PromptView.Moved) -> None:
        """The cursor went through the prompt."""
        if self.tabs.active == "prompt":
            self.explain(event.cursor)

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """The cursor or the mouse came to a row that can be explained."""
        if self.why.has_focus:
            self.status.idle = self.routes.idle()
        if (subject := subject_of(event.key, self.explanation.inputs)) is not None:
            self.explain(subject)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Another pane got the keys: show them, and explain what is under its cursor."""
        status, widget = self.status, event.widget
        status.typing, status.owners = isinstance(widget, Input | TextArea), owners(widget)
        status.pane = "" if status.typing else widget.id or ""
        if status.typing:
            self.note("")  # it may cover the line
        status.idle = self.routes.idle()
        self.place_note()
        if widget is not self.why and (subject := self.explanation.of(widget)) is not None:
            self.explain(subject)

    def note(self, words: str, *, error: bool = False, leads_to: str = "") -> None:
        """Show a note at the bottom."""
        self.notes.say(words, error=error, leads_to=leads_to)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A note is followed while one that leads somewhere is shown, and nothing is typed."""
        del parameters
        return action != "follow_note" or bool(self.notes.leads_to and isinstance(self.focused, PromptView | RowList))

    async def action_follow_note(self) -> None:
        """Do what the note offers."""
        leads_to = self.notes.leads_to
        self.note("")
        await self.routes.run(leads_to)

    def _show_note(self, words: str, tone: Tone) -> None:
        self.status.tone, self.status.note = tone, words
        self._place_note()

    def _place_note(self) -> None:
        status = self.status
        words = "" if status.holds_note or status.typing else status.note  # it may cover the line that is typed in
        self.query_one(Note).say(words, status.tone, self.size.width, cursor_lines_above(status.region.y, self.focused))

    @on(events.Resize)
    def place_note(self) -> None:
        """Show the note in the footer if there is room beside the keys, else above it."""
        if self.focused is None:  # what had the keys was hidden while the terminal was too small
            self.call_after_refresh(self.page.focus)
        self._place_note()

    # --- what the user asks for ----------------------------------------------------------------------------------

    def on_requested(self, event: Requested) -> None:
        """A widget requests something."""
        event.stop()
        self.intents.do(event.intent)

    @on(RowList.Chosen)
    def choose(self, event: RowList.Chosen) -> None:
        """Do what was chosen in the welcome, or go to the place that a row is about."""
        self.intents.choose(event.rows, event.key)

    def show_switch(self, param: str) -> None:
        """Show a param in Controls."""
        self.drawers.open_controls()
        self.controls.go_to(param)

    def go_to(self, place: GoTo) -> None:
        """Show a place; back leads to where the cursor is now."""
        self.navigation.go_to(place)

    @on(MessageBar.Closed)
    def typing_ended(self) -> None:
        """Return to the page."""
        self.page.focus()

    # --- actions ---------------------------------------------------------------------------------------------------

    async def action_run(self, id: str) -> None:
        """Run an action of the table."""
        await self.routes.run(id)

    def action_show_tab(self, name: str) -> None:
        """Show a tab's page and give it the keys; there is no way back to where the user jumped from before."""
        self.navigation.forget()
        self._show_tab(name)
        self.post_message(TabShown(name))

    show_tab = action_show_tab

    def _show_tab(self, name: str) -> None:
        self.pages.show_tab(name)
        self.tabs.active = name
        self.drawers.uncover()
        self.filter.follow(self.page)
        self.set_focus(self.page)  # at once: the next key is meant for it
        self.explain(self.under_cursor)  # also nothing, where the page has no row to explain

    def action_show_view(self, view: View) -> None:
        """Show one view of the capture that is open."""
        self.captures.action_show_view(view)

    def action_back(self) -> None:
        """Close the hint, and the drawer, the search or the filter; if none is open, go back to before the last jump.

        Without a jump, go to the prompt.
        """
        self.query(Hint).remove()
        if self.drawers.is_open:
            self.drawers.close()
        elif line := next((each for each in (self.search, self.filter) if each.is_open), None):
            line.leave(keep=False)
        elif not self.navigation.go_back() and (
            self.page is self.pages.welcome or (self.page.has_focus and self.tabs.active != "prompt")
        ):
            self.action_show_tab("prompt")
        self.page.focus()

    async def action_search(self) -> None:
        """Search the pane that has the keys: the prompt as text, a list by its rows."""
        pane = self.focused if self.focused in (self.why, self.controls.switches) else self.page
        if isinstance(pane, RowList) and not pane.can_filter:
            self.note("there is nothing to filter here yet", error=True)
        elif isinstance(pane, RowList):
            await self.filter.open(pane)
        else:
            await self.search.action_search()


def _beside(snapshot: Snapshot) -> tuple[object, ...]:
    """What screens over the main one show besides the prompt: other agents, files, and what a mode may edit."""
    return snapshot.other_agents, snapshot.agent_tokens, snapshot.editable, snapshot.lazy_rules
