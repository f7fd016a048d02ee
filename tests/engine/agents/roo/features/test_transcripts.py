"""The files of a task: the history of requests in its older and later forms, and the chat."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.transcripts import Transcript


def read(*entries: dict[str, Any]) -> Transcript:
    agent = load_agent("roo")
    assert isinstance(agent, KeepsTranscripts)
    reader = agent.transcript_reader(1_000, {})
    reader.feed(json.dumps(entries).encode())
    return reader.close()


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


@pytest.mark.parametrize(
    ("entry", "is_message"),
    [
        ({"role": "user", "content": "hi"}, True),
        ({"role": "tool", "content": "hi"}, True),
        ({"role": "assistant", "content": "hi"}, True),
        ({"role": "system", "content": "hi"}, False),
        ({"role": "user", "content": "hi", "isTruncationMarker": True}, False),
        ({"role": "user", "content": "hi", "isTruncationMarker": False}, True),
    ],
)
def test_which_entries_of_a_history_are_messages(entry: dict[str, Any], is_message: bool) -> None:
    found = read({"role": "user", "content": "first"}, entry)
    assert (len(found.turns), found.other) == ((2, 0) if is_message else (1, 1))


@pytest.mark.parametrize(
    ("block", "call"),
    [
        ({"type": "tool_use", "name": "read_file", "input": {"path": "a"}}, "read_file"),
        ({"type": "tool-call", "toolName": "read_file", "input": {"path": "a"}}, "read_file"),
        ({"type": "tool_use", "name": "one", "toolName": "two", "input": {"path": "a"}}, "one"),
        ({"type": "tool_use", "input": {"path": "a"}}, "?"),
        ({"type": "text", "text": "<read_file><path>a</path></read_file>"}, "read_file"),
    ],
)
def test_calls_of_an_answer(block: dict[str, Any], call: str) -> None:
    (found,) = read({"role": "assistant", "content": [block]}).turns
    assert found.calls == (call,)
    assert found.tokens == (len('{"path": "a"}') + 3) // 4 if block["type"] != "text" else found.tokens > 0


@pytest.mark.parametrize(
    ("block", "tool", "characters"),
    [
        ({"type": "tool_result", "content": "12345678"}, "?", 8),
        ({"type": "tool-result", "toolName": "read_file", "output": "1234"}, "read_file", 4),
        ({"type": "tool_result", "content": [{"type": "text", "text": "12"}, {"type": "text", "text": "34"}]}, "?", 4),
        ({"type": "tool-result", "output": {"type": "json", "value": 1}}, "?", len('{"type": "json", "value": 1}')),
        ({"type": "tool_result", "content": ""}, "?", 0),
        ({"type": "tool_result"}, "?", 0),
    ],
)
def test_results_as_blocks(block: dict[str, Any], tool: str, characters: int) -> None:
    (found,) = read(user(block)).turns
    (result,) = found.returned
    assert (result.tool, result.characters) == (tool, characters)


@pytest.mark.parametrize(
    ("texts", "results"),
    [
        (["[read_file for 'a'] Result:", "content"], [("read_file", 27 + 7)]),
        (["hi", "[read_file for 'a'] Result:"], [("read_file", 27)]),
        (["[read_file for 'a'] Result:", "x", "<environment_details>\ny"], [("read_file", 28)]),
        (["[read_file for 'a'] Result:", "x", "[list_files for 'b'] Result:"], [("read_file", 28), ("list_files", 28)]),
        (["hi", "there"], []),
    ],
)
def test_results_as_texts(texts: list[str], results: list[tuple[str, int]]) -> None:
    (found,) = read(user(*({"type": "text", "text": text} for text in texts))).turns
    assert [(each.tool, each.characters) for each in found.returned] == results


@pytest.mark.parametrize(("role", "tokens"), [("user", 2), ("assistant", 2 + 5)])
def test_the_first_message_stands_before_a_summary_that_is_an_answer(role: str, tokens: int) -> None:
    summary = {"role": role, "content": "12345678", "isSummary": True}
    found = read({"role": "user", "content": "x" * 20}, {"role": "user", "content": "y" * 80}, summary)
    assert [turn.tokens for turn in found.turns] == [5, 20, tokens]
    assert (found.turns[-1].role, found.turns[-1].fill) == ("compaction", 1_000 + tokens)


@pytest.mark.parametrize(
    ("entry", "is_message"),
    [
        ({"type": "say", "say": "text", "text": "x"}, True),
        ({"type": "say", "say": "text", "text": "x", "partial": True}, False),
        ({"type": "ask", "ask": "followup", "text": "x"}, True),
        ({"type": "ask", "ask": "tool", "text": '{"tool": "readFile"}'}, True),
        ({"type": "ask", "ask": "completion_result", "text": ""}, False),
        ({"type": "say", "say": "unheard_of", "text": "x"}, False),
        ({}, False),
    ],
)
def test_which_entries_of_a_chat_are_messages(entry: dict[str, Any], is_message: bool) -> None:
    first = {"ts": 1, "type": "say", "say": "text", "text": "the task"}
    asked = {"ts": 2, "type": "say", "say": "api_req_started", "text": "{}"}
    without, found = read(first, asked), read(first, asked, {"ts": 3, **entry})
    assert len(found.turns) - len(without.turns) == int(is_message)
    assert found.other - without.other == int(not is_message)


@pytest.mark.parametrize(
    ("blocks", "tokens"),
    [([], 1), ([{"type": "image"}], 1_601), ([{"type": "image"}] * 2, 3_201), ([{"type": "x"}], 1)],
)
def test_images_take_tokens(blocks: list[dict[str, Any]], tokens: int) -> None:
    (found,) = read(user({"type": "text", "text": "hi"}, *blocks)).turns
    assert found.tokens == tokens
