"""Lazy rules: which read loads them, which never load, and what the agent would have cached."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import User, running
from textual.widgets import Input

from promptscope_tui.views.subjects import FileSubject

pytestmark = pytest.mark.slow


def line_of(user: User, name: str) -> str:
    """The row of a file in Files."""
    return next(line for line in user.files.text.splitlines() if f" {name} " in line)


async def at_file(user: User, path: Path) -> str:
    """Why's page of a file."""
    await user.press("3")
    assert user.app.main.pages.files.go_to(FileSubject(str(path)))
    await user.pause()
    return user.why.text


async def test_every_row_of_the_chain_is_right(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path, "packages/web/src/ui"), (200, 50)) as user:
        await user.press("3")
        root = tmp_path / "mono"
        names = [str(root / n / "CLAUDE.md") for n in (".", "packages", "packages/web", "packages/web/src")]
        keys = [row.key for row in user.files.rows if row.key]
        at = [keys.index(FileSubject(name)) for name in [*names, str(root / "packages/web/src/ui/CLAUDE.md")]]
        assert at == sorted(at)
        assert line_of(user, "CLAUDE.md").lstrip().startswith("●")
        user.files.shows("external import")
        dead = [line for line in user.files.text.splitlines() if "scala.md" in line]
        assert dead[0].lstrip().startswith("⊘")


async def test_waiting_and_dead_rules_are_marked_and_follow_saved_files(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (200, 50)) as user:
        await user.press("3")
        assert line_of(user, "ts.md").lstrip().startswith("◐")
        assert "loaded by 2 files: packages/web/src" in line_of(user, "ts.md")
        assert "never loads: no file matches *.scala" in line_of(user, "scala.md")
        assert "loads on a read in its folder" in line_of(user, "packages/  4 files")
        user.files.shows("⊘ never")
        why = await at_file(user, tmp_path / "mono/.claude/rules/ts.md")
        assert "WHAT LOADS IT" in why
        assert "· packages/web/src/main.ts" in why
        why = await at_file(user, tmp_path / "mono/.claude/rules/scala.md")
        assert "IT NEVER LOADS" in why
        why = await at_file(user, tmp_path / "mono/packages/web/CLAUDE.md")
        assert "reading any file below packages/web" in why

        rule = tmp_path / "mono/.claude/rules/scala.md"
        await user.save(rule, "---\npaths: docs/*\n---\nNo implicits.\n")
        assert "loaded by 1 file: docs/style.md" in line_of(user, "scala.md")
        assert str(tmp_path / "mono/docs/CLAUDE.md") in user.session.workspace.asked
        await user.save(tmp_path / "mono/docs/CLAUDE.md", "New.\n")
        await user.press("slash", *"docs/CLAUDE.md")
        assert "loads when a file below docs is read" in line_of(user, "docs/CLAUDE.md")


async def test_a_typed_path_marks_what_it_loads_at_once(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (160, 50)) as user:
        await user.press("i", *"button")
        loads = user.app.screen.query_one("#imagine-loads").plain  # type: ignore[attr-defined]
        assert "» packages/CLAUDE.md" in loads
        assert "» .claude/rules/ts.md" in loads
        assert line_of(user, "ts.md").lstrip().startswith("»")
        await user.press("enter")
        assert user.scenario.reads == ["packages/web/src/ui/button.ts"]
        assert line_of(user, "ts.md").lstrip().startswith("◐")
        assert "loaded by reading" in line_of(user, "ts.md")
        await user.press("i", "enter")
        assert user.scenario.reads == []

        await user.press("i")  # a path that does not exist yet
        user.app.screen.query_one(Input).value = "packages/web/new.ts"
        await user.pause()
        await user.press("escape")
        assert user.scenario.reads == []
        await user.press("i")
        user.app.screen.query_one(Input).value = "packages/web/new.ts"
        await user.pause()
        await user.press("enter")
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        assert assembly.section("woken:.claude/rules/ts.md") is not None


# --- caching -------------------------------------------------------------------------------------------------------


async def test_why_tells_what_a_change_of_a_file_would_cost(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (160, 60)) as user:
        why = await at_file(user, tmp_path / "mono/CLAUDE.md")
        assert "IF IT CHANGES" in why
        assert "last breakpoint" in " ".join(why.split())
        await user.press("1")
        user.app.main.prompt.goto("git_status")
        await user.pause()
        user.app.main.why.scroll_end(animate=False)
        text = " ".join(user.why.text.split())
        assert "/clear: recomputed" in text
        assert "a new turn: kept" in text


@pytest.mark.parametrize(
    ("env", "boundary"),
    [
        ({}, "static above, dynamic below"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, "dynamic from Session-specific guidance"),
    ],
)
async def test_the_request_shows_breakpoints_and_the_boundary(
    tmp_path: Path, env: dict[str, str], boundary: str
) -> None:
    async with running(monorepo_at(tmp_path, env=env), (200, 60)) as user:
        await user.press("5")
        shown = user.request.text
        assert "◆ cached up to ≈" in shown
        assert boundary in shown
        assert "/compact or auto-compaction" in shown
        assert "lost until" not in shown


@pytest.mark.parametrize("agent", ["roo", "openclaw"])
async def test_agents_without_the_ability_say_so_in_one_line(tmp_path: Path, agent: str) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent=agent, mode=None)) as user:
        await user.press("5")
        user.request.shows("what is kept and what is recomputed")
        await user.press("4")
        assert "has no categories of its own" in " ".join(user.window.text.split())
        assert user.session.snapshot.lazy_rules is None
        await user.press("i")
        assert user.app.screen is user.app.main
        assert "has no rules that load with another file" in user.note
