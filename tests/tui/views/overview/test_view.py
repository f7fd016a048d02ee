"""The overview in the app: the first page, whose lines lead to their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import shared_at
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import running

pytestmark = pytest.mark.slow


async def test_the_first_page_answers_without_a_key(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="claude-code"), (80, 24), page=None, agents=True) as user:
        page = user.overview
        assert page.has_focus
        page.shows("COSTS MOST, YOURS", "CLAUDE.md", "PAID TWICE", "OTHER AGENTS", "Codex")
        assert len(page.lines) <= page.widget.size.height, "nothing to scroll"


async def test_each_line_leads_to_its_place_and_escape_leads_back(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), page=None) as user:
        first = next(row for row in user.overview.rows if row.key is not None)
        await user.press("enter")
        assert user.tab == "prompt"
        assert user.app.main.prompt.cursor.path is not None
        await user.press("escape")
        assert user.tab == "overview"
        assert user.overview.key == first.key


async def test_a_line_of_another_agent_shows_that_agent(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="claude-code"), page=None, agents=True) as user:
        await user.overview.row("Codex").press("enter")
        assert user.assembly.agent == "codex"
        assert user.tab == "overview"
        user.overview.shows("Claude Code")


async def test_a_save_is_seen(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="claude-code"), page=None) as user:
        user.overview.hides("there is no")
        await user.save(tmp_path / "repo" / "CLAUDE.md", "Read `./docs/gone.md` first, [here](docs/gone.md).\n")
        user.overview.shows("docs/gone.md")


async def test_more_height_has_room_for_more_lines(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), (100, 16), page=None) as user:
        low = len(user.overview.rows)
        await user.resize(100, 50)
        assert len(user.overview.rows) > low
        await user.resize(100, 16)
        assert len(user.overview.rows) == low


@pytest.mark.parametrize("key", ["0", "1"])
async def test_0_shows_it_and_1_stays_the_prompt(tmp_path: Path, key: str) -> None:
    async with running(roo_shop_at(tmp_path)) as user:
        await user.press("3", key)
        assert user.tab == {"0": "overview", "1": "prompt"}[key]
