"""Somebody at the app: keys and clicks in, text out.

    async with running(roo_shop_at(tmp_path)) as user:
        await user.files.row("CLAUDE.md").press("enter")
        user.prompt.shows("Use tabs.")

Each step waits until the app has nothing left to do, so that a test says what a person does and what they see.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TypedDict, Unpack
from unittest.mock import patch

from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace
from promptscope_tui.app import Opening, Outside, PromptscopeApp
from promptscope_tui.failures import Failure
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.settings.memory import Memory
from promptscope_tui.settings.settings import FoundSettings
from promptscope_tui.text.spans import Row
from promptscope_tui.watching.status import WatchStatus
from promptscope_tui.watching.watcher import OnChange, OnStatus
from promptscope_tui.widgets.messages import Updated
from promptscope_tui.widgets.row_list import RowList

PATIENCE = 60.0
"""Seconds after which what did not come is a failure."""

NOON = datetime(2026, 3, 2, 12, 0, 0)
LIVE = WatchStatus("live", files=14, places=24)

TABS = {
    name: str(number)
    for number, name in enumerate(("overview", "prompt", "tools", "files", "window", "request", "changes", "after"))
}
"""The keys that open the pages."""


class FakeWatcher:
    """A watcher that a test drives."""

    def __init__(self, workspace: Workspace, on_change: OnChange, on_status: OnStatus) -> None:
        self.workspace, self.on_change, self.on_status = workspace, on_change, on_status
        self.updates = 0
        self.stopped = False

    def start(self) -> None:
        self.on_status(LIVE)

    def update(self) -> None:
        self.updates += 1

    def stop(self) -> None:
        self.stopped = True


class View:
    """A part of the screen, as far as somebody sees it."""

    def __init__(self, user: User, widget: Widget, tab: str | None = None) -> None:
        self.user, self.widget, self.tab = user, widget, tab

    @property
    def text(self) -> str:
        """All its lines, those that are scrolled away too."""
        plain = getattr(self.widget, "plain", None)
        return plain if isinstance(plain, str) else str(self.widget.render())

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def shows(self, *texts: str) -> None:
        """Fail unless each text is there."""
        missing = [text for text in texts if text not in self.text]
        assert not missing, f"{self} does not show {missing}:\n{self.text}"

    def hides(self, *texts: str) -> None:
        """Fail if one of the texts is there."""
        there = [text for text in texts if text in self.text]
        assert not there, f"{self} shows {there}:\n{self.text}"

    @property
    def has_focus(self) -> bool:
        return self.widget.has_focus

    @property
    def is_visible(self) -> bool:
        return self.widget.region.width > 0 and self.widget.display

    def row(self, text: str) -> RowOf:
        """The first row that holds the text and can be chosen."""
        return RowOf(self, text)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a list."""
        assert isinstance(self.widget, RowList)
        return self.widget.rows

    @property
    def key(self) -> Hashable | None:
        """What the highlighted row of a list is about."""
        assert isinstance(self.widget, RowList)
        return self.widget.key

    async def press(self, *keys: str) -> None:
        """Press keys with the focus in the view: its page is opened, or the view is focused."""
        if self.tab and self.user.tab != self.tab:
            await self.user.press(TABS[self.tab])
        elif not self.widget.has_focus:
            self.widget.focus()
        await self.user.press(*keys)

    async def click(self, text: str) -> None:
        """Click on the first line with the text, at its first character."""
        number, line = next((n, line) for n, line in enumerate(self.lines) if text in line)
        await self.user.click(self.widget, offset=(line.index(text), number - round(self.widget.scroll_y)))

    def __str__(self) -> str:
        return self.widget.id or type(self.widget).__name__


class RowOf:
    """A row of a view, named by a text that it holds."""

    def __init__(self, view: View, text: str) -> None:
        self.view, self.text = view, text

    @property
    def key(self) -> Hashable:
        """What the row is about."""
        found = [row for row in self.view.rows if row.key is not None and self.text in _plain(row)]
        assert found, f"no row of {self.view} with {self.text!r}:\n{self.view.text}"
        return found[0].key

    async def press(self, *keys: str) -> None:
        """Go to the row and press keys there."""
        await self.view.press()
        assert isinstance(self.view.widget, RowList)
        self.view.widget.go_to(self.key)
        await self.view.user.press(*keys)

    async def click(self) -> None:
        """Click on the row."""
        await self.press()
        await self.view.click(self.text)


class User:
    """Presses keys and clicks, and waits after each until the app rests."""

    def __init__(
        self, app: PromptscopeApp, pilot: Pilot[None], updated: asyncio.Event, made: list[FakeWatcher]
    ) -> None:
        self.app, self.pilot, self._updated, self._watchers = app, pilot, updated, made

    # --- doing --------------------------------------------------------------------------------------------------

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, words: str, *keys: str) -> None:
        """Type words, and press keys behind them."""
        await self.press(*words, *keys)

    async def command(self, words: str, *keys: str) -> None:
        """Run a command from the palette, and press keys there."""
        await self.press("ctrl+p", *words, "enter")
        await self.press(*keys)

    async def click(self, widget: Widget | str | None = None, offset: tuple[int, int] = (0, 0), times: int = 1) -> None:
        """Click on a widget, at a place within it."""
        await self.pilot.click(widget, offset=offset, times=times)
        await self.settle()

    async def hover(self, widget: Widget | str, offset: tuple[int, int] = (0, 0)) -> None:
        """Move the mouse over a widget, to a place within it."""
        await self.pilot.hover(widget, offset=offset)
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    async def save(self, path: Path, text: str) -> Snapshot:
        """Save a file, of which the watcher tells the app."""
        path.write_text(text, encoding="utf-8")
        self.watcher.on_change(frozenset({str(path)}))
        return await self.settle()

    # --- waiting ------------------------------------------------------------------------------------------------

    async def pause(self) -> None:
        """Let the app take what waits for it, and no more."""
        await self.pilot.pause()

    async def settle(self) -> Snapshot:
        """Wait until the session has nothing left to find out and the screen shows it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while not self._is_settled:
                    await self._updated.wait()
                    self._updated.clear()
                    await self.pilot.pause()
                await self.pilot.pause()  # drawing may have asked for more
                if self._is_settled:
                    return self.session.snapshot

    async def settle_all(self) -> None:
        """Wait until the threads of the screens have finished as well, and what they found is shown."""
        await self.app.workers.wait_for_complete()
        await self.settle()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Let the app go on until something holds; fails if it takes too long."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.pilot.pause()

    @property
    def _is_settled(self) -> bool:
        session = self.session
        if not self.app.is_running:
            return True
        return not session.snapshot.busy and not session.details_due and self.app.main.snapshot is session.snapshot

    # --- seeing -------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def assembly(self) -> Assembly:
        """What is shown."""
        assembly = self.session.snapshot.assembly
        assert assembly is not None
        return assembly

    @property
    def scenario(self) -> Scenario:
        return self.session.snapshot.scenario

    @property
    def watcher(self) -> FakeWatcher:
        """The watcher that the app made last."""
        return self._watchers[-1]

    def picture(self) -> str:
        """The whole screen, as SVG."""
        return self.app.export_screenshot()

    @property
    def tab(self) -> str:
        """The name of the page that is open."""
        return self.app.main.tabs.active

    @property
    def note(self) -> str:
        """What the status line says."""
        return self.app.main.status.note

    def view(self, selector: str) -> View:
        """What a selector finds on the screen in front."""
        return View(self, self.app.screen.query_one(selector))

    @property
    def overview(self) -> View:
        return View(self, self.app.main.pages.overview, "overview")

    @property
    def prompt(self) -> View:
        return View(self, self.app.main.prompt, "prompt")

    @property
    def tools(self) -> View:
        return View(self, self.app.main.pages.tools, "tools")

    @property
    def files(self) -> View:
        return View(self, self.app.main.pages.files, "files")

    @property
    def window(self) -> View:
        return View(self, self.app.main.pages.window, "window")

    @property
    def after(self) -> View:
        return View(self, self.app.main.pages.after, "after")

    @property
    def request(self) -> View:
        return View(self, self.app.main.pages.request, "request")

    @property
    def changes(self) -> View:
        return View(self, self.app.main.pages.changes, "changes")

    @property
    def why(self) -> View:
        return View(self, self.app.main.why)

    @property
    def controls(self) -> View:
        return View(self, self.app.main.controls.switches)

    @property
    def header(self) -> View:
        return View(self, self.app.main.header)


def _plain(row: Row) -> str:
    return "".join(span.text for span in (*row.left, *row.right))


class Start(TypedDict, total=False):
    """How the app is started. `agents`: with what the other agents read; `effects`: with what switches do.

    Without a `page` it opens on the prompt; None: where the folder was left.
    With `fails` it is the test's business that the app meets errors of its own; else they are the test's end.
    """

    cache: Path
    transcript: str
    page: str | None
    settings: FoundSettings
    memory: Memory
    agents: bool
    effects: bool
    fails: bool


@asynccontextmanager
async def running(
    scenario: Scenario,
    size: tuple[int, int] = (160, 45),
    theme: str = "promptscope-dark",
    **start: Unpack[Start],
) -> AsyncIterator[User]:
    """Somebody at the app, which runs without a terminal and has found out everything that it was started for."""
    agents, effects = start.get("agents"), start.get("effects")
    folder = Path(scenario.workspace).parent
    watchers: list[FakeWatcher] = []

    def watcher(workspace: Workspace, on_change: OnChange, on_status: OnStatus) -> FakeWatcher:
        watchers.append(FakeWatcher(workspace, on_change, on_status))
        return watchers[-1]

    app = PromptscopeApp(
        scenario,
        start.get("settings", FoundSettings()),
        start.get("memory"),
        Opening(theme=theme, page=start.get("page", "prompt"), transcript=start.get("transcript")),
        Outside(lambda: NOON, watcher, start.get("cache", folder / "cache"), folder / "state"),
    )
    updated = asyncio.Event()

    errors: list[BaseException] = []
    keep = app.failures.add

    def add(error: BaseException, about: Sequence[str]) -> Failure:
        errors.append(error)
        return keep(error, about)

    def note(message: Message) -> None:
        if isinstance(message, Updated):
            updated.set()

    with ExitStack() as patched:
        if not (agents or effects):
            patched.enter_context(patch("promptscope_tui.session.findings.agents_for", lambda _: ()))
        elif not agents:
            patched.enter_context(patch("promptscope_tui.session.findings.agent_tokens", lambda *_: None))
        patched.enter_context(patch.object(app.failures, "add", add))
        for words in (
            "views.bars.top.SECONDS",
            "screens.drawing.NOTE_SECONDS",
        ):  # a busy machine is slower than a reader
            patched.enter_context(patch(f"promptscope_tui.{words}", 3600.0))
        if not effects:
            patched.enter_context(patch("promptscope_tui.session.findings.each_effect", lambda *_, **__: iter(())))
        async with app.run_test(size=size, message_hook=note) as pilot:
            user = User(app, pilot, updated, watchers)
            await user.settle()
            yield user
        if errors and not start.get("fails"):
            raise errors[0]
