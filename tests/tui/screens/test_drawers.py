"""The reasons and the controls where there is no room beside the page: opened, closed, remembered, never lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.linked_repo import linked_repo_at
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import User, running

from promptscope_tui.settings.memory import Memory

pytestmark = pytest.mark.slow

NARROW = (80, 100, 120, 149)


def height(user: User, selector: str) -> int:
    return user.app.main.query_one(selector).region.height


@pytest.mark.parametrize("width", NARROW)
async def test_the_reasons_open_below_the_page_and_leave_it_its_width(tmp_path: Path, width: int) -> None:
    async with running(roo_shop_at(tmp_path), (width, 40)) as user:
        before = user.app.main.prompt.region
        await user.press("w")
        page, why = user.app.main.prompt.region, user.app.main.why.region
        assert user.why.has_focus
        assert (page.width, page.x) == (before.width, before.x)
        assert page.bottom <= why.y
        assert page.height > why.height > 8
        await user.press("w")
        assert user.prompt.has_focus
        assert not user.why.is_visible
        assert user.app.main.prompt.region == before


@pytest.mark.parametrize("width", [150, 200])
async def test_with_room_they_are_beside_it_whatever_is_pressed(tmp_path: Path, width: int) -> None:
    async with running(roo_shop_at(tmp_path), (width, 40)) as user:
        before = user.app.main.why.region
        assert before.x > user.app.main.prompt.region.right - 1
        for keys in (("w",), ("w",), ("w", "escape")):
            await user.press(*keys)
            assert user.app.main.why.region == before


async def test_they_follow_the_cursor_while_the_page_has_the_keys(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("3", "w", "shift+tab")
        assert user.files.has_focus
        await user.files.row("ee/CLAUDE.md").press()
        user.why.shows("ee/CLAUDE.md")
        await user.press("2")
        assert user.why.is_visible, "another page leaves them open"
        await user.press("escape")
        assert user.why.is_visible, "as does the way back"
        await user.press("w", "escape")
        assert not user.why.is_visible


async def test_what_is_explained_stays_in_view(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (100, 30)) as user:
        await user.press("z", "g", *["pagedown"] * 2)
        row = user.app.main.prompt.cursor_row
        await user.press("w")
        prompt = user.app.main.prompt
        assert prompt.cursor_row == row
        assert 0 <= row - prompt.scroll_offset.y < prompt.scrollable_content_region.height


async def test_whether_they_are_open_is_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    async with running(roo_shop_at(tmp_path), (120, 40), memory=memory) as user:
        await user.press("w")
    async with running(scenario_of(tmp_path), (120, 40), memory=Memory(tmp_path / "state")) as user:
        assert user.why.is_visible
        assert user.app.main.page.has_focus
        await user.press("w", "w")
        assert not user.why.is_visible
    async with running(scenario_of(tmp_path), (160, 40), memory=Memory(tmp_path / "state")) as user:
        await user.press("w", "w")  # in a column of their own
    async with running(scenario_of(tmp_path), (120, 40), memory=Memory(tmp_path / "state")) as user:
        assert not user.why.is_visible


async def test_a_resize_takes_the_keys_from_nothing(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (200, 40)) as user:
        await user.press("1", "tab")
        assert user.why.has_focus
        for width in (140, 100, 70, 160):
            await user.resize(width, 40)
            assert user.why.has_focus
            assert user.why.is_visible
        await user.press("f")
        assert user.controls.has_focus
        for width in (100, 70, 120, 200):
            await user.resize(width, 40)
            assert user.controls.has_focus
            assert user.controls.is_visible


async def test_on_a_low_screen_the_page_keeps_some_rows(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        await user.press("w")
        assert height(user, "#prompt") >= 5
        assert height(user, "#why") >= 10
        await user.resize(60, 15)
        assert height(user, "#prompt") >= 3
        assert height(user, "#why") >= 5
