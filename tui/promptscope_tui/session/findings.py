"""What the worker finds out about an assembly, as updates of the snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.duplicates import find_duplicates
from promptscope_engine.insight.effects import Effect, each_effect
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.insight.other_agents import AgentFiles, agent_files
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens import Counter
from promptscope_engine.workspace import Workspace

from .snapshot import Snapshot, SwitchKey, switch_key
from .worker import Cancelled

Update: TypeAlias = Callable[[Snapshot], Snapshot]

_BATCH = 0.1
"""Seconds between two updates with effects: a screen that fills in by single numbers flickers."""


def findings(
    scenario: Scenario, assembly: Assembly, workspace: Workspace, counter: Counter, cancelled: Callable[[], bool]
) -> Iterator[Update]:
    """What is found out about every assembly: the files that load lazily, and the effect of each switch.

    The last update has everything. Raises Cancelled.
    """
    agent, inputs = resolve(scenario, workspace)
    found = find_lazy_rules(agent, inputs, workspace, wanted=lambda: not cancelled())
    if cancelled():
        raise Cancelled
    yield lambda now: replace(now, lazy_rules=found)
    effects: dict[SwitchKey, Effect] = {}
    shown = time.monotonic()
    for effect in each_effect(scenario, workspace, counter, assembly):
        if cancelled():
            raise Cancelled
        effects[switch_key(effect.param, effect.value)] = effect
        if time.monotonic() - shown >= _BATCH:
            yield _with_effects(dict(effects))
            shown = time.monotonic()
    yield lambda now: replace(now, effects=effects, busy=False)


def _with_effects(found: dict[SwitchKey, Effect]) -> Update:
    return lambda now: replace(now, effects={**now.effects, **found})


class Details:
    """What is found out only once somebody looks at a file: the other agents that read it, and duplicate lines."""

    def __init__(
        self, workspace: Workspace, counter: Counter, cancelled: Callable[[], bool], of: Callable[[Agent], Scenario]
    ) -> None:
        """`of` gives the scenario for another agent."""
        self._workspace, self._counter, self._cancelled, self._of = workspace, counter, cancelled, of
        self.requested = False
        self.reloads = 0
        """How often something was reloaded."""
        self._other_agents_of: object = None
        self._duplicates_of: Assembly | None = None

    def due(self, now: Snapshot) -> bool:
        """Whether they were requested and are not found out for what is shown."""
        if not self.requested or now.assembly is None or not now.counted:
            return False
        return self._other_agents_of != self._state(now) or self._duplicates_of is not now.assembly

    def find(self, now: Snapshot) -> Iterator[Update]:
        """The updates for a snapshot with an assembly, as far as they are due. Raises Cancelled."""
        assert now.assembly is not None
        if self._duplicates_of is not now.assembly:
            duplicates = find_duplicates(now.assembly, self._counter.count)
            self._duplicates_of = now.assembly
            yield lambda now: replace(now, duplicates=duplicates)
        state = self._state(now)
        if self._other_agents_of != state:
            others = tuple(self._other(agent) for agent in all_agents() if agent.id != now.assembly.agent)
            self._other_agents_of = state
            yield lambda now: replace(now, other_agents=others)

    def _state(self, now: Snapshot) -> tuple[object, ...]:
        """What decides which files the other agents read: nothing that is this agent's own."""
        common = now.scenario.model_copy(update={"mode": None, "model": None, "params": {}})
        return self.reloads, now.assembly.agent if now.assembly else None, common

    def _other(self, agent: Agent) -> AgentFiles:
        if self._cancelled():
            raise Cancelled
        try:
            return agent_files(agent, self._of(agent), self._workspace, self._counter)
        except Cancelled:
            raise
        except Exception as error:  # one agent that fails is not the end of the worker
            return AgentFiles(agent.id, agent.name, {}, f"promptscope failed: {error!r}")
