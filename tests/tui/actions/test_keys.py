"""Keys that go the other way round, or do the rarer thing: what each of them does, in the user.app."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running
from textual.widgets import Input, TextArea

from promptscope_tui.views.experiment import ExperimentScreen
from promptscope_tui.views.report import Report
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def press(user: User, *keys: str) -> None:
    """One key after the other, as a person does."""
    for key in keys:
        await user.press(key)


async def test_a_search_goes_forwards_and_backwards_in_its_line_and_in_the_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await press(user, "slash", *"tool")
        position, count = user.app.main.prompt.search_position
        assert count > 2
        at = user.app.main.prompt.place
        await press(user, "down", "down")
        assert user.app.main.prompt.search_position == (position + 2, count)
        await press(user, "up", "up")
        assert user.app.main.prompt.search_position == (position, count)
        assert user.app.main.prompt.place == at
        await press(user, "enter", "n", "n", "N")
        assert user.app.main.prompt.search_position == (position + 1, count)
        assert user.prompt.has_focus


async def test_a_filter_goes_up_in_its_table(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await press(user, "3", "slash", *"rules")
        first = user.app.main.pages.files.key
        await press(user, "down")
        assert user.app.main.pages.files.key != first
        await press(user, "up")
        assert user.app.main.pages.files.key == first
        assert isinstance(user.app.focused, Input), "one goes on typing"


async def test_a_list_goes_by_pages(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        tools = user.app.main.pages.tools
        await press(user, "2", "g", "pagedown")
        page = tools.cursor
        assert page > 5
        await press(user, "pageup")
        first = tools.cursor
        assert first < page
        await press(user, "ctrl+d")
        assert tools.cursor == page
        await press(user, "ctrl+u")
        assert tools.cursor == first
        await press(user, "end")
        last = tools.key
        await press(user, "G")
        assert tools.key == last
        await press(user, "home")
        assert tools.cursor == first


async def test_a_choice_goes_up_while_one_types(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await press(user, "m")
        rows = user.app.screen.query_one(RowList)
        first = rows.key
        await press(user, "down", "down", "up")
        second = rows.key
        assert second != first
        await press(user, "enter")
        assert user.scenario.mode == second


async def test_an_experiment_is_left_as_it_was_or_moved_down(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        before = user.session.snapshot.assembly
        assert before is not None
        user.app.main.prompt.goto("capabilities")
        await press(user, "E")
        assert isinstance(user.app.screen, ExperimentScreen)
        user.app.screen.query_one(TextArea).text = "Nothing."
        await press(user, "escape")
        assert user.app.screen is user.app.main
        assert user.scenario.edits == []
        await press(user, "alt+down")
        now = user.session.snapshot.assembly
        assert now is not None
        order = [section.id for section in now.sections if section.id in ("capabilities", "modes")]
        assert order == ["modes", "capabilities"]
        await press(user, "u")
        assert user.session.snapshot.assembly is not None
        assert user.session.snapshot.assembly.system_text == before.system_text


async def test_the_report_turns_back(tmp_path: Path) -> None:
    async with running(openclaw_workspace_at(tmp_path), (140, 45)) as user:
        await press(user, "v")
        await user.settle_all()
        assert isinstance(user.app.screen, Report)
        shown = user.app.screen.query_one(RowList)
        first = shown.plain
        await press(user, "tab")
        second = shown.plain
        assert second != first
        for key in ("left", "h", "shift+tab"):
            await press(user, key)
            back = shown.plain
            await press(user, "l")
            assert shown.plain != back, key
        await press(user, "v")
        assert user.app.screen is user.app.main
