"""The agent's own account of its window as a map."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.roo_shop import texts
from tests.tui.support.user import running

from promptscope_engine.agents.features import UNACCOUNTED, Category, ContextReport
from promptscope_tui.text.spans import width_of
from promptscope_tui.views.window.rows import context_rows

REPORT = ContextReport(
    (
        Category("System prompt", 6_000),
        Category("System tools", 9_000, kind="tools"),
        Category("System tools (deferred)", 8_000, used=False, kind="deferred"),
        Category("Memory files", 100, kind="files"),
        Category("Messages", 60_000, kind="messages"),
        Category("Free space", 91_900, used=False, kind="free"),
        Category("Autocompact buffer", 33_000, used=False, kind="reserve"),
    ),
    window=200_000,
    reserve=33_000,
    compact_at=167_000,
)


def cells(report: ContextReport, columns: int) -> str:
    lines = [line[1 : 1 + 2 * columns] for line in texts(context_rows(report, 120))[2:12]]
    return "".join(lines).replace(" ", "")


def test_a_cell_for_each_share_and_one_for_the_least() -> None:
    found = cells(REPORT, 10)
    assert len(found) == 100
    assert [found.count(shape) for shape in "■▤▥▦"] == [3, 4, 1, 30]
    assert found.index("│") == 83
    assert found.endswith("▒" * 16)


def test_a_long_window_has_twenty_columns() -> None:
    long = ContextReport(REPORT.categories, 1_000_000, 33_000, None)
    assert len(cells(long, 20)) == 200


@pytest.mark.parametrize("width", [38, 60, 78, 120, 200])
def test_the_map_fits_its_width(width: int) -> None:
    rows = context_rows(REPORT, width)
    assert all(row.wrap or width_of(row.left) <= width for row in rows)
    text = "\n".join(texts(rows))
    assert "Autocompact buf" in text
    assert "167,000" in text


def test_what_the_agent_does_not_account_for_is_a_row_with_a_note() -> None:
    more = ContextReport((*REPORT.categories, Category(UNACCOUNTED, 1_836, kind="unaccounted")), 200_000, 33_000, None)
    text = "\n".join(texts(context_rows(more, 120)))
    assert "Not in the agent's own account" in text
    assert "1,836" in text
    assert "reminders and listings" in text
    assert "reminders and listings" not in "\n".join(texts(context_rows(REPORT, 120)))


def test_an_answer_that_went_past_the_threshold_is_said() -> None:
    full = ContextReport(REPORT.categories, 200_000, 33_000, 167_000, reported=170_000)
    assert "so it compacts" in "\n".join(texts(context_rows(full, 80)))


def test_how_sure_the_window_is_stands_below_it() -> None:
    unsure = ContextReport(REPORT.categories, 200_000, 33_000, None, remark="read from the source")
    assert "read from the source" in "\n".join(texts(context_rows(unsure, 80)))


@pytest.mark.slow
async def test_the_window_tab_shows_the_account_and_the_last_answer(tmp_path: Path) -> None:
    async with running(monorepo_at(tmp_path), (80, 40)) as user:
        await user.press("4")
        user.window.shows("Memory files")
        user.session.set("usage.lastTotal", 150_000)
        await user.settle()
        shown = " ".join(user.window.text.split())
        assert "≈150,000 of 200,000 tok used" in shown
        assert "17,000 until it compacts" in shown
