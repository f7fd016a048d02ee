"""Comparing as pictures: the last commit with what is shown, and the agents' table."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import commit, write
from tests.tui.support.pictures import compare
from tests.tui.support.shop import running, shop_at

pytestmark = pytest.mark.slow

SINCE = {
    ".roo/rules/testing.md": "# Testing\n\nRun `pnpm test --changed` before you say that something works.\n"
    "A test that needs the network is skipped in CI and must say so.\nOne test for each rule.\n",
    ".cursorrules": "Amounts are integers, in the smallest unit of the currency.\n",
    "CLAUDE.md": "# Shop\n\nAmounts are integers, in the smallest unit of the currency.\n",
}


@pytest.mark.parametrize(
    ("name", "keys"), [("comparison", ("c",)), ("comparison-beside", ("c", "s")), ("agents-table", ("A", "down"))]
)
async def test_picture(name: str, keys: tuple[str, ...], place: Path) -> None:
    scenario = shop_at(place)
    commit(place / "shop", {})
    write(place / "shop", SINCE)
    async with running(scenario, (140, 40), effects=True) as (app, pilot):
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        compare(name, app.export_screenshot())
