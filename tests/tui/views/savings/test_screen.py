"""Savings and timings in the app: what their keys show, and where a row leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import computed, roo_shop_at, running, scenario_of, settled, until
from textual.pilot import Pilot

from promptscope_engine.insight.savings import Saving
from promptscope_engine.timings import PHASES
from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.savings.screen import SavingsScreen
from promptscope_tui.views.subjects import ToolSubject
from promptscope_tui.views.timings.screen import TimingsScreen

pytestmark = pytest.mark.slow


async def _savings(app: PromptscopeApp, pilot: Pilot[None]) -> SavingsScreen:
    await pilot.press("X")
    await computed(app, pilot)
    assert isinstance(app.screen, SavingsScreen)
    return app.screen


def _go_to(screen: SavingsScreen, saving: Saving) -> None:
    """Put the cursor on its row."""
    assert screen.found is not None
    assert screen.choices.go_to(next(row.key for row in screen.choices.rows if screen.found.saving(row.key) is saving))


async def test_savings_list_everything_and_a_switch_is_set(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40), effects=True) as (app, pilot):
        before = app.session.snapshot.assembly
        screen = await _savings(app, pilot)
        found = screen.found
        assert found is not None
        assert before is not None
        assert {saving.kind for saving in found.savings} >= {"switch", "file", "section"}
        assert [s.tokens for s in found.savings] == sorted((s.tokens for s in found.savings), reverse=True)
        assert "each for itself: they overlap, and do not add up" in screen.choices.plain
        saving = next(each for each in found.savings if each.kind == "switch" and each.param != "mode")
        _go_to(screen, saving)
        await pilot.pause()
        assert f"−{saving.tokens:,} tok" in screen.shown.plain
        assert "enter sets it; u takes it back" in screen.shown.plain
        await pilot.press("y")
        assert app.clipboard == screen.choices.plain
        await pilot.press("enter")
        await settled(app, pilot)
        after = app.session.snapshot.assembly
        assert app.screen is app.main
        assert after is not None
        assert before.tokens.expected is not None
        assert after.tokens.expected == before.tokens.expected - saving.tokens
        await pilot.press("u")
        await settled(app, pilot)
        assert app.session.snapshot.assembly is not None
        assert app.session.snapshot.assembly.tokens.expected == before.tokens.expected


async def test_a_row_of_savings_leads_to_its_place(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    beside = scenario_of(tmp_path, agent="claude-code", mode=None, model=None)  # its tools are sent beside the prompt
    async with running(beside, (100, 30)) as (app, pilot):
        screen = await _savings(app, pilot)
        assert screen.found is not None
        saving = next(each for each in screen.found.savings if each.kind == "tool")
        _go_to(screen, saving)
        await pilot.press("enter")
        await until(pilot, lambda: app.main.tools.key == ToolSubject(saving.id))
        assert app.main.tabs.active == "tools"
        await pilot.press("escape")
        assert app.main.tabs.active == "prompt"


async def test_timings_tell_each_phase_and_what_takes_longest(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        await pilot.press("T")
        await computed(app, pilot)
        screen = app.screen
        assert isinstance(screen, TimingsScreen)
        assert screen.found is not None
        timings, _ = screen.found
        rows = screen.choices.plain.splitlines()
        assert [row.split()[0] for row in rows if row.split() and row.split()[0] in PHASES] == list(PHASES)
        assert any("testing.md" in row and row.endswith("ms") for row in rows)
        took = [sum(phases.values()) for _, phases in timings.by_name()]
        assert took == sorted(took, reverse=True)
        screen.choices.go_to(next(name for name, _ in timings.by_name() if name.endswith("/.roo/rules/testing.md")))
        await pilot.pause()
        assert screen.shown.plain.splitlines()[0].strip() == ".roo/rules/testing.md"
        assert "reading" in screen.shown.plain
        await pilot.press("y")
        assert app.clipboard == screen.choices.plain
        await pilot.press("q")
        assert app.screen is app.main
