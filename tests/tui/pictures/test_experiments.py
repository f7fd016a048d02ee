"""A prompt with three edits, compared with the one without, as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.pictures import compare
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running

pytestmark = pytest.mark.slow

EDITS = [
    {"replace": "objective", "text": "====\n\nOBJECTIVE\n\nDo the task in small steps, and say what you left out."},
    {"move": "rules", "before": "capabilities"},
    {"drop_tool": "execute_command"},
]


async def test_picture(place: Path) -> None:
    roo_shop_at(place)
    async with running(scenario_of(place, edits=EDITS), (140, 40)) as user:
        await user.press("c")
        await user.app.workers.wait_for_complete()
        await user.pause()
        compare("experiments-compared", user.picture())
