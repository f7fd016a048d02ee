"""Pictures of what an agent tells beyond its prompt, compared as support/pictures.py does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.mono import mono_at
from tests.tui.support.pictures import compare
from tests.tui.support.shop import computed, running, settled

from promptscope_tui.rows.subjects import FileSubject

pytestmark = pytest.mark.slow

WIDTHS = {"narrow": (80, 30), "middle": (120, 40), "wide": (200, 50)}


@pytest.mark.parametrize("width", WIDTHS)
async def test_picture_of_a_conversation(place: Path, width: str) -> None:
    scenario = mono_at(place)
    path = next((place / "home").rglob("session-1.jsonl"))
    async with running(scenario, WIDTHS[width], transcript=str(path), effects=True) as (app, pilot):
        await computed(app, pilot)
        await pilot.press(*["down"] * 3)
        await settled(app, pilot)
        compare(f"conversation-{width}", app.export_screenshot())


@pytest.mark.parametrize("width", WIDTHS)
async def test_picture_of_the_account_of_the_window(place: Path, width: str) -> None:
    scenario = mono_at(place, params={"usage": {"lastTotal": 96_000}})
    async with running(scenario, WIDTHS[width], effects=True) as (app, pilot):
        await pilot.press("4")
        await settled(app, pilot)
        compare(f"context-{width}", app.export_screenshot())


async def test_picture_of_lazy_rules(place: Path) -> None:
    async with running(mono_at(place), (160, 45), effects=True) as (app, pilot):
        await pilot.press("3")
        app.main.files.go_to(FileSubject(str(place / "mono/.claude/rules/ts.md")))
        await settled(app, pilot)
        compare("waiting", app.export_screenshot())


async def test_picture_of_a_simulated_read(place: Path) -> None:
    async with running(mono_at(place), (140, 45), effects=True) as (app, pilot):
        await pilot.press("i", *"button")
        await settled(app, pilot)
        compare("imagine", app.export_screenshot())


async def test_picture_of_the_cache(place: Path) -> None:
    async with running(mono_at(place), (160, 45), effects=True) as (app, pilot):
        await settled(app, pilot)
        await pilot.press("5")
        await settled(app, pilot)
        compare("cache", app.export_screenshot())
