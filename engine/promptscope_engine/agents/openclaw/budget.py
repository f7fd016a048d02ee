"""OpenClaw's context window. Not in the spec: the figures are those of its public documentation on compaction."""

from __future__ import annotations

from promptscope_engine.agents.shared.settings import at, positive
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Budget
from promptscope_engine.tokens.windows import context_window

RESERVE_FLOOR = 20_000
"""Tokens below the end of the window at which it compacts (`agents.defaults.compaction.reserveTokensFloor`)."""


def budget(config: Json, model: str) -> Budget:
    """The window of the model, or the smaller one of `agents.defaults.contextTokens`; no reserve is displayed."""
    window = context_window(model.partition("/")[2] or model)
    window = min(window, positive(at(config, "agents.defaults.contextTokens"), window))
    floor = positive(at(config, "agents.defaults.compaction.reserveTokensFloor"), RESERVE_FLOOR)
    return Budget(window, compact_at=max(window - floor, 0))
