"""The footer: the keys of the pane that has them, and notes that do not stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running

from promptscope_tui.actions.table import ACTIONS, most_used
from promptscope_tui.views.bars.bottom import Note, StatusBar
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.row_list import RowList

LONG = "cannot start nonexistent: No such file or directory; set $VISUAL or $EDITOR"


def keys(user: User) -> str:
    return user.app.main.status.plain


@pytest.mark.slow
async def test_the_footer_follows_the_keys(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 30)) as user:
        assert "space fold" in keys(user)
        assert "esc back" not in keys(user)
        await user.press("w")
        assert "space fold" not in keys(user)
        assert "enter follow" in keys(user)
        assert "esc back" in keys(user)
        await user.press("escape", "slash")
        assert "esc leave" in keys(user)
        assert "a agent" not in keys(user), "a letter is text now"
        assert "? help" not in keys(user)
        await user.press("escape")
        assert "space fold" in keys(user)


@pytest.mark.slow
async def test_a_page_of_reasons_offers_only_what_its_row_leads_to(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 30)) as user:
        await user.press("4", "w")
        assert user.why.has_focus
        assert user.app.main.why.link is None
        assert "enter follow" not in keys(user)
        assert "e edit" not in keys(user)
        user.app.main.prompt.goto("custom_instructions.agents_md")
        await user.press("1", "w")
        assert user.app.main.why.source is not None
        assert "enter follow  e edit" in keys(user)


@pytest.mark.slow
async def test_a_note_never_takes_the_place_of_keys_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        before, above = keys(user), user.app.main.query_one(Note)
        user.app.main.note(LONG, error=True)
        await user.pause()
        assert keys(user) == before
        assert above.display
        assert LONG in str(above.render())
        await user.resize(220, 24)
        assert keys(user).endswith(LONG)
        assert not above.display
        monkeypatch.setattr("promptscope_tui.screens.drawing.ERROR_SECONDS", 0.05)
        user.app.main.note(LONG, error=True)
        await user.until(lambda: LONG not in keys(user))
        user.app.main.note("short")
        assert keys(user).endswith("short")


@pytest.mark.slow
async def test_a_note_leaves_the_row_under_the_cursor_in_view(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        note, bottom = user.app.main.query_one(Note), user.app.main.status.region.y - 1
        for pane, opens in (("prompt", "1"), ("files", "3"), ("controls", "f")):
            await user.press(opens)
            heights = set()
            for key in ("G", "k", "k", "k"):
                await user.press(key)
                shown = user.app.focused
                assert isinstance(shown, RowList | PromptView)
                cursor = {shown.content_region.y + line - shown.scroll_offset.y for line in shown.cursor_lines}
                user.app.main.note(LONG, error=True)
                await user.pause()
                lines = set(note.region.line_range)
                assert cursor
                assert lines
                assert not cursor & lines, pane
                if not {bottom - n for n in range(len(lines))} & cursor:
                    assert max(lines) == bottom, "as low as it can be"
                heights.add(max(lines))
            assert bottom in heights, pane


@pytest.mark.slow
async def test_the_pane_with_the_keys_has_a_bar(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 30)) as user:
        panes = (user.app.main.prompt, user.app.main.why, user.app.main.controls.switches)
        await user.press("w")
        assert [pane.styles.border_left[0] for pane in panes] == ["blank", "outer", "blank"]
        await user.press("w")
        assert [pane.styles.border_left[0] for pane in panes] == ["outer", "blank", "blank"]


@pytest.mark.slow
async def test_each_pane_offers_what_acts_there_first(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        seen = {"prompt": keys(user)}
        for key, tab in zip("23456", ("tools", "files", "window", "request", "changes"), strict=True):
            await user.press(key)
            seen[tab] = keys(user)
        assert seen["prompt"].startswith("space fold  / search  w why  ^p find  c compare  a agent  m mode"), seen
        assert seen["tools"].startswith("enter go to  / filter  > sort"), seen
        assert "e edit" in seen["files"]
        assert "simulate" not in seen["files"], "Roo Code has no rules that load with another file"
        assert "report" not in seen["window"]
        assert seen["changes"].startswith("enter go to  b baseline  c compare"), seen
        assert all("c compare" in words for tab, words in seen.items() if tab not in ("files", "request")), seen
        assert all("esc back" in words for tab, words in seen.items() if tab != "prompt"), seen
        assert all(words.endswith("? help") for words in seen.values())
        await user.press("f")
        assert keys(user).startswith("enter change  ^s save"), "nothing to undo yet"
        user.session.set("mode", "architect")
        await user.settle_all()
        assert keys(user).startswith("enter change  u undo")
        await user.press("escape", "1")
        assert "u undo" in keys(user)
        await user.resize(120, 24)
        offered = (each for each in most_used(ACTIONS) if each.footer and each.id not in user.app.main.status.idle)
        most = [f"{action.shown_keys} {action.footer}" for action in offered]
        shown = [words for words in most if words in keys(user)]
        assert shown == most[: len(shown)]
        assert len(shown) >= 9


@pytest.mark.slow
async def test_screens_have_a_footer_of_their_keys(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        await user.press("c")
        line = user.app.screen.query_one(KeyLine)
        assert line.plain.strip() == "a before  b after  x swap  s side by side  enter to the text  esc back"
        await user.resize(140, 24)
        assert line.plain.strip().endswith("tab other list  y copy  esc back")
        await user.click(KeyLine, offset=(line.plain.index("other"), 0))
        assert user.app.screen.focused is not None
        assert user.app.screen.focused.id == "shown"
        await user.click(KeyLine, offset=(line.plain.index("back"), 0))
        assert user.app.screen is user.app.main


async def test_a_click_on_what_the_footer_offers_does_it(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("2", "down")
        footer = user.app.main.query_one(StatusBar)
        await user.click(footer, offset=(footer.plain.index("go to"), 0))
        assert not user.app.failures.all
        assert user.tab == "prompt"
