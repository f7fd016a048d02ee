"""Choosing a model: the agent's own ones, with a mark on the one in force and what each would add."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running

from promptscope_engine.agents.registry import load_agent
from promptscope_tui.text.words import difference

pytestmark = pytest.mark.slow


async def test_an_agent_has_its_own_models_with_what_they_cost(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="claude-code", mode=None, model=None), (120, 40)) as user:
        own = load_agent("claude-code").models(user.assembly.agent_version)
        before = user.assembly.tokens.expected
        await user.press("M")
        await user.settle_all()
        models = user.view("#picker-list")
        assert [line.split()[1] for line in models.lines] == list(own)
        models.hides("gpt", "gemini")
        assert models.lines[0].split() == ["◉", "default", str(user.assembly.model), "·"]
        haiku = next(line for line in models.lines if " haiku " in line).split()
        await user.press(*"haiku", "enter")
        assert user.scenario.model == "haiku"
        assert before is not None
        assert user.assembly.tokens.expected is not None
        assert haiku[-1] == difference(user.assembly.tokens.expected - before)
        await user.press("M")
        await user.settle_all()
        assert next(line for line in models.user.view("#picker-list").lines if " haiku " in line).startswith("◉")


async def test_an_agent_that_takes_any_model_has_the_common_ones(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await user.press("M")
        await user.settle_all()
        user.view("#picker-list").shows("◉ claude-sonnet-4-5", "gpt-5", "gemini-2.5-pro")
        await user.press(*"my-model", "enter")
        assert user.scenario.model == "my-model"
