"""The keys y and e: each tab copies and opens what its own cursor is on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, running, scenario_of, settled, watcher
from textual.pilot import Pilot

from promptscope_tui.app import PromptscopeApp
from promptscope_tui.views.subjects import BlockSubject, ChangeSubject, DiagnosticSubject, FileSubject, ToolSubject
from promptscope_tui.views.under_cursor import change_text
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the editor was asked to open."""
    found: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "promptscope_tui.screens.main.open_editor", lambda _, path, line, __: found.append((path, line))
    )
    return found


async def go(app: PromptscopeApp, pilot: Pilot[None], tab: str, key: object) -> None:
    """To a row of a tab."""
    await pilot.press(tab)
    assert isinstance(app.main.page, RowList)
    assert app.main.page.go_to(key)
    await pilot.pause()


async def test_each_tab_copies_and_opens_what_its_cursor_is_on(tmp_path: Path, opened: list[tuple[str, int]]) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        agents = str(tmp_path / "shop" / "AGENTS.md")

        await go(app, pilot, "2", ToolSubject("read_file"))
        await pilot.press("y")
        assert app.clipboard == next(t for t in assembly.tools if t.name == "read_file").description, "as it is told"

        file = next(f for f in assembly.files if f.path.endswith("AGENTS.md"))
        await go(app, pilot, "3", FileSubject(file.path))
        await pilot.press("y", "e")
        assert app.clipboard == (tmp_path / "shop" / "AGENTS.md").read_text()
        assert opened == [(agents, 1)]
        missing = next(f for f in assembly.files if not f.bytes and not f.present)
        await go(app, pilot, "3", FileSubject(missing.path))
        await pilot.press("y")
        assert "nothing to copy" in app.main.status.note

        opened.clear()
        await go(app, pilot, "5", BlockSubject("system", 0))
        assert "RULES" in app.main.why.plain
        await pilot.press("y", "e")
        assert app.clipboard == assembly.request.system[0]["text"]
        assert opened == [], "a block of the request is no file"

        await pilot.press("4", "y")
        assert "LARGEST" in app.clipboard, "the window is copied as it stands"

        await pilot.press("1")
        section = next(s for s in assembly.sections if s.title.endswith("AGENTS.md"))
        app.main.prompt.goto(section.id)
        await pilot.press("w")
        await pilot.pause()
        assert app.main.why.has_focus
        await pilot.press("e")
        assert opened == [(agents, 1)], "a source in Why"


async def test_a_tool_with_a_schema_is_copied_as_it_goes_over_the_wire(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="openclaw", mode=None)) as (app, pilot):
        await go(app, pilot, "2", ToolSubject("exec"))
        await pilot.press("y")
        assert set(json.loads(app.clipboard)) == {"name", "description", "input_schema"}


async def test_a_message_about_a_file_leads_to_its_line(tmp_path: Path, opened: list[tuple[str, int]]) -> None:
    scenario = roo_shop_at(tmp_path)
    (tmp_path / "shop" / ".roomodes").write_text("customModes:\n  - slug: [\n")
    async with running(scenario) as (app, pilot):
        assembly = app.session.snapshot.assembly
        assert assembly is not None
        index, found = next((n, d) for n, d in enumerate(assembly.diagnostics) if d.path and d.line)
        await go(app, pilot, "3", DiagnosticSubject(index))
        assert found.message.split()[0] in app.main.why.plain
        await pilot.press("y", "e")
        assert app.clipboard == f"{found.path}:{found.line}: {found.message} ({found.code})"
        assert opened == [(str(tmp_path / "shop" / ".roomodes"), found.line)]


async def test_a_change_is_copied_as_a_diff_and_opened_where_it_is(
    tmp_path: Path, opened: list[tuple[str, int]]
) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        file = tmp_path / "shop" / "AGENTS.md"
        lines = file.read_text().splitlines(keepends=True)
        watcher().save(file, "".join([*lines[:2], "- Never push on Fridays.\n", *lines[2:]]))
        snapshot = await settled(app, pilot)
        await go(app, pilot, "6", ChangeSubject(0))
        await pilot.press("y", "e")
        assert app.clipboard == change_text(snapshot.changes[0])
        assert "+- Never push on Fridays." in app.clipboard
        assert opened == [(str(file), 3)]


async def test_the_agents_own_wording_leads_to_its_text(tmp_path: Path, opened: list[tuple[str, int]]) -> None:
    async with running(roo_shop_at(tmp_path)) as (app, pilot):
        await go(app, pilot, "2", ToolSubject("read_file"))
        await pilot.press("e")
        path, line = opened.pop()
        assert (Path(path).parts[-3:], line) == (("roo", "tools", "read_file.md"), 1)

        await pilot.press("1")
        app.main.prompt.goto("rules")
        await pilot.pause()
        await pilot.press("e")
        path, line = opened.pop()
        assert Path(path).parts[-3:] == ("roo", "sections", "rules.md")
        assert line > 1, "where the first wording begins"
