"""Enter leads to a thing's place in another tab, escape and backspace lead back; Tools and Files sort and filter."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import User, running

from promptscope_tui.session.snapshot import GoTo
from promptscope_tui.text.words import difference
from promptscope_tui.views.prompt.layout import HeaderRow
from promptscope_tui.views.subjects import (
    BlockSubject,
    Cursor,
    DiagnosticSubject,
    FileSubject,
    ToolSubject,
    WindowSubject,
)
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def on_file(user: User, name: str) -> FileSubject:
    """Go to the row of a file."""
    await user.press("3")
    key = next(r.key for r in user.files.rows if isinstance(r.key, FileSubject) and r.key.path.endswith(name))
    user.app.main.pages.files.go_to(key)
    await user.pause()
    assert isinstance(key, FileSubject)
    return key


async def test_a_file_and_its_place_lead_to_each_other_and_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 40)) as user:
        for back in ("escape", "backspace"):
            key = await on_file(user, "testing.md")
            await user.press("enter")
            main = user.app.main
            assert user.tab == "prompt"
            assert (main.prompt.cursor.kind, main.prompt.cursor.path) == ("body", key.path)
            place = main.prompt.place
            await user.press("enter")  # the line leads to its file
            assert (user.tab, user.files.key) == ("files", key)
            assert user.files.has_focus
            await user.press(back)
            assert (user.tab, main.prompt.place) == ("prompt", place)
            await user.press(back)
            assert (user.tab, user.files.key) == ("files", key)
            await user.press(back)
            assert user.tab == "prompt", "without a way back: to the prompt"

        await user.files.row("AGENTS.md").press("enter", "2", "escape")
        assert user.tab == "prompt"
        await user.press("escape")
        assert user.tab == "prompt", "going to a tab by hand forgets the way back"

        await user.files.row(".roorules").press("enter")
        assert user.tab == "files"
        assert "this isn't in the prompt" in user.note


async def test_where_a_file_stands_and_what_weighs_most_lead_to_their_panels(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 45)) as user:
        main = user.app.main
        await on_file(user, "testing.md")
        await user.press("w")
        number = next(n for n, link in enumerate(main.why.links) if isinstance(link, GoTo))
        main.why.go_to(number)
        await user.press("enter")
        assert user.tab == "prompt"
        assert user.prompt.has_focus
        row = main.prompt.rows.row(main.prompt.cursor_row)
        assert isinstance(row, HeaderRow)
        assert "testing.md" in row.panel.id

        await user.press("4")
        assert user.window.key == WindowSubject()
        user.why.shows("The context window")
        await user.press("j")
        key = user.window.key
        assert isinstance(key, GoTo)
        assert main.explanation.subject == Cursor(str(key.key))
        await user.press("enter")
        assert (user.tab, main.prompt.cursor.section_id) == ("prompt", key.key)
        await user.press("escape")
        assert (user.tab, user.window.key) == ("window", key)


async def test_tools_lead_to_what_is_sent(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="claude-code", mode=None, model=None), (160, 40)) as user:
        main = user.app.main
        await user.press("G")
        assert main.prompt.cursor == Cursor(kind="tools")
        user.why.shows("Tools, sent beside the prompt")
        await user.press("enter")
        assert user.tab == "tools"
        main.pages.tools.go_to(ToolSubject("Bash"))
        await user.press("enter")
        assert user.tab == "request"
        assert isinstance(user.request.key, BlockSubject)
        assert "Bash" in main.pages.request.rows[main.pages.request.cursor].left[1].text
        await user.press("escape", "escape")
        assert (user.tab, main.prompt.cursor) == ("prompt", Cursor(kind="tools"))


async def test_a_jump_waits_until_a_new_page_has_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine a page is laid out later than the refreshes that are waited for; here none is."""
    async with running(roo_shop_at(tmp_path), (160, 40)) as user:
        main = user.app.main
        snapshot = await user.settle()
        assert snapshot.assembly is not None
        last = FileSubject([file.path for file in snapshot.assembly.files if file.present][-1])
        monkeypatch.setattr(main, "call_after_refresh", lambda do, *args: do(*args))
        main.go_to(GoTo("files", last))
        assert main.pages.files.rows == ()
        await user.settle()
        assert (user.tab, user.files.key) == ("files", last)


async def test_a_table_is_filtered_as_one_types(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 40)) as user:
        main = user.app.main
        await user.press("3", "slash", *"rules")
        assert user.tab == "files"
        assert "esc all rows" in main.status.plain
        shown = [r.key.path for r in main.pages.files.rows if isinstance(r.key, FileSubject)]
        assert shown
        assert len(shown) < len(main.snapshot.assembly.files)
        assert main.pages.files.found == len(shown)
        await user.press("down", "enter")
        assert user.files.has_focus
        assert main.filter.is_open
        await user.press("2")
        assert not main.filter.is_open, "another table is not filtered"
        await user.press("3")
        assert not main.filter.is_open, "a filter ends when its page is left"
        assert main.pages.files.found > len(shown)
        await user.press("slash", *"rules", "enter", "escape")
        assert not main.filter.is_open
        assert main.pages.files.found > len(shown)
        assert user.tab == "files"


async def test_n_goes_from_one_changed_panel_to_the_next(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        main = user.app.main
        await user.press("n")
        assert user.note == "nothing in the prompt has changed; / searches it"
        await user.press("m", *"architect", "enter", "g")
        seen = []
        while (at := main.prompt.cursor.section_id) not in seen[1:]:
            seen.append(at)
            await user.press("n")
            assert "changed: " in user.note
        changed = [each.id for each in user.session.snapshot.changes[0].sections]
        assert sorted(filter(None, seen[1:])) == sorted(id for id in changed if user.assembly.section(id))
        place = main.prompt.place
        await user.press("n", "N")
        assert main.prompt.place == place
        await user.press("2", "n")
        assert user.tab == "prompt", "from any page"
        await user.press("slash", *"rules", "enter")
        at, count = main.prompt.search_position
        await user.press("n")
        assert main.prompt.search_position == (at % count + 1, count), "with a search open it goes on to its next match"


async def test_n_shows_the_first_line_that_changed(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        file = tmp_path / "shop" / "AGENTS.md"
        await user.save(file, file.read_text() + "- Never push on Fridays.\n")
        (change,) = user.session.snapshot.changes
        await user.press("g", "n")
        assert user.note == f"1 of 1 changed: AGENTS.md {difference(change.tokens)}"
        cursor = user.app.main.prompt.cursor
        assert (cursor.kind, cursor.line) == ("body", len(file.read_text().splitlines()))


async def test_the_way_back_leads_to_a_table_as_it_was_filtered(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        await user.press("3", "slash", *"testing", "enter")
        shown = user.files.text
        await user.press("enter")
        assert user.tab == "prompt"
        assert not user.app.main.filter.is_open
        await user.press("escape")
        assert (user.tab, user.files.text) == ("files", shown)
        assert user.app.main.filter.is_open


async def test_an_empty_page_is_not_filtered_and_hides_nothing_later(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        await user.press("6", "slash")
        assert user.note == "there is nothing to filter here yet"
        assert user.changes.has_focus
        await user.press("m", *"ask", "enter", "slash", *"no such words", "enter")
        user.changes.shows("no row has all of these words")
        await user.press("2", "6")
        user.changes.shows("mode code → ask")


async def test_a_filter_ends_with_the_rows_that_it_was_for(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    scenario = scenario_of(tmp_path, agent="claude-code", mode=None, model=None, params={"prompt": "hi"})
    async with running(scenario, (140, 40)) as user:
        await user.press("d", "x", "escape", "6", "slash", *"till", "enter")
        assert user.app.main.filter.is_open
        user.session.set("prompt", "hi", again=True)
        await user.settle()
        user.changes.shows("No changes yet.")
        assert not user.app.main.filter.is_open


async def test_a_jump_shows_a_row_that_was_filtered_out(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 40)) as user:
        key = await on_file(user, "testing.md")
        await user.press("enter", "3", "slash", *"roomodes", "enter", "1", "enter")
        assert (user.tab, user.files.key) == ("files", key)
        assert not user.app.main.filter.is_open


async def test_a_table_is_sorted_by_keys_and_by_its_heads(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 40)) as user:
        tools = user.app.main.pages.tools
        await user.press("2")
        own = [r.key for r in tools.rows if r.key]
        await user.press("G", ">", ">")
        assert "tool ↑" in head(tools)
        assert (tools.cursor, tools.scroll_y) == (1, 0), "sorting goes to the top"
        assert [r.key for r in tools.rows if r.key] == sorted(own, key=lambda key: key.name)  # type: ignore[union-attr]
        assert "sorted by tool, up" in user.note
        await user.press("S")
        assert "tool ↓" in head(tools)
        await user.press("<", "<")
        assert [r.key for r in tools.rows if r.key] == own

        at = head(tools).index("tokens")
        await user.click("#tools", offset=(at + 2, 0))
        assert "tokens ↓" in head(tools)
        assert tools.cursor == 1, "sorting goes to the top"
        await user.click("#tools", offset=(at + 2, 0))
        assert "tokens ↑" in head(tools)
        user.session.set("mode", "ask")
        await user.settle()
        assert "tokens ↑" in head(tools), "the order stays"


def head(table: RowList) -> str:
    return "".join(span.text for span in table.rows[0].left)


async def test_without_a_problem_it_says_whether_all_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.\n")
    scenario = roo_shop_at(tmp_path).model_copy(update={"agent": "openclaw", "workspace": str(tmp_path), "mode": None})
    async with running(scenario, (160, 40)) as user:
        main = user.app.main
        await user.press("exclamation_mark")
        assert user.note == "no problems were found"
        main.snapshot = replace(main.snapshot, busy=True)
        await user.pilot.press("exclamation_mark")  # what is made up here never settles
        await user.until(lambda: user.note == "no problems were found so far")


async def test_what_a_check_finds_is_a_problem_of_its_file(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    rule = tmp_path / "shop" / ".roo" / "rules" / "10-key.md"
    rule.write_text("key = AKIA" + "ABCDEFGH12345678\n")
    async with running(scenario) as user:
        main, before = user.app.main, user.session.snapshot
        assert before.assembly is not None
        at = [found.code for found in before.assembly.diagnostics].index("secret")
        counted = sum(found.severity != "info" for found in before.assembly.diagnostics)
        user.header.shows(f"⚠ {counted} ")
        notes = []
        for _ in range(counted):
            await user.press("exclamation_mark")
            notes.append(user.note)
        assert sorted(notes) == [f"problem {number} of {counted}" for number in range(1, counted + 1)]
        while user.files.key != DiagnosticSubject(at):
            await user.press("exclamation_mark")
        file = main.pages.files.rows[main.pages.files.cursor - 1].key
        assert isinstance(file, FileSubject)
        assert file.path.endswith("10-key.md")
        await user.save(rule, "no key\n")
        assert "secret" not in {found.code for found in user.session.snapshot.found}
        user.header.shows(f"⚠ {counted - 1} ")


async def test_one_click_chooses_and_two_open(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 40)) as user:
        await user.press("2")
        await user.tools.click("read_file")
        assert (user.tab, user.tools.key) == ("tools", ToolSubject("read_file"))
        user.why.shows("read_file")
        await user.click("#tools", offset=(5, user.app.main.pages.tools.cursor), times=2)
        assert user.tab == "prompt"
        await user.press("a")
        first = user.view("#picker-list")
        await user.click("#picker-list", offset=(5, len(first.lines) - 1))
        assert user.app.screen is user.app.main, "in a list of choices one click is enough"


async def test_an_empty_list_says_what_fills_it(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    async with running(scenario_of(tmp_path, agent="codex", mode=None, model=None)) as user:
        await user.press("o")
        user.view("#picker-list").shows("O records a run")
