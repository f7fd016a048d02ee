"""One client that is asked for its own words, in a thread: what is planned, how far it is, what came of it."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir
from threading import Event, Thread
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.learned import LearnedError, LearnedVersion
from promptscope_engine.learning.script import Script
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_tui.learning.clients import Client
from promptscope_tui.learning.learner import ClientError, Learner, Progress
from promptscope_tui.learning.offer import alone, announcement, headline, why_not_offline
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import many

from .versions import one_before


class LearningStatus(Struct, frozen=True):
    """How far it is. `lines` say what will happen, before anything is run; `ended` is said at the end."""

    title: str
    lines: tuple[str, ...] = ()
    progress: tuple[Progress, ...] = ()
    ended: str = ""
    failed: bool = False


class Learning:
    """Plans at once, waits for `go`, and calls `told` at every step, from its thread."""

    def __init__(self, agent: Agent, script: Script, client: Client, told: Callable[[LearningStatus], object]) -> None:
        self._agent, self._script, self._client, self._tell = agent, script, client, told
        self._go, self._over = Event(), Event()
        self.told = LearningStatus(headline(agent, client))
        self._thread = Thread(target=self._work, name="promptscope-learning", daemon=True)

    def start(self) -> None:
        """Plan."""
        self._thread.start()

    def go(self) -> None:
        """Run what was planned."""
        self._go.set()

    def stop(self) -> None:
        """Run no more; what was learned is kept."""
        self._over.set()
        self._go.set()

    @property
    def is_asking(self) -> bool:
        """Whether it waits to be told to go."""
        return bool(self.told.lines) and not self._go.is_set() and not self.told.ended

    @property
    def is_running(self) -> bool:
        """Whether the client is run now."""
        return self._go.is_set() and not self.told.ended

    def _say(self, **changed: Any) -> None:
        self.told = replace(self.told, **changed)
        self._tell(self.told)

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
            self._say(lines=tuple(announcement(plan, reason, str(wordings.folder()))))
            self._go.wait()
            if self._over.is_set():
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
        return not self._over.is_set()


def _summary(kept: LearnedVersion, known: int, of: int) -> str:
    more = [f"without {len(kept.ended)} parts"] if kept.ended else []
    more += [f"{len(kept.added)} new tools"] if kept.added else []
    more += [f"{many(len(kept.options), 'option')} tried"] if kept.options else []
    return ", ".join((f"{kept.agent_version}: {known:,} of {of:,} texts in its own words", *more))
