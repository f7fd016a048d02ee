"""Roo Code's inputs: the arguments of its `SYSTEM_PROMPT`, under its own names (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.text.params import Fields
from promptscope_engine.inputs.params import Params

_described = Fields(Path(__file__).parent)


@_described
class Terminal(Params):
    """A terminal of the editor. `task`: "own", another task's id, or null for one in the background."""


@_described
class Problem(Params):
    """A diagnostic of the editor; lines count from 0."""


@_described
class Git(Params):
    """What git prints: `git status --short`, `git diff HEAD`, and commits by the hash as mentioned."""


@_described
class Editor(Params):
    """What only the running editor knows, and its settings for messages. Paths may be relative to the workspace."""


@_described
class CustomModePrompt(Params):
    """A user's override of one mode's texts, from the settings."""


@_described
class GivenMode(Params):
    """A mode as Roo has read it from a file: groups are names, or pairs of a name and its options."""


@_described
class RooParams(Params):
    """Everything that decides a Roo prompt besides files, mode and model."""

    def settled(self) -> "RooParams":
        """With the values that Roo takes where its state holds null."""
        settings = self.settings
        if settings.maxConcurrentFileReads is None:
            settings = settings.model_copy(update={"maxConcurrentFileReads": 5})
        return self.model_copy(update={"settings": settings, "mcpEnabled": self.mcpEnabled is not False})
