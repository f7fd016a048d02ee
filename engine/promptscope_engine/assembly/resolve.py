"""A scenario with everything filled in: the agent, its version, absolute paths, and the folders that may be read."""

from __future__ import annotations

import os
from pathlib import Path

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.registry import detect, load_agent
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.machine import complete
from promptscope_engine.inputs.params import validate
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root


def resolve(scenario: Scenario, workspace: Workspace) -> tuple[Agent, Inputs]:
    """The agent, and the scenario with everything filled in; the workspace is told what may be read."""
    env = scenario.env or {}
    home = _absolute(scenario.home or str(Path.home()), None)
    cwd = _absolute(scenario.workspace, home)
    root = repository_root(cwd, workspace)  # rule files of a package often link to its repository's root
    workspace.allow([cwd, home, *([root] if root else [])], shallow=[str(parent) for parent in Path(cwd).parents])
    agent = load_agent(scenario.agent) if scenario.agent else detect(workspace, cwd)
    version = scenario.agent_version or agent.versions[-1]
    if version not in agent.versions:
        raise unknown(f"version of {agent.name}", version, agent.versions, where="agent_version")
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
    )
    workspace.allow([*agent.roots(inputs), *([inputs.managed] if inputs.managed else [])])
    return agent, inputs


def _absolute(path: str, home: str | None) -> str:
    if home and (path == "~" or path.startswith("~/")):
        path = home + path[1:]
    # abspath, not realpath: agents show the path as they were started with it
    return os.path.abspath(os.path.expanduser(path))  # noqa: PTH100, PTH111 - pathlib would drop a trailing ..
