"""The main screen's widgets, its tabs and its drawers; what they show is main.py's business."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from promptscope_tui.text.escape import visible
from promptscope_tui.widgets.budget_bar import BudgetBar
from promptscope_tui.widgets.changes_view import ChangesView
from promptscope_tui.widgets.controls import Controls
from promptscope_tui.widgets.draft_bar import TaskBar
from promptscope_tui.widgets.files_table import FilesTable
from promptscope_tui.widgets.header import Header
from promptscope_tui.widgets.prompt_view import PromptView
from promptscope_tui.widgets.request_view import RequestView
from promptscope_tui.widgets.search_bar import SearchBar
from promptscope_tui.widgets.status_bar import StatusBar
from promptscope_tui.widgets.tab_bar import TabBar
from promptscope_tui.widgets.too_small import COLUMNS, LINES, TooSmall
from promptscope_tui.widgets.tools_table import ToolsTable
from promptscope_tui.widgets.why import Why
from promptscope_tui.widgets.window_view import WindowView


class MainLayout(Screen[None]):
    """Three columns when wide, two when not so wide, one when narrow: by classes, see main.tcss."""

    AUTO_FOCUS = "#prompt"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-tiny"),
        (COLUMNS, "-one"),
        (90, "-two"),
        (120, "-three"),
        (140, "-roomy"),
        (170, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LINES, "-tall")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """Top to bottom, left to right."""
        yield Header(id="header")
        yield BudgetBar(id="budget")
        yield Static("", id="error", markup=False)
        with Horizontal(id="body"):
            yield Controls(id="controls")
            with Vertical(id="centre"):
                yield TabBar(id="tabs")
                with ContentSwitcher(id="pages", initial="prompt"):
                    yield PromptView(id="prompt")
                    yield ToolsTable(id="tools")
                    yield FilesTable(id="files")
                    yield WindowView(id="window")
                    yield RequestView(id="request")
                    yield ChangesView(id="changes")
                yield SearchBar(id="search")
                yield TaskBar(id="task")
            yield Why(id="why")
        yield StatusBar(id="status")
        yield TooSmall(id="too-small")

    # --- the widgets ---------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> PromptView:
        """The prompt."""
        return self.query_one("#prompt", PromptView)

    @property
    def controls(self) -> Controls:
        """The left column."""
        return self.query_one("#controls", Controls)

    @property
    def why(self) -> Why:
        """The right column."""
        return self.query_one("#why", Why)

    @property
    def tools(self) -> ToolsTable:
        """The table of tools."""
        return self.query_one("#tools", ToolsTable)

    @property
    def files(self) -> FilesTable:
        """The table of files."""
        return self.query_one("#files", FilesTable)

    @property
    def window(self) -> WindowView:
        """The map of the window."""
        return self.query_one("#window", WindowView)

    @property
    def request(self) -> RequestView:
        """The wire view."""
        return self.query_one("#request", RequestView)

    @property
    def changes(self) -> ChangesView:
        """The reloads."""
        return self.query_one("#changes", ChangesView)

    @property
    def tabs(self) -> TabBar:
        """The tabs."""
        return self.query_one("#tabs", TabBar)

    @property
    def search_bar(self) -> SearchBar:
        """The line to search in."""
        return self.query_one("#search", SearchBar)

    @property
    def page(self) -> Widget:
        """The page of the active tab."""
        return self.query_one(f"#{self.tabs.active}")

    # --- tabs and drawers ----------------------------------------------------------------------------------------

    def show_page(self, name: str) -> None:
        """Show a tab's page and give it the keys."""
        self.query_one("#pages", ContentSwitcher).current = name
        self.tabs.active = name
        self.close_drawers()
        self.set_focus(self.page)  # at once: the next key is meant for it

    def open_drawer(self, name: str) -> None:
        """To the column, which is a drawer where there is no room for it; open already and in use, close it."""
        column: Widget = self.controls.switches if name == "controls" else self.why
        if column.has_focus:
            self.close_drawers()
            self.page.focus()
            return
        self.set_class(name == "controls", "-controls-open")
        self.set_class(name == "why", "-why-open")
        # The column is laid out only now: focus works on what is displayed.
        self.call_after_refresh(column.focus)

    def close_drawers(self) -> None:
        """Close the drawers; columns that have room stay."""
        self.remove_class("-controls-open", "-why-open")

    @property
    def drawer_open(self) -> bool:
        """Whether a drawer lies over the page."""
        return self.has_class("-controls-open") or self.has_class("-why-open")

    def note(self, words: str, *, error: bool = False) -> None:
        """Say what was just done, at the bottom."""
        bar = self.query_one("#status", StatusBar)
        bar.tone = "error" if error else "dim"
        bar.note = words

    def show_error(self, words: str) -> None:
        """Say under the bars why the scenario cannot be assembled; no words, no line."""
        line = self.query_one("#error", Static)
        line.update(visible(words))
        line.set_class(bool(words), "-shown")
