"""What the worker finds out about an assembly, as updates of the snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from operator import is_not
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.resolve import agents_for, resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.afterwards import Afterwards, afterwards, everywhere
from promptscope_engine.insight.agents_table import AgentFiles, agent_files
from promptscope_engine.insight.costs import bullets_of, is_agents
from promptscope_engine.insight.editable import find_editable
from promptscope_engine.insight.effects import Effect, each_effect
from promptscope_engine.insight.lazy_rules import LazyRules, find_lazy_rules
from promptscope_engine.insight.on_read import OnRead, costs_on_read
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace

from .folders import files_here, situated
from .snapshot import Snapshot, SwitchKey, switch_key
from .worker import SupersededError

if TYPE_CHECKING:  # not loaded for the first frame
    from promptscope_engine.checks.live import LiveCheck
    from promptscope_engine.inputs.after import After

Update: TypeAlias = Callable[[Snapshot], Snapshot]

_BATCH = 0.1
"""Seconds between two updates with effects: a screen that fills in by single numbers flickers."""


Report: TypeAlias = Callable[[Exception], str]
"""Keeps an exception that is promptscope's own, and says it in words."""


def said(error: Exception) -> str:
    """The words for an exception that nobody keeps."""
    return f"promptscope failed: {error!r}"


class Tools(Struct, frozen=True):
    """What findings are made with. `cancelled`: whether there is something newer to do."""

    workspace: Workspace
    counter: Counter
    cancelled: Callable[[], bool]
    report: Report = said
    knowledge: Callable[[], Knowledge] = lambda: NO_KNOWLEDGE
    """What is remembered at the moment."""

    def go_on(self) -> None:
        """Raises SupersededError if there is something newer to do."""
        if self.cancelled():
            raise SupersededError


def findings(scenario: Scenario, assembly: Assembly, tools: Tools, check: LiveCheck) -> Iterator[Update]:
    """What is found out about every assembly: what is wrong with it, then what each switch does.

    The last update has everything. Raises SupersededError.
    """
    yield from checked(scenario, assembly, tools, check)
    yield from _effects(scenario, assembly, tools)


def checked(scenario: Scenario, assembly: Assembly, tools: Tools, check: LiveCheck) -> Iterator[Update]:
    """The files that load lazily, and what a check finds. Raises SupersededError."""
    workspace, cancelled = tools.workspace, tools.cancelled
    agent, inputs = resolve(scenario, workspace, tools.knowledge())
    found = find_lazy_rules(agent, inputs, workspace, wanted=lambda: not cancelled())
    tools.go_on()
    yield lambda now: replace(now, lazy_rules=found)
    yield judged(scenario, assembly, found, tools, check)


def judged(scenario: Scenario, assembly: Assembly, lazy: LazyRules | None, tools: Tools, check: LiveCheck) -> Update:
    """What a check finds, by what is known of the other agents. Raises SupersededError."""
    problems = check.find(scenario, assembly, lazy, tools.workspace, lambda: not tools.cancelled())
    if problems is None:
        raise SupersededError
    return lambda now: now if problems == now.found else now.with_found(assembly, problems)


def _effects(scenario: Scenario, assembly: Assembly, tools: Tools) -> Iterator[Update]:
    effects: dict[SwitchKey, Effect] = {}
    shown = time.monotonic()
    for effect in each_effect(scenario, tools.workspace, tools.counter, assembly, knowledge=tools.knowledge()):
        tools.go_on()
        effects[switch_key(effect.param, effect.value)] = effect
        if time.monotonic() - shown >= _BATCH:
            yield partial(_merged, "effects", dict(effects))
            shown = time.monotonic()
    yield lambda now: replace(now, effects=effects, busy=False)


def _merged(field: str, more: dict[Any, Any], now: Snapshot) -> Snapshot:
    return replace(now, **{field: {**getattr(now, field), **more}})


def _left(found: Afterwards | None, error: str, now: Snapshot) -> Snapshot:
    return replace(now, after=found, after_error=error)


def agent_tokens(scenario: Scenario, tools: Tools) -> int | None:
    """The expected tokens of a scenario's prompt; None where there is none. Raises SupersededError."""
    try:
        return assemble(scenario, tools.workspace, tools.counter, knowledge=tools.knowledge()).tokens.expected
    except ScenarioError:  # said where the agent is shown
        return None
    except Exception as error:
        tools.report(error)
        return None


class Details:
    """What is found out once everything else is.

    What reads would cost; what the other agents read here and how many tokens they take; what the prompt has twice,
    once somebody looks at a file; the files that a mode may edit.
    """

    def __init__(self, tools: Tools, of: Callable[[Agent], Scenario], check: Callable[[], LiveCheck]) -> None:
        """`of` gives the scenario for another agent, `check` what checks the prompt that is shown."""
        self._tools = tools
        self._workspace, self._counter, self._go_on = tools.workspace, tools.counter, tools.go_on
        self._of, self._check = of, check
        self.repeats = False
        """Whether what the prompt has more than once was asked for."""
        self.mode: str | None = None
        """The mode whose files were requested last."""
        self.overview = False
        """Whether what only the overview shows was asked for."""
        self._overview_of: object = None
        self.after: After | None = None
        """The later request that is looked at."""
        self._after_of: object = None
        self._editable_of: object = None
        self.reloads = 0
        """How often something was reloaded."""
        self._other_agents_of: object = None
        self._with_files: set[str] = set()
        self._tokens_of: dict[str, object] = {}
        self._repeats_of: object = None
        self._weights_of: object = None
        self._on_read_of: tuple[object, ...] = (None, None)

    def due(self, now: Snapshot) -> bool:
        """Whether something is not found out for what is shown."""
        if now.assembly is None or not now.counted or now.error:
            return False
        if self._repeats_of is not self._sections(now.assembly) or self._editable_of != self._edits(now):
            return True
        if self._waits(now):
            return False
        if self._weights_of is not now.assembly.sections or self._is_other_read(now):
            return True
        if self._overview_of != self._shown(now) or self._after_of != self._later(now):
            return True
        return self._other_agents_of != self._state(now) or bool(self._uncounted(now))

    def _waits(self, now: Snapshot) -> bool:
        """Whether what each switch does is found out first: the overview shows more than that."""
        return now.busy and not (self.overview and now.found is not None)

    def find(self, now: Snapshot) -> Iterator[Update]:
        """The updates for a snapshot with an assembly, as far as they are due. Raises SupersededError."""
        assert now.assembly is not None
        if self._repeats_of is not (asked := self._sections(now.assembly)):
            repeats = self._check().paid_twice(now.assembly, self._workspace, self._go_on).repeats
            self._repeats_of = asked
            yield lambda now: replace(now, repeats=repeats)
        if self._editable_of != (edits := self._edits(now)):
            agent, inputs = resolve(situated(now), self._workspace, self._tools.knowledge())
            mode = next(mode for mode in now.assembly.modes if mode.slug == self.mode)
            editable = find_editable(agent, inputs, self._workspace, mode, lambda: not self._tools.cancelled())
            self._go_on()
            self._editable_of = edits
            yield lambda now: replace(now, editable=editable)
        if self._waits(now):
            return
        if self._weights_of is not now.assembly.sections:
            own = [section for section in now.assembly.sections if is_agents(section)]
            counted = {section.id: bullets_of(section, self._counter.count) for section in own}
            weights = {name: tuple(each.tokens for each in bullets) for name, bullets in counted.items() if bullets}
            self._weights_of = now.assembly.sections
            yield lambda now: replace(now, weights=weights)
        if self._is_other_read(now):
            on_read = self._costs_on_read(now.assembly, now.lazy_rules)
            self._on_read_of = self._read_later(now)
            yield lambda now: replace(now, on_read=on_read)
        if self._overview_of != (shown := self._shown(now)):
            yield from self._for_overview(now)
            self._overview_of = shown
        if self._after_of != (later := self._later(now)):
            yield from self._what_is_left(now)
            self._after_of = later
        state = self._state(now)
        if self._other_agents_of != state:
            others = tuple(self._other(agent) for agent in agents_for(situated(now)) if agent.id != now.assembly.agent)
            self._other_agents_of = state
            here = now.assembly.workspace
            self._with_files = {
                each.agent for each in others if files_here(load_agent(each.agent), each.files.values(), here)
            }
            now = replace(now, other_agents=others)
            yield lambda now: replace(now, other_agents=others)
            if now.unchecked is not None:  # only now it is known what nobody reads
                self._check().others = now.unchecked.agent, others
                yield judged(situated(now), now.unchecked, now.lazy_rules, self._tools, self._check())
        yield from self._count(now)

    def _count(self, now: Snapshot) -> Iterator[Update]:
        """The tokens of the other agents."""
        tokens: dict[str, int | None] = {}
        states: dict[str, object] = {}
        shown = time.monotonic()
        uncounted = self._uncounted(now)
        for other in uncounted:
            tokens[other.agent] = agent_tokens(self._of(load_agent(other.agent)), self._tools)
            states[other.agent] = self._counted_of(other, now)
            if time.monotonic() - shown >= _BATCH or other is uncounted[-1]:
                self._tokens_of |= states
                yield partial(_merged, "agent_tokens", dict(tokens))
                shown = time.monotonic()

    def _for_overview(self, now: Snapshot) -> Iterator[Update]:
        """What the last commit changed."""
        from promptscope_engine.insight.last_change import find_last_change  # git: not before the first frame

        try:
            found = find_last_change(self._of(load_agent(now.assembly.agent)), self._counter) if now.assembly else None
        except ScenarioError:
            found = None
        yield lambda now: replace(now, last_change=found, last_change_known=True)

    def _what_is_left(self, now: Snapshot) -> Iterator[Update]:
        """What is left at the later request, of this agent first."""
        asked = situated(now).model_copy(update={"after": self.after})
        before = now.assembly if now.scenario.after is None else None
        try:
            found = afterwards(asked, self._workspace, self._counter, before=before, knowledge=self._tools.knowledge())
        except ScenarioError as error:
            yield partial(_left, None, error.message)
            return
        yield partial(_left, found, "")
        all_of_them = []
        for each in everywhere(asked, self._workspace, self._counter, found, knowledge=self._tools.knowledge()):
            self._go_on()
            all_of_them.append(each)
        yield lambda now: replace(now, after_elsewhere=tuple(all_of_them))

    def _later(self, now: Snapshot) -> object:
        """What decides what is left at the later request; as when it was found out last, where nobody asked."""
        return (self.reloads, now.scenario, self.after) if self.after else self._after_of

    def _shown(self, now: Snapshot) -> object:
        """What decides what only the overview shows; as when it was found out last, where nobody asked."""
        return (self.reloads, now.scenario) if self.overview else self._overview_of

    def _read_later(self, now: Snapshot) -> tuple[object, ...]:
        """What decides what reads would cost."""
        return now.assembly and now.assembly.files, now.lazy_rules

    def _is_other_read(self, now: Snapshot) -> bool:
        return any(map(is_not, self._on_read_of, self._read_later(now)))

    def _costs_on_read(self, assembly: Assembly, rules: LazyRules | None) -> dict[str, OnRead]:
        counter, found = self._counter.by(get_tokenizer(assembly.tokens.tokenizer)), {}
        place = self._workspace.snapshot()  # what is only counted is not to be watched
        for path, cost in costs_on_read(assembly.files, rules, assembly.workspace, place, counter):
            self._go_on()
            found[path] = cost
        return found

    def _sections(self, assembly: Assembly) -> object:
        """What decides which passages are there more than once; as when it was found out last, where nobody asked."""
        return assembly.sections if self.repeats else self._repeats_of

    def _edits(self, now: Snapshot) -> object:
        """What decides which files the requested mode may edit; as when it was found out last, where it is gone."""
        shown = now.assembly
        mode = next((mode for mode in shown.modes if mode.slug == self.mode), None) if shown else None
        return (self.reloads, shown.agent, shown.workspace, mode) if shown and mode else self._editable_of

    def _uncounted(self, now: Snapshot) -> list[AgentFiles]:
        """The other agents whose prompts are not counted for what is shown."""
        others = now.other_agents or ()
        return [o for o in others if not o.error and self._tokens_of.get(o.agent) != self._counted_of(o, now)]

    def _counted_of(self, other: AgentFiles, now: Snapshot) -> object:
        """What decides how many tokens an agent takes: without files here, no file that is saved."""
        reloads, _, common = self._state(now)
        return (reloads if other.agent in self._with_files else 0), common

    def _state(self, now: Snapshot) -> tuple[object, ...]:
        """What decides which files the other agents read: nothing that is this agent's own."""
        common = now.scenario.model_copy(update={"mode": None, "model": None, "params": {}})
        return self.reloads, now.assembly.agent if now.assembly else None, common

    def _other(self, agent: Agent) -> AgentFiles:
        self._go_on()
        try:
            return agent_files(agent, self._of(agent), self._workspace, self._counter, self._tools.knowledge())
        except Exception as error:  # one agent that fails is not the end of the worker
            words = str(error) if isinstance(error, ScenarioError) else self._tools.report(error)
            return AgentFiles(agent.id, agent.name, {}, words)
