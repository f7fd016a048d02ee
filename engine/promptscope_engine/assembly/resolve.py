"""A scenario with everything filled in: the agent, its version, absolute paths, and the folders that may be read."""

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, datetime
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from promptscope_engine.agents.adapter import Agent, Describes
from promptscope_engine.agents.registry import (
    DEFINITION,
    OBSERVED,
    agent_ids,
    all_agents,
    declared_in,
    detect,
    is_registered,
    last_read,
    load_observed,
    registered_agent,
)
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.machine import read_machine
from promptscope_engine.inputs.pinned import with_system
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario, check_values
from promptscope_engine.tokens.measured import version_numbers
from promptscope_engine.workspace import Workspace, paths
from promptscope_engine.workspace.access import AccessPolicy
from promptscope_engine.workspace.disk import moved
from promptscope_engine.workspace.repository import repository_root

from .knowledge import NO_KNOWLEDGE, Knowledge
from .settling import as_values, settled


class Resolved(NamedTuple):
    """An agent, and the scenario with everything filled in: what it gathers from."""

    agent: Agent
    inputs: Inputs


def resolve(scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE) -> Resolved:
    """The agent and its inputs. From then on the workspace reads what the scenario allows.

    Raises ScenarioError for a scenario that no agent could be started with.
    """
    _check(scenario)
    scenario = _elsewhere(absolute(with_system(scenario)), workspace)
    access = _access(scenario, workspace)
    workspace.admit(access.with_trees([scenario.definition] if scenario.definition else []))
    agent = choose_agent(scenario, workspace)
    inputs = complete(as_values(agent, scenario), agent, knowledge)
    workspace.confine(access.with_trees([*agent.roots(inputs), *([inputs.managed] if inputs.managed else [])]))
    return Resolved(agent, inputs)


def absolute(scenario: Scenario) -> Scenario:
    """The scenario with absolute paths; `~` is its own home folder, which is the user's unless it names one."""
    home = _absolute(scenario.home or str(Path.home()), None)
    optional = {name: getattr(scenario, name) for name in ("managed", "capture", "definition")}
    others = {name: _absolute(path, home) if path else None for name, path in optional.items()}
    return scenario.model_copy(update={"home": home, "workspace": _absolute(scenario.workspace, home), **others})


def _elsewhere(scenario: Scenario, workspace: Workspace) -> Scenario:
    """The scenario on the inspected machine, where its `environment` names the workspace there.

    Where that name ends as the way from the repository's root to the workspace does, the whole repository is there.
    """
    named = scenario.environment.workspace
    if named is None:
        workspace.show(None)
        return scenario
    there, shown = scenario.workspace, _absolute(named, str(scenario.home))
    root = (repository_root(there, workspace.beneath()) or there).rstrip("/")
    way = there.removeprefix(root)
    if way and shown.endswith(way):
        there, shown = root, shown.removesuffix(way)
    workspace.show((there, shown))
    others = {
        name: (path := getattr(scenario, name)) and moved(path, there, shown) for name in ("capture", "definition")
    }
    reads = [moved(path, there, shown) for path in scenario.reads]
    return scenario.model_copy(update={"workspace": moved(scenario.workspace, there, shown), "reads": reads, **others})


def _access(scenario: Scenario, workspace: Workspace) -> AccessPolicy:
    """What any agent may read: the workspace, the home folder, the repository, and the parents' own files."""
    cwd, home = scenario.workspace, str(scenario.home)
    root = repository_root(cwd, workspace)  # rule files of a package often link to its repository's root
    parents = [str(parent) for parent in PurePosixPath(cwd).parents]
    return AccessPolicy.of(filter(None, (cwd, home, root)), parents, follows_links=scenario.outside_links == "follow")


def choose_agent(scenario: Scenario, workspace: Workspace) -> Agent:
    """The agent that is named, else the one that was captured, that a file defines, or that the files belong to.

    The scenario's paths are absolute. Raises ScenarioError for an agent that does not exist.
    """
    named = scenario.agent
    if scenario.capture and (named is None or named.startswith(OBSERVED)):
        return load_observed(named, scenario.capture, workspace)
    if named is None and scenario.definition is None:
        return detect(workspace, scenario.workspace)
    if named is not None and is_registered(named):
        return registered_agent(named)
    file = _definition_file(scenario)
    if scenario.definition is None and workspace.kind(file) is None:
        return registered_agent(str(named))  # raises: there is none
    agent = declared_in(file, workspace)
    if named not in (None, agent.id):
        raise unknown("agent", str(named), (agent.id, *agent_ids()), where="agent")
    return agent


def _definition_file(scenario: Scenario) -> str:
    return scenario.definition or f"{scenario.workspace.rstrip('/')}/{DEFINITION}"


def complete(scenario: Scenario, agent: Describes, knowledge: Knowledge) -> Inputs:
    """What the agent gathers from: an absolute scenario with its defaults, and facts read from the machine.

    Raises ScenarioError for params that the agent does not take.
    """
    # With learned wording, the version that was learned last.
    learned = knowledge.learned if scenario.learned else None
    asked = scenario.agent_version or (learned.latest(agent.id) if learned else None) or agent.versions[-1]
    known = learned.version(agent.id, asked) if learned else None
    version = known.base if known and known.base in agent.versions else nearest_version(asked, agent.versions)
    params, assumed = settled(agent, scenario)
    env = paths.variables(scenario.env or {})
    return Inputs(
        agent_version=version,
        workspace=scenario.workspace,
        home=str(scenario.home),
        managed=scenario.managed,
        mode=scenario.mode,
        model=scenario.model,
        params=params,
        environment=read_machine(scenario.environment, os.environ if scenario.env is None else env),
        env=env,
        mcp_servers=None if scenario.mcp_servers is None else tuple(scenario.mcp_servers),
        reads=tuple(scenario.reads),
        after=scenario.after,
        follow_links=scenario.outside_links == "follow",
        in_listed_order=scenario.environment.platform is None,
        capture=scenario.capture,
        definition=agent.about.definition or scenario.definition,
        attended=assumed,
        answers=knowledge.answers(scenario.workspace) if scenario.attended and scenario.mcp_servers is None else {},
        unknown_version=None if version == asked else asked,
    )


def agents_for(scenario: Scenario) -> Iterator[Agent]:
    """Every agent that loads, then the one that the scenario's definition or its workspace defines, if it is valid."""
    yield from all_agents()
    scenario = absolute(scenario)
    file = _definition_file(scenario)
    place = Workspace()
    place.allow([scenario.definition or scenario.workspace])
    if place.kind(file) is None:
        return
    try:
        yield last_read(file) or declared_in(file, place)
    except ScenarioError:  # assembling with it says what is wrong
        return


def _check(scenario: Scenario) -> None:
    """Raises ScenarioError for what no agent could be started with."""
    for name in ("workspace", "home", "managed", "capture", "definition"):
        path = getattr(scenario, name)
        try:
            usable = path is None or b"\0" not in os.fsencode(path)
        except UnicodeEncodeError:
            usable = False
        if not usable:
            raise ScenarioError(f"path contains invalid characters: {path!r}", where=name)
    check_values(scenario.params, "params")
    for number, server in enumerate(scenario.mcp_servers or ()):
        check_values(dict(server), f"mcp_servers.{number}")
    date = scenario.environment.date
    if date is None:
        return
    try:
        year = datetime.fromisoformat(date).year
    except ValueError:
        raise ScenarioError(f"{date!r} is not an ISO 8601 date", where="environment.date") from None
    if not MINYEAR < year < MAXYEAR:  # a time zone may lead out of what can be counted
        raise ScenarioError(f"the year {year} is out of range", where="environment.date")


def nearest_version(asked: str, known: Sequence[str]) -> str:
    """The modelled version closest to the asked one: the one before it or the one after it.

    `known` is in rising order; a version without any number (`latest`) is the newest.
    """
    wanted = version_numbers(asked)
    if asked in known or not wanted:
        return asked if asked in known else known[-1]
    at = bisect_right(known, wanted, key=version_numbers)
    return min(known[max(at - 1, 0) : at + 1], key=lambda version: _distance(version_numbers(version), wanted))


def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(abs(mine - its) for mine, its in zip_longest(one, other, fillvalue=0))


def _absolute(path: str, home: str | None) -> str:
    if home and (path == "~" or path.startswith("~/")):
        path = home + path[1:]
    return paths.absolute(path)  # links stay: agents show the path as they were started with it
