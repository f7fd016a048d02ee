"""The context window and where the agent compacts."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.openclaw.agent import window_of
from promptscope_engine.agents.openclaw.levers import SettingLevers

MODEL = "anthropic/claude-opus-4-6"
SIZE = window_of(SettingLevers({}), MODEL).size


def configured(tokens: int | None = None, floor: int | None = None) -> SettingLevers:
    return SettingLevers(
        {"agents": {"defaults": {"contextTokens": tokens, "compaction": {"reserveTokensFloor": floor}}}}
    )


@pytest.mark.parametrize(("tokens", "size"), [(SIZE - 1, SIZE - 1), (SIZE, SIZE), (SIZE + 1, SIZE), (0, SIZE), (1, 1)])
def test_a_configured_window_can_only_be_smaller(tokens: int, size: int) -> None:
    window = window_of(configured(tokens), MODEL)
    assert (window.size, window.compact_at) == (size, max(size - 20_000, 0))


@pytest.mark.parametrize(("floor", "compact_at"), [(SIZE - 1, 1), (SIZE, 0), (SIZE + 1, 0), (0, SIZE - 20_000)])
def test_it_compacts_a_reserve_below_the_end(floor: int, compact_at: int) -> None:
    assert window_of(configured(floor=floor), MODEL).compact_at == compact_at


def test_the_providers_name_is_no_part_of_the_model() -> None:
    assert window_of(SettingLevers({}), MODEL) == window_of(SettingLevers({}), MODEL.partition("/")[2])


@pytest.mark.parametrize("model", ["claude-opus-5-5", "anthropic/claude-opus-5-5", "router/anthropic/claude-opus-5-5"])
def test_a_model_may_have_no_provider(model: str) -> None:
    assert window_of(SettingLevers({}), model).size == 1_000_000
