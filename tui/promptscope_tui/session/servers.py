"""The MCP servers of a folder: which agents have them, asking one what it offers, and what is kept of the answers."""

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from shlex import join, quote
from threading import Event, Thread
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.kit.servers import Configured
from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.answers import AnswerError, Told, read_answer
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import ServerAnswer
from promptscope_engine.workspace import Workspace
from promptscope_tui.learning.servers import ServerError, ask, environment
from promptscope_tui.settings import servers
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import home_short, many


def configured(scenario: Scenario) -> Iterator[tuple[Agent, Configured]]:
    """The servers of the scenario's agent, then those of all others that have some in this folder."""
    workspace = Workspace()
    own, _ = resolve(scenario, workspace)
    others = [agent for agent in all_agents() if agent.id != own.id]
    for agent in (own, *others):
        asked = scenario if agent is own else Scenario(
            agent=agent.id, workspace=scenario.workspace, home=scenario.home, env=scenario.env, attended=True
        )  # fmt: skip
        try:
            found, inputs = resolve(asked, workspace)
            gathered = found.gather(inputs, workspace)
        except ScenarioError:
            continue
        yield from ((agent, each) for each in gathered.configured)


def keep(workspace: str, name: str, told: Told, said: str) -> tuple[ServerAnswer, Path]:
    """Keep what was said about a server; what is left open stays as it was. Raises AnswerError, OSError."""
    before = servers.load(workspace).get(name)
    if told.tools is None and before is None:
        raise AnswerError("it has no answer to tools/list, and none is kept yet")
    answer = ServerAnswer(
        name,
        told.tools if told.tools is not None else before.tools if before else (),
        told.instructions if told.instructions is not None else before.instructions if before else None,
        said,
        datetime.now().astimezone().isoformat(timespec="seconds"),
    )
    return answer, servers.keep(workspace, answer)


def summary(answer: ServerAnswer) -> str:
    """`docs: 12 tools and instructions`."""
    more = " and instructions" if answer.instructions else ""
    return f"{answer.name}: {many(len(answer.tools), 'tool')}{more}"


def started_with(agent: Agent, server: Configured, env: dict[str, str]) -> list[str]:
    """What is started, for a person who is asked: the command, the folder, the names of variables."""
    own, passed = sorted(server.own_env), environment(replace(server, config={}, adds={}), env)
    lines = [
        f"This starts the MCP server {server.name} of {agent.name}, as {home_short(server.path)} has it:",
        f"  {join(server.command)}",
        f"  in {home_short(server.folder)}, with {many(len(passed), 'variable')} of your environment",
    ]
    lines += [f"  and with {', '.join(own)}, as its settings say"] if own else []
    return [visible(line) for line in lines]  # a line feed in an argument begins no line of its own


def cannot_ask(name: str, server: Configured | None) -> str:
    """Why a server is not asked here, and what would tell what it offers."""
    if server is None:
        return f"no agent has a server called {name} in its settings here, so what starts it is not known"
    host = urlsplit(server.url).hostname  # the rest may hold a key
    where = f" (it is at {host})" if host else ""
    return (
        f"{name} is not a program of this machine{where}, and promptscope asks no service: save what it answers to "
        f"tools/list, and `promptscope import FILE --mcp {quote(name)}`"
    )


_MOMENT = 1.0
"""Seconds; to end a server takes a fifth of one."""


class AskingStatus(Struct, frozen=True):
    """How far it is. `lines` say what would be started; with `offers` it waits to be told to; `ended` is the end."""

    lines: tuple[str, ...] = ()
    offers: bool = False
    ended: str = ""
    failed: bool = False


class Asking:
    """Finds the server at once, waits for `go`, and calls `told` at every step, from its thread."""

    def __init__(self, scenario: Scenario, name: str, told: Callable[[AskingStatus], object]) -> None:
        self.name, self.told = name, AskingStatus()
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

    def _say(self, told: AskingStatus) -> None:
        self.told = told
        if not self._stopped.is_set():
            self._tell(told)

    def _work(self) -> None:
        found = next((each for each in configured(self._scenario) if each[1].name == self.name), None)
        if found is None or not found[1].command:
            self._say(AskingStatus(ended=cannot_ask(self.name, found and found[1]), failed=True))
            return
        agent, server = found
        env = dict(os.environ if self._scenario.env is None else self._scenario.env)
        lines = tuple(started_with(agent, server, env))
        self._say(AskingStatus(lines, offers=True))
        self._go.wait()
        if self._stopped.is_set():
            return
        self._say(AskingStatus(lines))
        try:
            told = read_answer(ask(server, env, stopped=self._stopped))
            answer, _ = keep(self._scenario.workspace, self.name, told, "asked")
        except (ServerError, AnswerError, OSError) as error:
            words = error.strerror if isinstance(error, OSError) else error
            self._say(AskingStatus(lines, ended=f"{self.name}: {words}", failed=True))
        else:
            self._say(AskingStatus(lines, ended="; ".join((summary(answer), *told.notes))))
