"""A prompt with three edits, compared with the one without, as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.pictures import compare
from tests.tui.support.roo_shop import roo_shop_at, running, scenario_of

pytestmark = pytest.mark.slow

EDITS = [
    {"replace": "objective", "text": "====\n\nOBJECTIVE\n\nDo the task in small steps, and say what you left out."},
    {"move": "rules", "before": "capabilities"},
    {"drop_tool": "execute_command"},
]


async def test_picture(place: Path) -> None:
    roo_shop_at(place)
    async with running(scenario_of(place, edits=EDITS), (140, 40)) as (app, pilot):
        await pilot.press("c")
        await app.workers.wait_for_complete()
        await pilot.pause()
        compare("experiments-compared", app.export_screenshot())
