"""The app as its user meets it: keys and clicks in, text and state out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual import events
from textual.widgets import Input

from promptscope_tui.session.session import Session
from promptscope_tui.session.watcher import WatchStatus
from promptscope_tui.views.bars.budget import BudgetBar
from promptscope_tui.views.bars.header import Header
from promptscope_tui.views.subjects import DiagnosticSubject

from .support.roo_shop import roo_shop_at, running, scenario_of, settled, until, watcher

pytestmark = pytest.mark.slow


async def test_columns_follow_the_width(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 30)) as (app, pilot):
        for width, shown in ((80, set()), (100, {"why"}), (120, {"controls", "why"})):
            await pilot.resize_terminal(width, 30)
            await pilot.pause()
            columns = {name for name in ("controls", "why") if app.main.query_one(f"#{name}").region.width > 0}
            assert columns == shown
            assert app.main.prompt.region.width >= 50


async def test_header_names_agent_mode_model_place_and_watching(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        header = app.main.query_one(Header).plain
        assert "promptscope   Roo Code 3.28.16 › code › claude-sonnet-4-5" in header
        assert "● live, 14 watched" in header
        assert "⚠ 1" in header
        watcher().on_status(WatchStatus("polling", 14, 24, "too many files to watch"))
        await pilot.pause()
        assert "◐ polling" in app.main.query_one(Header).plain
        assert "too many files" in app.main.status.note


async def test_the_budget_the_panes_the_tabs_and_a_picture(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        bar = app.main.query_one(BudgetBar).plain
        assert f"≈ {assembly.tokens.expected:,} of 200,000 tok" in bar
        assert "■ tools" in bar
        assert "compacts at" in bar

        assert app.main.prompt.has_focus
        await pilot.press("tab")
        assert app.main.why.has_focus
        await pilot.press("tab")
        assert app.main.controls.switches.has_focus
        await pilot.press("shift+tab")
        assert app.main.why.has_focus

        for key, name in zip("123456", ("prompt", "tools", "files", "window", "request", "changes"), strict=True):
            await pilot.press(key)
            assert app.main.tabs.active == name
            assert app.main.page.has_focus
        at = app.main.tabs.plain.index("Tools")
        await pilot.click("#tabs", offset=(at + 1, 0))
        assert app.main.tabs.active == "tools"

        await pilot.press("s")  # a picture goes to the state folder, not the repository
        (picture,) = (tmp_path / "state" / "screenshots").glob("*.svg")
        assert "<svg" in picture.read_text()
        assert not list((tmp_path / "shop").glob("*.svg"))


async def test_drawers_open_over_a_narrow_screen(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as (app, pilot):
        await pilot.press("f")
        await pilot.pause()
        assert app.main.controls.region.width == 80
        assert app.main.controls.switches.has_focus
        await pilot.press("w")
        await pilot.pause()
        assert app.main.why.region.width == 80
        assert app.main.controls.region.width == 0
        await pilot.press("escape")
        assert app.main.prompt.has_focus
        assert app.main.why.region.width == 0 or not app.main.drawer_open


async def test_a_terminal_that_is_too_small_says_what_it_needs(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (38, 12)) as (app, pilot):
        assert app.main.query_one("#too-small").display
        assert not app.main.query_one("#body").display
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.main.query_one("#too-small").display
        await pilot.pause()
        assert app.main.prompt.has_focus
        await pilot.resize_terminal(80, 8)
        await pilot.pause()
        assert app.main.query_one("#too-small").display


async def test_a_saved_file_changes_the_prompt_and_makes_an_entry(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        before = app.session.snapshot.assembly
        reads = app.session.workspace.reads
        file = tmp_path / "shop" / "AGENTS.md"
        watcher().save(file, file.read_text() + "- Never push on Fridays.\n")
        snapshot = await settled(app, pilot)
        assert before is not None
        assert snapshot.assembly is not None
        assert "Never push on Fridays." in snapshot.assembly.system_text
        assert app.session.workspace.reads == reads + 1
        assert snapshot.baseline is before
        (change,) = snapshot.changes
        assert change.tokens is not None
        assert change.tokens > 0
        assert watcher().updates >= 1
        await pilot.press("6")
        await pilot.pause()
        assert "12:00:00  AGENTS.md" in app.main.changes.plain
        assert "+- Never push on Fridays." in app.main.changes.plain
        assert "6 Changes 1" in app.main.tabs.plain


async def test_a_scenario_that_cannot_be_assembled_keeps_the_last_good_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        good = app.session.snapshot.assembly
        app.session.set("diffEnabeld", True)
        snapshot = await settled(app, pilot)
        assert snapshot.assembly is good
        assert snapshot.error is not None
        line = str(app.main.query_one("#error").render())
        assert "did you mean diffEnabled" in line
        await pilot.press("u")
        await settled(app, pilot)
        assert app.session.snapshot.error is None
        assert not app.main.query_one("#error").display


async def test_an_unknown_agent_is_said_on_the_first_frame(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="rooo")) as (app, _):
        assert "did you mean roo?" in str(app.main.query_one("#error").render())


async def test_the_first_frame_does_not_wait_for_counts(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    async with running(scenario) as (app, _):
        expected = app.session.snapshot.assembly
    async with running(scenario, cache=tmp_path / "cache") as (app, _):
        again = app.session.open().assembly
        assert again is not None
        assert expected is not None
        assert again.tokens.expected == expected.tokens.expected


async def test_search_counts_matches_in_closed_panels_too(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("slash", *"safeWriteJson")
        await pilot.pause()
        assert "1 of 1" in str(app.main.query_one("#search-count").render())
        await pilot.press("enter")
        assert app.main.prompt.has_focus
        await pilot.press("escape")
        assert not app.main.search.is_open
        assert app.main.prompt.search_position == (0, 0)


async def test_letters_typed_as_fast_as_the_slash_are_searched(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        for key in ("slash", *"sa", "full_stop"):  # all of them before the first is carried out
            app.post_message(events.Key(key, {"slash": "/", "full_stop": "."}.get(key)))
        await pilot.pause()
        assert app.focused is app.main.search.query_one(Input)
        assert app.main.search.query_one(Input).value == "sa."
        assert app.screen is app.main


async def test_baseline_is_set_and_cleared(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("b")
        assert app.session.snapshot.pinned
        pinned = app.session.snapshot.baseline
        app.session.set("mode", "ask")
        await settled(app, pilot)
        assert app.session.snapshot.baseline is pinned
        await pilot.press("b")
        assert not app.session.snapshot.pinned
        assert app.session.snapshot.baseline is None


async def test_pickers_set_mode_model_and_agent(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("m", *"docs", "enter")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.mode == "docs-writer"
        await pilot.press("M", *"my-own-model", "enter")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.model == "my-own-model"
        await pilot.press("a", "escape")
        await pilot.press("a", "enter")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.agent == "roo"


async def test_scenario_is_saved_and_loaded(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        app.session.set("diffEnabled", False)
        await settled(app, pilot)
        await pilot.press("ctrl+s", "enter")
        await pilot.pause()
        saved = tmp_path / "state" / "scenarios" / "scenario.yaml"
        assert "diffEnabled: false" in saved.read_text()
        assert "mode: code" in saved.read_text()
        await pilot.press("ctrl+s", "enter")
        await pilot.pause()
        assert "exists: enter again replaces it" in str(app.screen.query_one("#ask-error").render())
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is app.main
        await pilot.press("U")
        await settled(app, pilot)
        await pilot.press("ctrl+o", "enter")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.params == {"diffEnabled": False}
        await pilot.press("ctrl+o", "x", "enter")
        await pilot.pause()
        assert "✗" in str(app.screen.query_one("#ask-error").render())


async def test_copying_takes_the_section_or_the_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        await pilot.press("Y")
        assert app.clipboard == assembly.system_text
        app.main.prompt.goto("rules")
        await pilot.press("y")
        section = assembly.section("rules")
        assert section is not None
        assert app.clipboard == section.text


async def test_every_theme_draws_every_tab(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40), "textual-light") as (app, pilot):
        pictures = []
        for theme in ("promptscope-dark", "promptscope-light", "promptscope-ansi", "nord", "textual-light"):
            app.theme = theme
            await pilot.press(
                *("123456" if theme in ("promptscope-light", "promptscope-ansi") else "1"), "question_mark"
            )
            pictures.append(app.export_screenshot())
            await pilot.press("escape")
        assert len(set(pictures)) == 5, "each theme has colours of its own"


async def test_without_colour_everything_still_has_its_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(roo_shop_at(tmp_path), effects=True) as (app, _):
        assert app.no_color
        assert "−" in app.main.controls.switches.plain
        assert "+" in app.main.controls.switches.plain
        assert "■ tools" in app.main.query_one(BudgetBar).plain


async def test_leaving_stops_the_watcher(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (_, pilot):
        await pilot.press("q")
    assert watcher().stopped


async def test_a_problem_is_shown_where_it_is(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        for how in ("key", "click"):
            if how == "key":
                await pilot.press("exclamation_mark")
            else:
                await pilot.press("1")
                app.main.files.action_end(-1)
                assert not isinstance(app.main.files.key, DiagnosticSubject)
                await pilot.click("#header", offset=(app.main.header.plain.index("⚠") + 1, 0))
            await until(pilot, lambda: isinstance(app.main.files.key, DiagnosticSubject))  # the page is mounted first
            assert app.main.tabs.active == "files"
            key = app.main.files.key
            assert isinstance(key, DiagnosticSubject)
            assert assembly.diagnostics[key.index].severity == "warning"


async def test_a_folder_that_is_deleted_is_not_live(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        shutil.rmtree(tmp_path / "shop")
        app.session.reload()
        await settled(app, pilot)
        assert "✗ the folder is gone" in app.main.header.plain
        (tmp_path / "shop").mkdir()
        app.session.reload()
        await settled(app, pilot)
        assert "● live" in app.main.header.plain


async def test_the_row_of_a_pane_without_the_keys_can_be_read_in_the_terminals_colours(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), theme="promptscope-ansi") as (app, pilot):
        await pilot.press("2", "w")
        await pilot.pause()
        row = next(n for n, each in enumerate(app.main.tools.rows) if each.key == app.main.tools.key)
        styles = [segment.style for segment in app.main.tools.render_line(row) if segment.text.strip()]
        assert styles
        for style in styles:
            assert style is not None
            assert style.underline
            assert style.bgcolor is None or style.bgcolor.is_default


async def test_a_note_on_a_change_comes_with_its_answer_and_watching_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        main, shown = app.main, app.main.snapshot
        busy = replace(shown, scenario=shown.scenario.with_value("mode", "ask"), busy=True)
        with monkeypatch.context() as patched:
            patched.setattr(Session, "snapshot", property(lambda _: busy))
            main.note("the mode is ask")
            assert main.status.note == ""
            main.show_latest(app.session.snapshot)
            assert main.status.note == "", "the answer is drawn first"
            await until(pilot, lambda: main.status.note == "the mode is ask")
        updates = watcher().updates
        await pilot.press("f", "j", "space")
        await settled(app, pilot)
        await pilot.pause()
        assert watcher().updates > updates
