"""Comparing as pictures: the last commit with what is shown, and the agents' table."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import commit, write
from tests.tui.support.pictures import take
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import running

pytestmark = pytest.mark.slow

SINCE = {
    ".roo/rules/testing.md": "# Testing\n\nRun `pnpm test --changed` before you say that something works.\n"
    "A test that needs the network is skipped in CI and must say so.\nOne test for each rule.\n",
    ".cursorrules": "Amounts are integers, in the smallest unit of the currency.\n",
    "CLAUDE.md": "# Shop\n\nAmounts are integers, in the smallest unit of the currency.\n",
}


async def test_pictures(place: Path) -> None:
    scenario = roo_shop_at(place)
    commit(place / "shop", {})
    write(place / "shop", SINCE)
    async with running(scenario, (140, 40)) as user:
        await take("comparison", user, ("c",))
        await take("comparison-beside", user, ("s",), back=("escape",))
        await user.press("A")
        await user.settle_all()
        await take("agents-table", user, ("down",))
