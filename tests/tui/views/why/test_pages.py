"""Why: the reasons both ways, with what would change them, in words that can be acted on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import inputs_of, roo_shop_at, texts
from tests.tui.support.session import Watched
from tests.tui.support.user import running

from promptscope_engine.learned import LearnedVersion, Wording
from promptscope_engine.prompt.model import Fragment, Lever, Origin, View
from promptscope_tui.session.snapshot import ApplyLevers, OpenSource, Snapshot
from promptscope_tui.settings import wordings
from promptscope_tui.views.subjects import Cursor, FileSubject, SwitchSubject, ToolSubject, WindowSubject
from promptscope_tui.views.under_cursor import place
from promptscope_tui.views.why.page import Page
from promptscope_tui.views.why.pages import why_page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shop of the tests stands that only look."""
    return tmp_path_factory.mktemp("why")


@pytest.fixture(scope="module")
def snapshot(folder: Path) -> Snapshot:
    """Everything that is known of the shop, with the effects of its switches."""
    with Watched(folder) as watched:
        return watched.session.snapshot


def words(page: Page) -> str:
    return "\n".join(line.rstrip() for line in texts(page.rows))


def test_an_absent_tool_says_what_is_missing_and_offers_the_lever(snapshot: Snapshot, folder: Path) -> None:
    page = why_page(ToolSubject("codebase_search"), snapshot, inputs_of(folder))
    text = words(page)
    assert " ✗ the code index is not ready\n" in text, "first a sentence"
    assert " ▸ the whole reason, 4 conditions\n" in text
    assert re.search(r"→ set codeIndex to ready  \+7\d\d tok", text)
    (pull,) = [link for link in page.links if isinstance(link, ApplyLevers)]
    assert pull.levers[0].param == "codeIndex"


def test_a_slip_of_the_agent_itself_is_marked(snapshot: Snapshot, folder: Path) -> None:
    text = words(why_page(Cursor("system_information"), snapshot, inputs_of(folder)))
    assert "A QUIRK OF THE AGENT\n ~ the example path '/test/path' is a leftover of the agent's own" in text
    assert "QUIRK" not in words(why_page(Cursor("objective"), snapshot, inputs_of(folder)))


def test_a_present_tool_lists_description_and_parameters(snapshot: Snapshot, folder: Path) -> None:
    text = words(why_page(ToolSubject("apply_diff"), snapshot, inputs_of(folder)))
    for part in (" ✓ offered\n", "PARAMETERS", "required", "DESCRIPTION", "one file"):
        assert part in text


def test_a_section_of_files_names_its_sources_with_lines(snapshot: Snapshot, folder: Path) -> None:
    assert snapshot.assembly is not None
    section = next(s for s in snapshot.assembly.sections if "safeWriteJson" in s.text)
    page = why_page(Cursor(section.id), snapshot, inputs_of(folder))
    text = words(page)
    assert ".roo/rules-code/typescript.md:1-5" in text
    assert "part " in text
    (source,) = [link for link in page.links if isinstance(link, OpenSource)]
    assert source.path == str(folder / "shop" / ".roo" / "rules-code" / "typescript.md")
    assert source.line == 1


def test_the_fragment_under_the_cursor_is_explained_first(snapshot: Snapshot, folder: Path) -> None:
    assert snapshot.assembly is not None
    rules = snapshot.assembly.section("rules")
    assert rules is not None
    index = next(n for n, f in enumerate(rules.fragments) if f.why is not None)
    text = words(why_page(Cursor("rules", "body", fragment=index), snapshot, inputs_of(folder)))
    assert text.index("UNDER THE CURSOR") < text.index("ALL OF RULES")


def test_learned_words_say_where_they_are_kept_and_in_how_many_runs_they_were_seen(
    snapshot: Snapshot, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path))
    own = Wording("rules", "abc", ("rules.intro",), ("Be brief.",)), Wording("rules", "def", (), ("Be kind.",))
    wordings.keep(LearnedVersion("roo", "3.28.16", (*own, Wording("tools.apply_diff", "012", (), ("Applies.",)))))
    assert snapshot.assembly is not None
    rules = snapshot.assembly.section("rules")
    assert rules is not None
    origins = [
        Origin("learned", id="rules.intro", name="seen in 24 of 25 runs", variant=v) for v in ("abc", "def", "012")
    ]
    learned = tuple(Fragment("Be it.", origin) for origin in origins[:2])
    sections = [replace(rules, fragments=learned) if each is rules else each for each in snapshot.assembly.sections]
    tools = [replace(each, learned_from=origins[2]) for each in snapshot.assembly.tools if each.name == "apply_diff"]
    assembly = replace(snapshot.assembly, sections=tuple(sections), tools=tuple(tools), learned_version="3.28.16")
    shown = replace(snapshot, assembly=assembly)

    text = words(why_page(Cursor("rules", "body", fragment=0), shown, inputs_of(folder)))
    assert "learned on this machine  rules.intro\n seen in 24 of 25 runs\n" in text
    text = words(why_page(ToolSubject("apply_diff"), shown, inputs_of(folder)))
    assert "learned on this machine  seen in 24 of 25 runs\n → roo@3.28.16/tools/apply_diff.md:2\n" in text

    subjects = Cursor("rules", "body", fragment=0), Cursor("rules", "body", fragment=1), ToolSubject("apply_diff")
    for subject, sent in zip(subjects, ("Be brief.", "Be kind.", "Applies."), strict=True):
        opened = place(subject, shown)
        assert opened is not None
        assert Path(opened.path).read_text().splitlines()[opened.line - 1] == sent
        assert opened in why_page(subject, shown, inputs_of(folder)).links


def test_an_absent_stretch_is_explained(snapshot: Snapshot, folder: Path) -> None:
    text = words(why_page(Cursor("rules"), snapshot, inputs_of(folder)))
    assert "LEFT OUT" not in text, "it is the agent's own wording"
    text = words(why_page(Cursor("rules", "absent", fragment=0), snapshot, inputs_of(folder)))
    assert "Not in RULES" in text
    assert "IT WOULD SAY" in text


def test_files_say_raw_against_injected_and_their_diagnostics(snapshot: Snapshot, folder: Path) -> None:
    text = words(why_page(FileSubject("AGENTS.md"), snapshot, inputs_of(folder)))
    assert "on disk" in text
    assert "injected" in text
    silenced = words(why_page(FileSubject(".roorules"), snapshot, inputs_of(folder)))
    assert " ✗ suppressed by ~/.roo/rules/me.md" in silenced
    assert "⚠" in silenced


def test_a_mode_tells_its_groups_and_what_it_would_change(snapshot: Snapshot, folder: Path) -> None:
    text = words(why_page(SwitchSubject("mode", '"docs-writer"'), snapshot, inputs_of(folder)))
    assert "groups read, edit" in text
    assert "REMOVES" in text
    assert "is the current value" in words(why_page(SwitchSubject("mode", '"code"'), snapshot, inputs_of(folder)))


def test_the_window_adds_up(snapshot: Snapshot, folder: Path) -> None:
    text = words(why_page(WindowSubject(), snapshot, inputs_of(folder)))
    for part in ("200,000 tokens", "reserve", "free", "compacts", "an estimate", "between"):
        assert part in text


def test_nothing_under_the_cursor_and_nothing_assembled_are_said(tmp_path: Path) -> None:
    empty = Snapshot(roo_shop_at(tmp_path))
    assert "There is no prompt yet" in words(why_page(None, empty, inputs_of(tmp_path)))


async def test_choosing_a_lever_flips_it_and_u_takes_it_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("2")
        user.app.main.pages.tools.go_to(ToolSubject("generate_image"))
        await user.pause()
        await user.press("w", "down", "enter")
        snapshot = await user.settle()
        assert snapshot.assembly is not None
        assert next(t for t in snapshot.assembly.tools if t.name == "generate_image").present
        await user.press("u")
        assert user.scenario.params == {}


async def test_a_saved_line_is_shown_as_a_difference(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        file = tmp_path / "shop" / ".roo" / "rules-code" / "typescript.md"
        snapshot = await user.save(file, file.read_text() + "Enums are const objects.\n")
        assert snapshot.assembly is not None
        section = next(s for s in snapshot.assembly.sections if "const objects" in s.text)
        text = words(why_page(Cursor(section.id), snapshot, inputs_of(tmp_path)))
        assert "SINCE THE LAST CHANGE" in text
        assert "+Enums are const objects." in text


def test_a_section_and_a_file_lead_to_the_prompts_they_tell_of(snapshot: Snapshot, folder: Path) -> None:
    assert snapshot.assembly is not None
    path = snapshot.assembly.files[0].path
    view = View("reviewer", Lever("mode", "ask"), "rules", path)
    leading = replace(snapshot, assembly=replace(snapshot.assembly, views=(view,)))
    for subject in (Cursor("rules"), FileSubject(path)):
        page = why_page(subject, leading, inputs_of(folder))
        assert "→ the prompt of reviewer" in words(page)
        assert ApplyLevers((view.lever,)) in page.links
    assert "SEE ALSO" not in words(why_page(Cursor("rules"), snapshot, inputs_of(folder)))


async def test_why_is_about_the_tab_that_is_shown(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 20)) as user:
        await user.press("4")
        user.why.shows("The context window")
        await user.press("6")
        user.why.hides("The context window")
        user.why.shows("Select a section")


async def test_the_title_of_why_stays_in_view(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (160, 16)) as user:
        why = user.app.main.why
        for size in ((160, 16), (80, 14)):
            await user.resize(*size)
            for tab, title in (("1", "RULES"), ("4", "The context window")):
                await user.press("escape", tab)
                user.app.main.prompt.goto("rules")
                await user.press("w", "G")
                assert why.scroll_offset.y == why.max_scroll_y
                assert why.max_scroll_y > 5 or tab == "4"
                first = "".join(segment.text for segment in why.render_line(0))
                assert first.strip(" ▌") == title, size
