"""The table of actions is the only list of keys: everything that shows keys agrees with it."""

from __future__ import annotations

from pathlib import Path

from tests.tui.support.shop import running, shop_at, texts

from promptscope_tui.actions.table import ACTIONS, BY_ID, groups, key_table, show_key
from promptscope_tui.app import Commands
from promptscope_tui.screens.help import help_rows
from promptscope_tui.screens.main import MainScreen
from promptscope_tui.widgets.prompt_view import PromptView
from promptscope_tui.widgets.row_list import RowList


def test_ids_and_keys_are_told_once() -> None:
    assert len(BY_ID) == len(ACTIONS)
    keys = [key for action in ACTIONS for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_every_own_action_is_bound_to_a_method() -> None:
    bound = {binding.id: binding for binding in MainScreen.BINDINGS}  # type: ignore[union-attr]
    for action in ACTIONS:
        if action.own:
            name = action.call.partition("(")[0]
            assert hasattr(MainScreen, f"action_{name}"), action.id
            assert bound[action.id].key == action.keys
            assert bound[action.id].tooltip == action.help


def test_every_movement_is_bound_by_the_lists_and_the_prompt() -> None:
    for widget in (RowList, PromptView):
        bound = {key for b in widget.BINDINGS for key in b.key.split(",")}  # type: ignore[union-attr]
        for action in ACTIONS:
            if not action.own:
                assert set(action.keys.split(",")) <= bound, (widget, action.id)


def test_every_action_is_in_the_help_and_in_the_key_table() -> None:
    page, table = "\n".join(texts(help_rows(200))), key_table()
    for action in ACTIONS:
        assert action.help in page
        assert action.help in table
        for key in action.keys.split(","):
            assert f"`{show_key(key)}`" in table
    assert list(groups()) == ["Moving", "Prompt", "Panes", "Scenario", "Files", "App"]


def test_keys_read_as_people_write_them() -> None:
    assert [show_key(k) for k in ("ctrl+p", "slash", "shift+tab", "G", "question_mark")] == [
        "^p",
        "/",
        "⇧tab",
        "G",
        "?",
    ]


async def test_every_action_is_in_the_palette_as_noun_and_verb(tmp_path: Path) -> None:
    async with running(shop_at(tmp_path)) as (app, _):
        provider = Commands(app.main)
        names = [hit.text async for hit in provider.discover()]
        assert set(names) == {a.palette for a in ACTIONS if a.own and a.id != "palette"}
        assert all(": " in name for name in names)


async def test_the_palette_does_what_it_names(tmp_path: Path) -> None:
    async with running(shop_at(tmp_path)) as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.press(*"tab: wind")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert app.main.tabs.active == "window"


async def test_a_click_in_the_footer_does_the_action(tmp_path: Path) -> None:
    async with running(shop_at(tmp_path)) as (app, pilot):
        bar = app.main.query_one("#status")
        at = bar.plain.index("baseline")  # type: ignore[attr-defined]
        await pilot.click("#status", offset=(at + 1, 0))
        await pilot.pause()
        assert app.session.snapshot.pinned


async def test_help_opens_and_closes(tmp_path: Path) -> None:
    async with running(shop_at(tmp_path)) as (app, pilot):
        await pilot.press("question_mark")
        assert "SCENARIO" in app.screen.query_one(RowList).plain
        await pilot.press("escape")
        assert app.screen is app.main


def test_the_readme_has_the_table_of_keys() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert readme.partition("a test compares -->\n")[2].partition("<!-- /keys -->")[0] == key_table()
