"""The app as its user meets it: keys and clicks in, text and state out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual import events
from textual.widgets import Input

from promptscope_tui.views.bars.budget import BudgetBar
from promptscope_tui.views.bars.top import Header
from promptscope_tui.views.subjects import DiagnosticSubject
from promptscope_tui.watching.status import Polled, WatchStatus

from .support.roo_shop import roo_shop_at, scenario_of
from .support.user import running

pytestmark = pytest.mark.slow


async def test_columns_follow_the_width(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 30)) as user:
        widths: tuple[tuple[int, set[str]], ...] = (80, set()), (100, set()), (120, {"controls"}), (149, {"controls"})
        for width, shown in (*widths, (150, {"controls", "why"}), (200, {"controls", "why"})):
            await user.resize(width, 30)
            columns = {name for name in ("controls", "why") if user.app.main.query_one(f"#{name}").region.width > 0}
            assert columns == shown
            assert user.app.main.prompt.region.width >= 78, "the page has the room"


async def test_header_names_agent_mode_model_place_and_watching(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        header = user.app.main.query_one(Header).plain
        assert "promptscope   Roo Code 3.28.16 › code › claude-sonnet-4-5" in header
        assert "● live, 14 watched" in header
        assert "⚠ 1" in header


async def test_what_is_not_watched_is_said_with_what_to_raise(tmp_path: Path) -> None:
    polled = Polled("limit", 5, 9, "fs.inotify.max_user_watches=524288")
    async with running(roo_shop_at(tmp_path)) as user:
        for status in (WatchStatus("live", 14, 24, 8, (polled,)), WatchStatus("live", 15, 24, 8, (polled,))):
            user.watcher.on_status(status)
            await user.pause()
            assert "5 polled: raise fs.inotify.max_user_watches" in user.app.main.query_one(Header).plain
        assert "5 of 14 files every second" in user.note, "the same problem is told once"
        assert "sudo sysctl fs.inotify.max_user_watches=524288" in user.note
        await user.command("how saves")
        assert "5 of 15 files every second" in user.note
        user.watcher.on_status(WatchStatus("live", 15, 24, 12))
        await user.pause()
        assert "● live" in user.app.main.query_one(Header).plain
        assert "watching 15 files" in user.note


async def test_the_budget_the_panes_the_tabs_and_a_picture(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        bar = user.app.main.query_one(BudgetBar).plain
        assert f"≈ {assembly.tokens.expected:,} of 200,000 tok" in bar
        assert "■ tools" in bar
        assert "compacts at" in bar

        assert user.prompt.has_focus
        await user.press("tab")
        assert user.why.has_focus
        await user.press("tab")
        assert user.app.main.controls.switches.has_focus
        await user.press("shift+tab")
        assert user.why.has_focus

        for key, name in zip("123456", ("prompt", "tools", "files", "window", "request", "changes"), strict=True):
            await user.press(key)
            assert user.tab == name
            assert user.app.main.page.has_focus
        at = user.app.main.tabs.plain.index("Tools")
        await user.click("#tabs", offset=(at + 1, 0))
        assert user.tab == "tools"

        await user.press("s")  # a picture goes to the state folder, not the repository
        (picture,) = (tmp_path / "state" / "screenshots").glob("*.svg")
        assert "<svg" in picture.read_text()
        assert not list((tmp_path / "shop").glob("*.svg"))


async def test_drawers_open_over_a_narrow_screen(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (80, 24)) as user:
        await user.press("f")
        assert user.app.main.controls.region.width == 80
        assert user.app.main.controls.switches.has_focus
        await user.press("w")
        assert user.app.main.why.region.width == 80
        assert user.app.main.controls.region.width == 0
        await user.press("escape")
        assert user.prompt.has_focus
        assert user.app.main.why.region.width == 0 or not user.app.main.drawers.is_open


async def test_a_terminal_that_is_too_small_says_what_it_needs(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (38, 12)) as user:
        assert user.app.main.query_one("#too-small").display
        assert not user.app.main.query_one("#body").display
        await user.resize(80, 24)
        assert not user.app.main.query_one("#too-small").display
        await user.pause()
        assert user.prompt.has_focus
        await user.resize(80, 8)
        assert user.app.main.query_one("#too-small").display


async def test_a_saved_file_changes_the_prompt_and_makes_an_entry(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        before = user.session.snapshot.assembly
        reads = user.session.workspace.reads
        file = tmp_path / "shop" / "AGENTS.md"
        snapshot = await user.save(file, file.read_text() + "- Never push on Fridays.\n")
        assert before is not None
        assert snapshot.assembly is not None
        assert "Never push on Fridays." in snapshot.assembly.system_text
        assert user.session.workspace.reads == reads + 1
        assert snapshot.baseline is not None
        assert snapshot.baseline.sections is before.sections
        (change,) = snapshot.changes
        assert change.tokens is not None
        assert change.tokens > 0
        assert user.watcher.updates >= 1
        await user.press("6")
        user.changes.shows("12:00:00  AGENTS.md", "+- Never push on Fridays.")
        assert "6 Changes 1" in user.app.main.tabs.plain


async def test_a_scenario_that_cannot_be_assembled_keeps_the_last_good_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        good = user.session.snapshot.assembly
        user.session.set("diffEnabeld", True)
        snapshot = await user.settle()
        assert snapshot.assembly is good
        assert snapshot.error is not None
        line = str(user.app.main.query_one("#error").render())
        assert "did you mean diffEnabled" in line
        await user.press("u")
        assert user.session.snapshot.error is None
        assert not user.app.main.query_one("#error").display


async def test_an_unknown_agent_is_said_on_the_first_frame(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="rooo")) as user:
        assert "did you mean roo?" in str(user.app.main.query_one("#error").render())


async def test_the_first_frame_does_not_wait_for_counts(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    async with running(scenario) as user:
        expected = user.session.snapshot.assembly
    async with running(scenario, cache=tmp_path / "cache") as user:
        again = user.session.open().assembly
        assert again is not None
        assert expected is not None
        assert again.tokens.expected == expected.tokens.expected


async def test_search_counts_matches_in_closed_panels_too(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("slash", *"safeWriteJson")
        assert "1 of 1" in str(user.app.main.query_one("#search .count").render())
        await user.press("enter")
        assert user.prompt.has_focus
        await user.press("escape")
        assert not user.app.main.search.is_open
        assert user.app.main.prompt.search_position == (0, 0)


async def test_letters_typed_as_fast_as_the_slash_are_searched(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        for key in ("slash", *"sa", "full_stop"):  # all of them before the first is carried out
            user.app.post_message(events.Key(key, {"slash": "/", "full_stop": "."}.get(key)))
        await user.pause()
        assert user.app.focused is user.app.main.search.query_one(Input)
        assert user.app.main.search.query_one(Input).value == "sa."
        assert user.app.screen is user.app.main


async def test_baseline_is_set_and_cleared(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("b")
        assert user.session.snapshot.pinned
        pinned = user.session.snapshot.baseline
        user.session.set("mode", "ask")
        await user.settle()
        assert user.session.snapshot.baseline is pinned
        await user.press("b")
        assert not user.session.snapshot.pinned
        assert user.session.snapshot.baseline is None


async def test_pickers_set_mode_model_and_agent(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("m", *"docs", "enter")
        assert user.scenario.mode == "docs-writer"
        await user.press("M", *"my-own-model", "enter")
        assert user.scenario.model == "my-own-model"
        await user.press("a", "escape")
        await user.press("a", "enter")
        assert user.scenario.agent == "roo"


async def test_scenario_is_saved_and_loaded(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.session.set("diffEnabled", False)
        await user.settle()
        await user.press("ctrl+s", "enter")
        saved = tmp_path / "state" / "scenarios" / "scenario.yaml"
        assert "diffEnabled: false" in saved.read_text()
        assert "mode: code" in saved.read_text()
        await user.press("ctrl+s", "enter")
        assert "exists: enter again replaces it" in str(user.app.screen.query_one("#ask-error").render())
        await user.press("enter")
        assert user.app.screen is user.app.main
        await user.press("U")
        await user.press("ctrl+o", "enter")
        assert user.scenario.params == {"diffEnabled": False}
        await user.press("ctrl+o", "x", "enter")
        assert "✗" in str(user.app.screen.query_one("#ask-error").render())


async def test_copying_takes_the_section_or_the_prompt(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        await user.press("Y")
        assert user.app.clipboard == assembly.system_text
        user.app.main.prompt.goto("rules")
        await user.press("y")
        section = assembly.section("rules")
        assert section is not None
        assert user.app.clipboard == section.text


async def test_every_theme_draws_every_tab(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40), "textual-light") as user:
        pictures = []
        for theme in ("promptscope-dark", "promptscope-light", "promptscope-ansi", "nord", "textual-light"):
            user.app.theme = theme
            await user.press(*("123456" if theme == "promptscope-ansi" else "1"), "question_mark")
            pictures.append(user.picture())
            await user.press("escape")
        assert len(set(pictures)) == 5, "each theme has colours of its own"


async def test_without_colour_everything_still_has_its_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(roo_shop_at(tmp_path), effects=True) as user:
        assert user.app.no_color
        colours = {s.style.bgcolor for s in user.app.main.header.render_line(0) if s.style and s.style.bgcolor}
        assert all(colour.is_default for colour in colours), "the terminal's own background"
        assert "−" in user.app.main.controls.switches.plain
        assert "+" in user.app.main.controls.switches.plain
        assert "■ tools" in user.app.main.query_one(BudgetBar).plain


async def test_leaving_stops_the_watcher(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("q")
    assert user.watcher.stopped


async def test_a_problem_is_shown_where_it_is(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        for how in ("key", "click"):
            if how == "key":
                await user.press("exclamation_mark")
            else:
                await user.press("1")
                user.app.main.pages.files.action_end(-1)
                assert not isinstance(user.files.key, DiagnosticSubject)
                await user.click("#header", offset=(user.header.text.index("⚠") + 1, 0))
            await user.until(lambda: isinstance(user.files.key, DiagnosticSubject))  # the page is mounted first
            assert user.tab == "files"
            key = user.files.key
            assert isinstance(key, DiagnosticSubject)
            assert assembly.diagnostics[key.index].severity == "warning"


async def test_a_folder_that_is_deleted_is_not_live(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        shutil.rmtree(tmp_path / "shop")
        user.session.reload()
        await user.settle()
        user.header.shows("✗ the folder is gone")
        (tmp_path / "shop").mkdir()
        user.session.reload()
        await user.settle()
        user.header.shows("● live")


async def test_the_row_of_a_pane_without_the_keys_can_be_read_in_the_terminals_colours(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), theme="promptscope-ansi") as user:
        await user.press("2", "w")
        row = next(n for n, each in enumerate(user.tools.rows) if each.key == user.tools.key)
        styles = [segment.style for segment in user.app.main.pages.tools.render_line(row) if segment.text.strip()]
        assert styles
        for style in styles:
            assert style is not None
            assert style.underline
            assert style.bgcolor is None or style.bgcolor.is_default


async def test_a_note_on_a_change_comes_with_its_answer_and_watching_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        main, shown = user.app.main, user.app.main.snapshot
        busy = replace(shown, scenario=shown.scenario.with_value("mode", "ask"), busy=True)
        with monkeypatch.context() as patched:
            patched.setattr(user.session, "snapshot", busy)
            main.note("the mode is ask")
            assert user.note == ""
            main.schedule.draw(user.session.snapshot)
            assert user.note == "", "the answer is drawn first"
            await user.until(lambda: user.note == "the mode is ask")
        updates = user.watcher.updates
        await user.press("f", "j", "space")
        assert user.watcher.updates > updates
