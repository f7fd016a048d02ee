"""The context window (docs/agents/gemini.md#settings-and-trust)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
)


@pytest.mark.parametrize(
    ("given", "window", "compact_at"),
    [
        ({}, 1_048_576, 524_288),
        ({"model": "gemini-2.5-pro"}, 1_048_576, 524_288),
        ({"model": "gemma-4-31b-it"}, 256_000, 128_000),
        ({"model": "my-model"}, 1_048_576, 524_288),
        ({"settings": {"model": {"compressionThreshold": 0.25}}}, 1_048_576, 262_144),
        ({"settings": {"model": {"compressionThreshold": 0}}}, 1_048_576, 524_288),
        ({"settings": {"model": {"compressionThreshold": 1}}}, 1_048_576, 1_048_576),
        ({"settings": {"model": {"compressionThreshold": 1.1}}}, 1_048_576, 524_288),
    ],
)
def test_the_window_and_where_it_is_compressed(
    project: Project, given: dict[str, Any], window: int, compact_at: int
) -> None:
    tokens = project.assemble(**given).tokens
    assert (tokens.window, tokens.compact_at, tokens.reserve) == (window, compact_at, 0)
