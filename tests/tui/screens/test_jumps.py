"""Enter leads to a thing's place in another tab, escape and backspace lead back; Tools and Files sort and filter."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import roo_shop_at, running, scenario_of, settled, until, watcher
from textual.pilot import Pilot

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.session.intents import GoTo
from promptscope_tui.views.prompt.layout import HeaderRow
from promptscope_tui.views.subjects import (
    BlockSubject,
    Cursor,
    DiagnosticSubject,
    FileSubject,
    ToolSubject,
    WindowSubject,
)
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def press(app: PromptscopeApp, pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        await pilot.pause()
    await settled(app, pilot)


async def on_file(app: PromptscopeApp, pilot: Pilot[None], name: str) -> FileSubject:
    """Go to the row of a file."""
    await press(app, pilot, "3")
    key = next(r.key for r in app.main.files.rows if isinstance(r.key, FileSubject) and r.key.path.endswith(name))
    app.main.files.go_to(key)
    await pilot.pause()
    assert isinstance(key, FileSubject)
    return key


async def test_a_file_and_its_place_lead_to_each_other_and_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        for back in ("escape", "backspace"):
            key = await on_file(app, pilot, "testing.md")
            await press(app, pilot, "enter")
            main = app.main
            assert main.tabs.active == "prompt"
            assert (main.prompt.cursor.kind, main.prompt.cursor.path) == ("body", key.path)
            place = main.prompt.place
            await press(app, pilot, "enter")  # the line leads to its file
            assert (main.tabs.active, main.files.key) == ("files", key)
            assert main.files.has_focus
            await press(app, pilot, back)
            assert (main.tabs.active, main.prompt.place) == ("prompt", place)
            await press(app, pilot, back)
            assert (main.tabs.active, main.files.key) == ("files", key)
            await press(app, pilot, back)
            assert main.tabs.active == "prompt", "without a way back: to the prompt"

        await on_file(app, pilot, "AGENTS.md")
        await press(app, pilot, "enter", "2", "escape")
        assert main.tabs.active == "prompt"
        await press(app, pilot, "escape")
        assert main.tabs.active == "prompt", "going to a tab by hand forgets the way back"

        await on_file(app, pilot, ".roorules")
        await press(app, pilot, "enter")
        assert main.tabs.active == "files"
        assert "nothing of it stands in the prompt" in main.status.note


async def test_where_a_file_stands_and_what_weighs_most_lead_to_their_panels(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 45)) as (app, pilot):
        main = app.main
        await on_file(app, pilot, "testing.md")
        await press(app, pilot, "w")
        number = next(n for n, link in enumerate(main.why.links) if isinstance(link, GoTo))
        main.why.go_to(number)
        await press(app, pilot, "enter")
        assert main.tabs.active == "prompt"
        assert main.prompt.has_focus
        row = main.prompt.rows.row(main.prompt.cursor_row)
        assert isinstance(row, HeaderRow)
        assert "testing.md" in row.panel.id

        await press(app, pilot, "4")
        assert main.window.key == WindowSubject()
        assert "The context window" in main.why.plain
        await press(app, pilot, "j")
        key = main.window.key
        assert isinstance(key, GoTo)
        assert main.subject == Cursor(str(key.key))
        await press(app, pilot, "enter")
        assert (main.tabs.active, main.prompt.cursor.section_id) == ("prompt", key.key)
        await press(app, pilot, "escape")
        assert (main.tabs.active, main.window.key) == ("window", key)


async def test_tools_lead_to_what_is_sent(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="claude-code", mode=None, model=None), (140, 40)) as (app, pilot):
        main = app.main
        await press(app, pilot, "G")
        assert main.prompt.cursor == Cursor(kind="tools")
        assert "Tools, sent beside the prompt" in main.why.plain
        await press(app, pilot, "enter")
        assert main.tabs.active == "tools"
        main.tools.go_to(ToolSubject("Bash"))
        await press(app, pilot, "enter")
        assert main.tabs.active == "request"
        assert isinstance(main.request.key, BlockSubject)
        assert "Bash" in main.request.rows[main.request.cursor].left[1].text
        await press(app, pilot, "escape", "escape")
        assert (main.tabs.active, main.prompt.cursor) == ("prompt", Cursor(kind="tools"))


async def test_a_jump_waits_until_a_new_page_has_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine a page is laid out later than the refreshes that are waited for; here none is."""
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        main = app.main
        snapshot = await settled(app, pilot)
        assert snapshot.assembly is not None
        last = FileSubject([file.path for file in snapshot.assembly.files if file.present][-1])
        monkeypatch.setattr(main, "call_after_refresh", lambda do, *args: do(*args))
        main.go_to(GoTo("files", last))
        assert main.files.rows == ()
        await settled(app, pilot)
        assert (main.tabs.active, main.files.key) == ("files", last)


async def test_a_table_is_filtered_as_one_types(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        main = app.main
        await press(app, pilot, "3", "slash", *"rules")
        assert main.tabs.active == "files"
        assert "esc all rows" in main.status.plain
        shown = [r.key.path for r in main.files.rows if isinstance(r.key, FileSubject)]
        assert shown
        assert len(shown) < len(main.snapshot.assembly.files)
        assert main.files.found == len(shown)
        await press(app, pilot, "down", "enter")
        assert main.files.has_focus
        assert main.filter.is_open
        await press(app, pilot, "2")
        assert not main.filter.is_open, "another table is not filtered"
        await press(app, pilot, "3")
        assert main.filter.is_open
        await press(app, pilot, "escape")
        assert not main.filter.is_open
        assert main.files.found > len(shown)
        assert main.tabs.active == "files"


async def test_a_jump_shows_a_row_that_was_filtered_out(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as (app, pilot):
        key = await on_file(app, pilot, "testing.md")
        await press(app, pilot, "enter", "3", "slash", *"roomodes", "enter", "1", "enter")
        assert (app.main.tabs.active, app.main.files.key) == ("files", key)
        assert not app.main.filter.is_open


async def test_a_table_is_sorted_by_keys_and_by_its_heads(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 40)) as (app, pilot):
        tools = app.main.tools
        await press(app, pilot, "2")
        own = [r.key for r in tools.rows if r.key]
        await press(app, pilot, ">", ">")
        assert "tool ↑" in head(tools)
        assert [r.key for r in tools.rows if r.key] == sorted(own, key=lambda key: key.name)  # type: ignore[union-attr]
        assert "sorted by tool, up" in app.main.status.note
        await press(app, pilot, "S")
        assert "tool ↓" in head(tools)
        await press(app, pilot, "<", "<")
        assert [r.key for r in tools.rows if r.key] == own

        at = head(tools).index("tokens")
        await pilot.click("#tools", offset=(at + 2, 0))
        assert "tokens ↓" in head(tools)
        await pilot.click("#tools", offset=(at + 2, 0))
        assert "tokens ↑" in head(tools)
        app.session.set("mode", "ask")
        await settled(app, pilot)
        assert "tokens ↑" in head(tools), "the order stays"


def head(table: RowList) -> str:
    return "".join(span.text for span in table.rows[0].left)


async def test_without_a_problem_it_says_whether_all_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.\n")
    scenario = roo_shop_at(tmp_path).model_copy(update={"agent": "openclaw", "workspace": str(tmp_path), "mode": None})
    async with running(scenario, (140, 40)) as (app, pilot):
        main = app.main
        await press(app, pilot, "exclamation_mark")
        assert main.status.note == "no problems were found"
        main.snapshot = replace(main.snapshot, busy=True)
        await pilot.press("exclamation_mark")
        await until(pilot, lambda: main.status.note == "no problems were found so far")


async def test_what_a_check_finds_is_a_problem_of_its_file(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    rule = tmp_path / "shop" / ".roo" / "rules" / "10-key.md"
    rule.write_text("key = AKIA" + "ABCDEFGH12345678\n")
    async with running(scenario) as (app, pilot):
        main, before = app.main, app.session.snapshot
        assert before.assembly is not None
        at = [found.code for found in before.assembly.diagnostics].index("secret")
        counted = sum(found.severity != "info" for found in before.assembly.diagnostics)
        assert f"⚠ {counted} " in main.header.plain
        for _ in range(counted):
            await press(app, pilot, "exclamation_mark")
            if main.files.key == DiagnosticSubject(at):
                break
        file = main.files.rows[main.files.cursor - 1].key
        assert isinstance(file, FileSubject)
        assert file.path.endswith("10-key.md")
        watcher().save(rule, "no key\n")
        await settled(app, pilot)
        assert "secret" not in {found.code for found in app.session.snapshot.found}
        assert f"⚠ {counted - 1} " in main.header.plain
