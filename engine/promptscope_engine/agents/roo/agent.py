"""Roo Code 3.28.16: how the package is put together, its request and its context window."""

import math
from collections.abc import Sequence
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.built_in import BuiltIn, CachedByOrder, Feature, messages, system_text
from promptscope_engine.agents.roo.gather.gather import gather
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.sections import all_sections, tool_drafts
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import BY_SOURCE, Layout, Place, Window
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.tokens.models import context_window, max_output
from promptscope_engine.wire.request import Request


def request_layout(sections: Sequence[tuple[Place, Section]], _tools: Sequence[Tool]) -> Request:
    """The task with its expansions, then the environment details; no message where no task is drafted."""
    return Request(system=system_text(sections), messages=tuple(messages(sections)))


ANTHROPIC_RESERVE = 8192
"""Tokens kept for the answer in an "Anthropic context" (the id names Claude), and where nothing is known."""

BUFFER = 0.1
"""The share of the window that is never filled, besides the reserve."""


def window_of(model: str | None) -> Window:
    """The window, the part kept for the answer, and where Roo condenses with its threshold at its default of 100 %."""
    size = context_window(model)
    # getModelMaxOutputTokens: Claude is kept at 8,192, gpt-5 gets all it can, others at most a fifth.
    name, reserve = (model or "").lower(), ANTHROPIC_RESERVE
    if name and "claude" not in name:
        longest = max_output(model)
        reserve = longest if "gpt-5" in name else min(longest, math.ceil(size * 0.2))
    allowed = math.floor(size * (1 - BUFFER)) - reserve
    return Window(size, reserve, allowed, compaction=BY_SOURCE)


class Roo(CachedByOrder, BuiltIn[Materials]):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = RooParams
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    sections = staticmethod(all_sections)
    edit_rules = Feature("edits")
    hints_from_prompt = Feature("preview")

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params name outside workspace and home."""
        params = cast(RooParams, inputs.params)
        return tuple(path for path in (params.globalStorage, params.taskFile) if path)

    def layout(self, _gathered: Gathered[Materials]) -> Layout:
        """How sections and tools become the request."""
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        return window_of(gathered.facts.model)
