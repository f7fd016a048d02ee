"""The engine side of the app, without a widget: what is asked, what was answered, what changed.

A `Session` owns the scenario's history, the access to the disk and the counter. All assembling runs in its one worker
thread; results cross to the screen as a frozen `Snapshot`, each complete in itself, so that a screen may skip any but
the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.kit.text.sources import Layer, lay_also, read_layers_again
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble, own_text
from promptscope_engine.assembly.reuse import LastDrafts
from promptscope_engine.assembly.settling import as_values
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.edits import Edit
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import Lever
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_tui.settings import wordings
from promptscope_tui.settings.knowledge import knowledge_for

from .answering import Answering
from .findings import Details, Report, Tools, Update, said
from .history import History, moved, placed, switched
from .snapshot import How, Snapshot
from .versions import default_version
from .worker import ACTING, CancellableCounter, Job, Worker, no_collection

Clock = Callable[[], datetime]


class Session:
    """A scenario under way. Methods return at once; `publish` is called from the caller's and the worker's thread."""

    def __init__(
        self,
        scenario: Scenario,
        publish: Callable[[Snapshot], None],
        *,
        workspace: Workspace | None = None,
        cache_folder: Path | None = None,
        clock: Clock = datetime.now,
    ) -> None:
        self.report: Report = said
        """Says in words what failed that should not; an app keeps it as well."""
        self.workspace = workspace or Workspace()
        self.knowledge = replace(knowledge_for(scenario), drafts=LastDrafts(self.workspace))
        """What is known now; replaced once something was learned."""
        self._worker = Worker(self._do, self._aside, lambda: self.details_due)
        tokenizer = tokenizer_for_model(scenario.model)
        self.counter: Counter = CancellableCounter(
            tokenizer, CountCache(cache_folder), self._worker.go_on, self._counted
        )
        stop, report = self._worker.should_stop, lambda error: self.report(error)
        self._tools = Tools(self.workspace, self.counter, stop, report, lambda: self.knowledge)
        self._answering = Answering(self._tools, clock)
        self._details = Details(self._tools, self.scenario_of, lambda: self._answering.live_check)
        self._publish = publish
        self._clock = clock
        self._history = History(scenario, scenario)
        self._step = 0
        """How many steps were made, back and forth."""
        self._left: dict[str, Scenario] = {}
        """Each agent's scenario when another one was chosen."""
        self._layers: list[Layer] = []
        """What is to be laid over agents, by the worker: it must not happen while it reads their texts."""
        self._start = str(Path.cwd())  # taken now: the folder may be deleted while the session lasts
        self.snapshot = Snapshot(scenario)
        """What is known now."""

    @property
    def placed(self) -> Scenario:
        """The scenario in force, with its workspace named from the root and its agent by name."""
        now = self._placed(self.snapshot.scenario)
        shown = self.snapshot.assembly
        return now.with_value("agent", shown.agent) if shown and now.agent is None else now

    def scenario_of(self, agent: Describes) -> Scenario:
        """The scenario in force if it is that agent's, else as when that agent was last shown."""
        now = self.placed
        return now if now.agent == agent.id else self._for_agent(agent)

    @property
    def today(self) -> date:
        """The day on which this is."""
        return self._clock().date()

    @property
    def learned(self) -> Learned | None:
        """What was learned on this machine, if the scenario goes by it."""
        return self.knowledge.learned if self.snapshot.scenario.learned else None

    @property
    def details_due(self) -> bool:
        """Whether details were requested and are still to be found out."""
        with self._worker.lock:
            return self._details.due(self.snapshot)

    # --- life ---------------------------------------------------------------------------------------------------

    def open(self) -> Snapshot:
        """Assemble with cached counts only, in the caller's thread: the first frame."""
        try:
            now = self._placed(self._history.now)
            assembly = assemble(now, self.workspace, self.counter, knowledge=self.knowledge, cached_only=True)
            self.snapshot = replace(self.snapshot, assembly=assembly, busy=True)
        except Exception as error:
            self.snapshot = replace(self.snapshot, error=self._as_said(error))
        return self.snapshot

    def start(self) -> None:
        """Start the worker: it counts what is not known, then works out the effects."""
        self._worker.start(self._history.now)

    def close(self) -> None:
        """Stop the worker."""
        self._worker.close()

    # --- what the user does -------------------------------------------------------------------------------------

    def set(self, param: str, value: Json, *, again: bool = False) -> None:
        """Set one switch: a top-level key of the scenario or a dotted name below `params`.

        With `again` the value is still being typed: it replaces the last one, in the same step.
        """
        scenario = self._in_values().with_value(param, value)
        if again:
            self._turn(self._history.replace(scenario), again=True)
        else:
            self._turn(self._history.push(scenario))

    def apply(self, levers: Iterable[Lever]) -> None:
        """Set several switches in one step."""
        scenario = self._in_values()
        for lever in levers:
            scenario = scenario.with_value(lever.param, lever.value)
        self.replace(scenario)

    def _in_values(self) -> Scenario:
        """The scenario now, its choices as values: one of them may be changed in part."""
        now, shown = self._history.now, self.snapshot.assembly
        return as_values(load_agent(shown.agent), now) if shown and now.agent in (None, shown.agent) else now

    def replace(self, scenario: Scenario) -> None:
        """Ask another scenario."""
        self._turn(self._history.push(scenario))

    def edit(self, edits: Sequence[Edit]) -> None:
        """Ask for the prompt with these edits."""
        self.replace(self._history.now.model_copy(update={"edits": list(edits)}))

    def text_to_edit(self, target: str) -> str | None:
        """The text of a section or a tool that an edit would replace."""
        with suppress(ScenarioError):
            return own_text(self.placed, self.workspace, target, self.knowledge)
        return None

    def open_folder(self, folder: str) -> None:
        """Show another folder, for the agent that was named at the start, else the one whose files are there."""
        self.replace(moved(self._history.now, folder, self._history.first.agent))

    def choose_agent(self, agent: str, version: str | None = None) -> None:
        """Show another agent, as it was when it was last shown; or another version of this one.

        Without a version it is the one learned last, else the newest modelled one.
        """
        other = load_agent(agent)
        version = version or default_version(other, self.learned)
        now, shown = self._history.now, self.snapshot.assembly
        before = now.agent or (shown.agent if shown else None)
        if before == agent:
            self.replace(now.model_copy(update={"agent": agent, "agent_version": version}))
            return
        if before is not None:
            self._left[before] = now
        self.replace(switched(now, other, version, self._left.get(agent)))

    def undo(self) -> None:
        """Undo the last change of the scenario."""
        self._turn(self._history.undo(), "undo")

    def redo(self) -> None:
        """Redo the change that was undone."""
        self._turn(self._history.redo(), "redo")

    def reset(self) -> None:
        """Go back to the scenario that the session began with."""
        self._turn(self._history.reset(), "reset")

    def pin_baseline(self) -> None:
        """Compare with what is shown now; pinned already, go back to comparing with the state before each change."""
        at = self._clock()
        self._update(lambda now: now.with_baseline(at))

    def reload(self, paths: Iterable[str] | None = None) -> None:
        """Reload these files (None: all) and assemble again."""
        with self._worker.lock:
            job = self._worker.queue(self._history.now)
            job.reload, job.step = True, self._step
            job.everything |= paths is None
            job.paths |= set(paths or ())
            self._update(lambda now: replace(now, busy=True))

    def lay_over(self, layer: Layer) -> None:
        """Lay corrections over an agent, and show them."""
        self._layers.append(layer)
        self.reload()

    def use_wordings(self) -> None:
        """Assemble with what is learned now, or without if that is nothing."""
        self.knowledge = replace(self.knowledge, learned=wordings.load())
        now = self._history.now
        if now.learned != (self.knowledge.learned is not None):
            self.replace(now.model_copy(update={"learned": not now.learned}))
        else:
            self.reload(())

    def attend(self) -> None:
        """Somebody does something: what is only found out aside waits for a moment."""
        self._worker.pause_for(ACTING)

    def drawn(self) -> None:
        """A screen has drawn the last snapshot."""
        self._worker.drawn()

    def _want(self, what: str, value: object) -> None:
        """From now on find out more, if it is news."""
        if getattr(self._details, what) != value:
            setattr(self._details, what, value)
            self._worker.wake()

    def request_repeats(self) -> None:
        """From now on find out what the prompt has more than once."""
        self._want("repeats", True)

    def request_overview(self) -> None:
        """From now on find out what only the overview shows."""
        self._want("overview", True)

    def request_after(self, after: After) -> None:
        """From now on find out what is left at such a later request."""
        self._want("after", after)

    def request_editable(self, mode: str) -> None:
        """From now on find out which files a mode may edit."""
        self._want("mode", mode)

    def text_of(self, path: str) -> str | None:
        """The text of a file as it was read; None where it cannot be."""
        file = self.workspace.read(path)
        return file.text if file.found else None

    def _turn(self, history: History, how: How = "", *, again: bool = False) -> None:
        with self._worker.lock:
            if history is self._history:
                return
            self._history = history
            self._step += not again
            job = self._worker.queue(history.now)
            job.step, job.how = self._step, how
            # The old effects are wrong for the new scenario: better not known than wrong.
            self._update(lambda now: replace(now.moved_to(history.now), effects={}, busy=True))

    def _update(self, change: Update) -> None:
        with self._worker.lock:
            history = self._history
            now = replace(
                change(self.snapshot),
                can_undo=bool(history.past),
                can_redo=bool(history.future),
                can_reset=history.now != history.first,
            )
            self.snapshot = now
            self._publish(now)

    # --- the worker's side --------------------------------------------------------------------------------------

    def _counted(self, done: int, of: int) -> None:
        """From the worker, while it counts thousands of files."""
        self._update(lambda now: replace(now, progress=(done, of)))

    def _do(self, job: Job) -> None:
        if job.everything:
            while self._layers:
                lay_also(self._layers.pop())
            read_layers_again()
        if job.paths or job.everything:
            self.workspace.forget(self.workspace.asked if job.everything else job.paths)
            self._details.reloads += 1
        try:
            answers = self._answering.answer(job, self._placed(job.scenario), self._history.first)
            with no_collection():  # what changed comes first, and all else after it is seen
                self._worker.let_draw(partial(self._update, next(answers)))
            job.reload = False  # that is answered, whatever stops the rest
            self._aside()
            for update in answers:
                self._update(update)
                self._aside()
        except Exception as error:  # a worker that died would leave a screen that never answers again
            self._fail(self._as_said(error))
        finally:
            if not self._worker.superseded:  # else the next job writes what this one counted, too
                self.counter.flush()

    def _as_said(self, error: Exception) -> ScenarioError:
        """What is said in place of an answer."""
        return error if isinstance(error, ScenarioError) else ScenarioError(self.report(error))

    def _fail(self, error: ScenarioError) -> None:
        self._update(lambda now: replace(now, error=error, busy=self._worker.should_stop(), progress=None))

    def _aside(self) -> None:
        if not self.details_due:
            return
        try:
            for update in self._details.find(self.snapshot):
                self._update(update)
        except Exception as error:  # with an error nothing more is due
            self._fail(self._as_said(error))

    def _for_agent(self, agent: Describes) -> Scenario:
        """The scenario for another agent, as it was when that one was last shown."""
        now = self._placed(self.snapshot.scenario)
        return switched(now, agent, default_version(agent, self.learned), self._left.get(agent.id))

    def _placed(self, scenario: Scenario) -> Scenario:
        return placed(scenario, self._start)
