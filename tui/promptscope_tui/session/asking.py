"""What is installed here and asked in a thread: what would be run, how far it is, what came of it."""

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir
from threading import Event, Thread
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.inputs.answers import AnswerError, read_answer
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import LearnedError, LearnedVersion
from promptscope_engine.learning.script import Script
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_tui.learning.clients import Client
from promptscope_tui.learning.learner import ClientError, Learner, Progress
from promptscope_tui.learning.offer import alone, announcement, headline, why_not_offline
from promptscope_tui.learning.servers import ServerError, ask
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import many

from . import servers
from .versions import one_before


class Status(Struct, frozen=True):
    """How far it is. `lines` say what would be run; with `offers` it waits to be told to; `ended` is the end."""

    title: str
    lines: tuple[str, ...] = ()
    offers: bool = False
    progress: tuple[Progress, ...] = ()
    ended: str = ""
    failed: bool = False

    @property
    def state(self) -> Literal["planning", "asking", "running", "ended"]:
        """What it does now."""
        if self.ended:
            return "ended"
        return "asking" if self.offers else "running" if self.lines else "planning"


class Asking:
    """Finds out at once what would be run, waits for `go`, and calls `tell` at every step, from its thread."""

    def __init__(self, title: str) -> None:
        self.told = Status(title)
        self.tell: Callable[[Status], object] | None = None
        self._go, self._stopped = Event(), Event()
        self._thread = Thread(target=self._work, name="promptscope-asking", daemon=True)

    def start(self) -> None:
        """Find out."""
        self._thread.start()

    def go(self) -> None:
        """Run it."""
        self._go.set()

    def stop(self) -> None:
        """Run no more."""
        self._stopped.set()
        self._go.set()

    def _work(self) -> None:
        raise NotImplementedError

    def _say(self, **changed: Any) -> None:
        self.told = replace(self.told, **changed)
        if tell := self.tell:
            tell(self.told)

    def _is_wanted(self, lines: Iterable[str]) -> bool:
        """Say what would be run, and wait for the answer."""
        self._say(lines=tuple(lines), offers=True)
        self._go.wait()
        self._say(offers=False)
        return not self._stopped.is_set()


class Learning(Asking):
    """Asks a client for its own words; what was learned before it is stopped is kept."""

    def __init__(self, agent: Agent, script: Script, client: Client) -> None:
        super().__init__(headline(agent, client))
        self._agent, self._script, self._client = agent, script, client

    def _work(self) -> None:
        failed = True
        try:
            with alone() as is_alone:
                failed = not is_alone
                words = self._learned() if is_alone else "another one is learned on this machine: wait for its end"
        except (ScenarioError, LearnedError) as error:
            words, failed = str(error), True
        except ClientError as error:
            words, failed = f"could not be run: {error}", True
        except OSError as error:
            words, failed = f"{error.filename or 'a folder'}: {error.strerror or error}", True
        self._say(ended=words, failed=failed)

    def _learned(self) -> str:
        """Plan, wait, run, keep; what is said at the end."""
        reason = why_not_offline(Path(gettempdir()))
        counter = Counter(tokenizer_for_model(None))
        with closing(Learner(self._agent, self._script, self._client, counter)) as learner:
            plan = learner.planned()
            if not (plan.chosen or plan.options):
                return f"nothing new: all {len(plan.texts):,} texts of {self._client.version} are known"
            if not self._is_wanted(announcement(plan, reason, str(wordings.folder()))):
                return "nothing was run"
            if not learner.is_modelled:
                learner.probe(offline=not reason)
                plan = learner.planned()
            learner.run(plan, self._ran, offline=not reason)
            if learner.has_nothing:
                return "nothing new: its --help lists no option that the model doesn't know"
            kept, known = learner.keep(plan)
        words = _summary(kept, known, len(plan.texts))
        before = one_before(self._agent, kept.agent_version, wordings.load())
        return f"{words}; K compares it with {before}" if before else words

    def _ran(self, progress: Progress) -> bool:
        self._say(progress=(*self.told.progress, progress))
        return not self._stopped.is_set()


def _summary(kept: LearnedVersion, known: int, of: int) -> str:
    more = [f"without {len(kept.ended)} parts"] if kept.ended else []
    more += [f"{len(kept.added)} new tools"] if kept.added else []
    more += [f"{many(len(kept.options), 'option')} tried"] if kept.options else []
    return ", ".join((f"{kept.agent_version}: {known:,} of {of:,} texts in its own words", *more))


_MOMENT = 1.0
"""Seconds; to end a server takes a fifth of one."""


class ServerAsking(Asking):
    """Asks an MCP server what it offers."""

    def __init__(self, scenario: Scenario, name: str) -> None:
        super().__init__(name)
        self._scenario, self._name = scenario, name

    def stop(self) -> None:
        """Start nothing, or end what was started, and wait a moment for that.

        Not for longer: the thread may just be telling the one that waits.
        """
        self.tell = None
        super().stop()
        self._thread.join(_MOMENT)

    def _work(self) -> None:
        scenario, name = self._scenario, self._name
        found = next((each for each in servers.configured(scenario) if each[1].name == name), None)
        if found is None or not found[1].command:
            self._say(ended=servers.cannot_ask(name, found and found[1]), failed=True)
            return
        agent, server = found
        env = dict(os.environ if scenario.env is None else scenario.env)
        if not self._is_wanted(servers.started_with(agent, server, env)):
            return
        try:
            told = read_answer(ask(server, env, stopped=self._stopped))
            answer, _ = servers.keep(scenario.workspace, name, told, "asked")
        except (ServerError, AnswerError, OSError) as error:
            words = error.strerror if isinstance(error, OSError) else error
            self._say(ended=f"{name}: {words}", failed=True)
        else:
            self._say(ended="; ".join((servers.summary(answer), *told.notes)))
