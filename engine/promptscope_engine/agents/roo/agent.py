"""Roo Code 3.28.16: how the package is put together."""

from __future__ import annotations

from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.features import EditRules, PromptTold
from promptscope_engine.agents.kit.built_in import BuiltIn
from promptscope_engine.agents.kit.features import CachedByOrder
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.workspace import Workspace

from .gather import gather
from .layout import request_layout
from .materials import Materials
from .params import RooParams
from .sections import all_sections
from .texts import FOLDER
from .tools import tool_drafts
from .window import window_of


class Roo(CachedByOrder, BuiltIn[Materials]):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = RooParams
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(RooParams, inputs.params)
        return tuple(path for path in (params.globalStorage, params.taskFile) if path)

    def edit_rules(self, inputs: Inputs, workspace: Workspace, mode: ModeChoice) -> EditRules:
        from .features.edits import edit_rules  # asked for by few, too

        return edit_rules(inputs, workspace, mode)

    def told_by_prompt(self, text: str) -> PromptTold:
        from .features.preview import told_by_preview  # only an import of a prompt needs it

        return told_by_preview(text)

    def sections(self, materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return all_sections(materials, tools)

    def layout(self, _gathered: Gathered[Materials]) -> Layout:
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:
        return window_of(gathered.facts.model)
