"""Chats of lines and of one document: what of them is the conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.gemini.transcripts import Reader, is_transcript
from promptscope_engine.agents.kit.sessions.conversation import IMAGE_TOKENS
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.transcripts import HEAD, Transcript

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
    for span in (json.dumps({**START, "messages": TALK}, indent=1)[at : at + 7] for at in range(0, 2_000, 7)):
        reader.feed(span.encode())
    found = reader.close()
    assert (texts(found), found.model, found.other) == (["a", "b", "c", "d"], "m", 0)
    assert not reader.grows
    lines = agent.transcript_reader(100, {})
    assert lines.grows
    lines.feed(json.dumps(START).encode() + b"\n")
    assert lines.grows


@pytest.mark.parametrize(
    ("first", "is_one"),
    [(START, True), ({"sessionId": "s"}, False), ({"projectHash": "h"}, False), ({"x": START}, False)],
)
def test_what_a_chat_begins_with(first: dict[str, Any], is_one: bool) -> None:
    assert is_transcript(json.dumps(first).encode()) is is_one


@pytest.mark.parametrize(
    ("entry", "tokens", "text", "results"),
    [
        ({"type": "user", "content": "x" * 8}, 2, "x" * 8, 0),
        (
            {"type": "user", "content": [{"text": "x" * 8}, {"text": ""}, {"inlineData": {}}, 5]},
            2 + IMAGE_TOKENS,
            "x" * 8,
            0,
        ),
        (
            {"type": "gemini", "content": "xxxx", "thoughts": [{"subject": "abc", "description": "defg"}, 5]},
            3,
            "xxxx",
            0,
        ),
        ({"type": "gemini", "content": "", "toolCalls": [{"name": "glob", "args": {}}]}, 1, "", 0),
        ({"type": "user", "content": [{"functionResponse": {"response": {"output": "x" * 8}}}]}, 2, "x" * 8, 1),
        ({"type": "user", "content": [{"functionResponse": {"response": {"error": "x" * 8}}}]}, 2, "x" * 8, 1),
        ({"type": "user", "content": [{"functionResponse": {"response": {"a": "bcde"}}}]}, 4, '{"a": "bcde"}', 1),
        (
            {"type": "user", "content": [{"text": "<session_context>"}, {"functionResponse": {}}]},
            6,
            "<session_context>",
            1,
        ),
        ({"type": "user", "content": [{"functionResponse": 5}]}, 0, "", 0),
    ],
)
def test_what_a_message_takes_and_shows(entry: dict[str, Any], tokens: int, text: str, results: int) -> None:
    [turn] = read({"id": "1", **entry}).turns
    assert (turn.tokens, turn.text, turn.results) == (tokens, text, results)


@pytest.mark.parametrize(
    ("told", "reported"),
    [
        (None, None), ({}, None), ({"total": 9, "input": 1}, 9), ({"input": 1}, 1),
        ({"total": 0, "input": 1, "output": 2, "thoughts": 4}, 7), ({"total": 0}, None), ([], None),
    ],
)  # fmt: skip
def test_what_an_answer_reports(told: Any, reported: int | None) -> None:
    assert [turn.reported for turn in read(said("1", "x", "gemini", tokens=told)).turns] == [reported]


@pytest.mark.parametrize(
    ("kind", "after", "roles"),
    [
        ("gemini", [], ["assistant"]),
        ("gemini", [said("2", "b")], ["assistant", "user", "user"]),
        ("gemini", [said("2", "b", "gemini")], ["assistant", "user", "assistant"]),
    ],
)
def test_a_held_result_is_sent_with_what_follows(kind: str, after: list[dict[str, Any]], roles: list[str]) -> None:
    """The last call's result is not sent yet."""
    result = {"functionResponse": {"name": "glob", "response": {"output": "12345678"}}}
    found = read({**said("1", "a", kind), "toolCalls": [{"name": "glob", "result": [result]}]}, *after)
    assert [turn.role for turn in found.turns] == roles


def test_results_under_a_calls_id_are_all_sent_once_a_session_is_resumed() -> None:
    result = {"id": "2", "type": "user", "content": [{"functionResponse": {"name": "g", "response": {"output": "x"}}}]}
    kept = [TALK[0], result, result, result]
    found = read(TALK[0], result, {"$set": {"messages": kept}}, {"$rewindTo": "2"})
    assert len(read(TALK[0], result, {"$set": {"messages": kept}}).turns) == 4
    assert texts(found) == ["a"]
    assert [turn.line for turn in read(*TALK[:2], {"$set": {"messages": [*TALK[:2], TALK[3]]}}).turns] == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "is_document"),
    [
        (json.dumps({**START, "messages": []}), True),
        ('{\n "sessionId": "s"', True),
        ('{\r\n "sessionId": "s"', True),
        (" {", True),
        (json.dumps(START) + "\n", False),
        (json.dumps(START), False),
        ("", False),
    ],
)
def test_which_kind_of_chat_it_is(text: str, is_document: bool) -> None:
    reader = Reader(0)
    reader.feed(f"{text}\n".encode())
    assert reader.grows is not is_document


@pytest.mark.parametrize(("length", "is_known"), [(HEAD - 1, False), (HEAD, True), (HEAD + 1, True)])
def test_the_kind_is_known_by_so_much_of_the_file(length: int, is_known: bool) -> None:
    reader = Reader(0)
    reader.feed(f'{{"messages": [], "x": "{"y" * length}'[:length].encode())
    assert reader.grows is not is_known


@pytest.mark.parametrize(("name", "tool"), [("glob", "glob"), ("", "?"), (5, "?"), (None, "?")])
def test_a_result_names_its_tool(name: object, tool: str) -> None:
    given = {"functionResponse": {"name": name, "response": {"output": "12345678"}}}
    [turn] = read({"id": "1", "type": "user", "content": [given]}).turns
    assert [(each.tool, each.tokens, each.characters) for each in turn.returned] == [(tool, 2, 8)]
