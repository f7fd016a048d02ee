"""An agent with a folder of texts: what its agent.toml says of it, and what its package tells when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from promptscope_engine.agents.adapter import Adapter
from promptscope_engine.agents.transcripts import TranscriptFile, TranscriptReader, Turn
from promptscope_engine.inputs.params import ParamField, variable
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace import Workspace

from .folder import Folder
from .near_misses import Reads

M = TypeVar("M")


class BuiltIn(Adapter[M]):
    """A subclass names its folder and params, and makes the prompt.

    Whatever a prompt does without is a module of the package beside the folder's agent.toml, loaded at the first
    question: `features.transcripts` reads the agent's conversations.
    """

    folder: Folder

    @property
    def id(self) -> str:
        return str(self.folder.agent["id"])

    @property
    def name(self) -> str:
        return str(self.folder.agent["name"])

    @property
    def versions(self) -> tuple[str, ...]:
        return self.folder.versions

    @property
    def own_files(self) -> tuple[str, ...]:
        return tuple(self.folder.agent["own_files"])

    @cached_property
    def variables(self) -> tuple[ParamField, ...]:
        """The table `[variables]`: what each is for, its usual values, and the group in which it stands."""
        return tuple(
            variable(name, said["help"], *said.get("values", ()), group=said.get("group", "Environment"))
            for name, said in self.folder.agent.get("variables", {}).items()
        )

    def loaded(self, module: str) -> ModuleType:
        """A module of the agent's package."""
        return import_module(f".agents.{self.folder.path.name}.{module}", "promptscope_engine")

    def unread(self, inputs: Inputs, path: str) -> str:
        """Why a file that is in no row is not read."""
        return Reads.of(self.folder.agent, inputs.agent_version).sentence(path)

    def transcript_files(self, inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
        """Those of this workspace first, each group newest first."""
        files: tuple[TranscriptFile, ...] = self.loaded("features.transcripts").transcript_files(inputs, workspace)
        return files

    def is_transcript(self, head: bytes) -> bool:
        """Whether a file that begins so is a conversation of the agent's."""
        return bool(self.loaded("features.transcripts").is_transcript(head))

    def transcript_reader(self, base: int, _variables: Mapping[str, str]) -> TranscriptReader:
        """The reader for one conversation."""
        reader: TranscriptReader = self.loaded("features.transcripts").Reader(base)
        return reader

    def continue_from(self, _path: str, _turn: Turn) -> tuple[Lever, ...]:
        """No input takes up a conversation."""
        return ()
