"""The app: a session, its screen, the themes, the palette, and the watcher that reports saved files."""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePath
from typing import ClassVar

from msgspec import Struct
from textual import constants, events
from textual.driver import Driver
from textual.widgets import Input, TextArea

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.actions.bindings import bindings, with_keys
from promptscope_tui.screens.failed import FailedScreen
from promptscope_tui.screens.main import MainScreen
from promptscope_tui.session.saving import save_screenshot
from promptscope_tui.session.session import Clock, Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.settings.memory import Memory
from promptscope_tui.settings.settings import FoundSettings
from promptscope_tui.text.words import home_short
from promptscope_tui.views.bars.top import TABS
from promptscope_tui.views.help import PANES, Help, explained
from promptscope_tui.views.welcome import needs_welcome
from promptscope_tui.widgets.messages import KeysTaken, TabShown, Updated, Watched, WhyShown

from .failures import Failure, Failures
from .key_order import KeyOrder, Typed
from .output import last_frame
from .resilient import ResilientApp
from .settings import paths
from .themes import ANSI, DARK, DEFAULTS, LIGHT, THEMES
from .watching.status import WatchStatus
from .watching.watcher import Watcher, WatcherFactory

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals on which the terminal is given back before the process ends. Windows has no SIGHUP."""


_TURN = 0.0005
"""Seconds for which a thread keeps the interpreter while another one waits for it: Python's own 5 ms are seen."""

_THEMES = {"dark": DARK.name, "light": LIGHT.name, "ansi": ANSI.name}
"""The themes as the settings call them."""

_BY_HAND = (events.Key, events.Paste, events.MouseDown, events.MouseScrollDown, events.MouseScrollUp)


def _driver(taking_over: bool) -> type[Driver] | None:
    """The driver for a terminal; None for Textual's own choice: on Windows, and where the environment names one."""
    if sys.platform == "win32" or constants.DRIVER is not None:
        return None
    from .driver import TerminalDriver  # needs termios, which Windows doesn't have

    return last_frame.taking_over(TerminalDriver) if taking_over else TerminalDriver


class Opening(Struct, frozen=True):
    """How the app begins."""

    theme: str = DARK.name
    """The theme where neither the settings nor the memory name one."""
    page: str | None = None
    """The page to show first, whatever is remembered."""
    transcript: str | None = None
    """A file to open first."""
    captured: str | None = None
    """A capture to open first, with the differences from its prediction."""
    words: Sequence[str] | None = None
    """The command line: the first complete frame is kept for the next start with it (see output/last_frame.py)."""
    taking_over: bool = False
    """Whether the terminal shows such a frame, which stays until the first frame is drawn."""


class Outside(Struct, frozen=True):
    """What differs from run to run; tests have their own."""

    clock: Clock = datetime.now
    watcher: WatcherFactory = Watcher
    cache_folder: Path | None = None
    state_folder: Path | None = None


_NO_SETTINGS, _OPENING, _OUTSIDE = FoundSettings(), Opening(), Outside()


class PromptscopeApp(ResilientApp):
    """Shows what an agent's prompt will be, and why."""

    TITLE = "promptscope"
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        "app.tcss",
        "screens/main.tcss",
    ]  # a default screen does not load its own
    ENABLE_COMMAND_PALETTE = False  # Textual's own; this one finds more
    BINDINGS = bindings("app")

    def __init__(
        self,
        scenario: Scenario,
        settings: FoundSettings = _NO_SETTINGS,
        memory: Memory | None = None,
        opening: Opening = _OPENING,
        outside: Outside = _OUTSIDE,
    ) -> None:
        """`memory` is what is remembered between starts, None for nothing."""
        # Without colours the terminal keeps its own two, where Textual would turn ours into shades of grey.
        super().__init__(_driver(opening.taking_over), ansi_color=True if "NO_COLOR" in os.environ else None)
        self._outside = outside
        self.settings, self._problems = settings.settings, settings.problems
        self.memory = memory
        self.failures = Failures(self.state_folder, outside.clock)
        self.actions = with_keys(self.settings.keymap)
        """The table of actions, with the user's own keys."""
        self.set_keymap(self.settings.keymap)
        self.session = Session(scenario, self._publish, cache_folder=outside.cache_folder, clock=outside.clock)
        self.session.report = self.report
        self.main = self._main(opening.page or self._page_of(self._workspace))
        self._transcript, self._captured = opening.transcript, opening.captured
        self._words = None if opening.transcript or opening.captured else opening.words
        self._looks = self._words is not None
        """Whether the clients of this machine are still to be looked for."""
        self._watcher: Watcher | None = None
        self._status: WatchStatus | None = None
        self._is_started = False
        self._folder = ""  # the one that was remembered last
        self._keys = KeyOrder(self, self._send)
        for each in THEMES:
            self.register_theme(each)
        self.theme = self._first_theme(opening.theme)

    def _first_theme(self, otherwise: str) -> str:
        """The theme of the settings, else the last one if there still is such a theme.

        Where colours are few or unwanted it is the terminal's own.
        """
        chosen = _THEMES.get(self.settings.theme)
        if chosen is None and (self.no_color or self.console.color_system == "standard"):
            return ANSI.name
        last = self.memory.look.theme if self.memory else None
        return chosen or (last if last in self.available_themes else None) or otherwise

    @property
    def _workspace(self) -> str:
        """The folder that is shown, as it is remembered."""
        return absolute(self.session.placed.workspace)

    def _page_of(self, folder: str) -> str:
        """The page of the settings, else the one on which the folder was left; the overview the first time."""
        left = self.memory.look.pages.get(folder) if self.memory else None
        chosen = left if self.settings.tab == "last" else self.settings.tab
        return chosen if chosen in TABS else TABS[0]

    def _main(self, page: str) -> MainScreen:
        remembered = (self.memory.folders, self.memory.look) if self.memory else ()
        return MainScreen(self.session, self.state_folder, page, *remembered)

    def _remember(self, **look: str | bool) -> None:
        if self.memory:
            self.memory.keep(**look)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables for themes that lack them."""
        return DEFAULTS

    def on_load(self) -> None:
        """Have whatever ends the process give the terminal back, which is taken over after this."""
        # A key is carried out in several steps of the event loop; before each the worker may have the interpreter.
        sys.setswitchinterval(_TURN)
        for name in _ENDING:
            with suppress(AttributeError, NotImplementedError, ValueError, RuntimeError):  # not here, or no main thread
                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, self.exit, None, 128 + number)

    def on_mount(self) -> None:
        """Draw everything again after a stop (ctrl+z): the terminal has cleared what was there."""
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh())
        self.theme_changed_signal.subscribe(self, lambda theme: self._remember(theme=theme.name))

    def on_resize(self) -> None:
        """Draw everything again even if the size is the one before: in between, the terminal may have cut lines off."""
        if self.screen_stack:
            self.screen.refresh()

    def get_default_screen(self) -> MainScreen:
        """The main screen, with the first assembly in it before the first frame."""
        self.session.open()
        return self.main

    def on_shown(self) -> None:
        """The first frame is drawn: start counting, which can hold the interpreter for 100 ms, and watching."""
        if self.memory:
            self.memory.keep(hinted=True)
        if self._is_started:
            return
        self._is_started = True
        gc.freeze()  # modules and styles, which all stay
        gc.set_threshold(100_000, 20, 50)  # the app goes on for hours: rather often and short than rarely and long
        self.session.start()
        if self._problems:
            more = f" (and {len(self._problems) - 1} more)" if len(self._problems) > 1 else ""
            self.main.note(home_short(self._problems[0]) + more, error=True)
        try:
            self._watcher = self._outside.watcher(self.session.workspace, self.session.reload, self._watched)
            self._watcher.start()
        except (ImportError, OSError) as error:
            self.main.note(f"not watching: {error}", error=True)

    def _publish(self, snapshot: Snapshot) -> None:
        """From any thread."""
        self.main.post_message(Updated(snapshot))

    def on_tab_shown(self, event: TabShown) -> None:
        """The user went to a tab."""
        if self.memory:
            self.memory.left_at(self._workspace, event.tab)

    def on_why_shown(self, event: WhyShown) -> None:
        """The user opened or closed the reasons."""
        self._remember(why=event.is_open)

    def _watched(self, status: WatchStatus) -> None:
        """From the watcher's thread."""
        self._status = status
        self.main.post_message(Watched(status))

    async def on_event(self, event: events.Event) -> None:
        """What a person does comes first, and makes a frame that is not the first any more.

        After `q` it is dropped: the app would still do it while it ends.
        """
        if self.is_ending and isinstance(event, events.InputEvent | events.Paste):
            return
        if isinstance(event, _BY_HAND):
            self._words = None
            self.session.attend()
            self.used()
        if isinstance(event, Typed) and not event.is_forwarded:
            await self._keys.take(event)
        else:
            await self._send(event)

    async def _send(self, event: events.Event) -> None:
        self._see(event)
        await super().on_event(event)

    def _see(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent | events.Paste | events.Resize) and not event.is_forwarded:
            self.failures.trail.see(event, typing=isinstance(self.focused, Input | TextArea))

    async def on_keys_taken(self, message: KeysTaken) -> None:
        """A key is carried out."""
        await self._keys.taken(message.by)

    def on_settled(self) -> None:
        """Keep the first frame in which everything is found out, as the next start will show it at first.

        Then, once, look which client is installed, and whether its version is news.
        """
        words, self._words = self._words, None
        if not self.screen_stack or self.screen is not self.main:  # none is left while the app ends
            return
        if words is not None:
            self.main.confirm(False)
            last_frame.keep(words, self)
            self.main.confirm(True)
        if self._looks and self.memory:
            from promptscope_tui.screens.versions import Versions  # 4 ms: not before the first frame

            self._looks = False
            self.main.versions = Versions(self.main, self.memory)
            self.main.versions.show_snapshot(self.main.snapshot)

    def on_assembled(self) -> None:
        """Watch the files that are read now; open the transcript once there are counts; update the screen above."""
        if self._watcher is not None:
            self._watcher.update()
        if self.screen_stack and (renew := getattr(self.screen, "renew", None)):  # a screen that follows the prompt
            self.screen.call_later(renew, self.session.snapshot)  # it may not be laid out yet
        assembly = self.session.snapshot.assembly
        if self.memory and assembly and self._folder != assembly.workspace:
            if self._folder:  # another folder: as it was left
                page = "prompt" if needs_welcome(self.session.snapshot) else self._page_of(self._workspace)
                self.main.show_tab(page)
            self._folder = assembly.workspace
            self.memory.opened(self._folder)
        if self._transcript and assembly and assembly.tokens.expected is not None:
            path, self._transcript = self._transcript, None
            self.main.recordings.open_transcript(path)
        if self._captured and assembly and assembly.tokens.expected is not None:
            path, self._captured = self._captured, None
            self.main.captures.open(path, differences=True)

    # --- after a failure -------------------------------------------------------------------------------------------

    def build_view(self, tab: str = "") -> MainScreen:
        """The main screen, as at the start."""
        self._looks = self._looks or self.main.versions is not None
        self.main = self._main(tab or self.main.pages.active)
        if self._status is not None:
            self._watched(self._status)
        return self.main

    def build_failed_view(self, failure: Failure) -> FailedScreen:
        """The page that only says what failed."""
        return FailedScreen(failure, self.main.pages.active)

    def tell(self, failure: Failure) -> None:
        """Say it at the bottom."""
        if self.main.is_attached:
            self.main.note(failure.words, error=True)

    @property
    def about_view(self) -> list[str]:
        """The page and the screens."""
        screens = ", ".join(type(screen).__name__ for screen in self.screen_stack)
        return [f"page: {self.main.pages.active}, screens: {screens}"]

    async def on_failed_screen_left(self, event: FailedScreen.Left) -> None:
        """Go on at another page, with what the user wants."""
        tab = next(tab for tab in ("files", "prompt") if tab != self.main.pages.active)
        await self.go_on(tab, lambda: self.main.call_later(self.main.action_run, event.action))

    # --- actions -------------------------------------------------------------------------------------------------

    def state_folder(self) -> Path:
        """Where pictures and scenarios are saved."""
        return self._outside.state_folder or paths.state_folder()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In a text of several lines ctrl+z undoes."""
        del parameters
        return action != "suspend_process" or not isinstance(self.focused, TextArea)

    def action_palette(self) -> None:
        """Find whatever can be done, set or gone to."""
        if isinstance(self.screen, FailedScreen):
            self.screen.post_message(FailedScreen.Left("palette"))
        elif self.screen is self.main:
            from promptscope_tui.screens.finding import (
                Finding,  # 20 ms: what reads captures; not before the first frame
            )

            Finding(self.main, self.actions).open()

    def action_screenshot(self) -> None:  # type: ignore[override]  # Textual's takes a file name
        """Save a picture of the screen."""
        try:
            saved = str(save_screenshot(self.export_screenshot(title="promptscope"), self.state_folder()))
            self.main.note(f"saved {home_short(saved)}")
        except OSError as error:
            self.main.note(f"cannot save the picture: {error.strerror}", error=True)

    def action_theme(self) -> None:
        """To the next theme."""
        names = [theme.name for theme in THEMES]
        at = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(at + 1) % len(names)]
        self.main.note(self.theme)

    def action_help(self) -> None:
        """What is under the cursor, and the keys."""
        main = self.main
        panes = (pane.id for pane in (main.focused, main.page) if pane is not None and pane.id in PANES)
        about = explained(main.explanation.of(main.focused), next(panes), main.snapshot, self.actions)
        self.push_screen(Help(main.routes.offered(self.actions), about))

    def on_unmount(self) -> None:
        """Stop the threads."""
        if self._watcher is not None:
            self._watcher.stop()
        self.session.close()
