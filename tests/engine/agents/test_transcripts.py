"""A recorded conversation as a whole: what it comes to, and what of it was not read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from promptscope_engine.agents.transcripts import MAX_BYTES, PIECE, Role, Transcript, Turn
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
        def pieces(self, path: str, size: int) -> Iterator[bytes]:  # type: ignore[override]  # noqa: ARG002
            piece = bytes(size)
            while True:
                yield piece

    workspace = Workspace(Endless())
    workspace.allow(["/work"])
    assert sum(map(len, workspace.pieces("/work/a.jsonl", PIECE, MAX_BYTES))) == 512 * 1024 * 1024
