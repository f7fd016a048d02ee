"""Gemini CLI's prompt, files and reasons as pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import apps_at, shared_at
from tests.tui.support.pictures import take
from tests.tui.support.user import running

pytestmark = pytest.mark.slow

SHOTS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "gemini-160": ((160, 45), ()),
    "gemini-files": ((160, 45), ("3", "down", "down", "down")),
}


async def test_one_repository_read_by_all_agents(place: Path) -> None:
    async with running(shared_at(place), (160, 42), agents=True) as user:
        await take("five-agents", user, ("3", *["down"] * 4))


async def test_pictures(place: Path) -> None:
    async with running(apps_at(place), SHOTS["gemini-160"][0]) as user:
        for name, (size, keys) in SHOTS.items():
            await take(name, user, keys, size=size)


async def test_picture_of_a_first_frame(place: Path) -> None:
    async with running(apps_at(place), (80, 24)) as user:
        await take("gemini-narrow", user)
