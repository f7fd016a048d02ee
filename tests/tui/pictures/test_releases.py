"""The versions that are known here as a picture: modelled, learned and imported ones, two of them marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import shared_at
from tests.tui.support.pictures import take
from tests.tui.support.user import running

from promptscope_engine.learned import AddedTool, LearnedVersion
from promptscope_tui.session.releases import Release, keep_imported
from promptscope_tui.settings import wordings

PLACE = "promptscope-desk"

pytestmark = pytest.mark.slow

TOOL = AddedTool(
    "Shout", ("Says something loud.",), ('{"type": "object"}',), "Read", seen="it was sent in 26 of 26 runs"
)


async def test_picture_of_the_versions(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(place / "state"))
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for version, day, added in (("2.1.332", 26, ()), ("2.1.333", 27, (TOOL,))):
        when = f"2026-11-{day}T09:00:00+00:00"
        wordings.keep(LearnedVersion("claude-code", version, (), when, "2.1.332", added=added, runs=("x",) * 26))
    keep_imported([Release("claude-code", "2.1.240", "imported", 17_264, 2_180, 3_902, 11_182, 14)])
    async with running(shared_at(place, agent="claude-code", learned=True), (120, 30)) as user:
        await user.press("H")
        await user.settle_all()  # the keys are meant for the list, which a thread finds
        await take("releases", user, ("down", "m", "up", "m"))
        await take("releases-narrow", user, size=(80, 24))
