"""The scenarios of a session in order: undo, redo, back to the first."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

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
