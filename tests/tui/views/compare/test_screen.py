"""Comparing in the app: sides, texts, agents; both screens follow the prompt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.repository import commit
from tests.tui.support.roo_shop import FakeWatcher, roo_shop_at, running, settled
from textual.pilot import Pilot

from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.agents.screen import AgentsScreen
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.widgets.picker import Picker
from promptscope_tui.widgets.row_list import RowList

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")]


def committed(folder: Path) -> Scenario:
    """The shop, committed, with another rule since."""
    scenario = roo_shop_at(folder)
    commit(folder / "shop", {})
    (folder / "shop" / ".roo" / "rules" / "testing.md").write_text("Test what a person would notice.\n")
    return scenario


async def compared(app: PromptscopeApp, pilot: Pilot[None]) -> CompareScreen:
    """The screen when it has compared."""
    assert isinstance(app.screen, CompareScreen)
    await app.workers.wait_for_complete()
    await pilot.pause()
    return app.screen


async def chosen(app: PromptscopeApp, pilot: Pilot[None], key: str, side: str) -> CompareScreen:
    """The screen after a side was typed."""
    await pilot.press(key)
    await pilot.pause()
    assert isinstance(app.screen, Picker)
    await pilot.press(*("full_stop" if c == "." else "colon" if c == ":" else c for c in side), "enter")
    await pilot.pause()
    return await compared(app, pilot)


async def test_the_last_commit_is_compared_with_what_is_shown(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as (app, pilot):
        await pilot.press("c")
        screen = await compared(app, pilot)
        assert screen.sides == ("git:HEAD", "now")
        assert ".roo/rules/testing.md" in screen.choices.plain
        text = screen.shown.plain
        assert "+ Test what a person would notice." in text
        assert "│" not in text
        await pilot.press("s")
        assert "│" in screen.shown.plain
        before = screen.found
        await pilot.press("x")
        screen = await compared(app, pilot)
        assert screen.sides == ("now", "git:HEAD")
        assert before
        assert screen.found
        assert (screen.found.tokens or 0) == -(before.tokens or 0)
        await pilot.press("escape")
        assert app.screen is app.main


async def test_any_two_sides_can_be_chosen(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as (app, pilot):
        await pilot.press("c")
        await compared(app, pilot)
        screen = await chosen(app, pilot, "a", "mode:ask")
        assert screen.found
        assert (screen.found.before.mode, screen.found.after.mode) == ("ask", "code")
        assert "apply_diff" in screen.choices.plain
        screen = await chosen(app, pilot, "b", "agent:openclaw")
        assert screen.found
        assert screen.found.after.agent == "openclaw"
        screen = await chosen(app, pilot, "b", "git:HAED")
        assert screen.found is None
        assert "there is no revision 'HAED'" in screen.choices.plain
        screen = await chosen(app, pilot, "b", "nothing")
        assert "a side is git:REV" in screen.choices.plain


async def test_a_baseline_comes_first_and_the_comparison_follows_the_prompt(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as (app, pilot):
        await pilot.press("b", "c")
        screen = await compared(app, pilot)
        assert screen.sides == ("baseline", "now")
        assert "no difference" in screen.choices.plain
        rule = tmp_path / "shop" / ".roo" / "rules" / "testing.md"
        FakeWatcher.made[-1].save(rule, "Test what a machine would notice.\n")
        await settled(app, pilot)
        screen = await compared(app, pilot)
        assert screen.found
        assert screen.found.differs
        assert "Test what a machine would notice." in screen.shown.plain


async def test_agents_and_files(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as (app, pilot):
        (tmp_path / "shop" / ".cursorrules").write_text("unread\n")
        await pilot.press("A")
        assert isinstance(app.screen, AgentsScreen)
        await app.workers.wait_for_complete()
        await pilot.pause()
        table = app.screen.query_one("#choices", RowList)
        lines = table.plain.splitlines()
        assert "Claude Code" in lines[0]
        assert any(line.startswith("AGENTS.md") for line in lines)
        assert lines.index(next(line for line in lines if line.startswith("NO AGENT READS"))) < lines.index(
            next(line for line in lines if line.startswith(".cursorrules"))
        )
        await pilot.press("G")
        assert "no agent reads it" in app.screen.query_one("#shown", RowList).plain
        await pilot.press("y", "escape")
        assert app.screen is app.main
