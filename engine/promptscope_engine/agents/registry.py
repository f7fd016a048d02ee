"""The registry of agents: the built-in ones, and others through the entry point group `promptscope.agents`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from promptscope_engine.formats.document import toml
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk

from .adapter import Agent

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "promptscope.agents"

OBSERVED = "observed/"
"""What the id of an agent begins with that is known by a capture only."""

# Imported only when used: an agent's prose and tables take milliseconds that `--version` should not pay.
_BUILT_IN = {
    "claude-code": "promptscope_engine.agents.claude_code.agent:CLAUDE_CODE",
    "roo": "promptscope_engine.roo_replies.agent:ROO",
    "openclaw": "promptscope_engine.agents.openclaw.agent:OPENCLAW",
    "codex": "promptscope_engine.agents.codex.agent:CODEX",
    "gemini": "promptscope_engine.agents.gemini.agent:GEMINI",
    "opencode": "promptscope_engine.agents.opencode.agent:OPENCODE",
    "copilot": "promptscope_engine.agents.copilot.agent:COPILOT",
}


DEFINITION = "promptscope-agent.toml"
"""The file in a workspace that defines an agent of its own (declared.agent.FILE)."""

_READ: dict[str, Agent] = {}
"""By id, the agents that files define, as they were last read in this process: a screen that shows one of them asks
for it by its id. A scenario never does: `declared_in` reads the file."""


def built_in_ids() -> tuple[str, ...]:
    """The ids of the built-in agents, whose texts can be corrected."""
    return tuple(_BUILT_IN)


def agent_ids() -> tuple[str, ...]:
    """The ids of every known agent, built-in ones first."""
    return tuple(dict.fromkeys([*_BUILT_IN, *(entry.name for entry in plug_ins())]))


@cache
def plug_ins() -> tuple[EntryPoint, ...]:
    """What other packages registered. Looked up once: it goes through the metadata of every package."""
    from importlib.metadata import entry_points  # 12 ms: only when agents are listed or an id is not built in

    return tuple(entry_points(group=ENTRY_POINTS))


def load_agent(agent_id: str) -> Agent:
    """The agent with this id, registered or last read from a file. Raises ScenarioError with the nearest ids."""
    return _READ[agent_id] if agent_id in _READ else registered_agent(agent_id)


def is_registered(agent_id: str) -> bool:
    """Whether the id is known without any file."""
    return agent_id in _BUILT_IN or agent_id.startswith(OBSERVED) or agent_id in agent_ids()


def registered_agent(agent_id: str) -> Agent:
    """The agent with this id, files aside. Raises ScenarioError, naming the nearest ids, for an unknown one."""
    if agent_id.startswith(OBSERVED):
        from .observed.agent import Observed  # not for a prediction

        return Observed(agent_id)
    if agent_id in _BUILT_IN:
        module, _, name = _BUILT_IN[agent_id].partition(":")
        return cast(Agent, getattr(import_module(module), name))
    for entry in plug_ins():
        if entry.name != agent_id:
            continue
        try:
            return cast(Agent, entry.load())
        except Exception as error:
            raise ScenarioError(f"the agent {agent_id!r} cannot be loaded: {error}", where="agent") from error
    raise unknown("agent", agent_id, agent_ids(), where="agent")


def declared_in(path: str, workspace: Workspace) -> Agent:
    """The agent that a file defines. Raises ScenarioError for what is wrong with the file."""
    from .declared.agent import declared

    agent = declared(path, workspace)
    if is_registered(agent.id):
        message = f"an agent that promptscope knows is called {agent.id} already: choose another id"
        raise agent.read.error(message, "id")
    if agent.id not in _READ or isinstance(workspace.disk, RealDisk):  # what a revision says is not what is shown
        _READ[agent.id] = agent
    return agent


def definition_in(folder: Path) -> Path | None:
    """The file in a folder that defines an agent: its definition, or an agent.toml that corrects no built-in one."""
    if (file := folder / DEFINITION).is_file():
        return file
    file = folder / "agent.toml"
    if not file.is_file():
        return None
    try:
        own = toml(file.read_text("utf-8")).get("id", folder.name)
    except (OSError, ValueError):
        own = folder.name
    return None if own in _BUILT_IN else file


def last_read(path: str) -> Agent | None:
    """The agent that was last read from a file."""
    return next((agent for agent in _READ.values() if agent.about.definition == path), None)


def observed_id(name: str) -> str:
    """The id under which an agent of this name is observed."""
    return name if name.startswith(OBSERVED) else OBSERVED + name


def load_observed(agent_id: str | None, capture: str, workspace: Workspace) -> Agent:
    """The agent of a capture file. Raises ScenarioError for a file that is none."""
    from .observed.agent import observed

    return observed(agent_id, capture, workspace)


def all_agents() -> Iterator[Agent]:
    """Every agent that loads."""
    for agent_id in agent_ids():
        try:
            yield load_agent(agent_id)
        except ScenarioError:  # a broken package of someone else's: who names it is told why
            continue


def detect(workspace: Workspace, cwd: str) -> Agent:
    """The agent that the workspace defines, else the one with the most own files in it, else the first built-in."""
    if workspace.kind(f"{cwd.rstrip('/')}/{DEFINITION}") is not None:
        return declared_in(f"{cwd.rstrip('/')}/{DEFINITION}", workspace)
    agents = [load_agent(agent_id) for agent_id in _BUILT_IN]
    return max(
        agents, key=lambda agent: sum(workspace.kind(f"{cwd}/{name}") is not None for name in agent.about.own_files)
    )
