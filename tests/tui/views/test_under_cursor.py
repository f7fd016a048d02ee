"""The keys y and e: each tab copies and opens what its own cursor is on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import User, running

from promptscope_engine import agents
from promptscope_engine.agents.kit.text.sources import laid_over
from promptscope_tui.session.snapshot import OpenSource
from promptscope_tui.text.words import difference
from promptscope_tui.views.subjects import BlockSubject, ChangeSubject, DiagnosticSubject, FileSubject, ToolSubject
from promptscope_tui.views.under_cursor import change_text
from promptscope_tui.widgets.messages import Requested
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

AGENTS = Path(agents.__file__).parent


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the editor was asked to open."""
    found: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "promptscope_tui.screens.under_cursor.open_editor", lambda _, path, line, __: found.append((path, line))
    )
    return found


async def go(user: User, tab: str, key: object) -> None:
    """To a row of a tab."""
    await user.press(tab)
    assert isinstance(user.app.main.page, RowList)
    assert user.app.main.page.go_to(key)
    await user.pause()


async def test_each_tab_copies_and_opens_what_its_cursor_is_on(tmp_path: Path, opened: list[tuple[str, int]]) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        agents = str(tmp_path / "shop" / "AGENTS.md")

        await go(user, "2", ToolSubject("read_file"))
        await user.press("y")
        assert user.app.clipboard == next(t for t in assembly.tools if t.name == "read_file").description, (
            "as it is told"
        )

        file = next(f for f in assembly.files if f.path.endswith("AGENTS.md"))
        await go(user, "3", FileSubject(file.path))
        await user.press("y", "e")
        assert user.app.clipboard == (tmp_path / "shop" / "AGENTS.md").read_text()
        assert opened == [(agents, 1)]
        missing = next(f for f in assembly.files if not f.bytes and not f.present)
        await go(user, "3", FileSubject(missing.path))
        await user.press("y")
        assert "nothing to copy" in user.note

        opened.clear()
        await go(user, "5", BlockSubject("system", 0))
        user.why.shows("RULES")
        await user.press("y", "e")
        assert user.app.clipboard == assembly.request.system[0]["text"]
        assert opened == [], "a block of the request is no file"

        await user.press("4", "y")
        assert "LARGEST" in user.app.clipboard, "the window is copied as it stands"

        await user.press("1")
        section = next(s for s in assembly.sections if s.title.endswith("AGENTS.md"))
        user.app.main.prompt.goto(section.id)
        await user.press("w")
        assert user.why.has_focus
        await user.press("e")
        assert opened == [(agents, 1)], "a source in Why"


async def test_a_tool_with_a_schema_is_copied_as_it_goes_over_the_wire(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="openclaw", mode=None)) as user:
        await go(user, "2", ToolSubject("exec"))
        await user.press("y")
        assert set(json.loads(user.app.clipboard)) == {"name", "description", "input_schema"}


async def test_a_message_about_a_file_leads_to_its_line(tmp_path: Path, opened: list[tuple[str, int]]) -> None:
    scenario = roo_shop_at(tmp_path)
    (tmp_path / "shop" / ".roomodes").write_text("customModes:\n  - slug: [\n")
    async with running(scenario) as user:
        assembly = user.session.snapshot.assembly
        assert assembly is not None
        index, found = next((n, d) for n, d in enumerate(assembly.diagnostics) if d.path and d.line)
        await go(user, "3", DiagnosticSubject(index))
        assert found.message.split()[0] in user.why.text
        await user.press("y", "e")
        assert user.app.clipboard == f"{found.path}:{found.line}: {found.message} ({found.code})"
        assert opened == [(str(tmp_path / "shop" / ".roomodes"), found.line)]


async def test_a_change_is_copied_as_a_diff_and_opened_where_it_is(
    tmp_path: Path, opened: list[tuple[str, int]]
) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        file = tmp_path / "shop" / "AGENTS.md"
        lines = file.read_text().splitlines(keepends=True)
        snapshot = await user.save(file, "".join([*lines[:2], "- Never push on Fridays.\n", *lines[2:]]))
        await go(user, "6", ChangeSubject(0))
        await user.press("y", "e")
        assert user.app.clipboard == change_text(snapshot.changes[0], user.assembly)
        title, _, diff = user.app.clipboard.partition("\n\n")
        assert title == f"AGENTS.md  {difference(snapshot.changes[0].tokens)} tokens"
        assert diff.startswith("AGENTS.md (changed)\n@@")
        assert "+- Never push on Fridays." in user.app.clipboard
        assert opened == [(str(file), 3)]


async def test_the_agents_own_wording_is_edited_in_a_copy(
    tmp_path: Path, opened: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CONFIG", str(tmp_path / "config"))
    own = tmp_path / "config" / "agents" / "roo"
    with laid_over():
        async with running(roo_shop_at(tmp_path)) as user:
            user.app.main.prompt.goto("rules")
            await user.pause()
            await user.press("e")
            user.view("#picker-list").shows("sections/rules.md", "in ")
            await user.press("escape")
            assert (opened, own.exists()) == ([], False), "nothing is written unasked"

            await user.press("e", "enter")
            path, line = opened.pop()
            copy = own / "sections" / "rules.md"
            assert Path(path) == copy
            assert line > 1, "where the first wording begins"
            text = copy.read_text("utf-8")
            assert text == (AGENTS / "roo" / "sections" / "rules.md").read_text("utf-8")

            copy.write_text(text.replace("Write neither ~ nor", "Never write ~ or"), "utf-8")
            await user.press("r")
            assert "Never write ~ or" in user.assembly.system_text
            await user.press("e")
            assert Path(opened.pop()[0]) == copy, "there is a copy now"

            await go(user, "2", ToolSubject("read_file"))
            await user.press("e", "enter")
            assert opened.pop() == (str(own / "tools" / "read_file.md"), 1)


async def test_what_cannot_be_corrected_is_not_opened(tmp_path: Path, opened: list[tuple[str, int]]) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        user.app.main.post_message(Requested(OpenSource(str(AGENTS / "roo" / "agent.toml"))))
        await user.pause()
        assert "part of promptscope itself" in user.note
        assert opened == []
