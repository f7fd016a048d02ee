"""Nothing that somebody does ends the app, makes it fail, or changes anything that is not its own.

A few seeds are part of the suite. Others are asked for: PROMPTSCOPE_SEEDS=1-50 PROMPTSCOPE_EVENTS=1000 runs these
instead, each with so many events, and PROMPTSCOPE_REPOSITORY=FOLDER on a copy of another repository. What fails is
printed as a shorter list of events, and PROMPTSCOPE_REPLAY=FILE plays such a list, which is JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from textual._xterm_parser import XTermParser
from textual.drivers.headless_driver import HeadlessDriver
from textual.events import Resize
from textual.geometry import Size

from promptscope_engine.agents.kit.text.sources import laid_over
from promptscope_engine.agents.registry import built_in_ids
from promptscope_engine.inputs.scenario import Environment, Scenario

from .support.anything import Event, Place, events, fingerprint, guarded, sent, shortened
from .support.roo_shop import ENVIRONMENT
from .support.terminal import Terminal
from .support.user import LIVE, User, running

pytestmark = pytest.mark.slow

ASKED = os.environ.get("PROMPTSCOPE_SEEDS", "")
COUNT = int(os.environ.get("PROMPTSCOPE_EVENTS", "30"))
REPOSITORY = os.environ.get("PROMPTSCOPE_REPOSITORY")
REPLAY = os.environ.get("PROMPTSCOPE_REPLAY")
SIZE = 120, 40
ROOT = Path(__file__).parents[2]
PATIENCE = 60
"""Seconds after which an app that does not answer is a failure."""


def seeds(usual: Sequence[int]) -> list[int]:
    """Those that are asked for: `3,7-9`."""
    parts = [part.partition("-") for part in ASKED.split(",") if part]
    return [n for first, _, last in parts for n in range(int(first), int(last or first) + 1)] or [*usual]


def agent_of(seed: int) -> str:
    """The one that is shown first: seven seeds in a row begin with seven agents."""
    ids = built_in_ids()
    return ids[seed % len(ids)]


class Player:
    """Does what events say to an app in this process, as a terminal would."""

    def __init__(self, place: Place, user: User) -> None:
        self.place, self.user, self.size = place, user, SIZE
        self._parser = XTermParser()

    async def do(self, event: Event) -> None:
        """Do it, and wait until all that is shown has taken its messages."""
        app, driver = self.user.app, self.user.app._driver
        assert isinstance(driver, HeadlessDriver)
        if event[0] == "size":
            self.size = event[1], event[2]
            driver._size = Size(*self.size)
            app.post_message(Resize(driver._size, driver._size))
        elif event[0] in ("save", "delete", "restore"):
            self.place.change(event)
            if changed := self.user.session.workspace.changed(self.user.session.workspace.asked):
                self.user.watcher.on_change(changed)
        elif event[0] == "rest":
            await self.user.settle()
        for keys in sent(event, self.size):
            for message in self._parser.feed(keys):
                driver.process_message(message)
            await asyncio.sleep(0)
        await self.user.pilot._wait_for_screen(PATIENCE)


async def play(place: Place, agent: str, played: Sequence[Event], off: list[bool]) -> str:
    """Play events; what failed, "" if nothing did."""
    scenario = Scenario(
        agent=agent,
        workspace=str(place.repository),
        home=str(place.home),
        managed=str(place.folder / "managed"),
        environment=Environment(**ENVIRONMENT),
    )
    async with running(scenario, SIZE, fails=True, agents=bool(ASKED), effects=bool(ASKED)) as user:
        player = Player(place, user)
        for event in played:
            off[0] = event[0] in ("save", "delete", "restore")
            await player.do(event)
            off[0] = False
            if user.app.failures.all:
                return f"{user.app.failures.all[0].kind} in {user.app.failures.all[0].place}"
            if not user.app.is_running:
                return "it ended"
        await player.do(["keys", "escape", "escape", "escape", "escape"])
        user.watcher.on_status(LIVE)
        await user.settle()
    return ""


def outcome(folder: Path, agent: str, played: Sequence[Event]) -> str:
    """The same in a place of its own, with what was changed outside of it."""
    folder.mkdir(parents=True)
    place = Place(folder, Path(REPOSITORY) if REPOSITORY else None)
    before = Path.cwd()
    with patch.dict(os.environ, place.env, clear=True), patch.object(tempfile, "tempdir", str(folder / "tmp")):
        os.chdir(folder / "tmp")
        try:
            with laid_over(), guarded(place) as guard:
                try:
                    return asyncio.run(play(place, agent, played, guard.off)) or ", ".join(guard.found[:3])
                except (TimeoutError, Exception) as error:
                    return f"{type(error).__name__}: {error}"
        finally:
            os.chdir(before)


_PROGRAM = """
import atexit, sys
from pathlib import Path
sys.path.insert(0, sys.argv.pop(1))
from tests.tui.support.anything import Place, guarded
place = Place.at(Path(sys.argv.pop(1)))
guard = guarded(place).__enter__()
atexit.register(lambda: (place.folder / "outside").write_text("\\n".join(guard.found)))
from promptscope_tui.session import findings
findings.each_effect = lambda *_, **__: iter(())
findings.agents_for = lambda _: ()
from promptscope_tui.__main__ import run
sys.argv[0] = "promptscope"
run()
"""


def outcome_in_a_terminal(folder: Path, agent: str, played: Sequence[Event]) -> str:
    """The same in a terminal, which sends what somebody types as bytes and is drawn on."""
    folder.mkdir(parents=True)
    place = Place(folder, Path(REPOSITORY) if REPOSITORY else None)
    program = [sys.executable, "-c", _PROGRAM, str(ROOT), str(folder), "--agent", agent]
    shown = Terminal([], place.repository, SIZE, program=program, env={**place.env, "VISUAL": "vim"})
    size = SIZE
    try:
        shown.until(lambda: "live" in shown.text)
        for event in played:
            if event[0] == "size":
                size = event[1], event[2]
                shown.resize(*size)
            place.change(event)
            shown.send("".join(sent(event, size)))
            shown.until_quiet(0.3 if event[0] == "rest" else 0.03)
        shown.resize(*SIZE)
        for keys in ("\x1b[27u" * 5, "q"):
            shown.until_quiet(0.3)
            shown.send(keys)
        code = shown.finish()
    finally:
        shown.close()
    reports = sorted((folder / "state" / "errors").glob("*.txt"))
    failed = reports[0].read_text("utf-8").rstrip("\n").splitlines()[-1] if reports else ""
    return failed or (f"it ended with {code}" if code else (folder / "outside").read_text("utf-8"))


Outcome = Callable[[Path, str, Sequence[Event]], str]


def complain(what: str, agent: str, played: Sequence[Event], folder: Path, again: Outcome) -> None:
    """Fail with the shortest list of events that could be found."""
    attempts = count(1)

    def fails(fewer: Sequence[Event]) -> bool:
        return again(folder / f"attempt{next(attempts)}", agent, fewer) == what

    short = shortened(played, fails)
    listed = json.dumps([agent, short], ensure_ascii=False)
    pytest.fail(f"{what}\n\n{agent}, {len(short)} of {len(played)} events:\n{listed}")


def does_no_harm(seed: int, folder: Path, play_them: Outcome) -> None:
    agent, played = agent_of(seed), events(seed, COUNT)
    before = fingerprint()
    if what := play_them(folder / "first", agent, played):
        complain(what, agent, played, folder, play_them)
    assert fingerprint() == before


@pytest.mark.parametrize("seed", seeds(range(7)))
def test_anything_in_this_process(seed: int, tmp_path: Path) -> None:
    does_no_harm(seed, tmp_path, outcome)


@pytest.mark.parametrize("seed", seeds([7]))
def test_anything_in_a_terminal(seed: int, tmp_path: Path) -> None:
    does_no_harm(seed, tmp_path, outcome_in_a_terminal)


@pytest.mark.skipif(not REPLAY, reason="plays the events of a file")
def test_these_events(tmp_path: Path) -> None:
    agent, played = json.loads(Path(str(REPLAY)).read_text("utf-8"))
    assert outcome(tmp_path / "again", agent, played) == ""
