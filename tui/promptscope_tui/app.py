"""The app: one session on one screen, its themes, its palette, and the watcher that tells it of saved files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from textual.app import App
from textual.command import DiscoveryHit, Hit, Hits, Provider

from promptscope_engine.inputs.scenario import Scenario

from .actions.table import ACTIONS
from .screens.main import MainScreen
from .screens.report import Report
from .screens.transcripts import open_recording
from .session.session import Clock, Session
from .session.snapshot import Snapshot
from .session.watch import Status, WatcherFactory, Watching, live_watcher
from .themes import DARK, DEFAULTS, THEMES
from .widgets.messages import Updated, Watched


class Commands(Provider):
    """The palette: every action of the table as `noun: Verb`, with its key."""

    def _entries(self) -> list[tuple[str, str, Callable[[], object]]]:
        screen = self.screen
        if not isinstance(screen, MainScreen):
            return []
        actions = [action for action in ACTIONS if action.own and action.id != "palette"]
        return [
            *((a.palette, f"{a.help}  ({a.shown_keys})", partial(screen.do, a.id)) for a in actions),
            *(
                (f"Theme: {name}", "colours of the app", partial(setattr, self.app, "theme", name))
                for name in sorted(self.app.available_themes)
            ),
        ]

    async def discover(self) -> Hits:
        """Everything, before something is typed."""
        for name, words, do in self._entries():
            if not name.startswith("Theme: "):
                yield DiscoveryHit(name, do, help=words)

    async def search(self, query: str) -> Hits:
        """What fits the query."""
        matcher = self.matcher(query)
        for name, words, do in self._entries():
            if (score := matcher.match(name)) > 0:
                yield Hit(score, matcher.highlight(name), do, help=words)


class PromptscopeApp(App[None]):
    """Shows what an agent's prompt will be, and why."""

    TITLE = "promptscope"
    CSS_PATH = ["app.tcss", "screens/main.tcss"]  # noqa: RUF012 - a default screen does not load its own
    COMMANDS = {Commands}  # noqa: RUF012 - as Textual declares it
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self,
        scenario: Scenario,
        *,
        clock: Clock = datetime.now,
        watcher: WatcherFactory = live_watcher,
        cache_folder: Path | None = None,
        state_folder: Path | None = None,
        theme: str = DARK.name,
        transcript: str | None = None,
    ) -> None:
        """`transcript` is a recorded conversation to open first.

        `clock`, `watcher` and the folders are given by tests, so that two runs are the same.
        """
        super().__init__()
        self.session = Session(scenario, self._publish, cache_folder=cache_folder, clock=clock)
        self.main = MainScreen(self.session, state_folder)
        self._transcript = transcript
        self._factory = watcher
        self._watcher: Watching | None = None
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables under the themes that do not know them."""
        return DEFAULTS

    def get_default_screen(self) -> MainScreen:
        """The main screen, with the first assembly in it before the first frame."""
        self.session.open()
        return self.main

    def on_shown(self) -> None:
        """The first frame stands. Begin to count, which holds the interpreter for 100 ms at times, and to watch."""
        self.session.start()
        try:
            self._watcher = self._factory(self.session.workspace, self.session.reload, self._watched)
            self._watcher.start()
        except (ImportError, OSError) as error:
            self.main.note(f"not watching: {error}", error=True)

    def _publish(self, snapshot: Snapshot) -> None:
        """From any thread."""
        self.main.post_message(Updated(snapshot))

    def _watched(self, status: Status) -> None:
        """From the watcher's thread."""
        self.main.post_message(Watched(status))

    def on_assembled(self) -> None:
        """The files to watch may be others now; a transcript waits for the tokens; a report may lie over the screen."""
        if self._watcher is not None:
            self._watcher.update()
        if isinstance(self.screen, Report):
            self.screen.renew(self.session.snapshot)
        assembly = self.session.snapshot.assembly
        if self._transcript and assembly and assembly.tokens.expected is not None:
            path, self._transcript = self._transcript, None
            open_recording(self.main, path)

    def on_unmount(self) -> None:
        """Stop the threads."""
        if self._watcher is not None:
            self._watcher.stop()
        self.session.close()
