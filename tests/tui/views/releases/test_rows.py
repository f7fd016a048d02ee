"""The versions of an agent as rows."""

from __future__ import annotations

from tests.tui.support.roo_shop import texts

from promptscope_engine.learned.model import LINES, LearnedVersion, Wording
from promptscope_tui.session.releases import Release, with_earlier
from promptscope_tui.views.releases.rows import FoundReleases, release_rows, version_rows

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
