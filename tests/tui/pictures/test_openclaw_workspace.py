"""OpenClaw's own views as pictures: a cut file, the gates of tools and skills, the report, two versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.pictures import take
from tests.tui.support.user import running

PLACE = "promptscope-den"

pytestmark = pytest.mark.slow

SHOTS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "openclaw-report": ((140, 45), ("v",)),
    "openclaw-tools": ((160, 45), ("escape", "2", "G", *["up"] * 5)),
    "openclaw-skills": ((160, 45), ("3", "G", "up", "up", "up")),
    "openclaw-cut": ((160, 45), ("1", "slash", *"Rule 170:", "enter", "escape", *["down"] * 26)),
    "openclaw-narrow": ((80, 24), ("slash", *"Rule 176:", "enter", "escape", *["down"] * 16)),
}


async def test_pictures(place: Path) -> None:
    async with running(openclaw_workspace_at(place), SHOTS["openclaw-report"][0]) as user:
        for name, (size, keys) in SHOTS.items():
            await take(name, user, keys, size=size)


async def test_picture_of_what_seven_months_changed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(place / "state"))
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    async with running(openclaw_workspace_at(place), (140, 45)) as user:
        await take("openclaw-versions", user, ("H", "m", "down", "m", "enter", "down", "down"))
