"""OpenClaw 2026.2.24: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.features import AgentReport, PromptTold
from promptscope_engine.agents.kit.built_in import BuiltIn
from promptscope_engine.agents.kit.features import CachedByOrder
from promptscope_engine.agents.transcripts import Turn
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_engine.workspace import Workspace

from .gather.config import places_of, user_path
from .gather.gather import gather
from .layout import request_layout
from .materials import Materials
from .params import OpenClawParams
from .sections import section_drafts
from .texts import FOLDER
from .tools.drafts import tool_drafts
from .window import window_of


class OpenClaw(CachedByOrder, BuiltIn[Materials]):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = OpenClawParams
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)

    def models(self, _version: str) -> Mapping[str, str]:
        return {str(model): str(alias) for model, alias in FOLDER.agent["model_aliases"].items()}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(OpenClawParams, inputs.params)
        named = (params.bundledSkillsDir, params.managedSkillsDir, params.sessionFile, *places_of(inputs))
        return tuple(user_path(path, inputs) for path in named if path)

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

    def continue_from(self, path: str, turn: Turn) -> tuple[Lever, ...]:
        return (Lever("sessionFile", path), Lever("sessionLine", turn.line))


OPENCLAW = OpenClaw()
