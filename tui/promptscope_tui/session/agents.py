"""The agents in a folder: which have files in it, and how many tokens each one's prompt takes."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from msgspec import Struct

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import LoadsLazily
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import SourceFile

from .snapshot import Snapshot

DEMO = "promptscope-demo-"
"""How the name of the folder begins in which a copy of the sample is."""


def is_demo(workspace: str) -> bool:
    """Whether a folder is a copy of the sample."""
    return PurePath(workspace).parent.name.startswith(DEMO)


class AgentHere(Struct, frozen=True):
    """An agent in a folder: `files` of its own there, and all that it `looks` for, present or not.

    `tokens` are those expected of its whole prompt, None until they are counted.
    """

    id: str
    name: str
    files: tuple[SourceFile, ...]
    looks: tuple[SourceFile, ...]
    tokens: int | None


def situated(snapshot: Snapshot) -> Scenario:
    """The scenario with its folders as they were resolved, once something was assembled."""
    shown = snapshot.assembly
    folders = {"workspace": shown.workspace, "home": shown.home} if shown else {}
    return snapshot.scenario.model_copy(update=folders)


def files_here(agent: Agent, files: Iterable[SourceFile], workspace: str) -> tuple[SourceFile, ...]:
    """The files that exist below the workspace, whether they load at once or later; git's own files belong to no agent.

    A file that waits for another one to be read is nothing to an agent that loads none that way: it never loads.
    """
    base = workspace.rstrip("/") + "/"
    never = () if isinstance(agent, LoadsLazily) else ("on-demand", "conditional")
    there = (file for file in files if file.present or (file.bytes and file.load not in never))
    below = (file for file in there if file.real_path.startswith(base))
    return tuple(
        f for f in below if not f.real_path.startswith(f"{base}.git/") and not f.real_path.endswith("/.gitignore")
    )


def agents_here(snapshot: Snapshot) -> Iterator[AgentHere]:
    """The agent that is shown, then the others as far as they are known."""
    assembly = snapshot.assembly
    if assembly is None:
        return
    agent = load_agent(assembly.agent)
    yield AgentHere(assembly.agent, agent.name, own_files(snapshot), assembly.files, assembly.tokens.expected)
    for other in snapshot.other_agents or ():
        looks = tuple(other.files.values())
        tokens = snapshot.agent_tokens.get(other.agent)
        here = files_here(load_agent(other.agent), looks, assembly.workspace)
        yield AgentHere(other.agent, other.name, here, looks, tokens)


def others_here(snapshot: Snapshot) -> int:
    """How many other agents have files in the folder."""
    assembly = snapshot.assembly
    if assembly is None:
        return 0
    others = ((load_agent(other.agent), other.files.values()) for other in snapshot.other_agents or ())
    return sum(bool(files_here(agent, files, assembly.workspace)) for agent, files in others)


def own_files(snapshot: Snapshot) -> tuple[SourceFile, ...]:
    """The files in the folder of the agent that is shown."""
    assembly = snapshot.assembly
    return files_here(load_agent(assembly.agent), assembly.files, assembly.workspace) if assembly else ()
