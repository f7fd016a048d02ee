"""Why a cache missed in a conversation, by what its answers report."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.transcripts import Cached, Role, Transcript, Turn
from promptscope_engine.insight.cache_turns import cache_misses


def answer(line: int, read: int, written: int, minute: int = 0, **more: Any) -> Turn:
    fill, at = read + written, f"2026-03-01T10:{minute:02}:00Z"
    return Turn(line, "assistant", 10, fill, fill, at=at, cached=Cached(read, written, fill, 300), **more)


def other(line: int, role: Role, fill: int) -> Turn:
    return Turn(line, role, 10, fill)


def test_a_cache_that_only_grows_misses_nothing() -> None:
    (found,) = cache_misses(Transcript((answer(1, 0, 9000), other(2, "user", 9100), answer(3, 9000, 500))))
    assert (found.before, found.after, found.again, found.causes) == (1, 3, 0, ())


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (answer(5, 2000, 8000, minute=1), "the transcript doesn't show why; it came after Search, Read"),
        (answer(5, 2000, 8000, minute=9), "9 min between the requests: an entry lives 5 min"),
        (answer(5, 2000, 8000, model="m-2"), "another model: m-1 → m-2"),
    ],
)
def test_what_is_between_two_answers_is_the_cause(second: Turn, says: str) -> None:
    first = answer(3, 0, 9000, model="m-1", calls=("Search", "Read", "Search"))
    second = second if second.model else answer(5, 2000, 8000, int(second.at[14:16]), model="m-1")
    (found,) = cache_misses(Transcript((other(1, "user", 1500), first, other(4, "user", 9100), second)))
    assert (found.again, found.read, found.written, found.held) == (7000, 2000, 8000, 9000)
    assert [cause.says for cause in found.causes] == [says]
    assert found.place == "read up to line 1"


def test_a_compaction_is_named() -> None:
    turns = (answer(1, 0, 9000), other(2, "compaction", 2000), answer(3, 0, 3000))
    (found,) = cache_misses(Transcript(turns))
    assert [cause.kind for cause in found.causes] == ["conversation"]
    assert found.place == "nothing was read"


def test_two_answers_may_be_chosen_by_their_lines() -> None:
    turns = tuple(answer(line, 9000, 10) for line in (1, 2, 3))
    assert [(each.before, each.after) for each in cache_misses(Transcript(turns), (1, 3))] == [(1, 3)]


def test_an_answer_that_reports_nothing_is_passed_over() -> None:
    silent = Turn(2, "assistant", 10, 9000, cached=Cached(0, 0, 0))
    (found,) = cache_misses(Transcript((answer(1, 0, 9000), silent, answer(3, 9000, 10))))
    assert (found.before, found.after) == (1, 3)


def test_a_service_that_was_never_seen_to_keep_anything_misses_nothing() -> None:
    def told(line: int, read: int) -> Turn:
        return Turn(line, "assistant", 10, 9000, 9000, cached=Cached(read, None, 9000))

    assert not [*cache_misses(Transcript((told(1, 0), told(2, 0), told(3, 0))))]
    found = [*cache_misses(Transcript((told(1, 0), told(2, 8900), told(3, 0))))]
    assert [each.after for each in found if each.missed] == [3]
