"""Responses, completion and the draft of a task: keys and clicks in, text out."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import draft, roo_shop_at, running, scenario_of, settled
from textual.events import Paste
from textual.widgets import TextArea

from promptscope_tui.views.completion import CompletionScreen
from promptscope_tui.views.responses import ResponsesScreen

pytestmark = pytest.mark.slow

THEMES = ("promptscope-dark", "promptscope-light", "promptscope-ansi")


async def test_responses_shows_every_reply_with_its_condition(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("R")
        screen = app.screen
        assert isinstance(screen, ResponsesScreen)
        for reply in screen.replies:
            assert reply.name in screen.choices.plain
        assert "SENT WHEN" in screen.shown.plain
        await pilot.press(*["down"] * 7)
        assert screen.reply.name == "tool_error"
        assert "ENOENT: no such file" in screen.shown.plain
        await pilot.press("y")
        assert app.clipboard.endswith("<error>\nENOENT: no such file or directory\n</error>")
        await pilot.press("enter", "enter", "ctrl+u", *draft("gone"), "enter")  # an input is edited in place
        await pilot.pause()
        assert "<error>\n gone\n" in screen.shown.plain
        assert "● tool_error" in screen.choices.plain
        assert "error is set" in str(screen.query_one("#lists-note").render())
        await pilot.press("escape")
        assert app.screen is app.main


async def test_what_does_not_fit_is_said_where_it_is_typed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("R", *["down"] * 11, "enter", "enter", "ctrl+u", "x", "enter")
        assert "expected an integer, got" in str(app.screen.query_one("#ask-error").render())
        await pilot.press("escape", "down", "enter")
        screen = app.screen
        assert isinstance(screen, ResponsesScreen)
        assert "[x]" in screen.shown.plain
        assert "is_new_file is set" in str(screen.query_one("#lists-note").render())


async def test_a_reply_is_chosen_with_the_mouse(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as (app, pilot):
        await pilot.press("R")
        screen = app.screen
        assert isinstance(screen, ResponsesScreen)
        at = screen.choices.plain.split("\n").index(
            next(r for r in screen.choices.plain.split("\n") if "no_tools" in r)
        )
        await pilot.click("#choices", offset=(5, at))
        await pilot.pause()
        assert screen.reply.name == "no_tools_used"
        assert "# Next Steps" in screen.shown.plain


async def test_completion_grows_step_by_step_and_is_taken_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("C")
        screen = app.screen
        assert isinstance(screen, CompletionScreen)
        assert "Choose what happens next" in screen.shown.plain
        await pilot.press("enter", *["down"] * 8, "enter", *["down"] * 3, "enter")
        assert screen.steps[1:] == [
            {"result": {"result": "The rounding is fixed, and tested."}},
            {"feedback": {"text": "Negative amounts are still off by one."}},
        ]
        assert "3. the user gives feedback" in screen.shown.plain
        assert "<feedback>" in screen.shown.plain
        totals = [int(line.split()[-2]) for line in screen.shown.plain.split("\n") if line.endswith(" tok")]
        assert totals == sorted(totals)
        assert totals[0] == 0 < totals[1] < totals[2]
        await pilot.press("u")
        assert len(screen.steps) == 2
        await pilot.press("U")
        assert screen.steps == []
        await pilot.press("q")
        assert app.screen is app.main

        await pilot.press("C", *["down"] * 9, "enter")  # a step that makes no sense is told and not taken
        screen = app.screen
        assert isinstance(screen, CompletionScreen)
        assert screen.steps == []
        assert "there is no result that waits" in str(screen.query_one("#lists-note").render())
        await pilot.press("q")

        await pilot.press("C", "e", "ctrl+u", *draft("[one]"), "enter")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, CompletionScreen)
        assert screen.steps == [{"todos": ["one"]}]
        await pilot.press("e", "ctrl+u", "1", "enter")
        assert "is a list" in str(app.screen.query_one("#ask-error").render())


async def test_both_screens_fit_every_width_and_theme(tmp_path: Path) -> None:
    screens = (("R", ResponsesScreen), ("C", CompletionScreen))
    async with running(roo_shop_at(tmp_path), (160, 36)) as (app, pilot):
        for (width, theme), (key, kind) in product(zip((80, 120, 200), THEMES, strict=False), screens):
            app.theme = theme
            await pilot.resize_terminal(width, 36)
            await pilot.press(key)
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, kind)
            choices, shown = screen.choices.region, screen.shown.region
            assert (choices.y < shown.y) is (width < 100)
            assert choices.width >= 40
            assert shown.right <= width
            assert shown.height >= 10
            assert "<svg" in app.export_screenshot()
            await pilot.press("escape")


async def test_agents_without_a_catalogue_say_so_in_one_line(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="gemini", mode=None, model=None)) as (app, pilot):
        for key, words in (
            ("R", "Gemini CLI has no replies that are modelled"),
            ("C", "Gemini CLI has no end of a task that is modelled"),
            ("d", "Gemini CLI has no task to draft"),
            ("W", "Gemini CLI has no mode that says which files it may edit"),
            ("V", "Gemini CLI has no capture open"),
        ):
            await pilot.press(key)
            assert app.screen is app.main
            assert words in app.main.status.note


async def test_a_draft_expands_while_it_is_typed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await pilot.press("d")
        app.post_message(Paste("see @/src/money.ts and @/.rooigno"))
        await pilot.press("r", "e")
        await settled(app, pilot)
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        mention = assembly.section("user.mention.1")
        assert mention is not None
        assert "export const cents" in mention.text
        told = str(app.main.query_one("#draft-result").render())
        assert "2 mentions" in told
        assert "`.rooignore` hides .rooignore" in told
        assert app.main.prompt.cursor is not None
        assert app.main.prompt.cursor.section_id == "user.task"


async def test_the_whole_of_the_typing_is_one_step_to_undo(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        before = app.session.snapshot.scenario
        await pilot.press("d", *draft("one two"), "escape")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.params["task"] == "one two"
        assert app.main.prompt.has_focus
        await pilot.press("u")
        await settled(app, pilot)
        assert app.session.snapshot.scenario == before
        await pilot.press("d")
        await pilot.pause()
        assert app.main.draft.query_one(TextArea).text == ""


async def test_a_draft_with_control_characters_is_made_visible(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    (tmp_path / "shop" / "evil\u202e.md").write_text("x\x1b[31m")
    scenario = scenario_of(tmp_path, params={"task": "@/gone\u202e.md"})
    async with running(scenario) as (app, pilot):
        await pilot.press("d")
        await settled(app, pilot)
        told = str(app.main.query_one("#draft-result").render())
        assert "\u202e" not in told
        assert "⟪U+202E⟫" in told
