"""Codex as pictures: what the limit of AGENTS.md cuts, the input items, the tools inside of a tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.codex_repo import codex_repo_at
from tests.tui.support.pictures import take
from tests.tui.support.user import running

PLACE = "promptscope-depot"

pytestmark = pytest.mark.slow


async def test_pictures(place: Path) -> None:
    async with running(codex_repo_at(place), (160, 46)) as user:
        await take("codex-160", user, ("3", *["down"] * 8))
        await take("codex-80", user, size=(80, 24))


async def test_pictures_of_tools_in_a_tool(place: Path) -> None:
    async with running(codex_repo_at(place, model="gpt-6.1-sol"), (140, 40)) as user:
        await take("codex-tools", user, ("2", *["down"] * 4))
        await take("codex-request", user, ("5", *["down"] * 3, "enter"))
