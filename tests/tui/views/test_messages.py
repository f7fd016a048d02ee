"""Responses, completion and the draft of a task: keys and clicks in, text out."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running
from textual.events import Paste
from textual.widgets import TextArea

from promptscope_tui.views.replies import CompletionScreen, ResponsesScreen

pytestmark = pytest.mark.slow

THEMES = ("promptscope-dark", "promptscope-light", "promptscope-ansi")


async def test_responses_shows_every_reply_with_its_condition(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.command("responses: show")
        screen = user.app.screen
        assert isinstance(screen, ResponsesScreen)
        for reply in screen.replies:
            assert reply.name in screen.choices.plain
        assert "SENT WHEN" in screen.shown.plain
        await user.press(*["down"] * 7)
        assert screen.reply.name == "tool_error"
        assert "ENOENT: no such file" in screen.shown.plain
        await user.press("y")
        assert user.app.clipboard.endswith("<error>\nENOENT: no such file or directory\n</error>")
        await user.press("enter", "enter", "ctrl+u", *"gone", "enter")  # an input is edited in place
        assert "<error>\n gone\n" in screen.shown.plain
        assert "● tool_error" in screen.choices.plain
        assert "error is set" in str(screen.query_one("#lists-note").render())
        await user.press("escape")
        assert user.app.screen is user.app.main


async def test_what_does_not_fit_is_said_where_it_is_typed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.command("responses: show", *["down"] * 11, "enter", "enter", "ctrl+u", "x", "enter")
        assert "expected an integer, got" in str(user.app.screen.query_one("#ask-error").render())
        await user.press("escape", "down", "enter")
        screen = user.app.screen
        assert isinstance(screen, ResponsesScreen)
        assert "[x]" in screen.shown.plain
        assert "is_new_file is set" in str(screen.query_one("#lists-note").render())


async def test_a_reply_is_chosen_with_the_mouse(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (120, 40)) as user:
        await user.command("responses: show")
        screen = user.app.screen
        assert isinstance(screen, ResponsesScreen)
        at = screen.choices.plain.split("\n").index(
            next(r for r in screen.choices.plain.split("\n") if "no_tools" in r)
        )
        await user.click("#choices", offset=(5, at))
        assert screen.reply.name == "no_tools_used"
        assert "# Next Steps" in screen.shown.plain


async def test_completion_grows_step_by_step_and_is_taken_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.command("completion: step")
        screen = user.app.screen
        assert isinstance(screen, CompletionScreen)
        assert "Choose what happens next" in screen.shown.plain
        await user.press("enter", *["down"] * 8, "enter", *["down"] * 3, "enter")
        assert screen.steps[1:] == [
            {"result": {"result": "The rounding is fixed, and tested."}},
            {"feedback": {"text": "Negative amounts are still off by one."}},
        ]
        assert "3. the user gives feedback" in screen.shown.plain
        assert "<feedback>" in screen.shown.plain
        totals = [int(line.split()[-2]) for line in screen.shown.plain.split("\n") if line.endswith(" tok")]
        assert totals == sorted(totals)
        assert totals[0] == 0 < totals[1] < totals[2]
        await user.press("u")
        assert len(screen.steps) == 2
        await user.press("U")
        assert screen.steps == []
        await user.press("q")
        assert user.app.screen is user.app.main

        await user.command(
            "completion: step", *["down"] * 9, "enter"
        )  # a step that makes no sense is told and not taken
        screen = user.app.screen
        assert isinstance(screen, CompletionScreen)
        assert screen.steps == []
        assert "there is no result that waits" in str(screen.query_one("#lists-note").render())
        await user.press("q")

        await user.command("completion: step", "e", "ctrl+u", *"[one]", "enter")
        screen = user.app.screen
        assert isinstance(screen, CompletionScreen)
        assert screen.steps == [{"todos": ["one"]}]
        await user.press("e", "ctrl+u", "1", "enter")
        assert "is a list" in str(user.app.screen.query_one("#ask-error").render())


async def test_both_screens_fit_every_width_and_theme(tmp_path: Path) -> None:
    screens = (("responses: show", ResponsesScreen), ("completion: step", CompletionScreen))
    async with running(roo_shop_at(tmp_path), (160, 36)) as user:
        for (width, theme), (key, kind) in product(zip((80, 120, 200), THEMES, strict=False), screens):
            user.app.theme = theme
            await user.resize(width, 36)
            await user.command(key)
            screen = user.app.screen
            assert isinstance(screen, kind)
            choices, shown = screen.choices.region, screen.shown.region
            assert (choices.y < shown.y) is (width < 100)
            assert choices.width >= 40
            assert shown.right <= width
            assert shown.height >= 10
            assert "<svg" in user.picture()
            await user.press("escape")


async def test_agents_without_a_catalogue_say_so_in_one_line(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="gemini", mode=None, model=None)) as user:
        for key, words in (
            ("W", "Gemini CLI has no mode that limits which files it edits"),
            ("V", "Gemini CLI has no capture open"),
        ):
            await user.press(key)
            assert user.app.screen is user.app.main
            assert words in user.note


async def test_a_draft_expands_while_it_is_typed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("d")
        user.app.post_message(Paste("see @/src/money.ts and @/.rooigno"))
        await user.press("r", "e")
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        mention = assembly.section("user.mention.1")
        assert mention is not None
        assert "export const cents" in mention.text
        told = str(user.app.main.query_one("#draft-result").render())
        assert "src/money.ts:1 44" in told
        assert "`.rooignore` hides .rooignore" in told
        assert user.app.main.prompt.cursor is not None
        assert user.app.main.prompt.cursor.section_id == "user.task"


async def test_a_command_expands_and_what_it_would_run_is_only_named(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    shop = tmp_path / "shop"
    (shop / ".claude/commands").mkdir(parents=True)
    (shop / ".claude/commands/look.md").write_text("---\ndescription: d\n---\nLook at $ARGUMENTS\n!`touch ran`\n")
    async with running(scenario_of(tmp_path, agent="claude-code", mode=None, model=None)) as user:
        await user.press("d", *"/look")  # what nobody wrote is replaced
        assert user.scenario.params["prompt"] == "/look"
        user.app.post_message(Paste(" twice @gone"))
        await user.press(".")
        assert user.session.snapshot.assembly is not None
        assert "(what `touch ran` prints)" in str(user.session.snapshot.assembly.request.messages)
        told = str(user.app.main.query_one("#draft-result").render()).split("\n")
        assert ".claude/commands/look.md:4-5" in told[0]
        assert "✗ there is no gone: the words go as they are" in told
        assert "! /look would run `touch ran`" in told[-1]
        assert not (shop / "ran").exists()


@pytest.mark.parametrize(
    ("agent", "typed", "said"),
    [
        ("codex", "$none", "✗ no skill is called none: the words go as they are"),
        ("gemini", "@none", "✗ there is no file none: the words go as they are"),
    ],
)
async def test_what_leads_nowhere_is_said_below_the_draft(tmp_path: Path, agent: str, typed: str, said: str) -> None:
    roo_shop_at(tmp_path)
    scenario = scenario_of(tmp_path, agent=agent, mode=None, model=None, env={"GEMINI_CLI_TRUST_WORKSPACE": "true"})
    async with running(scenario) as user:
        await user.press("d", *typed)
        assert said in str(user.app.main.query_one("#draft-result").render()).split("\n")


async def test_the_whole_of_the_typing_is_one_step_to_undo(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        before = user.scenario
        await user.press("d", *"one two", "escape")
        assert user.scenario.params["task"] == "one two"
        assert user.prompt.has_focus
        await user.press("u")
        assert user.scenario == before
        await user.press("d")
        assert user.app.main.draft.query_one(TextArea).text == ""


async def test_a_draft_with_control_characters_is_made_visible(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    (tmp_path / "shop" / "evil\u202e.md").write_text("x\x1b[31m")
    scenario = scenario_of(tmp_path, params={"task": "@/gone\u202e.md"})
    async with running(scenario) as user:
        await user.press("d")
        told = str(user.app.main.query_one("#draft-result").render())
        assert "\u202e" not in told
        assert "⟪U+202E⟫" in told
