"""One workspace, several agents: which of its files the others read."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from msgspec import Struct

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.assembly.assembler import source_files
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import SourceFile
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace


class AgentFiles(Struct, frozen=True):
    """The files that an agent looks for, by their real paths; `error` says why they are unknown."""

    agent: str
    name: str
    files: Mapping[str, SourceFile]
    error: str | None = None


def agent_files(agent: Agent, scenario: Scenario, workspace: Workspace, counter: Counter) -> AgentFiles:
    """The files that the agent would look for under its own scenario. Nothing is counted."""
    try:
        found = source_files(scenario, workspace, counter)
    except ScenarioError as error:
        return AgentFiles(agent.id, agent.name, {}, str(error))
    files: dict[str, SourceFile] = {}
    for file in found:
        files[file.real_path] = max(files.get(file.real_path, file), file, key=attrgetter("present"))
    return AgentFiles(agent.id, agent.name, files)
