"""Keys that go the other way round, or do the rarer thing: what each of them does, in the user.app."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import running
from textual.widgets import Input, TextArea

from promptscope_tui.views.reports import Report
from promptscope_tui.views.what_if import ExperimentScreen
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def test_a_search_goes_forwards_and_backwards_in_its_line_and_in_the_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await user.press("slash", *"tool")
        position, count = user.app.main.prompt.search_position
        assert count > 2
        at = user.app.main.prompt.place
        await user.press("down", "down")
        assert user.app.main.prompt.search_position == (position + 2, count)
        await user.press("up", "up")
        assert user.app.main.prompt.search_position == (position, count)
        assert user.app.main.prompt.place == at
        await user.press("enter", "n", "n", "N")
        assert user.app.main.prompt.search_position == (position + 1, count)
        assert user.prompt.has_focus


async def test_a_filter_goes_up_in_its_table(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await user.press("3", "slash", *"rules")
        first = user.files.key
        await user.press("down")
        assert user.files.key != first
        await user.press("up")
        assert user.files.key == first
        assert isinstance(user.app.focused, Input), "one goes on typing"


async def test_a_list_goes_by_pages(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        tools = user.app.main.pages.tools
        await user.press("2", "g", "pagedown")
        page = tools.cursor
        assert page > 5
        await user.press("pageup")
        first = tools.cursor
        assert first < page
        await user.press("ctrl+d")
        assert tools.cursor == page
        await user.press("ctrl+u")
        assert tools.cursor == first
        await user.press("end")
        last = tools.key
        await user.press("G")
        assert tools.key == last
        await user.press("home")
        assert tools.cursor == first


async def test_a_choice_goes_up_while_one_types(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await user.press("m")
        rows = user.app.screen.query_one(RowList)
        first = rows.key
        await user.press("down", "down", "up")
        second = rows.key
        assert second != first
        await user.press("enter")
        assert user.scenario.mode == second


async def test_an_experiment_is_left_as_it_was_or_moved_down(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        before = user.session.snapshot.assembly
        assert before is not None
        user.app.main.prompt.goto("capabilities")
        await user.press("E")
        assert isinstance(user.app.screen, ExperimentScreen)
        user.app.screen.query_one(TextArea).text = "Nothing."
        await user.press("escape")
        assert user.app.screen is user.app.main
        assert user.scenario.edits == []
        await user.press("alt+down")
        now = user.session.snapshot.assembly
        assert now is not None
        order = [section.id for section in now.sections if section.id in ("capabilities", "modes")]
        assert order == ["modes", "capabilities"]
        await user.press("u")
        assert user.session.snapshot.assembly is not None
        assert user.session.snapshot.assembly.system_text == before.system_text


async def test_the_report_turns_back(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (140, 45)) as user:
        await user.press("v")
        await user.settle_all()
        assert isinstance(user.app.screen, Report)
        shown = user.app.screen.query_one(RowList)
        first = shown.plain
        await user.press("tab")
        second = shown.plain
        assert second != first
        for key in ("left", "h", "shift+tab"):
            await user.press(key)
            back = shown.plain
            await user.press("l")
            assert shown.plain != back, key
        await user.press("v")
        assert user.app.screen is user.app.main
