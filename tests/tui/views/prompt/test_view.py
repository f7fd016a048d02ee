"""The prompt view as a user meets it: keys and mouse in, text and cursor out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import ClassVar

import pytest
from msgspec.structs import replace
from tests.tui.support.make import TYPESCRIPT, assembly, from_file, sample, section
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from promptscope_engine.prompt.model import AbsentFragment, Assembly, Reason
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import BY_ID
from promptscope_tui.session.snapshot import GoTo, OpenSource
from promptscope_tui.themes import DEFAULTS, THEMES
from promptscope_tui.views.prompt.layout import unfolded
from promptscope_tui.views.prompt.panels import Panels
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.subjects import Cursor, FileSubject
from promptscope_tui.widgets.messages import Requested

pytestmark = pytest.mark.slow

WIDTHS = [40, 80, 120]


class Host(App[None]):
    """Nothing but the view, and a record of what it says."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("main")

    def __init__(self, shown: Assembly, baseline: Assembly | None = None) -> None:
        super().__init__()
        self.shown, self.baseline = shown, baseline
        self.said: list[object] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {**super().get_theme_variable_defaults(), **DEFAULTS}

    def compose(self) -> ComposeResult:
        yield PromptView()

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        view = self.query_one(PromptView)
        view.show(self.shown, self.baseline)
        view.focus()

    def on_prompt_view_moved(self, message: PromptView.Moved) -> None:
        self.said.append(message.cursor)

    async def action_run(self, id: str) -> None:
        """What the main screen does with the keys that work everywhere on it."""
        if BY_ID[id].owner == "prompt":
            await self.run_action(BY_ID[id].call, self.query_one(PromptView))

    def on_requested(self, message: Requested) -> None:
        self.said.append(message.intent)


class Screen:
    """What a test does and sees."""

    def __init__(self, host: Host, pilot: Pilot[None]) -> None:
        self.host, self.pilot = host, pilot
        self.view = host.query_one(PromptView)

    async def press(self, *keys: str) -> Cursor:
        await self.pilot.press(*keys)
        await self.pilot.pause()
        return self.view.cursor

    @property
    def lines(self) -> list[str]:
        return ["".join(s.text for s in self.view.render_line(y)).rstrip() for y in range(self.view.size.height)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cursor_line(self) -> str:
        return next(line for line in self.lines if line.startswith("▌"))

    def row_of(self, words: str) -> int:
        return next(y for y, line in enumerate(self.lines) if words in line)


@asynccontextmanager
async def shown(
    made: Assembly, baseline: Assembly | None = None, *, width: int = 80, height: int = 30
) -> AsyncIterator[Screen]:
    """The view with every file folded, and the cursor at the top."""
    async with at_first(made, baseline, width=width, height=height) as screen:
        for panel in Panels(made).all:
            if panel.is_own and panel.id in unfolded(Panels(made), set()):
                screen.view.goto(panel.id)
                await screen.press("space")
        await screen.press("g")
        del screen.host.said[:-1]
        yield screen


@asynccontextmanager
async def at_first(
    made: Assembly, baseline: Assembly | None = None, *, width: int = 80, height: int = 30
) -> AsyncIterator[Screen]:
    """The view as it is first seen."""
    host = Host(made, baseline)
    async with host.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        yield Screen(host, pilot)


@pytest.mark.parametrize("width", WIDTHS)
async def test_first_sight(width: int) -> None:
    """The user's files are unfolded, with the cursor on the first; all else is folded, and in view."""
    async with at_first(sample(), width=width) as screen:
        assert screen.lines[0].startswith(" ▸ Role")
        assert "▸ TOOLS" in screen.text
        assert "▾ USER'S CUSTOM INST" in screen.text
        assert "▾ AGENTS.md" in screen.text
        assert "▹ MCP SERVERS  no server is" in screen.text
        assert screen.view.cursor == Cursor("custom.typescript", path=".roo/rules-code/typescript.md", line=1)
        assert screen.cursor_line.startswith("▌  ▾ ")
        assert [s for s in screen.host.said if isinstance(s, Cursor)] == [screen.view.cursor]


@pytest.mark.parametrize(("lines", "opened"), [(200, True), (201, False)])
async def test_a_long_file_stays_folded(lines: int, opened: bool) -> None:
    made = assembly(section("role", "You are."), section("long", from_file("a rule\n" * lines, "long.md")))
    async with at_first(made) as screen:
        assert ("▾ LONG" in screen.text) is opened
        assert screen.view.cursor.section_id == ("long" if opened else "role")


async def test_without_line_breaks_a_line_is_what_fits_on_a_screen() -> None:
    made = assembly(section("long", from_file("a rule " * 4_000, "long.md")), section("short", from_file("x", "b.md")))
    assert unfolded(Panels(made), set()) == {"short"}


async def test_thousands_of_files_are_not_all_unfolded() -> None:
    made = assembly(*(section(f"file{n}", from_file("a rule\n" * 100, f"{n}.md")) for n in range(60)))
    assert unfolded(Panels(made), set()) == {f"file{n}" for n in range(20)}


async def test_what_quotes_a_file_is_not_the_users_text() -> None:
    quoting = section("skills", "Use a skill where it fits, as you see it fit.", from_file("name: x", "SKILL.md"))
    assert unfolded(Panels(assembly(quoting)), set()) == set()


async def test_the_view_scrolls_only_where_the_first_file_is_out_of_sight() -> None:
    above = [section(f"part{n}", "You are.") for n in range(40)]
    made = assembly(*above, section("mine", from_file("one\ntwo\n", "CLAUDE.md")), section("last", "End."))
    async with at_first(made, height=44) as screen:
        assert screen.lines[0].startswith(" ▸ PART0")
        assert "two" in screen.text
    async with at_first(made, height=30) as screen:
        assert screen.view.cursor.section_id == "mine"
        assert screen.lines[0].startswith(" ▸ PART"), "folded headings stay above it"
        assert "two" in screen.text


async def test_another_agents_prompt_begins_at_its_first_file() -> None:
    async with at_first(sample()) as screen:
        await screen.press("g")
        other = assembly(section("intro", "You are."), section("mine", from_file("one\n", "SOUL.md")))
        screen.view.show(replace(other, agent="openclaw"))
        assert screen.view.cursor.section_id == "mine"
        await screen.press("g")
        screen.view.show(replace(other, agent="openclaw", mode="other"))
        assert screen.view.cursor.section_id == "intro", "of the same agent it stays where it was"


@pytest.mark.parametrize("width", WIDTHS)
async def test_folding_by_keys(width: int) -> None:
    async with shown(sample(), width=width) as screen:
        await screen.press("right_curly_bracket", "space")
        assert "▾ TOOLS" in screen.text
        assert "▸ read_file" in screen.text
        await screen.press("enter")
        assert "▸ TOOLS" in screen.text


async def test_moving_by_rows_pages_and_ends() -> None:
    async with shown(sample(), height=10) as screen:
        await screen.press("z")
        assert (await screen.press("j")).kind == "body"
        assert (await screen.press("k")) == Cursor("role")
        assert (await screen.press("G")).section_id == "custom.roorules"
        assert "▌" in screen.lines[-1]
        assert (await screen.press("g")) == Cursor("role")
        await screen.press("ctrl+d")
        assert screen.view.cursor_row == 5
        assert screen.view.scroll_offset.y == 3
        await screen.press("pagedown")
        assert screen.view.cursor_row == 15
        await screen.press("ctrl+u", "pageup")
        assert screen.view.cursor_row == 0
        assert screen.view.scroll_offset.y == 0


async def test_the_scroll_follows_the_cursor() -> None:
    async with shown(sample(), height=5) as screen:
        for key in ("down", "up"):
            for _ in range(screen.view.rows.height):
                await screen.press(key)
                assert screen.cursor_line


async def test_left_and_right() -> None:
    async with shown(sample()) as screen:
        await screen.press("j")
        assert (await screen.press("right")) == Cursor("tools")
        assert (await screen.press("right")).kind == "body"
        assert (await screen.press("left")) == Cursor("tools")
        screen.view.goto("tools.read_file", 4)
        assert screen.view.cursor == Cursor("tools.read_file", "body", None, None, "read_file", 0)
        await screen.press("left", "left")
        assert "▸ read_file" in screen.cursor_line
        assert (await screen.press("left")) == Cursor("tools")
        await screen.press("left")
        assert "▸ TOOLS" in screen.cursor_line


async def test_braces_go_from_header_to_header() -> None:
    async with shown(sample()) as screen:
        await screen.press("z", "j")
        assert (await screen.press("right_curly_bracket")) == Cursor("tools")
        assert (await screen.press("right_curly_bracket")).section_id == "tools.read_file"
        await screen.press("j", "j")
        assert (await screen.press("left_curly_bracket")).section_id == "tools.read_file"
        assert (await screen.press("left_curly_bracket")) == Cursor("tools")


async def test_all_open_all_closed() -> None:
    async with shown(sample(), height=60) as screen:
        await screen.press("z")
        assert "▸" not in screen.text
        screen.view.goto("custom.agents", 2)
        assert (await screen.press("Z")).section_id == "custom"
        assert "▾" not in screen.text


async def test_hiding_what_is_absent() -> None:
    async with shown(sample(), height=60) as screen:
        await screen.press("z")
        assert "✗ Begin with codebase_search." in screen.text
        assert (await screen.press("x")) == Cursor("role")
        assert "▹" not in screen.text
        assert "✗" not in screen.text
        await screen.press("x")
        assert "▹ browser_action" in screen.text


async def test_the_cursor_on_what_is_absent() -> None:
    async with shown(sample()) as screen:
        screen.view.goto("tools.browser_action")
        assert screen.view.cursor == Cursor("tools.browser_action", "absent", tool="browser_action")
        screen.view.goto("rules", 4)
        assert (await screen.press("j")) == Cursor("rules", "absent", fragment=0)


async def test_a_line_leads_to_its_file() -> None:
    async with shown(sample()) as screen:
        screen.view.goto("custom.agents", 3)
        assert screen.view.cursor == Cursor("custom.agents", "body", "AGENTS.md", 8, None, 1)
        await screen.press("enter")
        assert GoTo("files", FileSubject("AGENTS.md")) in screen.host.said
        screen.view.goto("custom.agents")
        assert screen.view.cursor == Cursor("custom.agents", "header", "AGENTS.md", 7)


@pytest.mark.parametrize("width", WIDTHS)
async def test_the_mouse_folds_and_points(width: int) -> None:
    async with shown(sample(), width=width) as screen:
        header = screen.row_of("AGENTS.md")
        await screen.pilot.click(PromptView, offset=(10, header))
        assert "AGENTS.md" in screen.cursor_line, "one click moves the cursor"
        assert "make test" not in screen.text
        await screen.pilot.click(PromptView, offset=(10, header), times=2)
        row = screen.row_of("make test")
        await screen.pilot.click(PromptView, offset=(12, row))
        assert screen.view.cursor.line == 8
        assert not any(isinstance(said, OpenSource) for said in screen.host.said)
        await screen.pilot.click(PromptView, offset=(12, row), times=2)
        await screen.pilot.pause()
        assert OpenSource("AGENTS.md", 8) in screen.host.said
        assert not screen.host.screen.get_selected_text()


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    async with shown(sample(), height=8) as screen:
        await screen.press("z")
        screen.view.scroll_down(animate=False)
        await screen.pilot.pause()
        assert screen.view.scroll_offset.y > 0
        assert screen.view.cursor_row == 0


async def test_the_row_under_the_mouse_is_lit() -> None:
    async with shown(sample()) as screen:
        before = screen.view.render_line(3)
        await screen.pilot.hover(PromptView, offset=(5, 3))
        await screen.pilot.pause()
        assert screen.view.render_line(3) != before
        await screen.pilot.hover(PromptView, offset=(5, 4))
        await screen.pilot.pause()
        assert screen.view.render_line(3) == before


def drawn(view: PromptView, beyond: int = 0) -> list[Strip]:
    """What the terminal gets of a view, and of some columns beside it."""
    return view.render_lines(Region(0, 0, view.region.width + beyond, view.region.height))


async def test_what_is_drawn_is_what_the_mouse_finds() -> None:
    """Cell by cell, also where the scroll bar is not laid out yet."""
    async with shown(sample()) as screen:
        await screen.press("Z")
        for beyond in (0, 3):
            strips = drawn(screen.view, beyond)
            assert [strip.cell_length for strip in strips] == [screen.view.region.width + beyond] * len(strips)
            lines = [screen.view.render_line(y).text for y in range(len(strips))]
            assert [strip.text[: len(line)] for strip, line in zip(strips, lines, strict=True)] == lines
            assert not any(segment.style.meta for strip in strips for segment in strip if segment.style)
        (part,) = screen.view.render_lines(Region(2, 1, 5, 1))
        assert part.text == strips[1].text[2:7]


async def test_what_was_drawn_before_is_drawn_again_only_where_it_looks_the_same() -> None:
    async with shown(sample()) as screen:
        before, changed = drawn(screen.view), set()
        for step in ("Z", "hover", "j", "pagedown", "pageup", "k", "space", "search", "drag", "blur", "theme"):
            if step == "search":
                screen.view.search("the")
            elif step == "hover":
                await screen.pilot.hover(PromptView, offset=(5, 3))
            elif step == "drag":
                await drag(screen, (3, 1), (20, 4))
            elif step == "blur":
                screen.host.set_focus(None)
            elif step == "theme":
                screen.host.theme = THEMES[1].name
            else:
                await screen.press(step)
            await screen.pilot.pause()
            kept = drawn(screen.view)
            screen.view.strips.clear()
            assert kept == drawn(screen.view), step
            if kept != before:
                changed.add(step)
            before = kept
        assert changed >= {"j", "space", "search", "hover", "drag", "blur", "theme"}


async def drag(screen: Screen, start: tuple[int, int], end: tuple[int, int]) -> None:
    await screen.pilot.mouse_down(PromptView, offset=start)
    await screen.pilot.hover(PromptView, offset=end)
    await screen.pilot.mouse_up(PromptView, offset=end)
    await screen.pilot.pause()


async def test_a_drag_selects_the_prompts_own_text() -> None:
    """Without gutters and wrapping, and with the characters that the screen only marks."""
    text = "alpha beta gamma delta epsilon zeta\n\x1b[1mbold\nlast\n"
    async with shown(assembly(section("a", from_file(text, "x.md"), title="A")), width=40) as screen:
        await screen.press("space")
        assert screen.lines[1].endswith("alpha beta gamma delta epsilon")
        await drag(screen, (6, 1), (38, 3))
        assert screen.host.screen.get_selected_text() == "alpha beta gamma delta epsilon zeta\n\x1b[1mbold"
        assert "▾ A" in screen.text
        await drag(screen, (1, 1), (10, 1))
        assert screen.host.screen.get_selected_text() == "alpha"


async def test_a_drag_on_a_header_does_not_fold() -> None:
    async with shown(sample()) as screen:
        await drag(screen, (3, 0), (6, 0))
        assert screen.host.screen.get_selected_text() == "Role"
        assert "▸ Role" in screen.text


async def test_search_reaches_folded_panels() -> None:
    async with shown(sample()) as screen:
        assert screen.view.search("surgical") == 1
        assert screen.view.search_position == (1, 1)
        await screen.pilot.pause()
        assert "▾ apply_diff" in screen.text
        assert "surgical" in screen.cursor_line
        assert screen.view.cursor.tool == "apply_diff"
        assert screen.view.search("no such words") == 0
        assert screen.view.search_position == (0, 0)


async def test_search_finds_what_a_mark_means() -> None:
    async with shown(sample(), height=60) as screen:
        marked = screen.view.search("absent")
        await screen.pilot.pause()
        assert screen.cursor_line.lstrip("▌ ").startswith("▹")
        while "✗ Begin with codebase_search." not in screen.cursor_line:
            assert screen.view.search_position[0] < marked, "the fragment that a present section lacks"
            screen.view.step_match(1)
            await screen.pilot.pause()
        await screen.press("x")
        assert screen.view.search_position == (0, 0), "what is hidden is not searched"


async def test_search_finds_what_was_cut_out_of_a_file() -> None:
    rest = from_file("third\nfourth\n", TYPESCRIPT, 3)
    cut = AbsentFragment(rest.text, rest.origin, Reason("over the limit"), 1)
    async with shown(assembly(section("rules", "first\n", absent=[cut]))) as screen:
        assert screen.view.search("cut") == 2
        assert "✂ lines 3-4 cut" in screen.text, "the header says so"
        screen.view.step_match(1)
        await screen.pilot.pause()
        assert "✂ lines 3-4 over the limit" in screen.cursor_line


async def test_search_goes_around() -> None:
    async with shown(sample()) as screen:
        total = screen.view.search("file")
        assert total > 5
        assert screen.view.search_position == (1, total)
        screen.view.step_match(1)
        assert screen.view.search_position == (2, total)
        screen.view.step_match(-1)
        screen.view.step_match(-1)
        assert screen.view.search_position == (total, total)
        screen.view.step_match(1)
        assert screen.view.search_position == (1, total)
        screen.view.clear_search()
        assert screen.view.search_position == (0, 0)


async def test_a_longer_term_is_searched_from_where_the_search_began() -> None:
    async with shown(sample()) as screen:
        screen.view.search("rules")
        assert screen.view.cursor.section_id == "rules"
        screen.view.search("r")
        screen.view.search("ru")
        screen.view.search("rules f")
        assert screen.view.cursor == Cursor("custom.typescript", "body", None, None, None, 0)


async def test_a_match_that_was_folded_is_in_view_at_once() -> None:
    long = section("long", "".join(f"line {n}\n" for n in range(60)) + "needle\n")
    async with shown(assembly(section("first", "text"), long), height=10) as screen:
        screen.view.search("needle")  # as when it is pasted: nothing was laid out for a part of it
        await screen.pilot.pause()
        assert "needle" in screen.cursor_line


async def test_panels_opened_for_a_word_that_was_not_finished_close_again() -> None:
    async with shown(sample(), height=60) as screen:
        screen.view.begin_search()
        assert screen.view.search("contents") > 0
        assert "▾ read_file" in screen.text
        screen.view.search("surgical")
        await screen.pilot.pause()
        assert "▾ apply_diff" in screen.text
        assert "▸ read_file" in screen.text
        screen.view.search("surgical nothing")
        await screen.pilot.pause()
        assert "apply_diff" not in screen.text
        assert screen.view.cursor == Cursor("role")


async def test_a_reload_keeps_folds_cursor_and_scroll() -> None:
    async with shown(sample(), height=12) as screen:
        screen.view.goto("custom.typescript", 1)
        screen.view.goto("custom.agents", 2)
        at, cursor = screen.row_of("Run the tests"), screen.view.cursor
        longer = "\n".join(f"line {n}" for n in range(40))
        screen.view.show(sample(TYPESCRIPT + longer), sample())
        await screen.pilot.pause()
        assert screen.view.cursor == cursor
        assert screen.row_of("Run the tests") == at
        screen.view.show(assembly(section("other", "text")))
        await screen.pilot.pause()
        assert screen.view.cursor.section_id == "other"


async def test_a_reload_keeps_what_is_in_sight_when_the_cursor_is_not() -> None:
    async with shown(sample(), height=10) as screen:
        await screen.press("z")
        screen.view.scroll_to(y=screen.view.rows.header("rules"), animate=False)
        await screen.pilot.pause()
        assert "RULES" in screen.lines[0]
        screen.view.show(sample(mcp=True), sample())
        await screen.pilot.pause()
        assert "RULES" in screen.lines[0]


async def test_changes_are_marked() -> None:
    async with shown(sample(TYPESCRIPT + "Use safeWriteJson.\n"), sample(), height=80) as screen:
        await screen.press("z")
        assert "┃+ 5 Use safeWriteJson." in screen.text
        assert "+4 =" in screen.lines[screen.row_of("▾ .roo/rules-code")]


async def test_a_resize_keeps_the_cursor_on_its_text() -> None:
    async with shown(sample(), width=120, height=12) as screen:
        screen.view.goto("rules", 7)
        before = screen.view.cursor_row
        await screen.pilot.resize_terminal(40, 12)
        await screen.pilot.pause()
        assert screen.view.cursor_row > before
        assert "- Prefer apply_diff," in screen.cursor_line


async def test_moved_is_posted_once_per_place() -> None:
    async with shown(sample()) as screen:
        said = [s for s in screen.host.said if isinstance(s, Cursor)]
        assert said == [Cursor("role")]
        await screen.press("j", "k")
        assert screen.host.said[-1] == Cursor("role")


async def test_nothing_to_show() -> None:
    async with shown(assembly()) as screen:
        assert screen.view.cursor == Cursor()
        await screen.press("j", "space", "enter", "left", "right", "z", "G", "n", "x", "right_curly_bracket")
        assert screen.view.search("x") == 0
        screen.view.goto("nowhere")
        assert screen.text.strip() == ""


async def test_every_theme_draws_and_keeps_the_words() -> None:
    async with shown(sample(), height=60) as screen:
        await screen.press("z")
        words = screen.text
        for theme in (*(theme.name for theme in THEMES), "textual-light"):
            screen.host.theme = theme
            await screen.pilot.pause()
            assert screen.text == words, theme


async def test_without_colours_the_cursor_is_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with shown(sample()) as screen:
        assert all(segment.style and segment.style.reverse for segment in screen.view.render_line(0))
        assert not any(segment.style and segment.style.reverse for segment in screen.view.render_line(1))


async def test_two_megabytes_are_opened_and_paged() -> None:
    line = "A rule that is long enough to be wrapped on a screen of eighty columns, and then some more.\n"
    async with shown(assembly(section("big", line * 22_000 + "The last one.\n"))) as screen:
        screen.view.goto("big", 1)
        await screen.pilot.pause()
        assert len(screen.view.rows.panels.by_id["big"].body.text) > 2_000_000
        assert "A rule that is long enough" in screen.text
        screen.view.action_end(1)
        await screen.pilot.pause()
        assert "The last one." in screen.text
