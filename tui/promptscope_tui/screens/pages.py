"""The pages of the tabs."""

from operator import is_not

from textual.widget import Widget
from textual.widgets import ContentSwitcher

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.views.changes import ChangesView
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.request import RequestView
from promptscope_tui.views.tools import ToolsTable
from promptscope_tui.views.welcome import Welcome, needs_welcome
from promptscope_tui.views.window.view import WindowView

Page = ToolsTable | FilesTable | WindowView | RequestView | ChangesView | Welcome
"""Shows a snapshot, beside the prompt."""


class Pages(ContentSwitcher):
    """One page per tab, and the welcome in place of a prompt in which nothing is the user's.

    All but the prompt are mounted when they are first needed, and redrawn only when they would look different.
    """

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        self.prompt = PromptView(id="prompt")
        super().__init__(self.prompt, id=id, initial="prompt")
        self.snapshot = session.snapshot
        self.tools, self.files = ToolsTable(id="tools"), FilesTable(session, id="files")
        self.window, self.request = WindowView(id="window"), RequestView(id="request")
        self.changes, self.welcome = ChangesView(session, id="changes"), Welcome(id="welcome")
        self.active = "prompt"
        """The name of the tab in view."""
        self._by_name: dict[str, Page] = {
            str(page.id): page for page in (self.tools, self.files, self.window, self.request, self.changes)
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
        if assembly is not old or now.lazy_rules is not before.lazy_rules:
            self._draw(self.files)
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
