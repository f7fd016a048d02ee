"""Chats of lines and of one document: what of them is the conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.transcripts import Transcript

START = {"sessionId": "s", "projectHash": "h"}


def said(name: str, text: str, kind: str = "user", **more: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, "content": [{"text": text}], **more}


TALK = (said("1", "aaaa"), said("2", "b" * 8, "gemini", model="m"), said("3", "c" * 12), said("4", "d", "gemini"))


def read(*entries: dict[str, Any]) -> Transcript:
    agent = load_agent("gemini")
    assert isinstance(agent, KeepsTranscripts)
    reader = agent.transcript_reader(100, {})
    reader.feed("".join(f"{json.dumps(entry)}\n" for entry in (START, *entries)).encode())
    return reader.close()


def texts(found: Transcript) -> list[str]:
    return [turn.text[:1] or turn.role for turn in found.turns]


@pytest.mark.parametrize(
    ("name", "left"), [("1", []), ("2", ["a"]), ("3", ["a", "b"]), ("4", ["a", "b", "c"]), ("5", ["a", "b", "c", "d"])]
)
def test_a_chat_goes_on_before_a_message(name: str, left: list[str]) -> None:
    before, found = read(*TALK), read(*TALK, {"$rewindTo": name})
    assert texts(found) == left
    assert found.other == before.other + 1
    assert texts(read(*TALK, {"$rewindTo": name}, said("9", "new"))) == [*left, "n"]


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        (TALK[:2], ["a", "b"]),
        (TALK, ["a", "b", "c", "d"]),
        ((said("9", "summary"), TALK[3]), ["a", "b", "c", "d", "compaction", "s", "d"]),
        ((), ["a", "b", "c", "d", "compaction"]),
    ],
)
def test_a_history_that_is_replaced(kept: tuple[dict[str, Any], ...], shown: list[str]) -> None:
    found = read(*TALK, {"$set": {"messages": list(kept)}})
    assert texts(found) == shown
    if "compaction" in shown:
        at = shown.index("compaction")
        assert (found.turns[at].line, found.turns[at].tokens, found.turns[at].fill) == (6, 0, 100)
        assert [turn.fill for turn in found.turns[at + 1 :]] == [102, 103][: len(shown) - at - 1]


@pytest.mark.parametrize(
    ("entry", "is_message"),
    [
        (said("9", "x"), True),
        (said("9", "x", "gemini"), True),
        (said("9", "x", "info"), False),
        (said("9", "<session_context>\nx"), False),
        ({"$set": {"lastUpdated": "now"}}, False),
        ({"lastUpdated": "now"}, False),
    ],
)
def test_which_lines_are_messages(entry: dict[str, Any], is_message: bool) -> None:
    before, found = read(*TALK), read(*TALK, entry)
    assert (len(found.turns) - len(before.turns), found.other - before.other) == (is_message, not is_message)


def test_a_message_that_is_written_again_stays_where_it_was() -> None:
    found = read(*TALK, said("2", "new", "gemini", model="n"))
    assert texts(found) == ["a", "n", "c", "d"]
    assert (found.turns[1].line, found.model) == (3, "n")


@pytest.mark.parametrize("own", [True, False])
def test_results_that_a_call_holds_follow_it_unless_they_are_sent(own: bool) -> None:
    result = {"functionResponse": {"name": "glob", "response": {"output": "12345678"}}}
    call = {"name": "glob", "args": {}, "result": [result]}
    asked = {**said("2", "b", "gemini"), "toolCalls": [call]}
    sent = {"id": "3", "type": "user", "content": [result]}
    found = read(TALK[0], asked, *([sent] if own else []), said("4", "d", "gemini"))
    assert [turn.role for turn in found.turns] == ["user", "assistant", "user", "assistant"]
    assert [len(turn.returned) for turn in found.turns] == [0, 0, 1, 0]
    assert found.turns[2].line == (4 if own else 3)


def test_a_chat_of_one_document() -> None:
    agent = load_agent("gemini")
    assert isinstance(agent, KeepsTranscripts)
    reader = agent.transcript_reader(100, {})
    assert reader.transcript().turns == ()
    for piece in (json.dumps({**START, "messages": TALK}, indent=1)[at : at + 7] for at in range(0, 2_000, 7)):
        reader.feed(piece.encode())
    found = reader.close()
    assert (texts(found), found.model, found.other) == (["a", "b", "c", "d"], "m", 0)
    assert not reader.grows
    lines = agent.transcript_reader(100, {})
    assert lines.grows
    lines.feed(json.dumps(START).encode() + b"\n")
    assert lines.grows
