"""Gemini CLI 0.61.0: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.features import ContextReport, LazyFile
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

from .features.context import report
from .features.lazy_rules import lazy_files
from .features.started_by import alternatives, package_in, started_by
from .gather import gather, roots
from .layout import request_layout
from .materials import Materials
from .models import ALIASES, ROUTERS
from .params import GeminiParams
from .sections import section_drafts
from .texts import FOLDER
from .tools import tool_drafts
from .variables import VARIABLES
from .window import budget

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content
    from promptscope_engine.inputs.scenario import McpServer


@frozen(slots=False)
class Gemini(SaysByLookups, Adapter[Materials]):
    """The agent as the registry knows it."""

    id: str = FOLDER.agent["id"]
    name: str = FOLDER.agent["name"]
    versions: tuple[str, ...] = FOLDER.versions
    params: type[Params] = GeminiParams
    own_files: tuple[str, ...] = tuple(FOLDER.agent["own_files"])
    variables: tuple[ParamField, ...] = VARIABLES
    trusted: Mapping[str, Json] = field(default_factory=lambda: {"trusted": True})

    @property
    def folder(self) -> Folder:
        return FOLDER

    def models(self, _version: str) -> Mapping[str, str]:
        return {**{name: answers["flash"] for name, answers in ROUTERS.items()}, **ALIASES}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        return roots(inputs)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tool_drafts(materials)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return tuple(section_drafts(materials))

    def layout(self, _gathered: Gathered[Materials]) -> Layout:
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:
        return budget(gathered.materials)

    # --- features (features.py) -----------------------------------------------------------------------

    def context(self, assembly: Assembly, _params: Mapping[str, Json]) -> ContextReport:
        return report(assembly)

    def lazy_files(self, inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
        return lazy_files(inputs, workspace, files)

    def started_by(self, command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
        return started_by(command, user_agent)

    def told_by(self, content: Content) -> Mapping[str, Json]:
        return package_in(content)

    def servers(self, content: Content) -> Sequence[McpServer]:
        from promptscope_engine.agents.kit.sent_servers import sent_servers  # only for a capture

        return sent_servers(content.tools, (), {}, prefix="mcp_", separator="_")

    def alternatives(self, model: str | None) -> Sequence[Mapping[str, Json]]:
        return alternatives(model)

    def transcript_files(self, inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
        from .features.transcripts import transcript_files  # as the next two, only when somebody looks

        return transcript_files(inputs, workspace)

    def is_transcript(self, head: bytes) -> bool:
        from .features.transcripts import is_chat

        return is_chat(head)

    def transcript_reader(self, base: int, _variables: Mapping[str, str]) -> TranscriptReader:
        from .features.transcripts import EitherReader

        return EitherReader(base)

    def continue_from(self, _path: str, _turn: Turn) -> tuple[Lever, ...]:
        return ()


GEMINI = Gemini()
