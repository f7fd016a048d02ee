"""Roo Code 3.28.16: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.features import EditRules, PromptTold
from promptscope_engine.agents.kit.cached_by_order import CachedByOrder
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.transcripts import TranscriptFile, TranscriptReader, Turn
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.params import ParamField, Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Lever, ModeChoice
from promptscope_engine.workspace import Workspace

from .gather import gather
from .layout import request_layout
from .materials import Materials
from .params import RooParams
from .sections import all_sections
from .texts import FOLDER
from .tools import tool_drafts
from .window import window_of

if TYPE_CHECKING:
    from promptscope_engine.agents.kit.caching import Event


@frozen(slots=False)
class Roo(CachedByOrder, Adapter[Materials]):
    """The agent as the registry knows it."""

    id: str = FOLDER.agent["id"]
    name: str = FOLDER.agent["name"]
    versions: tuple[str, ...] = FOLDER.versions
    params: type[Params] = RooParams
    own_files: tuple[str, ...] = tuple(FOLDER.agent["own_files"])
    variables: tuple[ParamField, ...] = ()

    @property
    def folder(self) -> Folder:
        return FOLDER

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(RooParams, inputs.params)
        return tuple(path for path in (params.globalStorage, params.taskFile) if path)

    def edit_rules(self, inputs: Inputs, workspace: Workspace, mode: ModeChoice) -> EditRules:
        from .features.edits import edit_rules  # asked for by few, too

        return edit_rules(inputs, workspace, mode)

    def told_by_prompt(self, text: str) -> PromptTold:
        from .features.preview import told_by_preview  # only an import of a prompt needs it

        return told_by_preview(text)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tool_drafts(materials)

    def sections(self, materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return all_sections(materials, tools)

    def layout(self, _gathered: Gathered[Materials]) -> Layout:
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:
        return window_of(gathered.facts.model)

    def cache_events(self) -> Mapping[str, Event]:
        from .features.caching import EVENTS  # only when somebody looks

        return EVENTS

    def unread(self, inputs: Inputs, path: str) -> str:
        from .lookups import reads  # only when somebody asks about a file

        return reads(inputs.agent_version).sentence(path)

    def transcript_files(self, inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
        from .features.transcripts import transcript_files  # as the next two, only when somebody looks

        return transcript_files(inputs, workspace)

    def is_transcript(self, head: bytes) -> bool:
        from .features.transcripts import is_task

        return is_task(head)

    def transcript_reader(self, base: int, _variables: Mapping[str, str]) -> TranscriptReader:
        from .features.transcripts import Reader

        return Reader(base)

    def continue_from(self, _path: str, _turn: Turn) -> tuple[Lever, ...]:
        return ()
