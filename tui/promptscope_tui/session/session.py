"""The engine side of the app, without a widget: what is asked, what was answered, what changed.

A `Session` owns the scenario's history, the door to the disk and the counter. All assembling runs in its one worker
thread; results cross to the screen as a frozen `Snapshot`, each complete in itself, so that a screen may skip any but
the last.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.comparison import compare
from promptscope_engine.insight.duplicates import find_repeats
from promptscope_engine.insight.effects import Effect, each_effect
from promptscope_engine.insight.lazy_rules import survey
from promptscope_engine.insight.other_agents import Reading, reading
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_engine.tokens import CountCache, Counter, tokenizer_for_model
from promptscope_engine.workspace import Workspace

from .history import History
from .snapshot import Change, Snapshot, SwitchKey, switch_key
from .switching import switched
from .worker import HastyCounter, Superseded

Clock = Callable[[], datetime]

_KEPT_CHANGES = 100
_BATCH = 6  # effects in one message: a screen that fills in by single numbers flickers


@dataclass
class _Job:
    """What the worker is to do next: the newest scenario, and what to read again first."""

    scenario: Scenario
    forget: set[str] = field(default_factory=set)
    everything: bool = False
    reloaded: bool = False


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
        self.workspace = workspace or Workspace()
        tokenizer = tokenizer_for_model(scenario.model)
        self.counter: Counter = HastyCounter(tokenizer, CountCache(cache_folder), self._superseded)
        self._publish = publish
        self._clock = clock
        self._history = History.of(scenario)
        self._left: dict[str, Scenario] = {}  # each agent's scenario when another one was chosen
        self._door_state = 0  # how often something was read again
        self._curious = False
        self._looked: object = None  # what the readings were found for
        self._repeated: Assembly | None = None  # what the repeats were found in
        self._start = str(Path.cwd())  # taken now: the folder may be deleted while the session lasts
        self._snapshot = Snapshot(scenario)
        self._lock = threading.RLock()
        self._wake = threading.Condition(self._lock)
        self._job: _Job | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def snapshot(self) -> Snapshot:
        """What is known now."""
        return self._snapshot

    # --- life ---------------------------------------------------------------------------------------------------

    def open(self) -> Snapshot:
        """Assemble with cached counts only, in the caller's thread: the first frame."""
        try:
            assembly = assemble(self._placed(self._history.now), self.workspace, self.counter, cached_only=True)
            self._snapshot = replace(self._snapshot, assembly=assembly, busy=True)
        except ScenarioError as error:
            self._snapshot = replace(self._snapshot, error=error)
        return self._snapshot

    def start(self) -> None:
        """Start the worker: it counts what is not known, then works out the effects."""
        self._thread = threading.Thread(target=self._work, name="promptscope-worker", daemon=True)
        self._queue()
        self._thread.start()

    def close(self) -> None:
        """Stop the worker; it finishes the assembly it is in."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread:
            self._thread.join(timeout=2)

    # --- what the user does -------------------------------------------------------------------------------------

    def set(self, param: str, value: Json, *, again: bool = False) -> None:
        """Set one switch: a top-level key of the scenario or a dotted name below `params`.

        With `again` the value is still being typed: it takes the place of the last one, in the same step.
        """
        scenario = self._history.now.with_value(param, value)
        self._turn(self._history.instead(scenario) if again else self._history.then(scenario))

    def apply(self, levers: Iterable[Lever]) -> None:
        """Set several switches in one step."""
        scenario = self._history.now
        for lever in levers:
            scenario = scenario.with_value(lever.param, lever.value)
        self.replace(scenario)

    def replace(self, scenario: Scenario) -> None:
        """Ask another scenario."""
        self._turn(self._history.then(scenario))

    def choose_agent(self, agent: str, version: str) -> None:
        """Show another agent, as it was when it was last shown; or another version of this one."""
        now = self._history.now
        shown = self._snapshot.assembly
        before = now.agent or (shown.agent if shown else None)
        if before == agent:
            self.replace(now.model_copy(update={"agent": agent, "agent_version": version}))
            return
        if before is not None:
            self._left[before] = now
        self.replace(switched(now, agent, version, self._left.get(agent)))

    def text_of(self, path: str) -> str | None:
        """The text of a file as it was read; None where it cannot be."""
        file = self.workspace.read(path)
        return file.text if file.found else None

    def look_around(self) -> None:
        """From now on find out what the other agents make of the files, and which lines stand in two of them."""
        with self._wake:
            if not self._curious:
                self._curious = True
                self._wake.notify_all()

    def undo(self) -> None:
        """Take the last change of the scenario back."""
        self._turn(self._history.undo())

    def redo(self) -> None:
        """Do what was undone again."""
        self._turn(self._history.redo())

    def reset(self) -> None:
        """Go back to the scenario that the session began with."""
        self._turn(self._history.reset())

    def pin_baseline(self) -> None:
        """Compare with what is shown now; pinned already, go back to comparing with the state before each change."""
        with self._lock:
            now = self._snapshot
            baseline = None if now.pinned else now.assembly
            self._set(baseline=baseline, pinned=not now.pinned)

    def reload(self, paths: Iterable[str] | None = None) -> None:
        """Read these files again (None: all) and assemble anew."""
        with self._wake:
            job = self._queue()
            job.reloaded = True
            job.everything |= paths is None
            job.forget |= set(paths or ())
            self._set(busy=True)
            self._wake.notify_all()

    def _turn(self, history: History) -> None:
        with self._wake:
            if history is self._history:
                return
            self._history = history
            self._queue().scenario = history.now
            # The old effects are wrong for the new scenario: better not known than wrong.
            self._set(scenario=history.now, effects={}, busy=True)
            self._wake.notify_all()

    def _queue(self) -> _Job:
        if self._job is None:
            self._job = _Job(self._history.now)
        return self._job

    def _set(self, **changes: object) -> None:
        with self._lock:
            self._snapshot = replace(
                self._snapshot,
                can_undo=bool(self._history.past),
                can_redo=bool(self._history.future),
                **changes,  # type: ignore[arg-type]  # field names of Snapshot
            )
            self._publish(self._snapshot)

    # --- the worker ---------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._wake:
                while self._job is None and not self.owing() and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                job, self._job = self._job, None
            try:
                if job is not None:
                    self._do(job)
                else:
                    self._find_around()
            except Superseded:
                self._hand_on(job)
            self.counter.flush()

    def _hand_on(self, job: _Job | None) -> None:
        """A newer job takes the place of one that gave up: what was read again for that one is new for this one too."""
        with self._lock:
            if job is not None and job.reloaded and self._job is not None:
                self._job.reloaded = True
                self._job.forget |= job.forget

    def _do(self, job: _Job) -> None:
        if job.forget or job.everything:
            self.workspace.forget(self.workspace.asked if job.everything else job.forget)
            self._door_state += 1
        scenario = self._placed(job.scenario)
        try:
            assembly = assemble(scenario, self.workspace, self.counter)
            self._answer(job, assembly)
            if not self.workspace.is_dir(assembly.workspace):
                self._set(error=ScenarioError(f"the folder {assembly.workspace} is gone"))
            self._survey(scenario)
            self._find_effects(scenario, assembly)
        except Superseded:
            raise
        except ScenarioError as error:
            self._set(error=error, busy=self._superseded())
        except Exception as error:  # a worker that died would leave a screen that never answers again
            self._set(error=ScenarioError(f"promptscope failed: {error!r}"), busy=self._superseded())

    def _answer(self, job: _Job, assembly: Assembly) -> None:
        with self._lock:
            now = self._snapshot
            differs = now.assembly is not None and _known(now.assembly) and compare(now.assembly, assembly)
            baseline = now.assembly if differs and not now.pinned else now.baseline
            same_agent = now.assembly is not None and now.assembly.agent == assembly.agent
            readings = now.readings if same_agent else None
            changes = now.changes
            if job.reloaded and differs and now.assembly is not None:
                files = sorted(path for path in job.forget if not self.workspace.is_dir(path))
                paths = tuple(files or sorted(job.forget))
                change = Change(self._clock(), paths, tuple(differs), _difference(now.assembly, assembly))
                changes = (change, *changes)[:_KEPT_CHANGES]
            self._set(assembly=assembly, baseline=baseline, changes=changes, readings=readings, error=None, busy=True)

    def _placed(self, scenario: Scenario) -> Scenario:
        """The scenario with its workspace named from the root, or from home."""
        if scenario.workspace.startswith(("/", "~")):
            return scenario
        return scenario.model_copy(update={"workspace": str(Path(self._start, scenario.workspace))})

    def _survey(self, scenario: Scenario) -> None:
        agent, inputs = resolve(scenario, self.workspace)
        found = survey(agent, inputs, self.workspace, wanted=lambda: not self._superseded())
        if not self._superseded():
            self._set(survey=found)

    def _find_effects(self, scenario: Scenario, assembly: Assembly) -> None:
        found: dict[SwitchKey, Effect] = {}
        for number, effect in enumerate(each_effect(scenario, self.workspace, self.counter, assembly), 1):
            if self.owing():
                self._find_around()
            if self._superseded():
                return
            found[switch_key(effect.param, effect.value)] = effect
            if number % _BATCH == 0:
                self._set(effects={**self._snapshot.effects, **found})
        if not self._superseded():
            self._set(effects=found, busy=False)

    def _around(self) -> tuple[object, ...]:
        """What the other agents' readings hang on: not on what is this agent's own."""
        shown = self._snapshot.assembly
        common = self._snapshot.scenario.model_copy(update={"mode": None, "model": None, "params": {}})
        return self._door_state, shown.agent if shown else None, common

    def owing(self) -> bool:
        """Whether somebody wants to know of the other agents, or of repeats, and it is not found out for this state."""
        with self._lock:
            shown = self._snapshot.assembly
            if not self._curious or shown is None or not _known(shown):
                return False
            return self._looked != self._around() or self._repeated is not shown

    def _find_around(self) -> None:
        with self._lock:
            scenario, shown, around = self._snapshot.scenario, self._snapshot.assembly, self._around()
        assert shown is not None
        if self._repeated is not shown:
            repeats = find_repeats(shown, self.counter.count)
            self._repeated = shown
            self._set(repeats=repeats)
        if self._looked == around:
            return
        found = []
        for agent in all_agents():
            if agent.id != shown.agent:
                other = switched(self._placed(scenario), agent.id, agent.versions[-1], self._left.get(agent.id))
                try:
                    found.append(reading(agent, other, self.workspace, self.counter))
                except Exception as error:  # as above: the worker lives on
                    found.append(Reading(agent.id, agent.name, {}, f"promptscope failed: {error!r}"))
            if self._superseded():
                return
        self._looked = around
        self._set(readings=tuple(found))

    def _superseded(self) -> bool:
        with self._lock:
            return self._job is not None or self._closed


def _known(assembly: Assembly) -> bool:
    """Whether it was counted: the first frame's assembly, made from the cache alone, is nothing to compare with."""
    return assembly.tokens.expected is not None


def _difference(before: Assembly, after: Assembly) -> int | None:
    if before.tokens.expected is None or after.tokens.expected is None:
        return None
    return after.tokens.expected - before.tokens.expected
