"""Requests out of a session file: a message by its hash, answers by their lines, what is not there said."""

import hashlib
import json
from typing import Any

import pytest

from promptscope_engine.captures.files import read_capture
from promptscope_engine.captures.model import Capture, CaptureError

SHAPE = {"system": [{"type": "text", "text": "You are an agent."}], "tools": [{"name": "Read", "input_schema": {}}]}
FIRST = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
ANSWER = [{"type": "text", "text": "Reading."}, {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}]
RESULT = [{"type": "tool_result", "tool_use_id": "t1", "content": "1\tx"}]


def hash_of(message: Any) -> str:
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def line(kind: str, **values: Any) -> dict[str, Any]:
    return {"type": kind, "sessionId": "s", "version": "2.1.332", **values}


def request(id: str, tail: list[Any], base: str = "", keep: int = 0, **values: Any) -> dict[str, Any]:
    hashes = [hash_of(message) for message in tail]
    params = {"model": "claude-opus-5", "max_tokens": 100}
    return line("api-request", id=id, shapeHash="h", base=base, keep=keep, tail=hashes, params=params, **values)


SHAPED = line("api-request-shape", shapeHash="h", shape=SHAPE)
BLOB = line("api-request-blob", hash=hash_of(FIRST), message=FIRST)
ANSWERED = [line("assistant", message={"id": "m1", "role": "assistant", "content": [block]}) for block in ANSWER]
SECOND = [{"role": "assistant", "content": ANSWER}, {"role": "user", "content": RESULT}]


def capture(*lines: dict[str, Any]) -> Capture:
    return read_capture("".join(f"{json.dumps(each)}\n" for each in lines).encode())


def test_a_request_is_put_together_of_shape_and_messages() -> None:
    mark = {"path": ["messages", 0, "content", 0], "value": {"type": "ephemeral"}}
    found = capture(SHAPED, BLOB, request("a", [FIRST], cacheControl=[mark]))
    (sent,) = found.requests
    marked = {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}
    assert sent.body == {
        "model": "claude-opus-5",
        "max_tokens": 100,
        **SHAPE,
        "messages": [{**FIRST, "content": [marked]}],
    }
    assert (found.header.agent, found.header.agent_version, found.header.source) == (
        "claude-code",
        "2.1.332",
        "claude-session",
    )


def test_answers_and_results_are_the_sessions_own_lines() -> None:
    result = line("user", message={"role": "user", "content": RESULT})
    found = capture(SHAPED, BLOB, request("a", [FIRST]), *ANSWERED, result, request("b", SECOND, base="a", keep=1))
    assert found.requests[1].body is not None
    assert found.requests[1].body["messages"] == [FIRST, *SECOND]
    assert "billing line" in found.requests[1].note


def test_what_the_file_does_not_hold_is_said() -> None:
    found = capture(SHAPED, BLOB, request("a", [FIRST]), request("b", SECOND, base="a", keep=1))
    assert found.requests[1].note.startswith("2 of 3 messages are not in the session file")


def test_a_session_of_an_earlier_version_keeps_no_requests() -> None:
    with pytest.raises(CaptureError, match=r"only 2\.1\.332 and later keep them"):
        capture(*ANSWERED)


@pytest.mark.parametrize("path", [["messages", 9], ["nowhere", "x"], [None], ["messages", -1, "content", 0]])
def test_a_breakpoint_that_leads_nowhere_is_left_out(path: list[Any]) -> None:
    found = capture(SHAPED, BLOB, request("a", [FIRST], cacheControl=[{"path": path, "value": {}}]))
    assert found.requests[0].body["messages"] == [FIRST]  # type: ignore[index]
