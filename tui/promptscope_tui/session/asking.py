"""One MCP server that is asked what it offers, in a thread: what would be started, and what came of it."""

import os
from collections.abc import Callable
from threading import Event, Thread

from msgspec import Struct

from promptscope_engine.inputs.answers import AnswerError, read_answer
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.learning.servers import ServerError, ask

from . import servers

_MOMENT = 1.0
"""Seconds; to end a server takes a fifth of one."""


class Told(Struct, frozen=True):
    """How far it is. `lines` say what would be started; with `offers` it waits to be told to; `ended` is the end."""

    lines: tuple[str, ...] = ()
    offers: bool = False
    ended: str = ""
    failed: bool = False


class Asking:
    """Finds the server at once, waits for `go`, and calls `told` at every step, from its thread."""

    def __init__(self, scenario: Scenario, name: str, told: Callable[[Told], object]) -> None:
        self.name, self.told = name, Told()
        self._scenario, self._tell = scenario, told
        self._go, self._stopped = Event(), Event()
        self._thread = Thread(target=self._work, name="promptscope-asking", daemon=True)

    def start(self) -> None:
        """Find the server."""
        self._thread.start()

    def go(self) -> None:
        """Start it and ask it."""
        self._go.set()

    def stop(self) -> None:
        """Start nothing, or end what was started, and wait a moment for that.

        Not for longer: the thread may just be telling the one that waits.
        """
        self._stopped.set()
        self._go.set()
        self._thread.join(_MOMENT)

    def _say(self, told: Told) -> None:
        self.told = told
        if not self._stopped.is_set():
            self._tell(told)

    def _work(self) -> None:
        found = next((each for each in servers.configured(self._scenario) if each[1].name == self.name), None)
        if found is None or not found[1].command:
            self._say(Told(ended=servers.cannot_ask(self.name, found and found[1]), failed=True))
            return
        agent, server = found
        env = dict(os.environ if self._scenario.env is None else self._scenario.env)
        lines = tuple(servers.started_with(agent, server, env))
        self._say(Told(lines, offers=True))
        self._go.wait()
        if self._stopped.is_set():
            return
        self._say(Told(lines))
        try:
            told = read_answer(ask(server, env, stopped=self._stopped))
            answer, _ = servers.keep(self._scenario.workspace, self.name, told, "asked")
        except (ServerError, AnswerError, OSError) as error:
            words = error.strerror if isinstance(error, OSError) else error
            self._say(Told(lines, ended=f"{self.name}: {words}", failed=True))
        else:
            self._say(Told(lines, ended="; ".join((servers.summary(answer), *told.notes))))
