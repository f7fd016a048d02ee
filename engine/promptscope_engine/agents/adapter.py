"""What an agent's package offers the rest of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Draft
from promptscope_engine.workspace import Workspace


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
