"""What each save, switch, checkout and step through a capture changed in the prompt."""

from collections.abc import Callable, Iterator
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.cache_miss import CacheMiss, cache_miss, crossing
from promptscope_engine.insight.comparison import changed_sections
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import real

from .snapshot import Change, Snapshot, Step
from .steps import READING, Asked, is_other_prompt, steps_between
from .worker import Job

KEPT = 100
"""Changes that are kept, the newest first."""

_DIGITS = 7
"""Of a commit, as git shortens it."""

Request = tuple[str, int]
"""A capture, and the number of its request."""


class _Head(Struct, frozen=True):
    """What is checked out: a branch, or how a commit begins; and that commit, "" if it is unknown."""

    name: str
    commit: str


class _Begun(Struct, frozen=True):
    """A step of the history as it began: while a text is typed it is answered several times, and is one entry."""

    number: int
    before: Asked | None
    changes: tuple[Change, ...]
    baseline: Assembly | None


class ChangeLog:
    """Compares each assembly with the one before."""

    def __init__(
        self,
        workspace: Workspace,
        clock: Callable[[], datetime],
        knowledge: Callable[[], Knowledge] = lambda: NO_KNOWLEDGE,
    ) -> None:
        self._workspace, self._clock, self._knowledge = workspace, clock, knowledge
        self._last: Asked | None = None
        self._begun: _Begun | None = None
        self._learned: Learned | None = knowledge().learned
        self._heads: dict[str, _Head] = {}
        self._request: Request | None = None
        self._cache: CacheMiss | None = None

    def look(self, scenario: Scenario, assembly: Assembly, counter: Counter) -> None:
        """Find out what a step to a later request of a capture made of the cache: in the worker, as it may count."""
        request, last, self._cache = self._request_of(scenario, assembly), self._request, None
        if request and last and last[0] == request[0] and last[1] < request[1]:
            capture = recording(request[0], self._workspace)
            self._cache = cache_miss(chosen(capture, last[1]), chosen(capture, request[1]), counter, assembly)

    def answered(self, now: Snapshot, assembly: Assembly, job: Job, first: Scenario) -> Snapshot:
        """The snapshot with a new assembly, what it is compared with, and an entry on what changed it.

        `first` is the scenario that the session began with.
        """
        shown, begun = now.assembly, self._begun
        if begun is None or begun.number != job.step or job.reload:
            begun = _Begun(job.step, self._last, now.changes, now.baseline)
        before = begun.before
        change = self._change(before, (job.scenario, assembly), job)
        baseline = now.baseline
        if not now.pinned:
            baseline = before[1] if before and change and _differs(change) else begun.baseline
            if not job.reload and job.scenario == first:
                baseline = None  # back at the start nothing has changed
        # What a step is compared with is from before the save.
        self._last, self._begun = (job.scenario, assembly), None if job.reload else begun
        same_agent = shown is not None and shown.agent == assembly.agent
        same_place = same_agent and shown is not None and shown.workspace == assembly.workspace
        same_said = now.unchecked_diagnostics == assembly.diagnostics
        return replace(
            # What a check found before stays until the worker has looked again.
            now.with_found(assembly, now.found if same_place and same_said else None),
            baseline=baseline,
            changes=(change, *begun.changes)[:KEPT] if change else begun.changes,
            other_agents=now.other_agents if same_agent else None,
            error=None,
            gone=False,
            busy=True,
            progress=None,
        )

    def _change(self, before: Asked | None, now: Asked, job: Job) -> Change | None:
        """The entry about the new assembly; None if it does not differ and no switch was set."""
        checkouts, (was, is_now), relearned = self._checkouts(), self._requests(*now), self._relearned()
        if before is None:
            return None
        (_, old), (_, new) = before, now
        is_other = is_other_prompt(old, new)
        change = Change(
            self._clock(),
            self._paths(job, new),
            () if is_other else changed_sections(old, new),
            (old.tokens.expected, new.tokens.expected),
            is_other=is_other,
        )
        if was and is_now and was[0] == is_now[0] and was[1] != is_now[1]:
            step = Step("request", str(is_now[1]), str(was[1]))
            return replace(change, steps=(step,), cache=self._cache) if change.sections or self._cache else None
        switches = steps_between(before, now)
        steps = [*switches, *_learned(before, now, relearned)]
        differs = _differs(change) and (job.reload or steps)
        if not differs and all(step.name in READING for step in switches):
            return None
        if not job.reload:
            return replace(change, steps=tuple(steps), how=job.how)
        crossed = None if is_other else crossing(old, new, load_agent(new.agent))
        return replace(change, steps=(*steps, *checkouts), crossing=crossed)

    def _paths(self, job: Job, assembly: Assembly) -> tuple[str, ...]:
        """The files that were reloaded, one that has several names by the one that the agent reads."""
        read = {path for file in assembly.files if file.present for path in (file.path, file.real_path)}
        files = sorted(path for path in job.paths if not self._workspace.is_dir(path))
        by_file: dict[str, str] = {}
        for path in sorted(files, key=lambda path: path not in read):
            by_file.setdefault(real(path), path)
        return tuple(path for path in files if path in by_file.values()) or tuple(sorted(job.paths))

    def _checkouts(self) -> list[Step]:
        """Another branch, or another commit of it, than when this was asked last."""
        asked, last = self._workspace.asked_as("HEAD"), self._heads
        self._heads = {path: _checked_out(path, self._workspace) for path in asked}
        for path, now in self._heads.items():
            was = last.get(path, now)
            if was.name and now.name and was.name != now.name:
                return [Step("checkout", now.name, was.name)]
            if was.commit and now.commit and was.commit != now.commit:
                return [Step("commit", now.commit, was.commit)]
        return []

    def _requests(self, scenario: Scenario, assembly: Assembly) -> tuple[Request | None, Request | None]:
        """The request that was shown when this was asked last, and the one that is shown now."""
        last, self._request = self._request, self._request_of(scenario, assembly)
        return last, self._request

    def _relearned(self) -> bool:
        """Whether other words are known than when this was asked last."""
        last, self._learned = self._learned, self._knowledge().learned
        return last is not self._learned

    def _request_of(self, scenario: Scenario, assembly: Assembly) -> Request | None:
        """The request that is shown; None for a prediction."""
        if scenario.capture is None or not assembly.agent.startswith(OBSERVED):
            return None
        asked = scenario.params.get("request", 0)
        return scenario.capture, chosen(recording(scenario.capture, self._workspace), asked).index


def _differs(change: Change) -> bool:
    before, after = change.totals
    return change.is_other or bool(change.sections) or before != after


def _learned(before: Asked, now: Asked, relearned: bool) -> Iterator[Step]:
    """The step to other words, as learned on this machine."""
    (was, old), (scenario, new) = before, now
    if (relearned or was.learned != scenario.learned) and not is_other_prompt(old, new):
        labels = [each.learned_version or each.shown_version if each.learned else "none" for each in (new, old)]
        yield Step("learned words", labels[0], labels[1] if labels[0] != labels[1] else "")


def _checked_out(path: str, workspace: Workspace) -> _Head:
    """What git's HEAD file at a path names."""
    name = _line(path, workspace)
    if not name.startswith("ref: "):
        return _Head(name[:_DIGITS], name[:_DIGITS])
    ref = name.removeprefix("ref: ")
    commit = next((_line(file, workspace) for file in workspace.asked_as(ref)), "")
    return _Head(name.removeprefix("ref: refs/heads/"), commit[:_DIGITS])


def _line(path: str, workspace: Workspace) -> str:
    file = workspace.read(path)
    return (file.text if file.found else "").strip()
