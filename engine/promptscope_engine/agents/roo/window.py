"""Roo's context window (specs/roo-user-messages.md 6.1, 6.2)."""

from __future__ import annotations

import math

from promptscope_engine.prompt.drafts import BY_SOURCE, Window
from promptscope_engine.tokens import context_window, max_output

ANTHROPIC_RESERVE = 8192
"""Tokens kept for the answer in an "Anthropic context" (the id names Claude), and where nothing is known."""

BUFFER = 0.1
"""The share of the window that is never filled, besides the reserve."""


def window_of(model: str | None) -> Window:
    """The window, the part kept for the answer, and where Roo condenses with its threshold at its default of 100 %."""
    size = context_window(model)
    reserve = _reserve(model, size)
    allowed = math.floor(size * (1 - BUFFER)) - reserve
    return Window(size, reserve, allowed, compaction=BY_SOURCE)


def _reserve(model: str | None, window: int) -> int:
    """getModelMaxOutputTokens: Claude is kept at 8,192, gpt-5 gets all it can, others at most a fifth."""
    name = (model or "").lower()
    if not name or "claude" in name:
        return ANTHROPIC_RESERVE
    longest = max_output(model)
    return longest if "gpt-5" in name else min(longest, math.ceil(window * 0.2))
