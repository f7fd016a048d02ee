"""The scenarios of a session, with undo and redo, for another folder and for another agent; the last assemblies."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.edits import kept
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

LIMIT = 200
"""How many steps back are kept."""


class History(Struct, frozen=True):
    """An immutable undo history, which starts with the same scenario twice; every method gives a new one."""

    now: Scenario
    first: Scenario
    past: tuple[Scenario, ...] = ()
    future: tuple[Scenario, ...] = ()

    def push(self, scenario: Scenario) -> History:
        """One step forward; the same scenario again is no step."""
        if scenario == self.now:
            return self
        return replace(self, now=scenario, past=(*self.past, self.now)[-LIMIT:], future=())

    def replace(self, scenario: Scenario) -> History:
        """Replace the current scenario without a new step, as while a text is being typed."""
        return self if scenario == self.now else replace(self, now=scenario, future=())

    def undo(self) -> History:
        """One step back, if there is one."""
        if not self.past:
            return self
        return replace(self, now=self.past[-1], past=self.past[:-1], future=(self.now, *self.future))

    def redo(self) -> History:
        """Redo one undone step, if there is one."""
        if not self.future:
            return self
        return replace(self, now=self.future[0], past=(*self.past, self.now), future=self.future[1:])

    def reset(self) -> History:
        """Back to the first scenario, as a step that can be undone."""
        return self.push(self.first)


_SHARED_MODEL = re.compile(r"(?:anthropic/)?(claude-[a-z]+-\d[\w.-]*)")
"""A model's full name. An alias (`opus`) is known to one agent only."""


def moved(now: Scenario, folder: str, agent: str | None) -> Scenario:
    """The scenario in another folder, for `agent`; None: the one whose files are there.

    A mode may be defined in the folder, and files whose reading is simulated are in it.
    """
    return now.model_copy(
        update={"workspace": folder, "agent": agent, "agent_version": None, "mode": None, "reads": []}
    )


def switched(now: Scenario, agent: Describes, version: str, left: Scenario | None) -> Scenario:
    """The scenario for another agent; `left` is that agent's when it was last shown, None if it never was.

    Mode, model, params and edits belong to an agent: they return with it, and do not carry over to another one, but for
    a model that all agents know, each by the name that it gives it.
    """
    shared = _SHARED_MODEL.fullmatch(now.model or "")
    model = agent.about.model_form.format(provider="anthropic", model=shared[1]) if shared else None
    own: dict[str, Any] = {"mode": None, "params": {}, "model": model, "edits": []}
    if left is not None:
        own = {"mode": left.mode, "params": left.params, "model": left.model, "edits": left.edits}
    return now.model_copy(update={**own, "agent": agent.id, "agent_version": version})


def placed(scenario: Scenario, start: str) -> Scenario:
    """The scenario with its workspace as a path from the root or from home; `start` is where the app was started.

    Its edits may lose their place: a file that is saved must not end what is under way.
    """
    if scenario.edits:
        scenario = scenario.model_copy(update={"edits": kept(scenario.edits)})
    if scenario.workspace.startswith(("/", "~")):
        return scenario
    return scenario.model_copy(update={"workspace": str(Path(start, scenario.workspace))})


KEPT = 8
"""Assemblies that are kept."""

SECTIONS = 200
"""Sections of an assembly that is kept at most: one of thousands of files takes megabytes, and half a second of the
worker, in which it hears of nothing else."""


class _Kept(Struct, frozen=True):
    scenario: Scenario
    assembly: Assembly
    forgotten: int
    learned: Learned | None


class AssemblyCache:
    """Assembles, and keeps the assemblies as long as nothing is forgotten that they were made of."""

    def __init__(
        self, workspace: Workspace, counter: Counter, knowledge: Callable[[], Knowledge] = lambda: NO_KNOWLEDGE
    ) -> None:
        self._workspace, self._counter, self._knowledge = workspace, counter, knowledge
        self._kept: list[_Kept] = []  # the last one first

    def find(self, scenario: Scenario) -> Assembly:
        """The assembly of a scenario. Raises ScenarioError for one that cannot be assembled."""
        if known := self._known(scenario):
            return known
        forgotten, knowledge = self._workspace.forgotten, self._knowledge()
        assembly = assemble(scenario, self._workspace, self._counter, knowledge=knowledge)
        if len(assembly.sections) <= SECTIONS:
            self._keep(_Kept(scenario, assembly, forgotten, knowledge.learned))
        return assembly

    def _known(self, scenario: Scenario) -> Assembly | None:
        found = next((each for each in self._kept if self._stands(each) and _same(each.scenario, scenario)), None)
        if found is None:
            return None
        resolve(
            scenario, self._workspace, self._knowledge()
        )  # as every assembly begins: the workspace learns what may be read
        if not self._stands(found):
            return None
        self._keep(found)
        return found.assembly

    def _stands(self, kept: _Kept) -> bool:
        return kept.forgotten == self._workspace.forgotten and kept.learned is self._knowledge().learned

    def _keep(self, new: _Kept) -> None:
        self._kept = [new, *(each for each in self._kept if each is not new and self._stands(each))][:KEPT]


def _same(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios are one question.

    True equals 1, but is not written so; and equal ones that were not made from each other have times of their own.
    """
    if one is other:
        return True
    return one == other and repr(one) == repr(other) and one.environment.read_at == other.environment.read_at
