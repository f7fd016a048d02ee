"""Codex as pictures: what the limit of AGENTS.md cuts, the input items, the tools inside of a tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.depot import depot_at
from tests.tui.support.pictures import compare
from tests.tui.support.shop import computed, running

pytestmark = pytest.mark.slow

LITE = "gpt-6.1-sol"
SHOTS: dict[str, tuple[tuple[int, int], str | None, tuple[str, ...]]] = {
    "codex-160": ((160, 46), None, ("3", *["down"] * 8)),
    "codex-80": ((80, 24), None, ("3", *["down"] * 8)),
    "codex-request": ((140, 40), LITE, ("5", *["down"] * 3, "enter")),
    "codex-tools": ((140, 40), LITE, ("2", *["down"] * 4)),
}


@pytest.mark.parametrize("name", SHOTS)
async def test_picture(name: str, place: Path) -> None:
    size, model, keys = SHOTS[name]
    async with running(depot_at(place, model=model), size, effects=True) as (app, pilot):
        await pilot.press(*keys)
        await computed(app, pilot)
        compare(name, app.export_screenshot())
