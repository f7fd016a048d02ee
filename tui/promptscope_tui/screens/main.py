"""The main screen: what the session knows goes to the widgets, what the user does goes to the session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.conditions import show
from promptscope_tui.actions.table import ACTIONS
from promptscope_tui.rows.controls import Choice, Choose, Edit, Toggle
from promptscope_tui.rows.subjects import (
    BlockSubject,
    ChangeSubject,
    DiagnosticSubject,
    FileSubject,
    Subject,
    SwitchSubject,
    ToolSubject,
)
from promptscope_tui.rows.why.around import file_behind
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.intents import ApplyLevers, OpenSource, RunAction, SetParam
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.settings.paths import state_folder
from promptscope_tui.widgets.budget_bar import BudgetBar
from promptscope_tui.widgets.header import Header
from promptscope_tui.widgets.messages import Assembled, Requested, Shown, Updated, Watched
from promptscope_tui.widgets.prompt_view import PromptView
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.search_bar import SearchBar
from promptscope_tui.widgets.window_view import WindowView

from .deeds import Deeds
from .layout import MainLayout
from .message_deeds import MessageDeeds


class MainScreen(Deeds, MessageDeeds, MainLayout):
    """One session on one screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, id=action.id, tooltip=action.help, show=False)
        for action in ACTIONS
        if action.own
    ]

    def __init__(self, session: Session, state_folder: Path | None = None) -> None:
        super().__init__()
        self.session = session
        self._state_folder = state_folder
        self.snapshot: Snapshot = session.snapshot
        self.inputs: AgentInputs | None = None
        self.subject: Subject | None = None

    @property
    def state_folder(self) -> Path:
        """Where pictures and scenarios are saved."""
        return self._state_folder or state_folder()

    def on_mount(self) -> None:
        """The first frame: what could be had without counting."""
        self.show_snapshot(self.session.snapshot)
        # The panes draw in the refresh after the one that sizes them.
        prompt = self.prompt
        prompt.call_after_refresh(prompt.call_after_refresh, self.post_message, Shown())

    # --- from the session ----------------------------------------------------------------------------------------

    def on_updated(self, event: Updated) -> None:
        """The session knows more."""
        self.show_snapshot(event.snapshot)

    def on_watched(self, event: Watched) -> None:
        """The watcher's state changed."""
        self.query_one(Header).status = event.status
        if event.status.state != "live" and event.status.detail:
            self.note(event.status.detail)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show everything of a snapshot; pages that would look the same are left alone."""
        before, self.snapshot = self.snapshot, snapshot
        assembly = snapshot.assembly
        self.inputs = _inputs(snapshot)
        header = self.query_one(Header)
        header.agent_name = self.inputs.agent.name if self.inputs else ""
        header.snapshot = snapshot
        undo = "   u undoes" if snapshot.can_undo else ""
        self.show_error(f"✗ {snapshot.error}{undo}" if snapshot.error else "")
        if self.inputs:
            self.controls.show(snapshot, self.inputs)
        if assembly is not None:
            self._show_assembly(before, snapshot)
        changed = before.assembly and assembly and before.assembly.agent != assembly.agent
        self.explain(self.under_cursor if changed and not isinstance(self.subject, SwitchSubject) else self.subject)

    def _show_assembly(self, before: Snapshot, snapshot: Snapshot) -> None:
        assembly = snapshot.assembly
        assert assembly is not None
        fresh = self.tabs.counts == {}
        if fresh or assembly is not before.assembly or snapshot.compared is not before.compared:
            self.prompt.show(assembly, snapshot.compared)
        if fresh or assembly is not before.assembly:
            self.query_one(BudgetBar).assembly = assembly
            self.tools.show_assembly(assembly)
            self.window.show_assembly(assembly, snapshot.scenario)
            self.request.show_assembly(assembly)
        if fresh or assembly is not before.assembly or snapshot.survey is not before.survey:
            self.files.show_assembly(assembly, snapshot.survey)
            self.post_message(Assembled())
        elif snapshot.readings is not before.readings:
            self.post_message(Assembled())  # the other agents asked for files too
        if fresh or snapshot.changes is not before.changes:
            self.changes.show_snapshot(snapshot)
        self.tabs.counts = {
            "prompt": sum(s.present and s.parent is None for s in assembly.sections),
            "tools": sum(t.present for t in assembly.tools),
            "files": sum(f.present for f in assembly.files),
            "changes": len(snapshot.changes),
        }

    # --- what Why explains ---------------------------------------------------------------------------------------

    def explain(self, subject: Subject | None) -> None:
        """Show why in the right column."""
        self.subject = subject
        if self.snapshot.assembly and file_behind(subject, self.snapshot.assembly):
            self.session.look_around()
        if self.inputs:
            self.why.explain(subject, self.snapshot, self.inputs)

    @property
    def under_cursor(self) -> Subject | None:
        """What the active tab's cursor is on."""
        page = self.page
        if isinstance(page, WindowView):
            return page.subject
        return self._subject_of(page.key) if isinstance(page, RowList) else self.prompt.cursor

    def on_prompt_view_moved(self, event: PromptView.Moved) -> None:
        """The cursor went through the prompt."""
        if self.tabs.active == "prompt":
            self.explain(event.cursor)

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """The cursor or the mouse came to a row that can be explained."""
        subject = self._subject_of(event.key)
        if subject is not None:
            self.explain(subject)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Another pane has the keys: Why speaks of what is under its cursor."""
        widget = event.widget
        if widget is self.prompt:
            self.explain(self.prompt.cursor)
        elif widget is self.window:
            self.explain(self.window.subject)
        elif isinstance(widget, RowList) and widget is not self.why:
            subject = self._subject_of(widget.key)
            if subject is not None:
                self.explain(subject)

    def _subject_of(self, key: object) -> Subject | None:
        match key:
            case ToolSubject() | FileSubject() | ChangeSubject() | DiagnosticSubject() | BlockSubject():
                return key
            case Toggle(param) if self.inputs:
                return SwitchSubject(param, json.dumps(self.inputs.value(param) is not True))
            case Choice(param, value):
                return SwitchSubject(param, value)
            case Edit(param) | Choose(param):
                return SwitchSubject(param)
        return None

    # --- from the widgets ----------------------------------------------------------------------------------------

    async def on_requested(self, event: Requested) -> None:
        """A widget asks for something."""
        event.stop()
        match event.intent:
            case SetParam(param, value):
                words = self.inputs.label(param, value) if self.inputs else show(value)
                self.note(f"{param} is {words}")
                self.session.set(param, value)
            case ApplyLevers(levers):
                self.note("set " + ", ".join(lever.param for lever in levers) + "; u takes it back")
                self.session.apply(levers)
            case OpenSource(path, line):
                self.open_file(path, line)
            case RunAction(action):
                await self.do(action)

    @on(SearchBar.Typed)
    def search_typed(self, event: SearchBar.Typed) -> None:
        """Search with every letter."""
        self.prompt.search(event.term)
        self.count_matches()

    @on(SearchBar.Step)
    def search_step(self, event: SearchBar.Step) -> None:
        """Another match while the search line keeps the keys."""
        self.step_match(event.by)

    @on(SearchBar.Closed)
    def search_closed(self, event: SearchBar.Closed) -> None:
        """Back into the prompt."""
        if not event.keep:
            self.prompt.clear_search()
            self.search_bar.close()
        self.page.focus()


def _inputs(snapshot: Snapshot) -> AgentInputs | None:
    """The inputs of the agent in force; None for an agent that does not exist, before anything was assembled."""
    wanted = snapshot.scenario.agent or (snapshot.assembly.agent if snapshot.assembly else None)
    for agent_id in (wanted, snapshot.assembly.agent if snapshot.assembly else None):
        try:
            if agent_id:
                return AgentInputs.of(load_agent(agent_id), snapshot.scenario)
        except ScenarioError:
            continue
    return None
