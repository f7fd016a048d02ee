"""Checking a repository: its settings, an assembly for each agent that has files here, and every rule held to it."""

from collections.abc import Iterator

from msgspec.structs import replace

from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import agents_for, resolve
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.pinned import NOWHERE, REPOSITORY
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import AgentFiles
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.insight.sides import PinnedPlaces, assemble_pinned, at_revision
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace import Workspace, paths
from promptscope_engine.workspace.disk import moved
from promptscope_engine.workspace.repository import list_files, repository_root

from .budgets import Place, given, grown, over_budget, required, spent
from .context import Context, Names
from .findings import Checked, CheckReport, Finding, Spent
from .judging import Judge, in_prompt
from .ranking import in_order
from .reading import Reading
from .settings import CheckSettings, Growth, Loaded, load_settings
from .survival import broken
from .unread import unread_files


def check(
    scenario: Scenario,
    *,
    counter: Counter | None = None,
    loaded: Loaded | None = None,
    growth_against: str | None = None,
) -> CheckReport:
    """Hold the repository of a scenario's workspace to its settings.

    Date, system, user, variables and, unless the scenario names one, the home folder are pinned, so that two machines
    find the same. `loaded`: other settings than the repository's; `growth_against`: another revision than theirs.

    Raises ScenarioError for settings that are not valid, a revision that is not there, an agent that is not known.
    """
    place = Workspace()
    folder, root = repository_of(scenario, place)
    scenario = scenario.model_copy(update={"workspace": folder})
    loaded = loaded or load_settings(root, place)
    settings = loaded.settings

    def written(*keys: str | int) -> Place:
        """Where a setting is written, as a path of the pinned repository."""
        return loaded.path and moved(loaded.path, root, REPOSITORY), loaded.line(place, *keys)

    files = list_files(folder, scenario.home or NOWHERE, {}, place)
    counter = counter or Counter(tokenizer_for_model(None))
    prompts = _Prompts(settings, counter, Names(replace(files, root=moved(files.root, root, REPOSITORY))))
    growth = settings.growth
    if growth is not None and growth_against:
        growth = growth.model_copy(update={"against": growth_against})
    reading = Reading()
    found: list[Finding] = []
    costs: list[Spent] = []
    contexts: list[Context] = []
    for agent in prompts.agents(scenario, place):
        base, first = prompts.of(scenario, agent)
        contexts.append(first)
        found += in_prompt(first, loaded, written, reading)
        for number, assertion in enumerate(settings.assertions):
            place_of_it = written("assert", number, "survives")
            found += broken(assertion, base, first, prompts.assembled, place_of_it)
        if growth is not None:
            found += growth_of(growth, base, first, counter, written("growth", "against"))
        in_modes = dict(prompts.in_modes(base))
        contexts += in_modes.values()
        for number, budget in enumerate(settings.budget):
            looked_at = in_modes.get(budget.mode) if budget.mode else first
            if looked_at and budget.agent in (None, agent):
                found += over_budget(budget, looked_at, written("budget", number, budget.limit))
                costs += spent(number, budget, looked_at)
    if contexts and prompts.are_all:
        found += unread_files(contexts[0], list(prompts.files.values()), found)
    found += required(settings.required, contexts, lambda: given_elsewhere(settings, scenario, place, counter))
    notes = loaded.notes if contexts else (*loaded.notes, "no agent has files here: nothing was checked")
    checked = Judge(settings, root, place).judged(found)
    return CheckReport(root, loaded.path, tuple(map(_checked, contexts)), in_order(checked), tuple(costs), notes)


def repository_of(scenario: Scenario, place: Workspace) -> tuple[str, str]:
    """The real folder of a scenario, and the root of the repository around it (without one, the folder).

    `place` may read there afterwards. Raises ScenarioError for a folder that cannot be.
    """
    some_agent = {"agent": next(iter(agent_ids())), "params": {}}  # which one does not matter: a folder is asked for
    folder = paths.real(resolve(scenario.model_copy(update=some_agent), place).inputs.workspace)
    root = repository_root(folder, place) or folder
    place.allow([root])
    return folder, root


class _Prompts:
    """The prompts of a check: each is assembled once, and each file is read once for all of them."""

    def __init__(self, settings: CheckSettings, counter: Counter, names: Names | None = None) -> None:
        self._settings, self._counter, self._names = settings, counter, names
        self._places = PinnedPlaces()
        self.files: dict[str, AgentFiles] = {}
        """What each agent that was looked at makes of the files, by its id."""
        self.are_all = False
        """Whether that is every agent there is: no one was named."""
        self._known: dict[str, Context] = {}
        """By agent, those that were made to see whether it reads anything."""

    def agents(self, scenario: Scenario, place: Workspace) -> list[str]:
        """The agents to check: the named ones, else those that have files of their own here or read one of these."""
        plain = scenario.model_copy(update={"params": {}})
        if scenario.agent or scenario.definition:
            return [resolve(plain, place).agent.id]
        known = list(agents_for(scenario))
        if (named := self._settings.agents) is not None:
            ids = [agent.id for agent in known]
            for name in named:
                if name not in ids:
                    raise unknown("agent", name, ids, where="agents")
            return named
        folder = resolve(plain, place).inputs.workspace.rstrip("/")  # raises for a definition that is not valid
        self.are_all = True
        return [
            agent.id
            for agent in known
            if any(place.kind(f"{folder}/{name}") is not None for name in agent.about.own_files)
            or self._reads_some(scenario, agent.id)
        ]

    def of(self, scenario: Scenario, agent: str) -> tuple[Scenario, Context]:
        """An agent's scenario and prompt."""
        base = _situated(scenario, agent, self._settings)
        return base, self._known.get(agent) or self._context(base)

    def assembled(self, scenario: Scenario) -> Assembly:
        """A prompt of the same repository, such as a later one of a session."""
        scenario, workspace = self._places.place(scenario)
        return assemble(scenario, workspace, self._counter)

    def in_modes(self, base: Scenario) -> Iterator[tuple[str, Context]]:
        """The prompts in the modes of the budgets. A budget for every agent is for those that have its mode."""
        budgets = self._settings.budget
        modes = dict.fromkeys((each.mode, each.agent) for each in budgets if each.agent in (None, base.agent))
        for mode, agent in modes:
            try:
                if mode:
                    yield mode, self._context(base.with_value("mode", mode))
            except ScenarioError:
                if agent is not None:
                    raise

    def _reads_some(self, scenario: Scenario, agent: str) -> bool:
        """Whether text of the repository is in the agent's prompt, or one of its own kind of files is refused.

        Not where it does not take what the scenario says.

        An agent that only the home folder keeps from starting counts: that is to be found.
        """
        try:
            base, context = self.of(scenario, agent)
            alone = base.model_copy(update={"home": None})
            for each in (context, *(self._context(alone) for _ in range(base.home is not None))):
                refused = {(found.path, found.code) for found in each.assembly.diagnostics}
                wanted = (f for f in each.assembly.files if f.injected_chars or (f.path, f.kind) in refused)
                if any(file.real_path.startswith(f"{REPOSITORY}/") for file in wanted):
                    self._known[agent] = context
                    return True
        except ScenarioError:
            pass
        return False

    def _context(self, scenario: Scenario) -> Context:
        scenario, workspace = self._places.place(scenario)
        assembly = assemble(scenario, workspace, self._counter)
        listing, resolved = self._names.listing if self._names else None, resolve(scenario, workspace)
        lazy = find_lazy_rules(*resolved, workspace, listing=listing)
        if assembly.agent not in self.files:
            later = [rule.file for rule in lazy.rules] if lazy else []
            self.files[assembly.agent] = AgentFiles.of(resolved, assembly.files, later, workspace)
        return Context(REPOSITORY, assembly, lazy, workspace, self._counter, self._names)


def given_elsewhere(settings: CheckSettings, scenario: Scenario, place: Workspace, counter: Counter) -> set[str]:
    """The files below the repository's root that the agents beside a named one are given."""
    if scenario.agent is None:
        return set()
    own = dict.fromkeys(("agent", "agent_version", "mode", "model", "capture", "definition"))
    plain = scenario.model_copy(update={**own, "params": {}})
    prompts = _Prompts(settings, counter)
    others = (agent for agent in prompts.agents(plain, place) if agent != scenario.agent)
    return {name for agent in others for name in given(prompts.of(plain, agent)[1])}


def _situated(scenario: Scenario, agent: str, settings: CheckSettings) -> Scenario:
    """The scenario for an agent; what is given on the command line comes before what the settings say."""
    said = settings.scenario.get(agent)
    if said is None:
        return scenario.model_copy(update={"agent": agent})
    keys = ("agent_version", "mode", "model")
    values = {key: getattr(scenario, key) or getattr(said, key) for key in keys}
    made = scenario.model_copy(update={"agent": agent, "params": said.params, **values})
    for name, value in flatten(scenario.params).items():
        made = made.with_value(name, value)
    return made


def growth_of(growth: Growth, base: Scenario, context: Context, counter: Counter, place: Place) -> Iterator[Finding]:
    """Whether a prompt grew by more than is allowed. Raises ScenarioError for a revision that is not there."""
    try:
        before = assemble_pinned(at_revision(growth.against, base), counter)
    except ScenarioError:
        if not load_agent(context.assembly.agent).about.definition:
            raise
        return  # its definition was not there yet, or not valid
    yield from grown(growth, before, context, place)


def _checked(context: Context) -> Checked:
    of = context.assembly
    return Checked(of.agent, of.agent_version, of.mode, of.tokens.expected or 0, of.tokens.window)
