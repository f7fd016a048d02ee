"""Keys that come faster than they are handled, as when they are pasted."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running
from textual.events import Key, Paste

from promptscope_tui.widgets.picker import LineInput, Option, Picker

pytestmark = pytest.mark.slow


async def at_once(user: User, *keys: str) -> None:
    """Press keys without a pause between them."""
    for key in keys:
        user.app.post_message(Key(key, key if len(key) == 1 else None))
    await user.settle()


async def test_keys_after_enter_are_not_searched_for(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("slash")
        await at_once(user, *"shop", "enter", "3")
        assert user.app.main.search.query_one(LineInput).value == "shop"
        assert user.tab == "files"


async def test_keys_after_a_choice_go_to_the_screen_below(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("m")
        await at_once(user, *"ask", "enter", "3")
        assert user.scenario.mode == "ask"
        assert user.tab == "files"


async def test_no_key_overtakes_another(tmp_path: Path) -> None:
    """The last one comes so many turns of the event loop behind the others, which pass from widget to widget."""
    async with running(roo_shop_at(tmp_path)) as user:
        for turns in (1, 3, 5):
            for key in ("slash", "a", "b", "enter", "3"):
                user.app.post_message(Key(key, key if len(key) == 1 else None))
            for _ in range(turns):
                await asyncio.sleep(0)
            await at_once(user, "5")
            typed = user.app.main.search.query_one(LineInput)
            await user.until(lambda typed=typed: (typed.value, user.tab) == ("ab", "request"))
            await user.press("1", "slash", *["backspace"] * 2, "escape")


async def test_a_paste_waits_for_the_keys_before_it(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.app.post_message(Key("slash", "/"))
        user.app.post_message(Paste("shop"))
        await at_once(user, "s")
        assert user.app.main.search.query_one(LineInput).value == "shops"


async def test_keys_after_a_value_go_to_the_list(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("M")
        await at_once(user, *"gpt-5", "enter", "4")
        assert user.tab == "window"


async def test_options_that_come_before_the_list_or_after_it_are_no_failure(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        picker = Picker("MODEL", [Option("one")], None)
        picker.offer([Option("two")])
        user.app.push_screen(picker)
        await user.pause()
        assert [row.key for row in picker.choices.rows] == ["two"]
        picker.dismiss(None)
        await user.pause()
        picker.offer([Option("three")])
        assert not user.app.failures.all
