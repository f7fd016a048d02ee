"""A session, entry by entry: branches, results, and what a compaction keeps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.agents.openclaw.transcripts import Reader, is_transcript
from promptscope_engine.agents.transcripts import Transcript


def read(*entries: dict[str, Any], base: int = 100) -> Transcript:
    """A session whose texts count a token for each character."""
    reader = Reader(base, count=len)
    reader.feed("\n".join(map(json.dumps, entries)).encode())
    return reader.close()


def said(name: str, before: str | None, text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": text, **more}
    return {"type": "message", "id": name, "parentId": before, "message": message}


@pytest.mark.parametrize(
    ("head", "known"),
    [
        ({"type": "session", "version": 3, "cwd": "/w"}, True),
        ({"type": "session", "version": 3}, False),
        ({"type": "session", "cwd": "/w"}, False),
        ({"type": "message", "version": 3, "cwd": "/w"}, False),
    ],
)
def test_a_session_is_known_by_its_first_line(head: dict[str, Any], known: bool) -> None:
    assert is_transcript(json.dumps(head).encode()) is known


@pytest.mark.parametrize(
    ("entry", "turns", "other"),
    [
        ({"type": "session", "id": "s"}, [], 1),
        ({"type": "model_change", "provider": "a", "modelId": "b"}, [], 1),
        (said("a", None, "hello"), [("user", 5)], 0),
        ({"type": "message", "id": "a", "message": "no object"}, [], 1),
        (said("a", None, "hello", "assistant"), [("assistant", 5)], 0),
        (said("a", None, "four", "toolResult", toolName="ls"), [("user", 4)], 0),
        (said("a", None, "", "bashExecution", command="ls", output="four"), [("user", 6)], 0),
        ({"type": "branch_summary", "id": "a", "summary": "left"}, [("user", 4)], 0),
        ({"type": "custom_message", "id": "a", "content": "note"}, [("user", 4)], 0),
    ],
)
def test_what_is_a_turn(entry: dict[str, Any], turns: list[tuple[str, int]], other: int) -> None:
    found = read(entry)
    assert ([(turn.role, turn.tokens) for turn in found.turns], found.other) == (turns, other)


def test_words_thoughts_and_calls_are_one_answer() -> None:
    content = [
        {"type": "text", "text": "abc"}, {"type": "thinking", "thinking": "de"}, {"type": "text", "text": "f"},
        {"type": "toolCall", "name": "ls", "arguments": {}}, {"type": "image"}, {"type": "other", "text": "no"},
    ]  # fmt: skip
    (turn,) = read({"type": "message", "id": "a", "message": {"role": "assistant", "content": content}}).turns
    assert (turn.tokens, turn.text, turn.calls) == (3 + 2 + 1 + 2, "abc", ("ls",))
    (asked,) = read({"type": "message", "id": "a", "message": {"role": "user", "content": content}}).turns
    assert asked.tokens == 4 + 1_600


def test_the_results_of_an_answer_are_one_turn() -> None:
    results = [said(name, None, "four", "toolResult", toolName=tool) for name, tool in (("a", "ls"), ("b", ""))]
    found = read(*results, said("c", "b", "x"), said("d", "c", "four", "toolResult", toolName="ls"))
    assert [(turn.results, [result.tool for result in turn.returned]) for turn in found.turns] == [
        (2, ["ls", "?"]), (0, []), (1, ["ls"]),
    ]  # fmt: skip


@pytest.mark.parametrize(("before", "fill"), [("b", 112), ("a", 106), ("gone", 112), (None, 112)])
def test_a_branch_goes_on_from_the_entry_that_it_follows(before: str | None, fill: int) -> None:
    found = read(said("a", None, "hello"), said("b", "a", "answer", "assistant"), said("c", before, "x"))
    assert [turn.fill for turn in found.turns] == [105, 111, fill]


@pytest.mark.parametrize(
    ("usage", "reported"),
    [
        ({"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4}, 10),
        ({"input": 1, "totalTokens": 50}, 50),
        ({"totalTokens": 0, "output": 2}, 2),
        ({}, None),
        (None, None),
    ],
)
def test_what_an_answer_used(usage: Any, reported: int | None) -> None:
    (turn,) = read(said("a", None, "hi", "assistant", usage=usage)).turns
    assert turn.reported == reported


@pytest.mark.parametrize(
    ("first", "before", "remains", "words"),
    [
        ("b", 0, 3 + 6 + 1, ""),
        ("a", 0, 3 + 5 + 6 + 1, ""),
        ("c", 1_200, 3 + 1, "at 1,200 tokens"),
        ("gone", 0, 3, ""),
        ("", 1, 3, "at 1 tokens"),
    ],
)
def test_a_compaction_keeps_what_follows_an_entry(first: str, before: int, remains: int, words: str) -> None:
    compaction = {"type": "compaction", "id": "d", "summary": "sum", "firstKeptEntryId": first, "tokensBefore": before}
    talk = (said("a", None, "hello"), said("b", "a", "answer", "assistant"), said("c", "b", "x"))
    turn = read(*talk, compaction).turns[-1]
    assert (turn.role, turn.fill, turn.text) == ("compaction", 100 + remains, words)
