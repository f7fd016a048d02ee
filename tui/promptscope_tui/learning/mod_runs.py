"""Runs the client with the mods of a folder, isolated and offline, to see what each of them does to the request.

The person's own home and repository are there, and nothing that is written reaches the disk. The observing mod (data of
the agent's package) is the outermost; it changes nothing, and writes down what every other mod answers.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir

from msgspec import Struct, json

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.captures.recipes import is_interpreter
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.learning.mod_effects import ModRun, Noted, effects_of, file_for, observed
from promptscope_engine.prompt.model import Assembly, Program
from promptscope_tui.capturing.running import why_not, writable_folders
from promptscope_tui.settings.paths import write_whole

from .clients import Client, learnable, script_for
from .observing import Observer, observer_of
from .work import Job, Result, carried_out

_TIMEOUT = 60.0
_MOST = 20
"""Mods whose effects are told apart: each takes a run."""


class ModPlan(Struct, frozen=True):
    """What is run: a run without any mod, one with all, and one without each.

    `held` are in every run: an organisation's mods, which nobody else can leave out, and those beyond the most.
    """

    agent: str
    client: Client
    observer: Observer
    folder: str
    mods: tuple[Program, ...]
    held: tuple[Program, ...]
    env: Mapping[str, str]
    given: tuple[str, ...] = ()
    """Words of the person's own command that load mods."""

    @property
    def runs(self) -> int:
        """How many there are."""
        return 2 + len(self.mods)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that the client may write to without a trace."""
        return writable_folders(Path(self.folder), self.env)

    def announcement(self) -> Iterator[str]:
        """What will happen, line by line."""
        yield f"  runs {self.client.path} {self.runs} times in {self.folder}, with and without these mods:"
        yield from (f"    {mod.name}  {mod.path}: {', '.join(mod.events)}" for mod in self.mods)
        if self.held:
            yield f"  and always with these (an organisation's can't be left out, and {_MOST} are told apart at most):"
            yield from (f"    {mod.name}  {mod.path}: {', '.join(mod.events)}" for mod in self.held)
        yield "  isolated: on a network of this machine alone, and nothing that is written reaches a disk"

    def job(self, number: int, left_out: Sequence[Program]) -> Job:
        """The run without some of the mods."""
        place = Path(gettempdir(), f"promptscope-mods-{os.getpid()}-{number}")
        out = f"{place}.json"
        return Job(
            number=number,
            agent=self.agent,
            command=(self.client.path, *self.observer.command(self.given, [mod.id for mod in left_out])),
            env={**self.env, **self.observer.variables(out)},
            cwd=self.folder,
            log=f"{place}.log",
            timeout=_TIMEOUT,
            reads=out,
            ends_itself=True,
        )


def modded() -> tuple[str, ...]:
    """The agents whose mods can be run."""
    return tuple(agent.id for agent, script in learnable() if script.observing)


def observer_for(agent_id: str, version: str, command: Sequence[str]) -> Observer | None:
    """The observing mod for a command; None if its client, or the script that starts it, would not load it first."""
    if agent_id not in modded() or is_interpreter(command[0]):
        return None
    agent = load_agent(agent_id)
    observer = observer_of(agent, script_for(agent))
    return observer if observer and observer.fits(version) else None


def plan_for(
    assembly: Assembly, client: Client, folder: str, env: Mapping[str, str], given: tuple[str, ...] = ()
) -> ModPlan:
    """The runs for the mods that load in a folder. Raises ScenarioError where nothing can be run, with the reason."""
    agent = load_agent(assembly.agent)
    observer = observer_of(agent, script_for(agent))
    if observer is None:
        raise ScenarioError(f"{agent.name} loads no mods", where="learn")
    loaded = [each for each in assembly.programs if each.kind == "mod" and each.present and each.path]
    mods = tuple(each for each in loaded if each.source != observer.how.held)[:_MOST]
    held = tuple(each for each in loaded if each not in mods)
    plan = ModPlan(agent.id, client, observer, folder, mods, held, env, given)
    if not mods:
        which = "only an organisation's mods load in this folder, and they can't be left out" if held else ""
        none = "no mod loads in this folder; `promptscope mods` lists those that there are"
        raise ScenarioError(which or none, where="learn")
    if reason := why_not(plan.folders, offline=True):
        raise ScenarioError(f"mods are run isolated or not at all, which is not possible here: {reason}", where="learn")
    return plan


def run_mods(plan: ModPlan, told: Callable[[int, str], None]) -> ModRun:
    """Run them, and keep what came of it. `told` is called with the number of each run and how it ended.

    Raises ScenarioError where a run did not write what it observed, and OSError where nothing can be started or kept.
    """
    jobs = [plan.job(0, plan.mods), plan.job(1, ()), *(plan.job(n, [mod]) for n, mod in enumerate(plan.mods, 2))]
    found: dict[int, Noted] = {}
    for result in carried_out(jobs, *plan.folders, offline=True):
        told(result.number, result.ended)
        found[result.number] = _observed(result)
    if missing := len(jobs) - len(found):
        raise ScenarioError(f"{missing} of {len(jobs)} runs gave nothing", where="learn")
    without = {mod.id: found[number].parts for number, mod in enumerate(plan.mods, 2)}
    events = {mod.id: mod.events for mod in plan.mods}
    digests = {mod.id: mod.digest for mod in (*plan.mods, *plan.held)}
    held = tuple(mod.id for mod in plan.held)
    today = datetime.now().astimezone().date().isoformat()
    effects = effects_of(found[0].parts, found[1].parts, without, events)
    run = ModRun(today, plan.client.version, digests, effects, found[1].sections, held)
    target = file_for(digests)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(target, json.format(json.encode(run), indent=1))
    return run


def _observed(result: Result) -> Noted:
    if not result.written:
        last = result.said.strip().rpartition("\n")[2][:200]
        no = "the client did not load the observing mod, so nothing is known of the others"
        raise ScenarioError(f"{no} (run {result.number} ended {result.ended}: {last})", where="learn")
    try:
        return observed(result.written)
    except ValueError as error:
        raise ScenarioError(str(error), where="learn") from None
