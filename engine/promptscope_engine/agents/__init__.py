"""The registry of agents: the built-in wings, and others through the entry point group `promptscope.agents`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast

from promptscope_engine.draft import Draft, Inputs
from promptscope_engine.errors import ScenarioError, unknown
from promptscope_engine.params import Params
from promptscope_engine.workspace import Workspace

ENTRY_POINTS = "promptscope.agents"

# Imported only when asked for: a wing's prose and tables take milliseconds that `--version` should not pay.
_BUILT_IN = {
    "claude-code": "promptscope_engine.agents.claude_code.agent:CLAUDE_CODE",
    "roo": "promptscope_engine.agents.roo.agent:ROO",
    "openclaw": "promptscope_engine.agents.openclaw.agent:OPENCLAW",
}


class Agent(Protocol):
    """What a wing offers. `versions` are oldest first: the last is the default."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def versions(self) -> tuple[str, ...]: ...

    @property
    def params(self) -> type[Params]: ...

    def models(self, version: str) -> Mapping[str, str]:
        """The agent's own names of models, each with what it stands for in a version."""
        ...

    def traces(self, workspace: Workspace, cwd: str) -> tuple[str, ...]:
        """The files in the workspace that only this agent reads: more traces win when no agent is named."""
        ...

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """Folders outside workspace and home that the params name and that may be read."""
        ...

    def draft(self, inputs: Inputs, workspace: Workspace) -> Draft:
        """Sections, tools and files with their conditions. Raises ScenarioError for inputs that make no sense."""
        ...


def agent_ids() -> tuple[str, ...]:
    """The ids of every known agent, built-in ones first."""
    from importlib.metadata import entry_points  # 12 ms: only when agents are listed or an id is not built in

    return tuple(dict.fromkeys([*_BUILT_IN, *(e.name for e in entry_points(group=ENTRY_POINTS))]))


def load_agent(agent_id: str) -> Agent:
    """The agent with this id. Raises ScenarioError, naming the nearest ids, for an unknown one."""
    if agent_id in _BUILT_IN:
        module, _, name = _BUILT_IN[agent_id].partition(":")
        return cast(Agent, getattr(import_module(module), name))
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS, name=agent_id):
        try:
            return cast(Agent, entry.load())
        except Exception as error:
            raise ScenarioError(f"the agent {agent_id!r} cannot be loaded: {error}", where="agent") from error
    raise unknown("agent", agent_id, agent_ids(), where="agent")


def all_agents() -> Iterator[Agent]:
    """Every agent that loads."""
    for agent_id in agent_ids():
        try:
            yield load_agent(agent_id)
        except ScenarioError:  # a broken package of someone else's: who names it is told why
            continue


def detect(workspace: Workspace, cwd: str) -> Agent:
    """The agent with the most files of its own in the workspace; the first built-in one if none has any."""
    agents = [load_agent(agent_id) for agent_id in _BUILT_IN]
    return max(agents, key=lambda agent: len(agent.traces(workspace, cwd)))
