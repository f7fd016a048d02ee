"""Where keys lead: actions to what can do them, jumps and the way back, the drawers, other folders."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from textual.actions import parse
from textual.dom import DOMNode
from textual.widget import Widget

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.workspace.paths import absolute, is_folder
from promptscope_tui.actions.table import BY_ID, Action, Owner
from promptscope_tui.session.folders import demo_folder
from promptscope_tui.session.snapshot import ChooseAgent, GoTo, OpenSource, Sent
from promptscope_tui.session.unavailable import has_problems, idle_actions, unavailable_actions
from promptscope_tui.views.bars.top import TABS
from promptscope_tui.views.controls.view import Controls
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.message_bar import MessageBar
from promptscope_tui.views.prompt.view import PromptView, SearchBar
from promptscope_tui.views.subjects import DiagnosticSubject, FileSubject, ToolSubject
from promptscope_tui.views.under_cursor import of_row, place
from promptscope_tui.views.welcome import BeginFile, FolderPicker, OpenDemo, ShowControls, ShowPrompt
from promptscope_tui.views.why.parts import file_of
from promptscope_tui.widgets.messages import Requested, WhyShown, ask
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.table_list import FilterBar, TableList

from .host import Host


class Routes:
    """Routes actions to the app, the main screen, its widgets and its controllers."""

    def __init__(self, host: Host, sent: Callable[[], Sent | None]) -> None:
        """`sent` gives the request of the open capture that is shown in some view."""
        self._host, self._sent = host, sent

    def idle(self) -> frozenset[str]:
        """The ids of the actions that would do nothing now."""
        host = self._host
        found = idle_actions(host.agent, host.snapshot)
        if host.why.has_focus:
            source = host.why.source or place(host.under_cursor, host.snapshot)
            acts = {"choose_row": host.why.link is not None, "editor": source is not None}
            found |= {id for id, does in acts.items() if not does}
        return found

    def lacking(self) -> Mapping[str, str]:
        """The actions that show nothing for this agent, each with what the agent lacks."""
        agent, assembly = self._host.agent, self._host.snapshot.assembly
        return unavailable_actions(agent, assembly, self._sent()) if agent and assembly else {}

    def offered(self, actions: Iterable[Action]) -> list[Action]:
        """The actions that show something for this agent."""
        lacking = self.lacking()
        return [action for action in actions if action.id not in lacking]

    async def run(self, id: str) -> None:
        """Run an action on its owner; one that would show nothing for this agent says so instead.

        Without a report of its own an agent has its window.
        """
        if id != "report" and (lacks := self.lacking().get(id)):
            self._host.note(lacks, error=True)
            return
        action = BY_ID[id]
        owner = self._owner(action.owner)
        if isinstance(owner, DOMNode):
            await self._host.app.run_action(action.call, owner)
        else:
            _, name, arguments = parse(action.call)
            getattr(owner, f"action_{name}")(*arguments)

    def _owner(self, owner: Owner) -> object:
        """A widget or a controller, by its name in the table."""
        if owner in TABS:
            return self._host.pages.page(owner)
        if owner in ("cursor", "list", "table", "tree"):  # of whatever has the keys: the footer may be clicked
            focused = self._host.focused
            return focused if focused is not None and owner in owners(focused) else self._host.pages.in_view
        return self._host if owner == "main" else getattr(self._host, owner)


def owners(focused: Widget) -> frozenset[Owner]:
    """Who has the keys, in the words of the table of actions."""
    if isinstance(focused, PromptView):
        return frozenset({"cursor", "prompt"})
    if isinstance(focused, TableList):
        return frozenset({"cursor", "list", "table"} | ({"tree"} if isinstance(focused, FilesTable) else set()))
    if isinstance(focused, RowList):
        return frozenset({"cursor", "list"})
    around: dict[type[DOMNode], Owner] = {
        SearchBar: "search",
        FilterBar: "filter",
        MessageBar: "draft",
        Controls: "controls",
    }
    return frozenset(owner for node in focused.ancestors for kind, owner in around.items() if isinstance(node, kind))


_CONTROLS, _WHY = "-controls-open", "-why-open"
"""The classes of a screen on which a column that has no room beside the page is shown nevertheless."""


class Location(Struct, frozen=True):
    """A place in a tab: where the cursor is, and what is at the top, as the tab's page names them.

    `needle` is what a list was filtered by.
    """

    tab: str
    cursor: Any = None
    top: Any = None
    needle: str = ""


class Navigation:
    """Goes to a place, and back to where the user jumped from."""

    def __init__(self, host: Host, show_tab: Callable[[str], None], filter_bar: Callable[[], FilterBar]) -> None:
        """`show_tab` shows a tab without forgetting the way back."""
        self._host, self._show_tab, self._filter_bar = host, show_tab, filter_bar
        self._stops: list[Location] = []

    def jump(self, key: object) -> None:
        """Go to a row's place in the prompt, or in another tab."""
        found = of_row(key, self._host.snapshot)
        if found is not None:
            self.go_to(found)
        elif isinstance(key, FileSubject | ToolSubject | DiagnosticSubject):
            self._host.note("this isn't in the prompt")

    def go_to(self, place: GoTo) -> None:
        """Show a place, and remember the one before; the same one twice in a row is remembered once."""
        here = self._here()
        if self._stops[-1:] != [here]:
            self._stops.append(here)
        self._show_tab(place.tab)
        # The page is laid out only now, in two steps if it is mounted first.
        self._host.call_after_refresh(self._host.call_after_refresh, self._arrive, place)

    def go_back(self) -> bool:
        """Return to where the user jumped from last; False if that is nowhere."""
        if not self._stops:
            return False
        stop = self._stops.pop()
        self._show_tab(stop.tab)
        self._host.call_after_refresh(self._restore, stop)
        return True

    def forget(self) -> None:
        """Forget the way back: the user went to a tab by hand."""
        self._stops.clear()

    def action_problems(self) -> None:
        """Go to the next problem in Files: errors and warnings, in the order of the rows."""
        session, files = self._host.session, self._host.pages.files
        if has_problems(self._host.snapshot):
            self._host.show_tab("files")
            files.once_laid_out(files.next_problem)
        else:
            is_found_out = not self._host.snapshot.busy and not session.details_due
            self._host.note(f"no problems were found{'' if is_found_out else ' so far'}")

    def _here(self) -> Location:
        pages = self._host.pages
        page, tab = pages.in_view, pages.active
        if isinstance(page, PromptView):
            return Location(tab, page.place, page.top_spot)
        return Location(tab, page.key, page.top_spot, page.needle) if isinstance(page, RowList) else Location(tab)

    def _arrive(self, place: GoTo) -> None:
        page = self._host.pages.page(place.tab)
        if place.key is None:
            return
        if isinstance(page, PromptView):
            page.goto(str(place.key), place.line)
        elif isinstance(page, RowList):
            page.once_laid_out(partial(self._mark, page, place.key))

    def _mark(self, page: RowList, key: Hashable) -> None:
        """Highlight a row, also one that a filter hides."""
        assembly = self._host.snapshot.assembly
        if isinstance(key, FileSubject) and assembly and (file := file_of(key.path, assembly)):
            key = FileSubject(file.path)
        if page.go_to(key):
            return
        self._filter_bar().leave(keep=False)
        if not page.go_to(key):
            self._host.note("it has no row there", error=True)

    def _restore(self, stop: Location) -> None:
        page = self._host.pages.page(stop.tab)
        if isinstance(page, RowList) and stop.needle:
            self._filter_bar().resume(page, stop.needle)
        if isinstance(page, RowList) or (isinstance(page, PromptView) and stop.cursor is not None):
            page.return_to(stop.cursor, stop.top)


class Drawers:
    """The columns beside the page. Without room for them the controls are a drawer over it, the reasons are below it.

    The reasons stay open until they are closed, from one start to the next.
    """

    def __init__(self, screen: Host, *, why_is_open: bool) -> None:
        self._screen = screen
        screen.set_class(why_is_open, _WHY)

    @property
    def is_open(self) -> bool:
        """Whether escape closes something: a drawer, or the reasons if they have the keys."""
        return self._screen.has_class(_CONTROLS) or self._screen.why.has_focus

    def close(self) -> None:
        """Close what covers the page, and the reasons if they have the keys; columns with room stay."""
        self.uncover()
        if self._screen.why.has_focus:
            self._show_why(False)

    def uncover(self) -> None:
        """Close what covers the page."""
        self._screen.remove_class(_CONTROLS)

    def action_flags(self) -> None:
        """Go to the controls and back."""
        switches = self._screen.query_one("#switches")
        if switches.has_focus:
            self._to_page()
        else:
            self._screen.add_class(_CONTROLS)
            self._to(switches)

    def open_controls(self) -> None:
        """Give the controls the keys."""
        if not self._screen.query_one("#switches").has_focus:
            self.action_flags()

    def action_why(self) -> None:
        """Go to the reasons and back."""
        self.uncover()
        if self._screen.why.has_focus:
            self._to_page()
        else:
            self._show_why(True)
            self._to(self._screen.why)
            self._screen.call_after_refresh(self._reveal)

    def _reveal(self) -> None:
        """What is explained stays in view when the reasons open below it."""
        if isinstance(page := self._screen.pages.in_view, RowList | PromptView):
            page.reveal()

    def _to_page(self) -> None:
        self.close()
        self._screen.pages.in_view.focus()

    def _to(self, column: Widget) -> None:
        # The column is laid out only now: focus works on what is displayed.
        self._screen.call_after_refresh(column.focus)

    def _show_why(self, is_open: bool) -> None:
        """Open or close the reasons where they are below the page; beside it they are always there."""
        if self._screen.why_is_below:
            self._screen.set_class(is_open, _WHY)
            self._screen.post_message(WhyShown(is_open))


class Folders:
    """Opens folders, and does what is chosen in the welcome of one without files."""

    def __init__(self, host: Host, recent: Callable[[], Sequence[str]], show_controls: Callable[[], None]) -> None:
        """`recent` gives the folders that were opened before; `show_controls` gives the controls the keys."""
        self._host, self._recent, self._show_controls = host, recent, show_controls

    def action_folder(self) -> None:
        """Offer the repository's packages, and the folders that were opened before."""
        host = self._host
        try:
            inputs = resolve(host.snapshot.scenario, host.session.workspace, host.session.knowledge).inputs
        except ScenarioError as error:
            host.note(str(error), error=True)
            return
        ask(host.app, FolderPicker(inputs.workspace, inputs.home, inputs.env, self._recent()), self.open)

    def open(self, folder: str) -> None:
        """Show another folder."""
        path = absolute(folder)
        if not is_folder(path):
            self._host.note(f"no such folder: {folder}", error=True)
            return
        self._host.session.open_folder(path)
        self._host.note(f"the folder is {path}; u goes back")

    def begin(self, chosen: object) -> None:
        """Do what was chosen in the welcome."""
        match chosen:
            case ChooseAgent(agent):
                self._host.session.choose_agent(agent)
            case BeginFile(path):
                self._host.post_message(Requested(OpenSource(path)))
            case OpenDemo():
                self.open(demo_folder())
            case ShowPrompt():
                self._host.show_tab("prompt")
            case ShowControls():
                self._host.show_tab("prompt")
                self._show_controls()
            case GoTo():
                self._host.go_to(chosen)
