"""What is absent is one row, until somebody wants to see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.linked_repo import linked_repo_at
from tests.tui.support.user import User, running

from promptscope_tui.views.prompt.layout import HeaderRow
from promptscope_tui.views.prompt.panels import ABSENT_PARTS

pytestmark = pytest.mark.slow


def headers(user: User) -> list[str]:
    """The ids of the panels from top to bottom, those that are scrolled away too."""
    rows = user.app.main.prompt.rows
    found = (rows.row(y) for y in range(rows.height))
    return [row.panel.id for row in found if isinstance(row, HeaderRow)]


def absent(user: User) -> set[str]:
    """The ids of the outermost sections that are absent."""
    return {section.id for section in user.assembly.sections if section.parent is None and not section.present}


def folded(user: User) -> bool:
    """Whether their row stands for all of them."""
    prompt = user.app.main.prompt
    row = prompt.rows.row(0)
    words = f"{len(absent(user))} absent"
    return row.panel.title == words and not absent(user) & set(headers(user))


async def test_one_row_stands_for_them_and_opens_them_in_their_places(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("1", "g")
        assert folded(user)
        await user.press("space")
        order = [section.id for section in user.assembly.sections if section.parent is None]
        assert [id for id in headers(user) if id in order] == order
        await user.press("space")
        assert folded(user)


async def test_x_shows_them_then_nothing_of_them_then_their_row(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("1", "x")
        assert absent(user) <= set(headers(user))
        await user.press("x")
        assert not {ABSENT_PARTS, *absent(user)} & set(headers(user))
        assert "hidden" in user.note
        await user.press("x")
        assert folded(user)


async def test_z_opens_them_with_every_panel(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("1", "z")
        assert absent(user) <= set(headers(user))
        await user.press("Z")
        assert folded(user)


async def test_the_cursor_begins_at_the_users_own_file(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("1")
        row = user.app.main.prompt.rows.row(user.app.main.prompt.cursor_row)
        assert row.panel.title == "CLAUDE.md"
        assert user.app.main.prompt.scroll_offset.y == 0, "with all that is above it in view"


async def test_a_search_finds_them_and_another_one_folds_them_again(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (120, 40)) as user:
        await user.press("1", "slash", *"cache breaker")
        row = user.app.main.prompt.rows.row(user.app.main.prompt.cursor_row)
        assert row.panel.title == "Cache breaker"
        await user.press(*["backspace"] * len("cache breaker"), *"add a dependency")
        assert folded(user)


async def test_what_a_switch_takes_out_stays_in_sight(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (160, 40)) as user:
        before = absent(user)
        await user.press("1", "b")
        user.session.set("args.bare", True)
        await user.settle()
        lost = absent(user) - before
        assert lost
        assert lost <= set(headers(user))
        assert not (absent(user) & before) & set(headers(user))


async def test_why_lists_them_with_their_reasons(tmp_path: Path) -> None:
    async with running(linked_repo_at(tmp_path), (160, 50)) as user:
        await user.press("1", "g")
        user.why.shows(f"{len(absent(user))} absent", "Cache breaker")
        await user.press("w")
        user.app.main.why.go_to(0)
        await user.press("enter")
        assert user.prompt.has_focus
        row = user.app.main.prompt.rows.row(user.app.main.prompt.cursor_row)
        assert row.panel.id in absent(user)
