"""The versions of an agent: as rows, and in the app, where two of them are compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.apps import shared_at
from tests.tui.support.roo_shop import texts
from tests.tui.support.user import User, running

from promptscope_engine.learned import LINES, AddedTool, LearnedVersion, Wording
from promptscope_tui.session.releases import Release, keep_imported, with_earlier
from promptscope_tui.settings import wordings
from promptscope_tui.views.compare.screen import CompareScreen
from promptscope_tui.views.releases import FoundReleases, ReleasesScreen, release_rows, version_rows

WORDS = (Wording("intro", "v", ("intro.x",), ("Hi.",)), Wording("intro", "w", (*LINES, "a"), ("b",)))
OWN = LearnedVersion("claude-code", "2.1.333", WORDS, "2026-11-27T09:00:00+00:00", base="2.1.332", runs=("a", "b"))
FOUND = FoundReleases(
    "Claude Code",
    (
        Release("claude-code", "2.1.240", "imported", 17_000, 3_000, 4_000, 10_000, 14),
        Release("claude-code", "2.1.331", "modelled", 18_000, 2_500, 4_500, 11_000, 14, "2026-11-26"),
        Release("claude-code", "2.1.332", "modelled", 18_100, 2_500, 4_500, 11_100, 14, "2026-11-26"),
        Release("claude-code", "2.1.333", "learned", 19_304, 2_500, 4_600, 12_204, 15, "", OWN.learned),
    ),
    "2.1.332",
    "2.1.333",
    (OWN,),
)


def page(version: str) -> str:
    return "\n".join(texts(list(version_rows(FOUND, version))))


def test_the_newest_version_comes_first_with_its_parts_and_how_it_is_known() -> None:
    lines = [line.split() for line in texts(release_rows(FOUND, (), 120))]
    assert lines[0] == ["version", "tokens", "±", "system", "messages", "tools", "of", "them", "known"]
    assert lines[1] == ["2.1.333", "19,304", "2,500", "4,600", "12,204", "15", "installed,", "learned", "2026-11-27"]
    assert lines[2][:4] == ["●", "2.1.332", "18,100", "+100"]
    assert lines[2][-3:] == ["shown,", "modelled", "2026-11-26"]
    assert lines[4][-1] == "imported"


def test_a_size_is_compared_with_one_in_the_same_words_only() -> None:
    assert [(each.version, before and before.version) for each, before in with_earlier(FOUND.releases)] == [
        ("2.1.240", None), ("2.1.331", None), ("2.1.332", "2.1.331"), ("2.1.333", None),
    ]  # fmt: skip


def test_marked_versions_have_a_tick() -> None:
    ticked = [line.split()[1] for line in texts(release_rows(FOUND, ("2.1.331", "2.1.333"), 80)) if "✓" in line]
    assert ticked == ["2.1.333", "2.1.331"]


def test_on_a_narrow_screen_the_parts_make_room() -> None:
    heads = {width: texts(release_rows(FOUND, (), width))[0].split() for width in (40, 80)}
    assert heads[40] == ["version", "tokens", "±", "known"]
    assert "system" in heads[80]


def test_each_version_says_what_is_known_of_it() -> None:
    assert "tools        11,100  +100  14 tools" in page("2.1.332")
    assert "± 2.1.331, the one before in the same words" in page("2.1.332")
    assert "Not learned: reworded" in page("2.1.332")
    assert "1 text in its own words, from 2 runs, with the parts of 2.1.332" in page("2.1.333")
    assert "L learns" not in page("2.1.333")
    assert "its sizes alone are known" in page("2.1.240")
    assert page("nothing") == ""


def test_an_agent_without_any_version_says_so() -> None:
    assert "No version of Other is known." in "\n".join(texts(release_rows(FoundReleases("Other", (), ""), (), 80)))


@pytest.fixture(autouse=True)
def _known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions of Codex were learned, and one was imported."""
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    shout = AddedTool("shout", ("Does it.",), ('{"type": "object"}',), seen="it was sent in 9 of 9 runs")
    for day, (version, added) in enumerate((("0.900.0", ()), ("0.901.0", (shout,))), 1):
        when = f"2026-12-{day:02}T10:00:00+00:00"
        wordings.keep(LearnedVersion("codex", version, (), when, base="0.169.0", added=added))
    keep_imported([Release("codex", "0.800.0", "imported", 9_000, 5_000, 1_000, 3_000, 12)])


async def listed(user: User) -> ReleasesScreen:
    await user.press("H")
    await user.app.workers.wait_for_complete()
    await user.pause()
    assert isinstance(user.app.screen, ReleasesScreen)
    return user.app.screen


async def compared(user: User) -> CompareScreen:
    await user.app.workers.wait_for_complete()
    await user.pause()
    assert isinstance(user.app.screen, CompareScreen)
    return user.app.screen


@pytest.mark.slow
async def test_versions_are_listed_and_compared_with_the_one_that_is_shown(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="codex", learned=True), (120, 36)) as user:
        assert "Codex 0.901.0" in user.header.text
        screen = await listed(user)
        assert screen.choices.key == "0.901.0", "the one that is shown"
        assert "shown, learned 2026-12-02" in screen.choices.plain
        await user.press("enter")
        found = await compared(user)
        assert found.sides == ("codex@0.900.0", "codex@0.901.0")
        assert "+ shout" in found.choices.plain
        await user.press("escape", "G", "enter")
        assert (await compared(user)).sides == ("codex@0.169.0", "codex@0.901.0")


@pytest.mark.slow
async def test_two_that_are_marked_are_compared_and_one_that_was_imported_cannot_be(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="codex", learned=True), (120, 36)) as user:
        screen = await listed(user)
        await user.press("down", "m", "G", "m", "g", "enter")
        assert (await compared(user)).sides == ("codex@0.169.0", "codex@0.900.0")
        await user.press("escape")
        screen.choices.go_to("0.800.0")
        await user.press("m")
        assert "has its sizes alone" in str(screen.query_one("#lists-note").render())
        await user.press("enter")
        assert user.app.screen is not screen, "the two marked ones"


@pytest.mark.slow
async def test_the_version_before_is_one_key_away_and_a_side_like_others(tmp_path: Path) -> None:
    async with running(shared_at(tmp_path, agent="codex", learned=True), (120, 36)) as user:
        user.app.main.note("Codex 0.901.0: 1 new tool since 0.900.0; enter shows it", leads_to="release_changes")
        await user.press("enter")
        assert (await compared(user)).sides == ("codex@0.900.0", "codex@0.901.0")
        await user.press("escape", "enter")
        assert user.app.screen is user.app.main, "enter is the row's again"
        await user.press("K")
        screen = await compared(user)
        assert screen.sides == ("codex@0.900.0", "codex@0.901.0")
        await user.press("a", *"0.169")
        assert "codex@0.169.0" in user.view("#picker-list").text
        await user.press("enter")
        screen = await compared(user)
        assert screen.found is not None
        assert [each.name for each in screen.found.tools] == ["shout"], "no words of 0.901.0 are compared with ours"
    async with running(shared_at(tmp_path, agent="codex", agent_version="0.169.0"), (120, 36)) as user:
        await user.press("K")
        assert user.note == "no version of Codex before 0.169.0 is known here"
