"""One workspace, several agents: what each of the others makes of the same files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import SourceFile
from promptscope_engine.tokens import Counter
from promptscope_engine.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Reading:
    """The files that an agent consults, by their real paths; `error` says why that cannot be known."""

    agent: str
    name: str
    files: Mapping[str, SourceFile]
    error: str | None = None


def reading(agent: Agent, scenario: Scenario, workspace: Workspace, counter: Counter) -> Reading:
    """What the agent would consult under its own scenario. Nothing is counted for it."""
    try:
        assembly = assemble(scenario, workspace, counter, cached_only=True, expected_only=True)
    except ScenarioError as error:
        return Reading(agent.id, agent.name, {}, str(error))
    files: dict[str, SourceFile] = {}
    for file in assembly.files:
        known = files.get(file.real_path)
        if known is None or (file.present and not known.present):
            files[file.real_path] = file
    return Reading(agent.id, agent.name, files)
