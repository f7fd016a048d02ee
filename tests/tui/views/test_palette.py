"""The palette: everything by what one types."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running

from promptscope_tui.views.palette import Entry, Palette, Run, matching
from promptscope_tui.views.subjects import FileSubject, SwitchSubject, ToolSubject
from promptscope_tui.widgets.picker import LineInput


def entry(name: str, about: str = "", kind: str = "command") -> Entry:
    return Entry(kind, name, Run(name), about)


def test_a_name_that_begins_with_the_word_comes_before_one_that_holds_it_and_an_explanation() -> None:
    entries = [entry("Reload", "every file"), entry("a profile"), entry("the file"), entry("File: Edit")]
    assert [each.name for each in matching(entries, "file")] == ["File: Edit", "the file", "a profile", "Reload"]


def test_the_exact_name_comes_before_all_that_hold_it() -> None:
    entries = [entry("plan-b"), entry("git:origin/plan"), entry("mode:plan"), entry("plan")]
    assert [each.name for each in matching(entries, "plan")] == ["mode:plan", "plan", "plan-b", "git:origin/plan"]
    assert [each.name for each in matching(entries, "PLAN-B")] == ["plan-b"]


def test_all_words_have_to_be_there_and_without_any_the_commands_are_listed() -> None:
    entries = [entry("Tab: Files"), entry("edit", "a tool", kind="tool")]
    assert [each.name for each in matching(entries, "tool ed")] == ["edit"]
    assert matching(entries, "tool files") == []
    assert [each.name for each in matching(entries, " ")] == ["Tab: Files"]


async def find(user: User, typed: str) -> Palette:
    await user.press("ctrl+p")
    palette = user.app.screen
    assert isinstance(palette, Palette)
    palette.query_one(LineInput).value = typed
    await user.settle_all()
    return palette


@pytest.mark.slow
async def test_it_leads_to_whatever_was_typed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        main = user.app.main
        await find(user, "tool apply_diff")
        await user.press("enter")
        assert (user.tab, main.pages.tools.key) == ("tools", ToolSubject("apply_diff"))

        await find(user, "file AGENTS.md")
        await user.press("enter")
        await user.settle_all()
        key = main.pages.files.key
        assert user.tab == "files"
        assert isinstance(key, FileSubject)
        assert key.path.endswith("AGENTS.md")

        await find(user, "section capabilities")
        await user.press("enter")
        await user.settle_all()
        assert user.tab == "prompt"
        assert main.prompt.cursor.section_id == "capabilities"

        await find(user, "switch roo ignore")
        await user.press("enter")
        await user.settle_all()
        assert main.controls.switches.has_focus
        assert main.controls.switches.key == SwitchSubject("useRooIgnore")

        await find(user, "mode ask")
        await user.press("enter")
        await user.settle()
        assert user.scenario.mode == "ask"

        palette = await find(user, "no such thing")
        assert "why no such thing?" in palette.choices.plain
        await user.press("escape", "1", "space")
        assert user.app.screen is main


@pytest.mark.slow
async def test_it_finds_the_words_of_the_documents(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    repeated = "Run the whole suite before you hand anything over, and say which tests you added to it.\n" * 2
    (tmp_path / "shop" / ".roo" / "rules" / "suite.md").write_text(repeated * 4)
    async with running(scenario) as user:
        for words in ("replies", "catalogue"):
            palette = await find(user, words)
            assert "Responses: Show all" in palette.choices.plain
            await user.press("escape")
        palette = await find(user, "twice")
        assert "Prompt: Savings" in palette.choices.plain
        found, *_ = (each for each in user.session.snapshot.found if each.code == "duplicate-lines")
        assert found.message in palette.choices.plain


@pytest.mark.slow
async def test_a_sub_agent_s_prompt_is_found_by_its_name(tmp_path: Path) -> None:
    scenario = monorepo_at(tmp_path)
    folder = tmp_path / "mono" / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "healer.md").write_text("---\nname: healer\ndescription: Mends tests.\n---\nMend the tests.\n")
    async with running(scenario) as user:
        palette = await find(user, "healer")
        assert "the prompt of healer" in palette.choices.plain
        palette = await find(user, "prompt healer")
        await user.press("enter")
        await user.settle()
        assert user.scenario.params == {"subagent": "healer"}
        user.header.shows("sub-agent healer")


@pytest.mark.slow
async def test_a_switch_is_found_by_its_explanation_and_set_from_the_list(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), effects=True) as user:
        field = next(each for each in user.app.main.controls.inputs.fields if each.name == "diffEnabled")  # type: ignore[union-attr]
        palette = await find(user, f"diffEnabled off {field.help}")
        effect = user.session.snapshot.effect("diffEnabled", False)
        assert effect
        assert f"−{-effect.tokens:,}" in palette.choices.plain, "what it costs is beside it"
        await user.press("tab")
        await user.settle()
        assert user.scenario.params == {"diffEnabled": False}
        assert user.app.screen is palette, "it stays open, to set another one"
        await user.settle_all()
        assert "◉ now" in palette.choices.plain


@pytest.mark.slow
async def test_what_can_be_compared_is_found_too(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("b")
        palette = await find(user, "compare baseline")
        assert "with baseline" in palette.choices.plain
        assert palette.choices.key is not None
        await user.press("enter")
        await user.settle_all()
        assert getattr(user.app.screen, "sides", None) == ("baseline", "now")


async def test_an_assembly_that_ends_while_it_opens_finds_it_laid_out(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        palette = Palette(lambda: [entry("Reload")], lambda _: None)
        pushed = user.app.push_screen(palette)
        assert not palette.is_mounted
        user.app.on_assembled()
        await pushed
        await user.until(lambda: palette.is_mounted)
        await user.settle()
        assert user.app.screen is palette
