"""What the main screen offers its controllers."""

from collections.abc import Callable
from pathlib import Path

from textual.getters import query_one
from textual.screen import Screen
from textual.widget import Widget

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.registry import OBSERVED, agent_ids, load_agent
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import GoTo, Snapshot
from promptscope_tui.views.bars.header import Header
from promptscope_tui.views.bars.tabs import SentBar
from promptscope_tui.views.controls.rows import subject_of
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.subjects import Cursor, Subject, WindowSubject
from promptscope_tui.views.why.files import file_behind
from promptscope_tui.views.why.switch import limited_mode
from promptscope_tui.views.why.view import Why
from promptscope_tui.views.window.view import WindowView
from promptscope_tui.widgets.messages import Noted, Settled
from promptscope_tui.widgets.note import COLUMNS, LINES
from promptscope_tui.widgets.row_list import RowList

from .pages import Pages

_WIDTHS = [(0, "-tiny"), (COLUMNS, "-one"), (90, "-two"), (120, "-three"), (140, "-roomy"), (170, "-wide")]
_HEIGHTS = [(0, "-flat"), (LINES, "-tall")]


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
