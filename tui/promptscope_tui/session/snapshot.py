"""What a session knows at a moment, whole and frozen: a screen may skip any but the last; and what can be asked for."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import AgentFiles
from promptscope_engine.insight.comparison import SectionChange
from promptscope_engine.insight.editable import EditableFiles
from promptscope_engine.insight.effects import Effect
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.insight.on_read import OnRead
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly, Diagnostic, Lever

if TYPE_CHECKING:  # the first frame has none
    from promptscope_engine.captures.model import Capture, Content, Recorded
    from promptscope_engine.insight.afterwards import Afterwards
    from promptscope_engine.insight.cache_miss import CacheMiss, Crossing
    from promptscope_engine.insight.last_change import LastChange

SwitchKey = tuple[str, str]
"""A param's dotted name (or `mode`) and the value as JSON: values need not be hashable."""


def switch_key(param: str, value: Json) -> SwitchKey:
    """The key under which a switch's effect is kept."""
    return param, as_json(value)


def as_json(value: Json) -> str:
    """A value as JSON. Controls have hundreds of them, most of them plain."""
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else _plain_json(value)


@lru_cache(1000, typed=True)  # 1 is not true
def _plain_json(value: str | float | None) -> str:
    return json.dumps(value)


class Step(Struct, frozen=True):
    """What was changed besides files, in words: `mode`, `plan`, `auto`. `before` is "" where `after` says it all."""

    name: str
    after: str
    before: str = ""


How = Literal["", "undo", "redo", "reset"]
"""What made the scenario another one; "" for whatever else a person did."""


class Change(Struct, frozen=True):
    """What changed the prompt, or was to change it: a save, a switch, a checkout, a step through a capture.

    When, by which files and steps, which sections, how many tokens. What can't be compared part by part, as another
    agent's prompt, has no sections.
    """

    at: datetime
    paths: tuple[str, ...]
    sections: tuple[SectionChange, ...]
    totals: tuple[int | None, int | None]
    """The expected tokens of the whole prompt, before and after."""
    steps: tuple[Step, ...] = ()
    how: How = ""
    is_other: bool = False
    """Whether it is another agent's prompt now, or that of another folder."""
    cache: CacheMiss | None = None
    """Of a step to a later request: what that one could read of the cache."""
    crossing: Crossing | None = None
    """What crossed the boundary behind which nothing is cached."""

    @property
    def tokens(self) -> int | None:
        """What it changed of the total; None while either is unknown."""
        before, after = self.totals
        return None if before is None or after is None else after - before


class Snapshot(Struct, frozen=True):
    """Everything a screen shows. With an `error`, `assembly` is that of an earlier scenario."""

    scenario: Scenario
    assembly: Assembly | None = None
    unedited: int | None = None
    """The expected tokens without the scenario's edits; None without any, and until they are counted."""
    baseline: Assembly | None = None
    pinned: bool = False
    """Whether the user set the baseline; otherwise it is the assembly before the last change."""
    pinned_at: datetime | None = None
    """When the user set it."""
    effects: Mapping[SwitchKey, Effect] = {}
    changes: tuple[Change, ...] = ()
    found: tuple[Diagnostic, ...] | None = None
    """What a check finds in the prompt that is shown, in the place of its diagnostics; None until it is found out."""
    unchecked_diagnostics: tuple[Diagnostic, ...] = ()
    """The assembly's own, in whose place they are."""
    lazy_rules: LazyRules | None = None
    """The files that load when another one is read; None for an agent without any, and until it is found out."""
    error: ScenarioError | None = None
    other_agents: tuple[AgentFiles, ...] | None = None
    """The files that the other agents read here; None until it is found out."""
    agent_tokens: Mapping[str, int | None] = {}
    """The expected tokens of the other agents' whole prompts, by the agent's id, as far as they are counted."""
    repeats: tuple[Repeat, ...] | None = None
    """The passages that the prompt has more than once; None until somebody looks at a file and they are found out."""
    editable: EditableFiles | None = None
    """The files that the mode that was asked about last may edit; None until it was requested and found out."""
    on_read: Mapping[str, OnRead] | None = None
    """What a read of a file would cost, by the path that the agent shows; None until it is counted."""
    last_change: LastChange | None = None
    """What the last commit did to the prompt; None without one, and until it is found out."""
    last_change_known: bool = False
    """Whether that was found out."""
    weights: Mapping[str, tuple[int | None, ...]] = {}
    """The tokens of each bullet of the agent's own lists, by section, once they are counted."""
    after: Afterwards | None = None
    """What is left at a later request; None until somebody looks at it and it is found out."""
    after_elsewhere: tuple[Afterwards, ...] = ()
    """The same of every agent."""
    after_error: str = ""
    """Why that is not known."""
    gone: bool = False
    """Whether the folder does not exist any more."""
    busy: bool = False
    """Whether the worker still has something to find out."""
    progress: tuple[int, int] | None = None
    """While thousands of files are counted: how many are, and of how many."""
    can_undo: bool = False
    can_redo: bool = False
    can_reset: bool = False

    @property
    def counted(self) -> bool:
        """Whether the assembly was counted. The first frame's was not: there is nothing to compare with yet."""
        return self.assembly is not None and self.assembly.tokens.expected is not None

    @property
    def compared(self) -> Assembly | None:
        """The baseline, if it is the same agent's in the same folder: against any other prompt everything is new."""
        one, other = self.baseline, self.assembly
        alike = one and other and (one.agent, one.workspace) == (other.agent, other.workspace)
        return one if alike else None

    @property
    def unchecked(self) -> Assembly | None:
        """The assembly without what a check found: nothing else that it is compared with was checked."""
        shown = self.assembly
        if shown is None or self.found is None:
            return shown
        return shown.with_diagnostics(self.unchecked_diagnostics)

    def with_found(self, assembly: Assembly, found: tuple[Diagnostic, ...] | None) -> Snapshot:
        """The snapshot of this assembly, what a check found in the place of its diagnostics."""
        own = assembly.diagnostics
        shown = assembly if found is None else assembly.with_diagnostics(found)
        return replace(self, found=found, unchecked_diagnostics=own, assembly=shown)

    def moved_to(self, scenario: Scenario) -> Snapshot:
        """The snapshot while this scenario is being answered: what is known of another agent or folder is not of it."""
        before = self.scenario
        if (before.agent, before.workspace) == (scenario.agent, scenario.workspace):
            return replace(self, scenario=scenario)
        return replace(self, scenario=scenario, on_read=None, last_change=None, last_change_known=False)

    def with_baseline(self, at: datetime) -> Snapshot:
        """The snapshot with what is shown as its baseline; pinned already, without one."""
        if self.pinned:
            return replace(self, baseline=None, pinned=False, pinned_at=None)
        return replace(self, baseline=self.unchecked, pinned=True, pinned_at=at)

    def is_unanswered(self, shown: Snapshot) -> bool:
        """Whether the worker has only just begun: nothing but the scenario differs from what is shown."""
        begun = self.busy and (not shown.busy or self.scenario is not shown.scenario)
        return begun and self.assembly is shown.assembly and self.error is shown.error and not self.progress

    def effect(self, param: str, value: Json) -> Effect | None:
        """The effect of a switch, None while it is unknown."""
        return self.effects.get(switch_key(param, value))


# --- a capture that is open beside the prompt

View = Literal["predicted", "sent", "differences"]


class Sent(Struct, frozen=True):
    """A request of a capture.

    `agent` is the modelled agent whose prediction it can be compared with: None for another agent, and for a request
    that is not a main one. `numbers` are those of the capture's requests to a model.
    """

    path: str
    capture: Capture
    request: Recorded
    content: Content
    agent: str | None
    numbers: tuple[int, ...]

    @property
    def at(self) -> int:
        """The request's place among those to a model, from 1."""
        return self.numbers.index(self.request.index) + 1


def view_of(sent: Sent | None, shown: Snapshot) -> View | None:
    """The view of a capture that is shown; None if none is, as when another agent is shown."""
    if sent is None or shown.assembly is None:
        return None
    if shown.assembly.agent.startswith(OBSERVED):
        return "sent" if shown.scenario.capture == sent.path else None
    return "predicted" if shown.assembly.agent == sent.agent else None


# --- what a row or a widget can ask of the app


class ApplyLevers(Struct, frozen=True):
    """Make the changes that would flip a reason."""

    levers: tuple[Lever, ...]


class OpenSource(Struct, frozen=True):
    """Open a file in the editor at a line, counted from 1."""

    path: str
    line: int = 1


class GoTo(Struct, frozen=True):
    """Show a place in a tab.

    `key` is a section's id in the prompt, with a line of its text (from 1; 0 is its header), and the key of a row
    elsewhere; None is the tab itself.
    """

    tab: str
    key: Hashable = None
    line: int = 0


class ChooseAgent(Struct, frozen=True):
    """Show an agent, by its id."""

    agent: str


class NextEvent(Struct, frozen=True):
    """Show what is left after the next kind of event."""


class InvokeSkill(Struct, frozen=True):
    """Take a skill as invoked by the session, or not any more."""

    name: str


class CompareWith(Struct, frozen=True):
    """Compare a side, as `diff` takes it, with the prompt as it is shown."""

    side: str


class Unfold(Struct, frozen=True):
    """Show the whole reason on a page of Why, or the sentence alone again."""


Intent: TypeAlias = ApplyLevers | GoTo | OpenSource | Unfold
