"""The stand-in of recorded runs, and what a run keeps of requests."""

from typing import Any

import pytest

from .asking import Script, kind_of
from .recording import facts

_TOOLS = [{"name": "Read"}]
_ASKS = {"role": "user", "content": "give an <analysis> and a <summary>"}
_SAID = {"role": "user", "content": "ZQSAYS1 hi"}


@pytest.mark.parametrize(
    ("where", "body", "kind"),
    [
        ("/v1/messages/count_tokens", {}, "count"),
        ("/v1/messages", {"metadata": {}, "tools": _TOOLS, "messages": [_SAID]}, "main"),
        ("/v1/messages", {"metadata": {}, "tools": _TOOLS, "messages": [_SAID, _ASKS]}, "summary"),
        ("/v1/messages", {"metadata": {}, "messages": [_SAID]}, "side"),
        ("/v1/messages", {"messages": [_SAID]}, "summary"),
        ("/v1/chat/completions", {"tools": _TOOLS, "tool_choice": "none", "messages": [_SAID]}, "summary"),
        ("/v1/responses", {"client_metadata": {"x-codex-turn-metadata": '{"request_kind": "compaction"}'}}, "summary"),
        ("/m:generateContent", {"contents": [], "generationConfig": {"responseJsonSchema": {}}}, "side"),
    ],
)
def test_a_request_is_known_by_its_shape(where: str, body: Any, kind: str) -> None:
    assert kind_of(where, body) == kind


def test_a_script_is_for_the_requests_of_the_session_alone() -> None:
    script = Script("ZQSUMMARY")
    script.replies = [{"text": "ZQFIRST"}, {"error": {"status": 400, "body": {"type": "error"}}}]
    body = {"metadata": {}, "tools": _TOOLS, "messages": [_SAID]}
    said = [script.answer("/v1/messages", each) for each in (body, {"messages": [_SAID]}, body)]
    assert [b"ZQFIRST" in (each or (b"",))[0] for each in said] == [True, False, False]
    assert said[2] == (b'{"type": "error"}', "application/json", 400)
    assert [kind for _, kind, _ in script.asked] == ["main", "summary", "main"]


def test_a_run_keeps_sizes_and_marks_and_no_words() -> None:
    first = {"system": "words ZQROOT", "tools": _TOOLS, "messages": [_SAID]}
    call = {"type": "tool_use", "name": "Read", "input": {"path": "a"}}
    result = {"type": "tool_result", "content": "<note>\nZQAn0001\nZQAn0002"}
    later = [_SAID, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    found = facts([(0, "main", first), (0, "side", {"messages": []}), (0, "main", {**first, "messages": later})])
    assert found[0]["system"] == {"chars": 12, "marks": {"ZQROOT": "0"}}
    assert found[2]["messages_from"] == 1
    assert found[2]["messages"] == [
        {"role": "assistant", "blocks": [{"chars": 13, "call": "Read"}]},
        {"role": "user", "blocks": [{"chars": 24, "result": True, "tags": ["note"], "marks": {"ZQA": "1-2"}}]},
    ]
