"""OpenClaw 2026.2.24: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.features import AgentReport, PromptTold
from promptscope_engine.agents.kit.cached_by_order import CachedByOrder
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.near_misses import SaysByLookups
from promptscope_engine.agents.transcripts import TranscriptFile, TranscriptReader, Turn
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.params import ParamField, Params, variable
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_engine.workspace import Workspace

from .gather.config import BUILTIN_ALIASES, places_of, user_path
from .gather.gather import gather
from .layout import request_layout
from .materials import Materials
from .params import OpenClawParams
from .sections import section_drafts
from .texts import FOLDER
from .tools.drafts import tool_drafts
from .window import window_of

VARIABLES = (
    variable("OPENCLAW_PROFILE", "the profile, which has a workspace of its own"),
    variable("OPENCLAW_HOME", "the folder that ~ stands for, but for ~/.agents"),
    variable("OPENCLAW_STATE_DIR", "the folder that stands for ~/.openclaw"),
    variable("OPENCLAW_CONFIG_PATH", "the configuration file"),
    variable("OPENCLAW_BUNDLED_SKILLS_DIR", "the folder of the bundled skills"),
    variable("CLAWDBOT_SHELL", "the shell, before SHELL"),
)

if TYPE_CHECKING:
    from promptscope_engine.agents.kit.caching import Event


@frozen(slots=False)
class OpenClaw(SaysByLookups, CachedByOrder, Adapter[Materials]):
    """The agent as the registry knows it."""

    id: str = FOLDER.agent["id"]
    name: str = FOLDER.agent["name"]
    versions: tuple[str, ...] = FOLDER.versions
    params: type[Params] = OpenClawParams
    own_files: tuple[str, ...] = tuple(FOLDER.agent["own_files"])
    variables: tuple[ParamField, ...] = VARIABLES

    @property
    def folder(self) -> Folder:
        return FOLDER

    def models(self, _version: str) -> Mapping[str, str]:
        return BUILTIN_ALIASES

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(OpenClawParams, inputs.params)
        named = (params.bundledSkillsDir, params.managedSkillsDir, params.sessionFile, *places_of(inputs))
        return tuple(user_path(path, inputs) for path in named if path)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tool_drafts(materials)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return tuple(section_drafts(materials))

    def layout(self, _gathered: Gathered[Materials]) -> Layout:
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:
        model = gathered.facts.model
        assert model is not None  # OpenClaw has one of its own where nothing names one
        return window_of(gathered.materials.settings, model)

    def length(self, text: str) -> int:
        return utf16_len(text)

    def told_by_prompt(self, text: str) -> PromptTold:
        from .features.copied_prompt import told_by_copy  # only an import of a prompt needs it

        return told_by_copy(text)

    def report(self, inputs: Inputs, workspace: Workspace, assembly: Assembly) -> AgentReport:
        """What `/context` would print (specs/openclaw.md 9)."""
        # Imported late: only the report needs these modules.
        from .features.report.report import agent_report, context_report

        return agent_report(context_report(self.gather(inputs, workspace), assembly))

    def cache_events(self) -> Mapping[str, Event]:
        from .features.caching import EVENTS  # only when somebody looks

        return EVENTS

    def transcript_files(self, inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
        from .features.transcripts import transcript_files  # as the next two, only when somebody looks

        return transcript_files(inputs, workspace)

    def is_transcript(self, head: bytes) -> bool:
        from .features.transcripts import is_session

        return is_session(head)

    def transcript_reader(self, base: int, _variables: Mapping[str, str]) -> TranscriptReader:
        from .features.transcripts import Reader

        return Reader(base)

    def continue_from(self, path: str, turn: Turn) -> tuple[Lever, ...]:
        return (Lever("sessionFile", path), Lever("sessionLine", turn.line))


OPENCLAW = OpenClaw()
