"""The footer: the keys of the pane that has them, and notes that do not stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import computed, roo_shop_at, running

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.widgets.line_bar import KeyLine
from promptscope_tui.widgets.note import Note
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

LONG = "cannot start nonexistent: No such file or directory; set $VISUAL or $EDITOR"


def keys(app: PromptscopeApp) -> str:
    return app.main.status.plain


async def test_the_footer_follows_the_keys(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 30)) as (app, pilot):
        assert "space fold" in keys(app)
        assert "esc back" not in keys(app)
        await pilot.press("w")
        await pilot.pause()
        assert "space fold" not in keys(app)
        assert "enter follow" in keys(app)
        assert "esc back" in keys(app)
        await pilot.press("escape", "slash")
        await pilot.pause()
        assert "esc leave" in keys(app)
        assert "a agent" not in keys(app), "a letter is text now"
        assert "? help" not in keys(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "space fold" in keys(app)


async def test_a_page_of_reasons_offers_only_what_its_row_leads_to(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 30)) as (app, pilot):
        await pilot.press("4", "w")
        await pilot.pause()
        assert app.main.why.has_focus
        assert app.main.why.link is None
        assert "enter follow" not in keys(app)
        assert "e edit" not in keys(app)
        app.main.prompt.goto("custom_instructions.agents_md")
        await pilot.press("1", "w")
        await pilot.pause()
        assert app.main.why.source is not None
        assert "enter follow  e edit" in keys(app)


async def test_a_note_never_takes_the_place_of_keys_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as (app, pilot):
        before, above = keys(app), app.main.query_one(Note)
        app.main.note(LONG, error=True)
        await pilot.pause()
        assert keys(app) == before
        assert above.display
        assert LONG in str(above.render())
        await pilot.resize_terminal(200, 24)
        await pilot.pause()
        assert keys(app).endswith(LONG)
        assert not above.display
        monkeypatch.setattr("promptscope_tui.screens.main.ERROR_SECONDS", 0.05)
        app.main.note(LONG, error=True)
        await pilot.pause(0.1)
        assert LONG not in keys(app)
        app.main.note("short")
        assert keys(app).endswith("short")


@pytest.mark.parametrize("pane", ["controls", "files", "prompt"])
async def test_a_note_leaves_the_row_under_the_cursor_in_view(tmp_path: Path, pane: str) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as (app, pilot):
        await pilot.press({"controls": "f", "files": "3", "prompt": "1"}[pane])
        await pilot.pause()
        note, bottom = app.main.query_one(Note), app.main.status.region.y - 1
        heights = set()
        for key in ("G", "k", "k", "k"):
            await pilot.press(key)
            await pilot.pause()
            shown = app.focused
            assert isinstance(shown, RowList | PromptView)
            cursor = {shown.content_region.y + line - shown.scroll_offset.y for line in shown.cursor_lines}
            app.main.note(LONG, error=True)
            await pilot.pause()
            lines = set(note.region.line_range)
            assert cursor
            assert lines
            assert not cursor & lines
            if not {bottom - n for n in range(len(lines))} & cursor:
                assert max(lines) == bottom, "as low as it can be"
            heights.add(max(lines))
        assert bottom in heights


async def test_the_pane_with_the_keys_has_a_bar(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 30)) as (app, pilot):
        panes = (app.main.prompt, app.main.why, app.main.controls.switches)
        await pilot.press("w")
        await pilot.pause()
        assert [pane.styles.border_left[0] for pane in panes] == ["blank", "outer", "blank"]
        await pilot.press("w")
        await pilot.pause()
        assert [pane.styles.border_left[0] for pane in panes] == ["outer", "blank", "blank"]


async def test_each_pane_offers_what_acts_there_first(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as (app, pilot):
        seen = {"prompt": keys(app)}
        for key, tab in zip("23456", ("tools", "files", "window", "request", "changes"), strict=True):
            await pilot.press(key)
            seen[tab] = keys(app)
        assert seen["prompt"].startswith("space fold  / search  w why  f controls  c compare  a agent  m mode"), seen
        assert seen["tools"].startswith("enter go to  / filter  > sort"), seen
        assert "e edit" in seen["files"]
        assert "simulate a read" not in seen["files"], "Roo Code has no rules that load with another file"
        assert "report" not in seen["window"]
        assert seen["changes"].startswith("b baseline  enter go to"), seen
        assert all("c compare" in words for tab, words in seen.items() if tab not in ("files", "request")), seen
        assert all("esc back" in words for tab, words in seen.items() if tab != "prompt"), seen
        assert all(words.endswith("? help") for words in seen.values())
        await pilot.press("f")
        await pilot.pause()
        assert keys(app).startswith("enter change  ^s save"), "nothing to undo yet"
        app.session.set("mode", "architect")
        await computed(app, pilot)
        assert keys(app).startswith("enter change  u undo")
        await pilot.press("escape", "1")
        assert "u undo" in keys(app)


async def test_screens_have_a_footer_of_their_keys(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as (app, pilot):
        await pilot.press("c")
        await pilot.pause()
        line = app.screen.query_one(KeyLine)
        assert line.plain.strip() == "a before  b after  x swap  s side by side  enter to the text  esc back"
        await pilot.resize_terminal(140, 24)
        await pilot.pause()
        assert line.plain.strip().endswith("tab other list  y copy  esc back")
        await pilot.click(KeyLine, offset=(line.plain.index("other"), 0))
        assert app.screen.focused is not None
        assert app.screen.focused.id == "shown"
        await pilot.click(KeyLine, offset=(line.plain.index("back"), 0))
        assert app.screen is app.main
