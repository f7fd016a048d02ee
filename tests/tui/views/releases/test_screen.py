"""The versions in the app: the list, two of them compared, and the version before."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import shared_at
from tests.tui.support.user import User, running

from promptscope_engine.learned.model import AddedTool, LearnedVersion
from promptscope_tui.session.releases import Release, keep_imported
from promptscope_tui.settings import wordings
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.views.releases.screen import ReleasesScreen

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions of Codex were learned, and one was imported."""
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    shout = AddedTool("shout", ("Does it.",), ('{"type": "object"}',), seen="it was sent in 9 of 9 runs")
    for day, (version, added) in enumerate((("0.900.0", ()), ("0.901.0", (shout,))), 1):
        when = f"2026-12-{day:02}T10:00:00+00:00"
        wordings.keep(LearnedVersion("codex", version, (), when, base="0.169.0", added=added))
    keep_imported([Release("codex", "0.800.0", "imported", 9_000, 5_000, 1_000, 3_000, 12)])


async def listed(user: User) -> ReleasesScreen:
    await user.press("H")
    await user.app.workers.wait_for_complete()
    await user.pause()
    assert isinstance(user.app.screen, ReleasesScreen)
    return user.app.screen


async def compared(user: User) -> CompareScreen:
    await user.app.workers.wait_for_complete()
    await user.pause()
    assert isinstance(user.app.screen, CompareScreen)
    return user.app.screen


async def test_versions_are_listed_and_compared_with_the_one_that_is_shown(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="codex", learned=True), (120, 36)) as user:
        assert "Codex 0.901.0" in user.header.text
        screen = await listed(user)
        assert screen.choices.key == "0.901.0", "the one that is shown"
        assert "shown, learned 2026-12-02" in screen.choices.plain
        await user.press("enter")
        found = await compared(user)
        assert found.sides == ("codex@0.900.0", "codex@0.901.0")
        assert "+ shout" in found.choices.plain
        await user.press("escape", "G", "enter")
        assert (await compared(user)).sides == ("codex@0.169.0", "codex@0.901.0")


async def test_two_that_are_marked_are_compared_and_one_that_was_imported_cannot_be(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="codex", learned=True), (120, 36)) as user:
        screen = await listed(user)
        await user.press("down", "m", "G", "m", "g", "enter")
        assert (await compared(user)).sides == ("codex@0.169.0", "codex@0.900.0")
        await user.press("escape")
        screen.choices.go_to("0.800.0")
        await user.press("m")
        assert "has its sizes alone" in str(screen.query_one("#lists-note").render())
        await user.press("enter")
        assert user.app.screen is not screen, "the two marked ones"


async def test_the_version_before_is_one_key_away_and_a_side_like_others(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="codex", learned=True), (120, 36)) as user:
        user.app.main.note("Codex 0.901.0: 1 new tool since 0.900.0; enter shows it", leads_to="release_changes")
        await user.press("enter")
        assert (await compared(user)).sides == ("codex@0.900.0", "codex@0.901.0")
        await user.press("escape", "enter")
        assert user.app.screen is user.app.main, "enter is the row's again"
        await user.press("K")
        screen = await compared(user)
        assert screen.sides == ("codex@0.900.0", "codex@0.901.0")
        await user.press("a", *"0.169")
        assert "codex@0.169.0" in user.view("#picker-list").text
        await user.press("enter")
        screen = await compared(user)
        assert screen.found is not None
        assert [each.name for each in screen.found.tools] == ["shout"], "no words of 0.901.0 are compared with ours"
    async with running(shared_at(tmp_path, agent="codex", agent_version="0.169.0"), (120, 36)) as user:
        await user.press("K")
        assert user.note == "no version of Codex before 0.169.0 is known here"
