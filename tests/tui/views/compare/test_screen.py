"""Comparing in the app: sides, texts, agents; both screens follow the prompt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.json import encode
from tests.support.repository import commit, git, write
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import User, running

from promptscope_engine.agents.registry import built_in_ids
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learning.mod_effects import Effect, ModRun, file_for
from promptscope_tui.text.words import difference
from promptscope_tui.views.agents.screen import AgentsScreen
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.widgets.picker import Picker
from promptscope_tui.widgets.row_list import RowList

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")]


def committed(folder: Path) -> Scenario:
    """The shop, committed, with another rule since."""
    scenario = roo_shop_at(folder)
    commit(folder / "shop", {})
    (folder / "shop" / ".roo" / "rules" / "testing.md").write_text("Test what a person would notice.\n")
    return scenario


async def compared(user: User) -> CompareScreen:
    """The screen when it has compared."""
    assert isinstance(user.app.screen, CompareScreen)
    await user.app.workers.wait_for_complete()
    await user.pause()
    return user.app.screen


async def chosen(user: User, key: str, side: str) -> CompareScreen:
    """The screen after a side was typed."""
    await user.press(key)
    assert isinstance(user.app.screen, Picker)
    await user.press(*("full_stop" if c == "." else "colon" if c == ":" else c for c in side), "enter")
    return await compared(user)


async def test_the_last_commit_is_compared_with_what_is_shown(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as user:
        await user.press("c")
        screen = await compared(user)
        assert screen.sides == ("git:HEAD", "now")
        assert ".roo/rules/testing.md" in screen.choices.plain
        text = screen.shown.plain
        assert "+ Test what a person would notice." in text
        assert "│" not in text
        await user.press("s")
        assert "│" in screen.shown.plain
        before = screen.found
        await user.press("x")
        screen = await compared(user)
        assert screen.sides == ("now", "git:HEAD")
        assert before
        assert screen.found
        assert (screen.found.tokens or 0) == -(before.tokens or 0)
        await user.press("escape")
        assert user.app.screen is user.app.main


async def test_a_clean_work_tree_is_no_difference_whatever_a_check_finds(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    files = {".roo/rules/keys.md": f"Use {key}.\n", ".gitignore": ".roo/rules/mine.md\n"}
    commit(tmp_path / "shop", files)
    (tmp_path / "shop" / ".roo" / "rules" / "mine.md").write_text("Sing while you work.\n")
    async with running(scenario, (140, 40)) as user:
        assert any(each.code == "secret" for each in user.app.main.snapshot.found)
        await user.press("c")
        screen = await compared(user)
        assert screen.sides == ("git:HEAD", "now")
        assert "no difference" in screen.choices.plain
        shown = " ".join(screen.choices.plain.split())
        assert "all files of HEAD and those here now, committed or not" in shown
        assert "on both sides, as git ignores it: .roo/ rules/mine.md" in shown
        await user.press("escape", "b", "c")
        assert "no difference" in (await compared(user)).choices.plain


async def test_any_two_sides_can_be_chosen(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as user:
        await user.press("c")
        await compared(user)
        screen = await chosen(user, "a", "mode:ask")
        assert screen.found
        assert (screen.found.before.mode, screen.found.after.mode) == ("ask", "code")
        assert "apply_diff" in screen.choices.plain
        screen = await chosen(user, "b", "agent:openclaw")
        assert screen.found
        assert screen.found.after.agent == "openclaw"
        screen = await chosen(user, "b", "git:HAED")
        assert screen.found is None
        assert "there is no revision 'HAED'" in screen.choices.plain
        screen = await chosen(user, "b", "nothing")
        assert "a side is git:REV" in screen.choices.plain


async def test_the_commits_that_touched_instructions_are_offered_with_what_each_did(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    root, rules = tmp_path / "shop", "AGENTS.md"
    commit(root, {})
    whole = (root / rules).read_text()
    commit(root, {rules: whole + "- Never push on Fridays.\n"}, "Rest on Fridays")
    commit(root, {"till.ts": "export {}\n"}, "Begin the till")
    commit(root, {rules: whole}, "Push whenever")
    async with running(scenario, (140, 40)) as user:
        await user.press("c")
        await compared(user)
        await user.press("a")
        await user.settle_all()
        picker = user.view("#picker-list")
        offered = [line for line in picker.lines if "  2026-01-01  " in line]
        assert [line.partition("2026-01-01  ")[2][:13] for line in offered[:2]] == ["Push whenever", "Rest on Frida"]
        picker.hides("Begin the till")
        signed = [int(line.split()[-1].replace("−", "-")) for line in offered[:2]]
        await user.press(*"fridays", "enter")
        screen = await compared(user)
        assert screen.found
        assert screen.found.tokens == signed[1] == -signed[0] > 0
        assert "+ - Never push on Fridays." in screen.shown.plain


async def test_an_exact_name_is_offered_before_a_branch_that_holds_it(tmp_path: Path) -> None:
    scenario = committed(tmp_path)
    git(tmp_path / "shop", "branch", "ask/ask-first")
    async with running(scenario, (140, 40)) as user:
        await user.press("c")
        await compared(user)
        await user.press("a", *"ask")
        await user.settle_all()
        picker = user.view("#picker-list")
        assert picker.key == "mode:ask"
        picker.shows("git:ask/ask-first")


async def test_both_sides_can_be_typed_at_once(tmp_path: Path) -> None:
    scenario = committed(tmp_path)
    commit(tmp_path / "shop", {})
    async with running(scenario, (140, 40)) as user:
        await user.press("c")
        await compared(user)
        screen = await chosen(user, "b", "git:HEAD~1..")
        assert screen.sides == ("git:HEAD~1", "git:HEAD")
        assert ".roo/rules/testing.md" in screen.choices.plain


async def test_what_is_compared_first_is_what_the_header_and_the_marks_tell(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as user:
        await user.press("m", *"ask", "enter")
        (change,) = user.session.snapshot.changes
        user.header.shows(f"ask {difference(change.tokens)}")
        await user.press("c")
        screen = await compared(user)
        assert screen.sides == ("baseline", "now")
        assert screen.found
        assert screen.found.tokens == change.tokens
        assert "baseline: the prompt before the last change" in " ".join(screen.choices.plain.split())


async def test_a_baseline_comes_first_and_the_comparison_follows_the_prompt(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as user:
        await user.press("b", "c")
        screen = await compared(user)
        assert screen.sides == ("baseline", "now")
        assert "no difference" in screen.choices.plain
        rule = tmp_path / "shop" / ".roo" / "rules" / "testing.md"
        await user.save(rule, "Test what a machine would notice.\n")
        screen = await compared(user)
        assert screen.found
        assert screen.found.differs
        assert "Test what a machine would notice." in screen.shown.plain


async def test_agents_and_files(tmp_path: Path) -> None:
    async with running(committed(tmp_path), (140, 40)) as user:
        (tmp_path / "shop" / ".cursorrules").write_text("unread\n")
        await user.press("A")
        assert isinstance(user.app.screen, AgentsScreen)
        await user.app.workers.wait_for_complete()
        await user.pause()
        table = user.app.screen.query_one("#choices", RowList)
        lines = table.plain.splitlines()
        assert "Claude Code" in lines[1]
        assert any(line.startswith("  AGENTS.md") for line in lines)
        assert lines.index(next(line for line in lines if "READ BY NO AGENT" in line)) < lines.index(
            next(line for line in lines if ".cursorrules" in line)
        )
        await user.press("G")
        page = user.app.screen.query_one("#shown", RowList).plain
        assert "GitHub Copilot CLI" in page
        assert "active (looked up " in page
        await user.press("enter", *["k"] * len(built_in_ids()))
        assert "no agent reads it" in user.app.screen.query_one("#shown", RowList).plain
        await user.press("y", "escape")
        assert user.app.screen is user.app.main


async def test_what_mods_did_is_a_side_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    write(tmp_path, {
        "repo/CLAUDE.md": "Use tabs.\n",
        "home/.claude/skills/dropper/.claude-plugin/plugin.json": '{"name": "dropper"}',
        "home/.claude/skills/dropper/hooks/hooks.json": '{"modules": ["./m.js"]}',
        "home/.claude/skills/dropper/hooks/m.js": "export const register = (on) => on('prompt.context', (e) => e)\n",
    })  # fmt: skip
    given = {"agent": "claude-code", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home"), "env": {}}
    async with running(Scenario.of(given), (140, 40)) as user:
        [mod] = [each for each in user.assembly.programs if each.kind == "mod" and each.present and each.path]
        path = str(tmp_path / "repo" / "CLAUDE.md")
        effect = Effect(mod.id, "removed", "file", path, 10, 0, ("Use tabs.\n", ""))
        target = file_for({mod.id: mod.digest})
        target.parent.mkdir(parents=True)
        target.write_bytes(encode(ModRun("2026-11-29", "2.1.332", {mod.id: mod.digest}, (effect,), {})))
        await user.press("c")
        await compared(user)
        await user.press("b")
        assert "what the mods did when they were run on 2026-11-29" in user.app.screen.query_one(RowList).plain
        await user.press("escape")
        screen = await chosen(user, "b", "mods:run")
        assert screen.sides == ("mods:before", "mods:run")
        assert "- Use tabs." in screen.shown.plain
        assert f"by {mod.id}" in screen.shown.plain
