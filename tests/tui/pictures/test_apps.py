"""Gemini CLI's prompt, files and reasons as pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import apps_at, shared_at
from tests.tui.support.pictures import compare
from tests.tui.support.shop import computed, running

pytestmark = pytest.mark.slow

SHOTS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "gemini-160": ((160, 45), ()),
    "gemini-narrow": ((80, 24), ()),
    "gemini-files": ((160, 45), ("3", "down", "down", "down")),
}


async def test_one_repository_read_by_all_agents(place: Path) -> None:
    async with running(shared_at(place), (160, 42), effects=True) as (app, pilot):
        await pilot.press("3", *["down"] * 4)
        await computed(app, pilot)
        compare("five-agents", app.export_screenshot())


@pytest.mark.parametrize("name", SHOTS)
async def test_picture(name: str, place: Path) -> None:
    size, keys = SHOTS[name]
    async with running(apps_at(place), size, effects=True) as (app, pilot):
        await pilot.press(*keys)
        await computed(app, pilot)
        compare(name, app.export_screenshot())
