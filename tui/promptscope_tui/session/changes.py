"""What each reload, and each step through a capture, changed in the prompt."""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.cache_miss import CacheMiss, cache_miss, crossing
from promptscope_engine.insight.comparison import changed_sections
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .snapshot import Change, Snapshot
from .worker import Job

KEPT = 100
"""Changes that are kept, the newest first."""

Request = tuple[str, int]
"""A capture, and the number of its request."""


class ChangeLog:
    """Compares each assembly with the one before."""

    def __init__(self, workspace: Workspace, clock: Callable[[], datetime]) -> None:
        self._workspace, self._clock = workspace, clock
        self._heads: dict[str, str] = {}
        self._request: Request | None = None
        self._cache: CacheMiss | None = None

    def look(self, scenario: Scenario, assembly: Assembly, counter: Counter) -> None:
        """Find out what a step to a later request of a capture made of the cache: in the worker, as it may count."""
        request, last, self._cache = self._request_of(scenario, assembly), self._request, None
        if request and last and last[0] == request[0] and last[1] < request[1]:
            capture = recording(request[0], self._workspace)
            self._cache = cache_miss(chosen(capture, last[1]), chosen(capture, request[1]), counter, assembly)

    def answered(self, now: Snapshot, assembly: Assembly, job: Job, first: Scenario) -> Snapshot:
        """The snapshot with a new assembly, what it is compared with, and an entry if a reload or a step changed it.

        `first` is the scenario that the session began with.
        """
        before = now.assembly
        change = self._change(now, assembly, job)
        differs = before is not None and now.counted and bool(changed_sections(before, assembly))
        baseline = before if differs and not now.pinned else now.baseline
        if not job.reload and not now.pinned and job.scenario == first:
            baseline = None  # back at the start nothing has changed
        same_agent = before is not None and before.agent == assembly.agent
        same_place = same_agent and before is not None and before.workspace == assembly.workspace
        same_said = now.unchecked_diagnostics == assembly.diagnostics
        return replace(
            # What a check found before stays until the worker has looked again.
            now.with_found(assembly, now.found if same_place and same_said else None),
            baseline=baseline,
            changes=(change, *now.changes)[:KEPT] if change else now.changes,
            other_agents=now.other_agents if same_agent else None,
            error=None,
            gone=False,
            busy=True,
            progress=None,
        )

    def _change(self, now: Snapshot, assembly: Assembly, job: Job) -> Change | None:
        """The entry about the new assembly; None if nothing differs, or because a switch was set."""
        request, last = self._request_of(job.scenario, assembly), self._request
        before = now.assembly
        heads = {path: _checked_out(self._workspace, path) for path in self._workspace.asked_as("HEAD")}
        checkout = next(
            ((old, heads[at]) for at, old in self._heads.items() if old and heads.get(at, old) not in (old, "")), None
        )
        self._request, self._heads = request, heads
        sections = tuple(changed_sections(before, assembly)) if before is not None and now.counted else ()
        if before is None or not (sections or self._cache):
            return None
        was, tokens = before.tokens.expected, assembly.tokens.expected
        tokens = None if was is None or tokens is None else tokens - was
        if request and last and last[0] == request[0] and last[1] != request[1]:
            return Change(self._clock(), (), sections, tokens, None, (last[1], request[1]), self._cache)
        if not job.reload:
            return None
        files = sorted(path for path in job.paths if not self._workspace.is_dir(path))
        crossed = crossing(before, assembly, load_agent(assembly.agent)) if before.agent == assembly.agent else None
        paths = tuple(files or sorted(job.paths))
        return Change(self._clock(), paths, sections, tokens, checkout, crossing=crossed)

    def _request_of(self, scenario: Scenario, assembly: Assembly) -> Request | None:
        """The request that is shown; None for a prediction."""
        if scenario.capture is None or not assembly.agent.startswith(OBSERVED):
            return None
        asked = scenario.params.get("request", 0)
        return scenario.capture, chosen(recording(scenario.capture, self._workspace), asked).index


def _checked_out(workspace: Workspace, path: str) -> str:
    """The branch that git's HEAD names, or how its commit begins."""
    file = workspace.read(path)
    name = (file.text if file.found else "").strip()
    return name.removeprefix("ref: refs/heads/") if name.startswith("ref: ") else name[:7]
