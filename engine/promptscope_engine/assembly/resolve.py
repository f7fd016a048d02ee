"""A scenario with everything filled in: the agent, its version, absolute paths, and the folders that may be read."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, datetime
from itertools import zip_longest
from pathlib import Path

from promptscope_engine.agents.adapter import Agent, as_values
from promptscope_engine.agents.features import Defined
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
from promptscope_engine.inputs.machine import complete
from promptscope_engine.inputs.params import validate
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario, check_values
from promptscope_engine.tokens.measured import version_numbers
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root


def resolve(scenario: Scenario, workspace: Workspace) -> tuple[Agent, Inputs]:
    """The agent, and the scenario with everything filled in; the workspace is told what may be read."""
    _check(scenario)
    home = _absolute(scenario.home or str(Path.home()), None)
    cwd = _absolute(scenario.workspace, home)
    root = repository_root(cwd, workspace)  # rule files of a package often link to its repository's root
    workspace.follow_links(scenario.outside_links == "follow")
    roots, parents = [cwd, home, *([root] if root else [])], [str(parent) for parent in Path(cwd).parents]
    workspace.allow(roots, shallow=parents)
    capture = _absolute(scenario.capture, home) if scenario.capture else None
    definition = _absolute(scenario.definition, home) if scenario.definition else None
    agent = _agent(scenario, cwd, capture, definition, workspace)
    scenario = as_values(agent, scenario)
    env = scenario.env or {}
    asked = scenario.agent_version or _learned_version(scenario, agent, workspace) or agent.versions[-1]
    version = nearest_version(asked, agent.versions)
    inputs = Inputs(
        agent_version=version,
        workspace=cwd,
        home=home,
        managed=_absolute(scenario.managed, home) if scenario.managed else None,
        mode=scenario.mode,
        model=scenario.model,
        params=validate(agent.params, scenario.params),
        environment=complete(scenario.environment, os.environ if scenario.env is None else env),
        env=env,
        mcp_servers=None if scenario.mcp_servers is None else tuple(scenario.mcp_servers),
        reads=tuple(scenario.reads),
        follow_links=scenario.outside_links == "follow",
        in_listed_order=scenario.environment.platform is None,
        capture=capture,
        definition=agent.definition if isinstance(agent, Defined) else definition,
        unknown_version=None if version == asked else asked,
    )
    workspace.confine([*roots, *agent.roots(inputs), *([inputs.managed] if inputs.managed else [])], shallow=parents)
    return agent, inputs


def _agent(scenario: Scenario, cwd: str, capture: str | None, definition: str | None, workspace: Workspace) -> Agent:
    """A modelled agent where one is named; else the one whose request was captured, that a file defines, or that the
    files tell of."""
    if capture and (scenario.agent is None or scenario.agent.startswith(OBSERVED)):
        return load_observed(scenario.agent, capture, workspace)
    if scenario.agent is None and definition is None:
        return detect(workspace, cwd)
    if scenario.agent is not None and is_registered(scenario.agent):
        return registered_agent(scenario.agent)
    file = definition or f"{cwd.rstrip('/')}/{DEFINITION}"
    if definition is not None:
        workspace.allow([file])
    elif workspace.kind(file) is None:
        return registered_agent(str(scenario.agent))  # raises: there is none
    agent = declared_in(file, workspace)
    if scenario.agent not in (None, agent.id):
        raise unknown("agent", str(scenario.agent), (agent.id, *agent_ids()), where="agent")
    return agent


def agents_for(scenario: Scenario) -> Iterator[Agent]:
    """Every agent that loads, then the one that the scenario's definition or its workspace defines, if it is valid."""
    yield from all_agents()
    home = _absolute(scenario.home or str(Path.home()), None)
    cwd = _absolute(scenario.workspace, home)
    file = _absolute(scenario.definition, home) if scenario.definition else f"{cwd.rstrip('/')}/{DEFINITION}"
    place = Workspace()
    place.allow([file] if scenario.definition else [cwd])
    if place.kind(file) is None:
        return
    try:
        yield last_read(file) or declared_in(file, place)
    except ScenarioError:  # who assembles it is told
        return


def _learned_version(scenario: Scenario, agent: Agent, workspace: Workspace) -> str | None:
    """With learned wording, the version that it is of, unless another one is asked for."""
    return workspace.learned.latest(agent.id) if scenario.learned and workspace.learned else None


def _check(scenario: Scenario) -> None:
    """Raises ScenarioError for what no agent could be started with."""
    for name in ("workspace", "home", "managed", "capture", "definition"):
        path = getattr(scenario, name)
        try:
            usable = path is None or b"\0" not in os.fsencode(path)
        except UnicodeEncodeError:
            usable = False
        if not usable:
            raise ScenarioError(f"no path can hold such characters: {path!r}", where=name)
    check_values(scenario.params, "params")
    for number, server in enumerate(scenario.mcp_servers or ()):
        check_values(dict(server), f"mcp_servers.{number}")
    date = scenario.environment.date
    if date is None:
        return
    try:
        year = datetime.fromisoformat(date).year
    except ValueError:
        raise ScenarioError(f"{date!r} is no date in ISO 8601", where="environment.date") from None
    if not MINYEAR < year < MAXYEAR:  # a time zone may lead out of what can be counted
        raise ScenarioError(f"the year {year} is out of range", where="environment.date")


def nearest_version(asked: str, known: Sequence[str]) -> str:
    """The modelled version that comes closest to the asked one: the one before it or the one after it.

    `known` is in rising order; what holds no number at all (`latest`) is the newest.
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
    # abspath, not realpath: agents show the path as they were started with it
    return os.path.abspath(os.path.expanduser(path))  # noqa: PTH100, PTH111 - pathlib would drop a trailing ..
