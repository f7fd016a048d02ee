"""The line at the top of a view stays at the top at any size: in the prompt and in lists, wherever the cursor is."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.tui.support.make import assembly, from_file, section
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from promptscope_tui.text.spans import paragraph, row
from promptscope_tui.themes import DEFAULTS
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow

LONG = [" ".join(f"w{line}x{word}" for word in range(3 + 37 * line % 100)) for line in range(60)]
"""Lines of up to 100 words, each of which is there once."""


View = PromptView | RowList


def of_prompt() -> View:
    return PromptView()


def of_list() -> View:
    return RowList()


def fill(view: View) -> None:
    if isinstance(view, PromptView):
        view.show(assembly(section("long", from_file("\n".join(LONG) + "\n", "long.md"))))
        view.action_open_all()
    else:
        view.show(lambda _: [paragraph(line, indent=2, key=line[:6]) for line in LONG])


class Host(App[None]):
    """Nothing but the view."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {**super().get_theme_variable_defaults(), **DEFAULTS}

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        fill(self.view)
        self.view.focus()


def top_words(view: View) -> set[str]:
    """The words of the row at the top."""
    view.render_lines(view.size.region)
    return {word for word in view.render_line(0).text.split() if "x" in word}


async def resized(pilot: Pilot[None], width: int, height: int) -> None:
    await pilot.resize_terminal(width, height)
    await pilot.pause()


@pytest.mark.parametrize("made", [of_prompt, of_list])
async def test_the_top_line_stays(made: Callable[[], View]) -> None:
    dice = random.Random(5)
    view = made()
    async with Host(view).run_test(size=(90, 30)) as pilot:
        await pilot.pause()
        for at_the_end in (False, True, False, False):
            width, height = dice.randint(60, 200), dice.randint(10, 60)
            await resized(pilot, width, height)
            last = view.max_scroll_y
            view.scroll_to(y=last if at_the_end else dice.randint(1, last - 1), animate=False)
            await pilot.pause()
            before, rows = top_words(view), view.virtual_size.height
            assert before
            for _ in range(4):
                await resized(pilot, dice.randint(24, 250), dice.randint(8, 80))
                assert before & top_words(view) or view.scroll_offset.y == view.max_scroll_y
            await resized(pilot, width, height)
            assert (top_words(view), view.virtual_size.height) == (before, rows)


async def test_a_resize_at_the_end_of_a_long_file() -> None:
    """The cursor's row has a number that the rows of another width do not have."""
    view = of_prompt()
    async with Host(view).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("G")
        before = top_words(view)
        assert before
        for size in ((80, 24), (250, 20), (30, 60)):
            await resized(pilot, *size)
            assert before & top_words(view) or view.scroll_offset.y == view.max_scroll_y


async def test_where_another_width_has_other_rows_it_is_one_nearby() -> None:
    pairs = [f"{one} | {other}" for one, other in zip(LONG[::2], LONG[1::2], strict=True)]
    view = RowList()
    async with Host(view).run_test(size=(80, 9)) as pilot:
        view.show(lambda width: [row(text) for text in (pairs if width > 100 else LONG)])
        await pilot.pause()
        view.scroll_to(y=20, animate=False)
        before = top_words(view)
        await resized(pilot, 120, 9)
        assert view.scroll_offset.y == 20
        await resized(pilot, 80, 9)
        assert top_words(view) == before
