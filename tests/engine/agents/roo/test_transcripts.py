"""The files of a task: the history of requests in its older and later forms, and the chat."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.roo.transcripts import is_transcript
from promptscope_engine.agents.transcripts import Transcript
from promptscope_engine.assembly.resolve import resolve


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


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        ('[{"role": "user", "content": "hi"}]', True),
        (' \n[{"content": "hi", "role": "us', True),
        ('[{"role": "user", "text": "hi"}]', False),
        ('[{"content": "hi"}]', False),
        ('[{"ts": 1, "say": "text"}]', True),
        ('[{"ts": 1, "ask": "tool"}]', True),
        ('[{"ts": 1, "text": "hi"}]', False),
        ('[{"say": "text", "ask": "tool"}]', False),
        ('{"version": 2, "messages": []}', True),
        ('{"version": 2}', False),
        ('{"messages": []}', False),
        ('{"role": "user", "content": "hi"}', False),
    ],
)
def test_how_the_files_of_a_task_begin(head: str, is_one: bool) -> None:
    assert is_transcript(head.encode()) is is_one


TASK = {"ts": 1, "type": "say", "say": "text", "text": "the task"}
REQUEST = {"ts": 2, "type": "say", "say": "api_req_started", "text": "{}"}


@pytest.mark.parametrize(
    ("entry", "role", "calls", "results"),
    [
        ({"say": "text"}, "assistant", (), []),
        ({"say": "reasoning"}, "assistant", (), []),
        ({"say": "completion_result"}, "assistant", (), []),
        ({"say": "user_feedback"}, "user", (), []),
        ({"say": "command_output"}, "user", (), ["execute_command"]),
        ({"say": "mcp_server_response"}, "user", (), ["use_mcp_tool"]),
        ({"say": "codebase_search_result"}, "user", (), ["codebase_search"]),
        ({"say": "browser_action_result"}, "user", (), ["browser_action"]),
        ({"say": "subtask_result"}, "user", (), ["new_task"]),
        ({"ask": "followup"}, "assistant", (), []),
        ({"ask": "tool", "text": '{"tool": "readFile"}'}, "assistant", ("readFile",), []),
        ({"ask": "command"}, "assistant", ("execute_command",), []),
        ({"ask": "use_mcp_server"}, "assistant", ("use_mcp_tool",), []),
        ({"ask": "browser_action_launch"}, "assistant", ("browser_action",), []),
    ],
)
def test_whose_words_an_entry_of_a_chat_is(
    entry: dict[str, Any], role: str, calls: tuple[str, ...], results: list[str]
) -> None:
    found = read(TASK, REQUEST, {"type": next(iter(entry)), "text": "x", **entry})
    assert [turn.role for turn in found.turns] == ["user", role]
    assert (found.turns[-1].calls, [each.tool for each in found.turns[-1].returned]) == (calls, results)
    assert found.other == 1, "the request itself is no message"


def test_a_chat_without_a_request_has_nothing_else_in_it() -> None:
    found = read({**TASK, "ts": 1_767_323_045_000})
    assert (found.other, found.turns[0].at) == (0, "2026-01-02T03:04:05+00:00")


def test_a_window_that_slid_tells_what_remains() -> None:
    slid = {"type": "say", "say": "sliding_window_truncation", "contextTruncation": {"newContextTokens": 7_000}}
    assert [(turn.role, turn.fill) for turn in read(TASK, slid).turns[1:]] == [("compaction", 7_000)]


def put_tasks(root: Path, histories: list[str]) -> list[bool]:
    """Which of these tasks, the newest first, are taken for tasks of the workspace `/w`."""
    for number, history in enumerate(histories):
        path = root / "tasks" / str(number) / "api_conversation_history.json"
        path.parent.mkdir(parents=True)
        path.write_text(history)
        os.utime(path, (1_000 - number, 1_000 - number))
    scenario = Scenario(agent="roo", workspace="/w", home="/h", params={"globalStorage": str(root)})
    keeper, inputs = resolve(scenario, Workspace())
    assert isinstance(keeper, KeepsTranscripts)
    found = keeper.transcript_files(inputs, Workspace())
    here = {file.group: file.here for file in found}
    return [here[str(number)] for number in range(len(histories))]


NAMED = "# Current Workspace Directory (/w) Files"


@pytest.mark.parametrize("size", [1, 65_536, 65_537])
def test_the_workspace_is_looked_for_in_the_first_64_kib(tmp_path: Path, size: int) -> None:
    assert put_tasks(tmp_path, [NAMED.rjust(size)]) == [size < 65_537]


def test_the_newest_200_tasks_are_looked_into(tmp_path: Path) -> None:
    assert put_tasks(tmp_path, [NAMED] * 201) == [True] * 200 + [False]
