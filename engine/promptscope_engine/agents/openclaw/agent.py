"""OpenClaw 2026.2.24: how the package is put together, its request and its context window."""

from collections.abc import Mapping
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.built_in import BuiltIn, CachedByOrder, Feature
from promptscope_engine.agents.openclaw.gather.config import places_of, user_path
from promptscope_engine.agents.openclaw.gather.gather import gather
from promptscope_engine.agents.openclaw.levers import SettingLevers, positive
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import OpenClawParams
from promptscope_engine.agents.openclaw.sections import section_drafts
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.agents.openclaw.tools import tool_drafts
from promptscope_engine.agents.transcripts import Turn
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.drafts import Window
from promptscope_engine.prompt.model import Lever
from promptscope_engine.tokens.models import context_window

RESERVE_FLOOR = 20_000
"""Tokens below the end of the window at which it compacts (`agents.defaults.compaction.reserveTokensFloor`)."""


def window_of(settings: SettingLevers, model: str) -> Window:
    """The window of the model, or the smaller one of `agents.defaults.contextTokens`; no reserve is displayed."""
    size = context_window(model.partition("/")[2] or model)
    size = min(size, positive(settings.get("agents.defaults.contextTokens"), size))
    floor = positive(settings.get("agents.defaults.compaction.reserveTokensFloor"), RESERVE_FLOOR)
    return Window(size, compact_at=max(size - floor, 0), compaction="by its documentation, not recorded")


class OpenClaw(CachedByOrder, BuiltIn[Materials]):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = OpenClawParams
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    sections = staticmethod(section_drafts)
    length = staticmethod(utf16_len)
    hints_from_prompt = Feature("copied_prompt")
    report = Feature("report")

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {str(model): str(alias) for model, alias in FOLDER.agent["model_aliases"].items()}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params name outside workspace and home."""
        params = cast(OpenClawParams, inputs.params)
        named = (params.bundledSkillsDir, params.managedSkillsDir, params.sessionFile, *places_of(inputs))
        return tuple(user_path(path, inputs) for path in named if path)

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        model = gathered.facts.model
        assert model is not None  # OpenClaw has one of its own where nothing names one
        return window_of(gathered.materials.settings, model)

    def continue_from(self, path: str, turn: Turn) -> tuple[Lever, ...]:
        """The session file and the line to go on behind."""
        return (Lever("sessionFile", path), Lever("sessionLine", turn.line))


OPENCLAW = OpenClaw()
