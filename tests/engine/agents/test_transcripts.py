"""A recorded conversation as a whole: what it comes to, and what of it was not read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from promptscope_engine.agents.transcripts import (
    MAX_BYTES,
    PIECE,
    Role,
    Transcript,
    TranscriptFile,
    Turn,
    newest_first,
)
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk


def told(*fills: int) -> Transcript:
    roles: tuple[Role, ...] = ("user", "assistant")
    return Transcript(tuple(Turn(n, roles[n % 2], 10 * (n + 1), fill) for n, fill in enumerate(fills)), base=7)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 0), ()),
        ((1, 0, 0), ("1 line does not parse",)),
        ((2, 0, 0), ("2 lines do not parse",)),
        ((0, 1, 0), ("1 line is too long and was passed over",)),
        ((0, 3, 0), ("3 lines are too long and were passed over",)),
        ((0, 0, 1), ("1 byte past the limit was not read",)),
        ((1, 0, 4_000), ("1 line does not parse", "4,000 bytes past the limit were not read")),
    ],
)
def test_what_was_not_read_is_said_in_words(counts: tuple[int, int, int], words: tuple[str, ...]) -> None:
    broken, too_long, left_out = counts
    assert Transcript((), broken=broken, too_long=too_long, left_out=left_out).problems() == words
    assert Transcript((), other=5).problems() == ()


@pytest.mark.parametrize(("threshold", "line"), [(None, None), (20, 0), (21, 1), (50, 1), (51, None)])
def test_it_compacts_at_the_first_turn_that_reaches_the_threshold(threshold: int | None, line: int | None) -> None:
    found = told(20, 50, 30).compacts_at(threshold)
    assert (found.line if found else None) == line


def test_what_the_window_holds_at_the_end_and_at_most() -> None:
    assert (told(20, 50, 30).fill, told(20, 50, 30).peak) == (30, 50)
    assert (told().fill, told().peak, told().messages) == (7, 7, 0)


def test_messages_are_those_since_the_last_compaction() -> None:
    compaction = Turn(0, "compaction", 3, 0)
    user = told(20).turns
    assert Transcript(user * 2).messages == 20
    assert Transcript((*user, compaction, *user * 2, compaction, *user)).messages == 13
    assert Transcript((*user, compaction)).messages == 3


def test_half_a_gigabyte_of_a_transcript_is_read() -> None:
    class Endless(EmptyDisk):
        def chunks(self, path: str, size: int) -> Iterator[bytes]:  # type: ignore[override]  # noqa: ARG002
            chunk = bytes(size)
            while True:
                yield chunk

    workspace = Workspace(Endless())
    workspace.allow(["/work"])
    assert sum(map(len, workspace.chunks("/work/a.jsonl", PIECE, MAX_BYTES))) == 512 * 1024 * 1024


def test_nothing_is_told_of_a_file_without_a_line() -> None:
    empty, turn = Transcript(()), Turn(1, "user", 5, 5)
    assert (empty.base, empty.broken, empty.other, empty.too_long, empty.left_out) == (0, 0, 0, 0, 0)
    assert (turn.results, turn.result_tokens, turn.reported) == (0, 0, None)


@pytest.mark.parametrize(
    ("threshold", "fills"), [(None, [30, 60, 90]), (60, [30, 60, 37]), (61, [30, 60, 90]), (91, [30, 60, 90])]
)
def test_behind_what_reaches_the_threshold_it_is_counted_from_the_prompt_on(
    threshold: int | None, fills: list[int]
) -> None:
    found = told(30, 60, 90).compacted(threshold)
    assert [turn.fill for turn in found.turns] == fills
    assert found.turns[0].tokens == 10


def test_what_an_answer_reported_is_not_compacted() -> None:
    turns = (Turn(1, "assistant", 1, 30, reported=30), Turn(2, "user", 1, 60), Turn(3, "compaction", 1, 20))
    later = (Turn(4, "user", 1, 50), Turn(5, "user", 1, 80))
    assert [turn.fill for turn in Transcript((*turns, *later), base=7).compacted(45).turns] == [30, 60, 20, 50, 37]
    assert [turn.fill for turn in Transcript((turns[0], *later), base=7).compacted(45).turns] == [30, 50, 37]
    (reported,) = Transcript((turns[0],), base=7).compacted(30).turns
    assert reported.fill == 30
    assert [turn.fill for turn in Transcript((turns[0], *later), base=7).compacted(30).turns] == [30, 27, 57]


@pytest.mark.parametrize(("threshold", "is_same"), [(6, True), (7, True), (8, False)])
def test_a_threshold_within_the_prompt_compacts_nothing(threshold: int, is_same: bool) -> None:
    found = told(8, 20)
    assert (found.compacted(threshold) is found) is is_same


@pytest.mark.parametrize(("count", "listed"), [(999, 999), (1_000, 1_000), (1_001, 1_000)])
def test_a_thousand_are_listed_those_of_the_workspace_first(count: int, listed: int) -> None:
    files = [TranscriptFile(f"/{n}", 1, float(n), here=n == 0) for n in range(count)]
    found = newest_first(iter(files))
    assert (len(found), found[0].path, found[1].path) == (listed, "/0", f"/{count - 1}")
