"""Keys that go the other way round, or do the rarer thing: what each of them does, in the app."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.roo_shop import computed, draft, roo_shop_at, running, settled
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.experiment import ExperimentScreen
from promptscope_tui.views.report import Report
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def press(app: PromptscopeApp, pilot: Pilot[None], *keys: str) -> None:
    """One key after the other, as a person does."""
    for key in keys:
        await pilot.press(key)
        await settled(app, pilot)


async def test_a_search_goes_forwards_and_backwards_in_its_line_and_in_the_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as (app, pilot):
        await press(app, pilot, "slash", *draft("tool"))
        position, count = app.main.prompt.search_position
        assert count > 2
        at = app.main.prompt.place
        await press(app, pilot, "down", "down")
        assert app.main.prompt.search_position == (position + 2, count)
        await press(app, pilot, "up", "up")
        assert app.main.prompt.search_position == (position, count)
        assert app.main.prompt.place == at
        await press(app, pilot, "enter", "n", "n", "N")
        assert app.main.prompt.search_position == (position + 1, count)
        assert app.main.prompt.has_focus


async def test_a_filter_goes_up_in_its_table(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as (app, pilot):
        await press(app, pilot, "3", "slash", *"rules")
        first = app.main.files.key
        await press(app, pilot, "down")
        assert app.main.files.key != first
        await press(app, pilot, "up")
        assert app.main.files.key == first
        assert isinstance(app.focused, Input), "one goes on typing"


async def test_a_list_goes_by_pages(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as (app, pilot):
        tools = app.main.tools
        await press(app, pilot, "2", "g", "pagedown")
        page = tools.cursor
        assert page > 5
        await press(app, pilot, "pageup")
        first = tools.cursor
        assert first < page
        await press(app, pilot, "ctrl+d")
        assert tools.cursor == page
        await press(app, pilot, "ctrl+u")
        assert tools.cursor == first
        await press(app, pilot, "end")
        last = tools.key
        await press(app, pilot, "G")
        assert tools.key == last
        await press(app, pilot, "home")
        assert tools.cursor == first


async def test_a_choice_goes_up_while_one_types(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as (app, pilot):
        await press(app, pilot, "m")
        rows = app.screen.query_one(RowList)
        first = rows.key
        await press(app, pilot, "down", "down", "up")
        second = rows.key
        assert second != first
        await press(app, pilot, "enter")
        assert app.session.snapshot.scenario.mode == second


async def test_an_experiment_is_left_as_it_was_or_moved_down(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        before = app.session.snapshot.assembly
        assert before is not None
        app.main.prompt.goto("capabilities")
        await press(app, pilot, "E")
        assert isinstance(app.screen, ExperimentScreen)
        app.screen.query_one(TextArea).text = "Nothing."
        await press(app, pilot, "escape")
        assert app.screen is app.main
        assert app.session.snapshot.scenario.edits == []
        await press(app, pilot, "alt+down")
        now = app.session.snapshot.assembly
        assert now is not None
        order = [section.id for section in now.sections if section.id in ("capabilities", "modes")]
        assert order == ["modes", "capabilities"]
        await press(app, pilot, "u")
        assert app.session.snapshot.assembly is not None
        assert app.session.snapshot.assembly.system_text == before.system_text


async def test_the_report_turns_back(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (140, 45)) as (app, pilot):
        await press(app, pilot, "v")
        await computed(app, pilot)
        assert isinstance(app.screen, Report)
        shown = app.screen.query_one(RowList)
        first = shown.plain
        await press(app, pilot, "tab")
        second = shown.plain
        assert second != first
        for key in ("left", "h", "shift+tab"):
            await press(app, pilot, key)
            back = shown.plain
            await press(app, pilot, "l")
            assert shown.plain != back, key
        await press(app, pilot, "v")
        assert app.screen is app.main
