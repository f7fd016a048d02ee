"""Codex CLI 0.169.0: how the package is put together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.features import ContextReport
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.near_misses import SaysByLookups
from promptscope_engine.agents.transcripts import TranscriptFile, TranscriptReader, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.params import ParamField, Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_engine.workspace import Workspace

from .catalogue import models
from .features.context import report
from .features.started_by import started_by
from .gather import codex_home, gather
from .layout import wire
from .materials import Materials
from .params import CodexParams
from .sections import all_sections
from .texts import FOLDER
from .tools import tool_drafts
from .variables import VARIABLES
from .window import budget

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content
    from promptscope_engine.inputs.scenario import McpServer


@frozen(slots=False)
class Codex(SaysByLookups, Adapter[Materials]):
    """The agent as the registry knows it."""

    id: str = FOLDER.agent["id"]
    name: str = FOLDER.agent["name"]
    versions: tuple[str, ...] = FOLDER.versions
    params: type[Params] = CodexParams
    own_files: tuple[str, ...] = tuple(FOLDER.agent["own_files"])
    variables: tuple[ParamField, ...] = VARIABLES
    trusted: Mapping[str, Json] = field(default_factory=lambda: {"args.trust": True})

    @property
    def folder(self) -> Folder:
        return FOLDER

    def models(self, _version: str) -> Mapping[str, str]:
        return {slug: slug for slug in models()}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(CodexParams, inputs.params)
        named = [os.path.join(inputs.workspace, path) for path in params.args.images]  # noqa: PTH118
        system = () if inputs.managed else ("/etc/codex",)
        return (codex_home(inputs), *named, *system)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tool_drafts(materials)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return all_sections(materials)

    def layout(self, gathered: Gathered[Materials]) -> Layout:
        return wire(gathered)

    def window(self, gathered: Gathered[Materials]) -> Window:
        return budget(gathered.materials)

    # --- features (features.py) -----------------------------------------------------------------------

    def context(self, assembly: Assembly, _params: Mapping[str, Json]) -> ContextReport:
        return report(assembly)

    def started_by(self, command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
        return started_by(command, user_agent)

    def told_by(self, _content: Content) -> Mapping[str, Json]:
        return {}

    def servers(self, _content: Content) -> Sequence[McpServer]:
        return ()

    def alternatives(self, _model: str | None) -> Sequence[Mapping[str, Json]]:
        return ()

    def transcript_files(self, inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
        from .features.transcripts import transcript_files  # as the next two, only when somebody looks

        return transcript_files(inputs, workspace)

    def is_transcript(self, head: bytes) -> bool:
        from .features.transcripts import is_rollout

        return is_rollout(head)

    def transcript_reader(self, base: int, _variables: Mapping[str, str]) -> TranscriptReader:
        from .features.transcripts import Reader

        return Reader(base)

    def continue_from(self, _path: str, _turn: Turn) -> tuple[Lever, ...]:
        return ()


CODEX = Codex()
