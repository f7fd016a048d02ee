"""The overview as rows: everything on one screen, at any width."""

from __future__ import annotations

import pytest

from promptscope_tui.text.spans import lay_out, width_of
from promptscope_tui.views.overview.items import KINDS, Item, Kind, OtherAgent, Overview
from promptscope_tui.views.overview.rows import overview_rows
from promptscope_tui.views.window.rows import Share

GROUPS = (Share("tool", "tools", 31_658), Share("builtin", "built in", 6_732), Share("file", "your files", 3_902))
AGENTS = tuple(OtherAgent(f"agent-{n}", f"Agent {n}", 10_000 + n, "reads AGENTS.md too") for n in range(6))


def items(kind: Kind, count: int, *, unconfirmed: str = "") -> list[Item]:
    return [
        Item(kind, f"{kind} {n}", 1_000 - n, f"{kind}/{n}.md", unconfirmed=unconfirmed, link=(kind, n))
        for n in range(count)
    ]


def overview(*found: Item, agents: tuple[OtherAgent, ...] = AGENTS, known: frozenset[Kind] | None = None) -> Overview:
    return Overview("roo", 42_292, 200_000, GROUPS, found, agents, frozenset(KINDS) if known is None else known)


FULL = [item for kind in KINDS for item in items(kind, 9)]


@pytest.mark.parametrize("width", [30, 57, 78, 100, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    for row in overview_rows(overview(*FULL), width, 30):
        for left, right in lay_out(row, width):
            assert width_of(left) + width_of(right) <= width


def test_a_screen_of_80x24_holds_a_line_of_every_kind_and_agent() -> None:
    rows = overview_rows(overview(*FULL, *items("costs-most-of-all", 1, unconfirmed="a login")), 78, 19)
    page = "\n".join(row.plain for row in rows)
    assert len(rows) <= 19
    for words in ("tools 31,658", "COSTS MOST, YOURS", "PAID TWICE", "CUT OR LEFT OUT", "WAKES", "GONE", "NEVER READ"):
        assert words in page
    assert all(agent.name in page for agent in AGENTS)


def test_room_that_is_left_goes_to_kinds_with_more() -> None:
    tall = "\n".join(row.plain for row in overview_rows(overview(*FULL), 100, 40))
    assert "paid-twice 4" in tall
    assert "4 more" in tall, "and what is still not shown is counted"
    low = "\n".join(row.plain for row in overview_rows(overview(*FULL), 100, 16))
    assert "paid-twice 0" in low
    assert "paid-twice 1 " not in low


def test_what_does_not_exist_says_so_and_what_is_not_known_yet_waits() -> None:
    rows = overview_rows(overview(known=frozenset({"paid-twice"})), 100, 30)
    lines = {row.left[1].text.strip(): row.plain for row in rows if len(row.left) > 1}
    assert lines["PAID TWICE"].endswith("nothing")
    assert lines["NEVER READ"].endswith("…")


def test_an_unconfirmed_number_has_a_mark_and_a_note() -> None:
    found = overview(*items("costs-most-of-all", 1, unconfirmed="a login"))
    rows = [row.plain for row in overview_rows(found, 100, 30)]
    assert any("1,000 ◌" in row for row in rows)
    assert rows[-1] == " ◌ not confirmed on this machine: only a login would show it"
    assert "◌" not in "".join(row.plain for row in overview_rows(overview(*FULL), 100, 30))


def test_every_line_with_a_figure_leads_somewhere() -> None:
    keys = [row.key for row in overview_rows(overview(*FULL), 100, 40) if row.key is not None]
    assert len(keys) == len(set(keys)), "no two lines are one place: the cursor would jump between them"
    assert {key for key in keys if isinstance(key, tuple)} >= {(kind, 0) for kind in KINDS}


def test_files_that_wake_share_a_line_the_dearest_by_name() -> None:
    rows = overview_rows(overview(*items("wakes", 9)), 78, 30)
    line = next(row.plain for row in rows if "WAKES" in row.plain)
    assert "wakes 0 1,000" in line
    assert " more" in line
    assert f"{sum(1_000 - n for n in range(9)):,}" in line
