"""What the main screen offers its controllers, and the pages of its tabs."""

from collections.abc import Callable
from operator import is_not
from pathlib import Path

from textual.getters import query_one
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.registry import OBSERVED, agent_ids, load_agent
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import GoTo, Snapshot
from promptscope_tui.views.after.view import AfterView
from promptscope_tui.views.bars.bottom import COLUMNS, LINES
from promptscope_tui.views.bars.top import Header, SentBar
from promptscope_tui.views.changes import ChangesView
from promptscope_tui.views.controls.rows import subject_of
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.overview.view import OverviewView
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.request import RequestView
from promptscope_tui.views.subjects import Cursor, Subject, WindowSubject
from promptscope_tui.views.tools import ToolsTable
from promptscope_tui.views.welcome import Welcome, needs_welcome
from promptscope_tui.views.why.parts import file_behind
from promptscope_tui.views.why.switch import limited_mode
from promptscope_tui.views.why.view import Why
from promptscope_tui.views.window.view import WindowView
from promptscope_tui.widgets.messages import Noted, Settled
from promptscope_tui.widgets.row_list import RowList

Page = OverviewView | ToolsTable | FilesTable | WindowView | RequestView | ChangesView | AfterView | Welcome
"""Shows a snapshot, beside the prompt."""


class Pages(ContentSwitcher):
    """One page per tab, and the welcome in place of a prompt in which nothing is the user's.

    All but the prompt are mounted when they are first needed, and redrawn only when they would look different.
    """

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        self.prompt = PromptView(id="prompt")
        super().__init__(self.prompt, id=id, initial="prompt")
        self.snapshot = session.snapshot
        self.overview = OverviewView(session, id="overview")
        self.tools, self.files = ToolsTable(id="tools"), FilesTable(session, id="files")
        self.window, self.request = WindowView(id="window"), RequestView(id="request")
        self.after = AfterView(session, id="after")
        self.changes, self.welcome = ChangesView(session, id="changes"), Welcome(id="welcome")
        self.active = "prompt"
        """The name of the tab in view."""
        self._by_name: dict[str, Page] = {
            str(page.id): page
            for page in (self.overview, self.tools, self.files, self.window, self.request, self.changes, self.after)
        }
        self._drawn: dict[Page, Snapshot] = {}
        self._prompt_of: tuple[object, object] | None = None

    @property
    def in_view(self) -> Widget:
        """The page of the active tab, or what is shown in its place."""
        return self.welcome if self.current == self.welcome.id else self.page(self.active)

    def page(self, name: str) -> Widget:
        """The page of a tab."""
        page = self._by_name.get(name)
        if page is None:
            return self.prompt
        if not page.is_attached:
            self._mount_hidden(page)
            page.show_snapshot(self.snapshot)
        return page

    def _mount_hidden(self, page: Page) -> None:
        page.display = False
        self.mount(page)

    def show_tab(self, name: str) -> None:
        """Bring a tab's page to the front."""
        self.page(name)
        self.current = self.active = name

    # --- snapshots -------------------------------------------------------------------------------------------------

    def show_first(self, snapshot: Snapshot) -> None:
        """Redraw the page in view."""
        before, self.snapshot = self.snapshot, snapshot
        if snapshot.assembly is None:
            return
        page = self._by_name.get(self.active)
        if page is None:
            self._show_prompt(snapshot.assembly)
        elif before.assembly is not snapshot.assembly or before.changes is not snapshot.changes:
            self.page(self.active)
            self._draw(page)
        moved = before.assembly and before.assembly.workspace != snapshot.assembly.workspace
        if moved or self.in_view is self.welcome:
            self.greet()

    def _show_prompt(self, assembly: Assembly) -> None:
        """Redraw the prompt, if it is another one, or compared with another one."""
        shown = assembly.sections, self.snapshot.compared
        if self._prompt_of is None or any(map(is_not, shown, self._prompt_of)):
            self._prompt_of = shown
            self.prompt.show(assembly, self.snapshot.compared)

    def show_rest(self, before: Snapshot) -> None:
        """Redraw the other pages whose content differs from what it was in the snapshot `before`."""
        now = self.snapshot
        if now.assembly is None:
            return
        old, assembly = before.assembly, now.assembly
        self._show_prompt(assembly)
        # What a check finds comes later, and isn't shown on these pages.
        if old is None or assembly.sections is not old.sections:
            self._draw(self.tools, self.window, self.request)
        if now.weights is not before.weights:
            self.prompt.weigh(now.weights)
        later = (now.lazy_rules, now.on_read), (before.lazy_rules, before.on_read)
        if assembly is not old or any(map(is_not, *later)):
            self._draw(self.files)
        if any(map(is_not, _for_overview(now), _for_overview(before))):
            self._draw(self.overview)
        if any(map(is_not, _for_after(now), _for_after(before))):
            self._draw(self.after)
        if old is None or now.changes is not before.changes or now.pinned_at != before.pinned_at:
            self._draw(self.changes)

    def _draw(self, *pages: Page) -> None:
        """Redraw the pages that are mounted and don't show this snapshot yet."""
        for page in pages:
            if page.is_attached and self._drawn.get(page) is not self.snapshot:
                page.show_snapshot(self.snapshot)
                self._drawn[page] = self.snapshot

    def greet(self) -> None:
        """Show the welcome in place of a prompt in which nothing is the user's, and take it away from any other."""
        shown = self.current == self.welcome.id
        if needs_welcome(self.snapshot) and (shown or self.active == "prompt"):
            if not self.welcome.is_attached:
                self._mount_hidden(self.welcome)
            self.welcome.show_snapshot(self.snapshot)
            if not shown:
                self._replace(self.prompt, self.welcome)
        elif shown:
            self._replace(self.welcome, self.prompt)

    def _replace(self, old: Widget, new: Widget) -> None:
        """Another page in the place of one, with the keys if that one, or nothing, had them."""
        had_keys = old.has_focus or (new is self.welcome and self.screen.focused is None)
        self.current = new.id
        if had_keys:
            self.screen.set_focus(new)


def _for_overview(snapshot: Snapshot) -> tuple[object, ...]:
    """What the overview shows: much of it is found out after the prompt is shown."""
    last = snapshot.last_change, snapshot.last_change_known
    others = snapshot.other_agents, snapshot.agent_tokens
    return snapshot.assembly, snapshot.lazy_rules, snapshot.on_read, *last, *others


def _for_after(snapshot: Snapshot) -> tuple[object, ...]:
    """What the page of the later request shows."""
    return snapshot.assembly, snapshot.after, snapshot.after_elsewhere, snapshot.after_error


_WIDTHS = [(0, "-tiny"), (COLUMNS, "-narrow"), (90, "-one"), (110, "-two"), (150, "-three"), (180, "-wide")]
_HEIGHTS = [(0, "-flat"), (LINES, "-tall"), (30, "-high")]


class Explanation:
    """The subject that is explained, and what the session has to find out about it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.snapshot = session.snapshot
        self.inputs: AgentInputs | None = None
        self.subject: Subject | None = None

    def of(self, pane: Widget | None) -> Subject | None:
        """What the cursor of a pane is on; in the right column, and without a pane, what is explained."""
        match pane:
            case Why() | None:
                return self.subject
            case PromptView():
                return pane.cursor
            case WindowView():
                return subject_of(pane.key, self.inputs) or WindowSubject()
            case RowList():
                return subject_of(pane.key, self.inputs)
        return None

    def show(self, subject: Subject | None, why: Why) -> None:
        """Explain a subject, and have the session find out what the explanation lacks."""
        self.subject = subject = subject if subject != Cursor() else None
        if assembly := self.snapshot.assembly:
            if file_behind(subject, assembly):
                self._session.request_repeats()
            if mode := limited_mode(subject, assembly):
                self._session.request_editable(mode.slug)
        if self.inputs:
            why.explain(subject, self.snapshot, self.inputs)


class Host(Screen[None]):
    """The main screen, as its controllers see it."""

    HORIZONTAL_BREAKPOINTS = _WIDTHS
    VERTICAL_BREAKPOINTS = _HEIGHTS

    header = query_one("#header", Header)
    sent_bar = query_one("#sent", SentBar)
    why = query_one("#why", Why)

    def __init__(self, session: Session, state_folder: Callable[[], Path]) -> None:
        """`state_folder` says where scenarios and captures are saved."""
        super().__init__()
        self.session, self.state_folder = session, state_folder
        self.snapshot: Snapshot = session.snapshot
        """The snapshot that is shown."""
        self.pages = Pages(session, id="pages")
        self.explanation = Explanation(session)

    @property
    def agent(self) -> Agent | None:
        """The agent whose prompt is shown."""
        return load_agent(self.snapshot.assembly.agent) if self.snapshot.assembly else None

    @property
    def modelled_agent(self) -> Agent | None:
        """The agent that is shown; of a capture the one that sent it, if it is modelled."""
        if (shown := self.snapshot.assembly) is None:
            return None
        name = shown.agent.removeprefix(OBSERVED)
        return load_agent(name) if name == shown.agent or name in agent_ids() else None

    @property
    def why_is_below(self) -> bool:
        """Whether the reasons are below the page, as there is no room beside it."""
        return not (self.has_class("-three") or self.has_class("-wide"))

    @property
    def under_cursor(self) -> Subject | None:
        """What the cursor of the page in view is on."""
        return self.explanation.of(self.pages.in_view)

    def take_size(self) -> None:
        """Take the classes of the terminal's size before the first frame: Textual would style everything again."""
        reached = (self.HORIZONTAL_BREAKPOINTS, self.app.size.width), (self.VERTICAL_BREAKPOINTS, self.app.size.height)
        self.add_class(*([name for least, name in steps if cells >= least][-1] for steps, cells in reached))

    def on_noted(self, event: Noted) -> None:
        """A widget has a note."""
        self.note(event.words, error=event.error)

    def note(self, words: str, *, error: bool = False, leads_to: str = "") -> None:
        """Show a note at the bottom; enter runs the action of this id as long as it is shown."""
        raise NotImplementedError

    def show_tab(self, name: str) -> None:
        """Show a tab's page and give it the keys."""
        raise NotImplementedError

    def go_to(self, place: GoTo) -> None:
        """Show a place; back leads to where the cursor is now."""
        raise NotImplementedError

    # --- drawing

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show everything of a snapshot; pages that would look the same are not redrawn."""
        self.show_first(snapshot)
        self.show_rest()

    def show_first(self, snapshot: Snapshot) -> None:
        """Show what was asked for."""
        raise NotImplementedError

    def show_rest(self) -> None:
        """Show everything else."""
        raise NotImplementedError

    def once_drawn(self, do: Callable[[], object]) -> None:
        """Do something once what is shown now is drawn.

        The panes ask to be drawn in this refresh, and are in the next one. What runs before takes the interpreter from
        them.
        """
        self.pages.prompt.call_after_refresh(self.pages.prompt.call_after_refresh, do)

    def settle(self) -> None:
        """Tell the app that everything is found out, once that is shown."""
        self.call_after_refresh(self.post_message, Settled())
