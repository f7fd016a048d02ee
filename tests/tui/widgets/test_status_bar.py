"""The footer: the keys of the pane that has them, and notes that do not stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.shop import running, shop_at

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.widgets.note import Note

LONG = "cannot start nonexistent: No such file or directory; set $VISUAL or $EDITOR"


def keys(app: PromptscopeApp) -> str:
    return app.main.status.plain


async def test_the_footer_follows_the_keys(tmp_path: Path) -> None:
    async with running(shop_at(tmp_path), (140, 30)) as (app, pilot):
        assert "space fold" in keys(app)
        assert "esc back" not in keys(app)
        await pilot.press("w")
        await pilot.pause()
        assert "space fold" not in keys(app)
        assert "enter choose" in keys(app)
        assert "esc back" in keys(app)
        await pilot.press("escape", "slash")
        await pilot.pause()
        assert "esc leave" in keys(app)
        assert "a agent" not in keys(app), "a letter is text now"
        assert "? help" not in keys(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "space fold" in keys(app)


async def test_a_note_never_takes_the_place_of_keys_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(shop_at(tmp_path), (80, 24)) as (app, pilot):
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
        monkeypatch.setattr("promptscope_tui.screens.main._ERROR_SECONDS", 0.05)
        app.main.note(LONG, error=True)
        await pilot.pause(0.1)
        assert LONG not in keys(app)
        app.main.note("short")
        assert keys(app).endswith("short")


async def test_the_pane_with_the_keys_has_a_bar(tmp_path: Path) -> None:
    async with running(shop_at(tmp_path), (140, 30)) as (app, pilot):
        panes = (app.main.prompt, app.main.why, app.main.controls.switches)
        await pilot.press("w")
        await pilot.pause()
        assert [pane.styles.border_left[0] for pane in panes] == ["blank", "outer", "blank"]
        await pilot.press("w")
        await pilot.pause()
        assert [pane.styles.border_left[0] for pane in panes] == ["outer", "blank", "blank"]
