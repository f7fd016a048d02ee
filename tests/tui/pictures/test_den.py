"""OpenClaw's own views as pictures: a cut file, the gates of tools and skills, the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.den import den_at
from tests.tui.support.pictures import compare
from tests.tui.support.shop import computed, running

pytestmark = pytest.mark.slow

SHOTS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "openclaw-cut": ((160, 45), ("slash", *"Rule 270:", "enter", "escape", *["down"] * 26)),
    "openclaw-narrow": ((80, 24), ("slash", *"Rule 276:", "enter", "escape", *["down"] * 16)),
    "openclaw-tools": ((160, 45), ("2", "G", *["up"] * 5)),
    "openclaw-skills": ((160, 45), ("3", "G", "up", "up", "up")),
    "openclaw-report": ((140, 45), ("v",)),
}


@pytest.mark.parametrize("name", SHOTS)
async def test_picture(name: str, place: Path) -> None:
    size, keys = SHOTS[name]
    async with running(den_at(place), size, effects=True) as (app, pilot):
        await pilot.press(*keys)
        await computed(app, pilot)
        compare(name, app.export_screenshot())
