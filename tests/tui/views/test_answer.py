"""Asking why in the app: a key, any word, enter."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running

from promptscope_tui.views.answer import AnswerScreen, answer_rows
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def _answered(user: User) -> str:
    await user.app.workers.wait_for_complete()
    await user.pause()
    screen = user.app.screen
    assert isinstance(screen, AnswerScreen)
    return screen.query_one(RowList).plain


async def test_a_key_a_word_and_enter_answer_as_the_command_does(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("Q", *"useRooIgnore", "enter")
        assert "→ input useRooIgnore" in await _answered(user)
        await user.press("ctrl+u", *"no", "_", *"such", "enter")
        assert "called 'no_such'" in await _answered(user)
        await user.press("escape")
        assert not isinstance(user.app.screen, AnswerScreen)


async def test_the_palette_asks_about_what_nothing_else_has(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("ctrl+p", *"codebase_serch", "enter")
        assert "did you mean codebase_search" in await _answered(user)


def test_the_first_line_of_each_answer_is_its_title() -> None:
    rows = answer_rows(["✓ tool a\n  offered\n", "✗ tool b\n"])
    assert ["".join(span.text for span in row.left) for row in rows] == ["✓ tool a", "  offered", "", "✗ tool b"]
