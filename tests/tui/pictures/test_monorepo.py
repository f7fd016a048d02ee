"""Pictures of what an agent tells beyond its prompt, compared as support/pictures.py does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.pictures import take
from tests.tui.support.user import running

from promptscope_tui.views.subjects import FileSubject

pytestmark = pytest.mark.slow

WIDTHS = {"narrow": (80, 30), "wide": (200, 50)}


async def test_pictures_of_a_conversation(place: Path) -> None:
    scenario = monorepo_at(place)
    path = next((place / "home").rglob("session-1.jsonl"))
    async with running(scenario, WIDTHS["narrow"], transcript=str(path)) as user:
        await user.settle_all()
        await user.press(*["down"] * 3)
        for width, size in WIDTHS.items():
            await take(f"conversation-{width}", user, size=size)


async def test_pictures_of_the_account_of_the_window(place: Path) -> None:
    scenario = monorepo_at(place, params={"usage": {"lastTotal": 96_000}})
    async with running(scenario, WIDTHS["narrow"]) as user:
        await user.press("4")
        for width, size in WIDTHS.items():
            await take(f"context-{width}", user, size=size)


async def test_pictures_of_the_cache_lazy_rules_and_a_simulated_read(place: Path) -> None:
    async with running(monorepo_at(place), (140, 45)) as user:
        await take("imagine", user, ("i", *"button"), back=("escape",))
        await take("cache", user, ("5",), size=(160, 45))
        await user.press("3")
        user.app.main.pages.files.go_to(FileSubject(str(place / "mono/.claude/rules/ts.md")))
        await take("waiting", user)
