"""The window, what is kept of it for the answer, and where Roo condenses (docs/agents/roo.md#context-window)."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.roo.agent import window_of


@pytest.mark.parametrize(
    ("model", "window", "reserve", "compact_at"),
    [
        ("claude-sonnet-4-5", 200_000, 8_192, 171_808),
        (None, 200_000, 8_192, 171_808),
        ("gpt-4o", 128_000, 16_384, 98_816),
        ("gpt-4", 8_192, 1_639, 5_733),
        ("gpt-5", 400_000, 128_000, 232_000),
    ],
)
def test_budget(model: str | None, window: int, reserve: int, compact_at: int) -> None:
    found = window_of(model)
    assert (found.size, found.reserve, found.compact_at) == (window, reserve, compact_at)
