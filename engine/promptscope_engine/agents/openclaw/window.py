"""OpenClaw's context window. Not in the spec: the figures are those of its public documentation on compaction."""

from __future__ import annotations

from promptscope_engine.agents.kit.settings import positive
from promptscope_engine.prompt.drafts import Window
from promptscope_engine.tokens.windows import context_window

from .levers import Settings

RESERVE_FLOOR = 20_000
"""Tokens below the end of the window at which it compacts (`agents.defaults.compaction.reserveTokensFloor`)."""


def window_of(settings: Settings, model: str) -> Window:
    """The window of the model, or the smaller one of `agents.defaults.contextTokens`; no reserve is displayed."""
    size = context_window(model.partition("/")[2] or model)
    size = min(size, positive(settings.get("agents.defaults.contextTokens"), size))
    floor = positive(settings.get("agents.defaults.compaction.reserveTokensFloor"), RESERVE_FLOOR)
    return Window(size, compact_at=max(size - floor, 0), compaction="by its documentation, not recorded")
