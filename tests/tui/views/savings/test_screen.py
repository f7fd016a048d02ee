"""Savings and timings in the app: what their keys show, and where a row leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import User, running

from promptscope_engine.insight.costs import Saving
from promptscope_engine.timings import PHASES
from promptscope_tui.views.reports import TimingsScreen
from promptscope_tui.views.savings.screen import SavingsScreen
from promptscope_tui.views.subjects import ToolSubject

pytestmark = pytest.mark.slow


async def _savings(user: User) -> SavingsScreen:
    await user.press("X")
    await user.settle_all()
    assert isinstance(user.app.screen, SavingsScreen)
    return user.app.screen


def _go_to(screen: SavingsScreen, saving: Saving) -> None:
    """Put the cursor on its row."""
    assert screen.found is not None
    assert screen.choices.go_to(next(row.key for row in screen.choices.rows if screen.found.saving(row.key) is saving))


async def test_savings_list_everything_and_a_switch_is_set(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40), effects=True) as user:
        before = user.session.snapshot.assembly
        screen = await _savings(user)
        found = screen.found
        assert found is not None
        assert before is not None
        assert {saving.kind for saving in found.savings} >= {"switch", "file", "section"}
        assert [s.tokens for s in found.savings] == sorted((s.tokens for s in found.savings), reverse=True)
        assert "each on its own; savings overlap, so don't add them up" in screen.choices.plain
        saving = next(each for each in found.savings if each.kind == "switch" and each.param != "mode")
        _go_to(screen, saving)
        await user.pause()
        assert f"−{saving.tokens:,} tok" in screen.shown.plain
        assert "enter sets it; u takes it back" in screen.shown.plain
        await user.press("y")
        assert user.app.clipboard == screen.choices.plain
        await user.press("enter")
        after = user.session.snapshot.assembly
        assert user.app.screen is user.app.main
        assert after is not None
        assert before.tokens.expected is not None
        assert after.tokens.expected == before.tokens.expected - saving.tokens
        await user.press("u")
        assert user.session.snapshot.assembly is not None
        assert user.session.snapshot.assembly.tokens.expected == before.tokens.expected


async def test_a_row_of_savings_leads_to_its_place(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    beside = scenario_of(tmp_path, agent="claude-code", mode=None, model=None)  # its tools are sent beside the prompt
    async with running(beside, (100, 30)) as user:
        screen = await _savings(user)
        assert screen.found is not None
        saving = next(each for each in screen.found.savings if each.kind == "tool")
        _go_to(screen, saving)
        await user.press("enter")
        await user.until(lambda: user.tools.key == ToolSubject(saving.id))
        assert user.tab == "tools"
        await user.press("escape")
        assert user.tab == "prompt"


async def test_timings_tell_each_phase_and_what_takes_longest(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        await user.command("timings")
        await user.settle_all()
        screen = user.app.screen
        assert isinstance(screen, TimingsScreen)
        assert screen.found is not None
        timings, _ = screen.found
        rows = screen.choices.plain.splitlines()
        assert [row.split()[0] for row in rows if row.split() and row.split()[0] in PHASES] == list(PHASES)
        assert any("testing.md" in row and row.endswith("ms") for row in rows)
        took = [sum(phases.values()) for _, phases in timings.by_name()]
        assert took == sorted(took, reverse=True)
        screen.choices.go_to(next(name for name, _ in timings.by_name() if name.endswith("/.roo/rules/testing.md")))
        await user.pause()
        assert screen.shown.plain.splitlines()[0].strip() == ".roo/rules/testing.md"
        assert "reading" in screen.shown.plain
        await user.press("y")
        assert user.app.clipboard == screen.choices.plain
        await user.press("q")
        assert user.app.screen is user.app.main
