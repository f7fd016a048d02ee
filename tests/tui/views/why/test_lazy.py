"""Lazy rules: which read loads them, which never load, and what the agent would have cached."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import roo_shop_at, running, scenario_of, settled, watcher
from textual.pilot import Pilot
from textual.widgets import Input

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.subjects import FileSubject

pytestmark = pytest.mark.slow


def line_of(app: PromptscopeApp, name: str) -> str:
    """The row of a file in Files."""
    return next(line for line in app.main.files.plain.splitlines() if f" {name} " in line)


async def at_file(app: PromptscopeApp, pilot: Pilot[None], path: Path) -> str:
    """Why's page of a file."""
    await pilot.press("3")
    assert app.main.files.go_to(FileSubject(str(path)))
    await pilot.pause()
    return app.main.why.plain


async def test_every_row_of_the_chain_is_right(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path, "packages/web/src/ui"), (200, 50)) as (app, pilot):
        await pilot.press("3")
        root = tmp_path / "mono"
        names = [str(root / n / "CLAUDE.md") for n in (".", "packages", "packages/web", "packages/web/src")]
        keys = [row.key for row in app.main.files.rows if row.key]
        at = [keys.index(FileSubject(name)) for name in [*names, str(root / "packages/web/src/ui/CLAUDE.md")]]
        assert at == sorted(at)
        assert line_of(app, "CLAUDE.md").lstrip().startswith("●")
        assert "external import" in app.main.files.plain
        dead = [line for line in app.main.files.plain.splitlines() if "scala.md" in line]
        assert dead[0].lstrip().startswith("⊘")


async def test_waiting_and_dead_rules_are_marked_and_follow_saved_files(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (200, 50)) as (app, pilot):
        await pilot.press("3")
        assert line_of(app, ".claude/rules/ts.md").lstrip().startswith("◐")
        assert "loaded by 2 files: packages/web/src" in line_of(app, ".claude/rules/ts.md")
        assert "never loads: no file matches *.scala" in line_of(app, ".claude/rules/scala.md")
        assert "loads when a file below packages/web" in line_of(app, "packages/web/CLAUDE.md")
        assert "⊘ never" in app.main.files.plain
        why = await at_file(app, pilot, tmp_path / "mono/.claude/rules/ts.md")
        assert "WHAT LOADS IT" in why
        assert "· packages/web/src/main.ts" in why
        why = await at_file(app, pilot, tmp_path / "mono/.claude/rules/scala.md")
        assert "IT NEVER LOADS" in why
        why = await at_file(app, pilot, tmp_path / "mono/packages/web/CLAUDE.md")
        assert "reading any file below packages/web" in why

        rule = tmp_path / "mono/.claude/rules/scala.md"
        watcher().save(rule, "---\npaths: docs/*\n---\nNo implicits.\n")
        await settled(app, pilot)
        assert "loaded by 1 file: docs/style.md" in line_of(app, ".claude/rules/scala.md")
        assert str(tmp_path / "mono/docs/CLAUDE.md") in app.session.workspace.asked
        watcher().save(tmp_path / "mono/docs/CLAUDE.md", "New.\n")
        await settled(app, pilot)
        assert "loads when a file below docs is read" in line_of(app, "docs/CLAUDE.md")


async def test_a_typed_path_marks_what_it_loads_at_once(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (160, 50)) as (app, pilot):
        await pilot.press("i", *"button")
        await pilot.pause()
        loads = app.screen.query_one("#imagine-loads").plain  # type: ignore[attr-defined]
        assert "» packages/CLAUDE.md" in loads
        assert "» .claude/rules/ts.md" in loads
        assert line_of(app, ".claude/rules/ts.md").lstrip().startswith("»")
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.reads == ["packages/web/src/ui/button.ts"]
        assert line_of(app, ".claude/rules/ts.md").lstrip().startswith("◐")
        assert "loaded by reading" in line_of(app, ".claude/rules/ts.md")
        await pilot.press("i", "enter")
        await settled(app, pilot)
        assert app.session.snapshot.scenario.reads == []

        await pilot.press("i")  # a path that does not exist yet
        app.screen.query_one(Input).value = "packages/web/new.ts"
        await pilot.pause()
        await pilot.press("escape")
        assert app.session.snapshot.scenario.reads == []
        await pilot.press("i")
        app.screen.query_one(Input).value = "packages/web/new.ts"
        await pilot.pause()
        await pilot.press("enter")
        await settled(app, pilot)
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        assert assembly.section("woken:.claude/rules/ts.md") is not None


# --- caching -------------------------------------------------------------------------------------------------------


async def test_why_tells_what_a_change_of_a_file_would_cost(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (160, 60)) as (app, pilot):
        why = await at_file(app, pilot, tmp_path / "mono/CLAUDE.md")
        assert "IF IT CHANGES" in why
        assert "last breakpoint" in " ".join(why.split())
        await pilot.press("1")
        app.main.prompt.goto("git_status")
        await pilot.pause()
        app.main.why.scroll_end(animate=False)
        text = " ".join(app.main.why.plain.split())
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
    async with running(monorepo_at(tmp_path, env=env), (200, 60)) as (app, pilot):
        await pilot.press("5")
        shown = app.main.request.plain
        assert "◆ cached up to ≈" in shown
        assert boundary in shown
        assert "/compact or auto-compaction" in shown
        assert "lost until" not in shown


@pytest.mark.parametrize("agent", ["roo", "openclaw"])
async def test_agents_without_the_ability_say_so_in_one_line(tmp_path: Path, agent: str) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent=agent, mode=None)) as (app, pilot):
        await pilot.press("5")
        assert "what is kept and what is recomputed" in app.main.request.plain
        await pilot.press("4")
        assert "has no categories of its own" in " ".join(app.main.window.plain.split())
        assert app.session.snapshot.lazy_rules is None
        await pilot.press("i")
        await pilot.pause()
        assert app.screen is app.main
        assert "has no rules that load with another file" in app.main.status.note
