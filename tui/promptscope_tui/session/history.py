"""The scenarios of a session: in order, with undo and redo; for another folder, and for another agent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.inputs.edits import kept
from promptscope_engine.inputs.scenario import Scenario

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


def switched(now: Scenario, agent: Agent, version: str, left: Scenario | None) -> Scenario:
    """The scenario for another agent; `left` is that agent's when it was last shown, None if it never was.

    Mode, model, params and edits belong to an agent: they return with it, and do not carry over to another one, but for
    a model that all agents know, each by the name that it gives it.
    """
    shared = _SHARED_MODEL.fullmatch(now.model or "")
    model = agent.model_form.format(provider="anthropic", model=shared[1]) if shared else None
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
