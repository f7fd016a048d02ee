"""The sample shop, copied where a test may change it, and the app on it with everything frozen."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from unittest.mock import patch
from weakref import WeakKeyDictionary

from textual.message import Message
from textual.pilot import Pilot

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace import Workspace
from promptscope_tui.app import PromptscopeApp
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.watcher import OnChange, OnStatus, WatchStatus
from promptscope_tui.settings.memory import Memory
from promptscope_tui.settings.settings import FoundSettings
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.messages import Updated

SAMPLES = Path(__file__).parents[2] / "samples"
_KEYS = {
    " ": "space",
    "@": "at",
    "/": "slash",
    ".": "full_stop",
    ",": "comma",
    "-": "minus",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
}
PATIENCE = 60.0
"""Seconds after which what did not come is a failure."""

NOON = datetime(2026, 3, 2, 12, 0, 0)

ENVIRONMENT = {
    "os_name": "Linux 6.1",
    "os_type": "Linux",
    "os_version": "6.1.0",
    "platform": "linux",
    "arch": "x64",
    "shell": "/bin/bash",
    "hostname": "shop-1",
    "timezone": "Europe/Vienna",
    "date": "2026-03-02T12:00:00Z",
    "username": "ada",
    "language": "en",
}


def roo_shop_at(folder: Path) -> Scenario:
    """A scenario on a copy of the sample shop and its home below `folder`."""
    for name in ("shop", "home"):
        shutil.copytree(SAMPLES / name, folder / name)
    return scenario_of(folder)


def scenario_of(folder: Path, **more: object) -> Scenario:
    """The frozen scenario on the shop below `folder`."""
    values = {
        "agent": "roo",
        "workspace": str(folder / "shop"),
        "home": str(folder / "home"),
        "mode": "code",
        "model": "claude-sonnet-4-5",
        "environment": ENVIRONMENT,
        "env": {},
        **more,
    }
    return Scenario.model_validate(values)


def inputs_of(folder: Path) -> AgentInputs:
    """Roo's inputs under the scenario."""
    return AgentInputs.of(load_agent("roo"), scenario_of(folder))


LIVE = WatchStatus("live", files=14, places=24)


class FakeWatcher:
    """A watcher that a test drives."""

    made: list[FakeWatcher] = []  # noqa: RUF012 - the tests look up what the app made

    def __init__(self, workspace: Workspace, on_change: OnChange, on_status: OnStatus) -> None:
        self.workspace, self.on_change, self.on_status = workspace, on_change, on_status
        self.updates = 0
        self.stopped = False
        FakeWatcher.made.append(self)

    def start(self) -> None:
        self.on_status(LIVE)

    def update(self) -> None:
        self.updates += 1

    def stop(self) -> None:
        self.stopped = True

    def save(self, path: Path, text: str) -> None:
        """Save a file, and tell of it."""
        path.write_text(text, encoding="utf-8")
        self.on_change(frozenset({str(path)}))


_UPDATES: WeakKeyDictionary[PromptscopeApp, asyncio.Event] = WeakKeyDictionary()
"""Set when the session of an app told its screen something."""


@asynccontextmanager
async def running(
    scenario: Scenario,
    size: tuple[int, int] = (160, 45),
    theme: str = "promptscope-dark",
    cache: Path | None = None,
    transcript: str | None = None,
    *,
    settings: FoundSettings = FoundSettings(),  # noqa: B008 - frozen
    memory: Memory | None = None,
    agents: bool = False,
    effects: bool = False,
) -> AsyncIterator[tuple[PromptscopeApp, Pilot[None]]]:
    """The app, run without a terminal, when it has worked everything out: the effects of switches, how many tokens the
    other agents take, what they read (with either of these two) and every frame only if wanted."""
    folder = Path(scenario.workspace).parent
    app = PromptscopeApp(
        scenario,
        clock=lambda: NOON,
        watcher=FakeWatcher,
        cache_folder=cache or folder / "cache",
        state_folder=folder / "state",
        theme=theme,
        settings=settings,
        memory=memory,
        transcript=transcript,
    )
    update = _UPDATES[app] = asyncio.Event()

    def told(message: Message) -> None:
        if isinstance(message, Updated):
            update.set()

    with ExitStack() as patched:
        if not (agents or effects):
            patched.enter_context(patch("promptscope_tui.session.findings.agents_for", lambda _: ()))
        elif not agents:
            patched.enter_context(patch("promptscope_tui.session.findings.agent_tokens", lambda *_: None))
        if not effects:
            patched.enter_context(patch("promptscope_tui.session.findings.each_effect", lambda *_: iter(())))
        async with app.run_test(size=size, message_hook=told) as pilot:
            await settled(app, pilot)
            yield app, pilot


async def settled(app: PromptscopeApp, pilot: Pilot[None]) -> Snapshot:
    """Wait until the worker has nothing left to find out and the screen shows it; fails if it takes too long."""
    async with asyncio.timeout(PATIENCE):
        while True:
            while not _is_settled(app):
                await _UPDATES[app].wait()
                _UPDATES[app].clear()
                await pilot.pause()
            await pilot.pause()  # drawing may have asked for more
            if _is_settled(app):
                return app.session.snapshot


def _is_settled(app: PromptscopeApp) -> bool:
    session = app.session
    return not session.snapshot.busy and not session.details_due and app.main.snapshot is session.snapshot


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Let the app go on until something holds; fails if it takes too long."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await pilot.pause()


async def computed(app: PromptscopeApp, pilot: Pilot[None]) -> None:
    """Wait until the threads of the screens have finished, and what they found is shown."""
    await app.workers.wait_for_complete()
    await settled(app, pilot)


def draft(words: str) -> list[str]:
    """The keys that type the words."""
    return [_KEYS.get(char, char) for char in words]


def texts(rows: list[Row]) -> list[str]:
    """The rows as plain lines, left and right parts with a gap."""
    return ["".join(s.text for s in r.left) + "  " + "".join(s.text for s in r.right) for r in rows]


def watcher() -> FakeWatcher:
    """The watcher that the app made last."""
    return FakeWatcher.made[-1]
