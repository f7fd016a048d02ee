"""Files of all kinds become captures; broken ones say where, and what could be kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from tests.engine.captures.bodies import ANTHROPIC, BODIES

from promptscope_engine import schema
from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.files import as_lines, read_capture
from promptscope_engine.captures.model import Answer, Capture, CaptureError, End, Header, Recorded, Usage
from promptscope_engine.captures.other_tools import exchange_of, expanded

AGENT = {"user-agent": "claude-cli/2.1.329 (external, cli)", "x-api-key": "never-stored"}
USAGE = {"usage": {"input_tokens": 7, "output_tokens": 2, "cache_read_input_tokens": 5}}


def har() -> dict[str, Any]:
    request = {
        "method": "POST", "url": "https://api.anthropic.com/v1/messages?beta=true", "httpVersion": "HTTP/1.1",
        "headers": [{"name": name, "value": value} for name, value in AGENT.items()],
        "postData": {"mimeType": "application/json", "text": json.dumps(ANTHROPIC)},
    }  # fmt: skip
    response = {"status": 200, "content": {"text": f"event: message_delta\ndata: {json.dumps(USAGE)}\n\n"}}
    get = {"method": "GET", "url": "https://api.anthropic.com/api/hello", "httpVersion": "HTTP/1.1", "headers": []}
    entries = [{"request": get, "response": {"status": 404}}, {"request": request, "response": response}]
    return {"log": {"version": "1.2", "entries": entries}}


def tap() -> dict[str, Any]:
    request = {"method": "POST", "path": "/v1/messages?beta=true", "headers": AGENT, "body": ANTHROPIC}
    return {"timestamp": "2026-01-01T00:00:00Z", "request_id": "r", "turn": 1, "request": request,
            "response": {"status": 200, "headers": {}, "body": USAGE}, "capture": {"client": "claude"}}  # fmt: skip


def compact_tap() -> dict[str, Any]:
    record = tap()
    record["request"]["body"] = {key: value for key, value in ANTHROPIC.items() if key != "tools"}
    ref = {"path": "/request/body/tools", "hash": "sha256:1"}
    compact = {"__claude_tap_compact_record__": {"version": 1, "encoding": "json-blob-ref", "refs": [ref]}}
    return {
        "__claude_tap_compact_trace__": {"version": 1},
        "records": [{**compact, "record": record}],
        "blobs": {"sha256:1": ANTHROPIC["tools"]},
    }


def trace() -> dict[str, Any]:
    request = {"timestamp": 1767225600.5, "method": "POST", "url": "https://api.anthropic.com/v1/messages",
               "headers": AGENT, "body": ANTHROPIC}  # fmt: skip
    return {"request": request, "response": {"status_code": 200, "headers": {}, "body": USAGE}, "logged_at": "x"}


def lhar_entry(body: Any = ANTHROPIC) -> dict[str, Any]:
    http = {"method": "POST", "url": "https://api.anthropic.com/v1/messages", "status_code": 200}
    return {"type": "entry", "id": "1", "http": http, "raw": {"request_body": body, "response_body": USAGE}}


SESSION = {"type": "session", "trace_id": "t", "started_at": "x", "tool": "claude-code", "model": "m"}


def lines(*records: Any) -> bytes:
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


FILES = {
    "har": json.dumps(har(), indent=1).encode(),
    "claude-tap": lines(tap()),
    "claude-tap compact": json.dumps(compact_tap()).encode(),
    "claude-trace": lines(trace()),
    "lhar": lines(SESSION, lhar_entry()),
    "lhar json": json.dumps({"lhar": {"version": "0.1.0", "sessions": [SESSION], "entries": [lhar_entry()]}}).encode(),
}


@pytest.mark.parametrize("kind", FILES)
def test_each_tool_is_read(kind: str) -> None:
    found = read_capture(FILES[kind])
    assert found.problems == ()
    assert found.header.source == kind.partition(" ")[0]
    assert found.header.agent == "claude-code"
    assert found.main is not None
    assert found.main.body == ANTHROPIC
    assert found.main.response == Answer(200, Usage(input=7, output=2, cache_read=5))
    assert b"never-stored" not in b"".join(as_lines(found))


def test_a_message_over_a_websocket_is_a_request() -> None:
    record = tap()
    record["request"] |= {
        "method": "WEBSOCKET",
        "path": "/v1/responses",
        "body": {"type": "response.create", **BODIES["responses"][0]},
    }
    assert read_capture(lines(record)).main is not None


@pytest.mark.parametrize(
    ("says", "agent"),
    [
        ("You are a helper inside OpenClaw.", "openclaw"),
        ("You are Roo, who writes code.", "roo"),
        ("You are a helper. Ask about OpenClaws.", "unknown"),
        ("x" * 300 + " OpenClaw", "unknown"),
    ],
)
def test_an_agent_without_a_client_of_its_own_is_known_by_its_name(says: str, agent: str) -> None:
    body = {"model": "m", "messages": [{"role": "system", "content": says}, {"role": "user", "content": "hi"}]}
    assert read_capture(json.dumps(body).encode()).header.agent == agent


@pytest.mark.parametrize("protocol", BODIES)
def test_a_bare_body_is_read(protocol: str) -> None:
    body, _ = BODIES[protocol]
    found = read_capture(json.dumps(body, indent=2).encode())
    assert (found.header.source, len(found.requests)) == ("body", 1)
    assert found.main is not None
    assert (found.main.protocol, found.main.body) == (protocol, body)


def test_what_was_written_is_read_again() -> None:
    request = recorded(1, Exchange(path="/v1/messages", body={"messages": [{"role": "user", "content": "\ud83d é"}]}))
    capture = Capture(Header("x", command=("x", "-p")), (request,), End("by itself", exit=0))
    assert read_capture(b"".join(as_lines(capture))) == capture


def test_the_published_schema_describes_each_line() -> None:
    found = read_capture(FILES["har"])
    published = schema("capture")["$defs"]
    for line in map(json.loads, as_lines(found)):
        name = {"capture": "Header", "request": "Recorded", "end": "End"}[line["type"]]
        assert set(line) == set(published[name]["properties"])
        TypeAdapter(Header | Recorded | End).validate_python(line)


def test_a_broken_line_is_named_and_the_others_kept() -> None:
    found = read_capture(lines(tap()) + b"{broken\n[1]\n" + lines({"what": 1}, tap()))
    assert len(found.requests) == 2
    assert [problem.partition(":")[0] for problem in found.problems] == ["line 2", "line 3", "line 4"]


def test_a_recording_that_breaks_off_is_kept_up_to_there() -> None:
    request = recorded(1, Exchange(path="/v1/messages", body=ANTHROPIC))
    whole = b"".join(as_lines(Capture(Header("x"), (request, request), End())))
    cut = whole[: whole.rindex(b'"type":"end"') - 200]
    found = read_capture(cut)
    assert len(found.requests) == 1
    assert found.main is not None
    assert "line 3" in found.problems[0]
    assert "cut off" in found.problems[-1]


def test_a_document_that_breaks_off_keeps_its_whole_entries() -> None:
    document = har()
    document["log"]["entries"].reverse()
    data = json.dumps(document, indent=1).encode()
    found = read_capture(data[: data.rindex(b"/api/hello")])
    assert found.main is not None
    assert found.main.body == ANTHROPIC
    assert found.problems[0].startswith("line ")
    assert "kept the 1 complete entries" in found.problems[0]


def test_a_record_without_a_method_is_of_a_post() -> None:
    entry = lhar_entry()
    del entry["http"]["method"]
    assert [request.method for request in read_capture(lines(SESSION, entry)).requests] == ["POST"]


def test_a_file_without_bodies_says_so() -> None:
    with pytest.raises(CaptureError, match="full privacy"):
        read_capture(lines(SESSION, {**lhar_entry(), "raw": {"request_body": None}}))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b'{\n  "model": "x",\n  "messages": [\n', "line 4"),
        (b"hello", "line 1"),
        (b"3", "not a capture file"),
        (b'{"a": 1}', "not a known kind of record"),
        (b'{"log": {}}', "not a known kind of record"),
        (b'{"log": 3, "entries": []}', "not a known kind of record"),
        (b'{"request": {"path": "/v1/messages", "body": {}}}', "no request to a model in it"),
        (b"[" * 100_000, "deep"),
        (b'{"messages": ' + b"[" * 500 + b"]" * 500 + b"}", "levels deep"),
        (b'{"type": "capture", "schema": "promptscope.capture.v9"}', "v9"),
        (b"\xff\xfe\x00", "line 1"),
    ],
)
def test_a_file_that_is_no_capture_is_refused_with_a_reason(data: bytes, says: str) -> None:
    with pytest.raises(CaptureError) as raised:
        read_capture(data)
    assert says in str(raised.value)


KEYS = st.sampled_from(
    ["request", "response", "body", "url", "path", "headers", "messages", "input", "contents", "system", "tools",
     "type", "raw", "http", "log", "entries", "lhar", "records", "blobs", "__claude_tap_compact_trace__", "postData",
     "schema", "index", "refs", "record", "__claude_tap_compact_record__"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=20)
@given(value=st.dictionaries(KEYS, JSON, max_size=6), cut=st.integers(0, 80))
def test_any_file_is_a_capture_or_refused(value: Any, cut: int) -> None:
    data = json.dumps(value).encode()
    for text in (data, data[:cut], data + b"\n" + data):
        try:
            found = read_capture(text)
        except CaptureError:
            continue
        assert read_capture(b"".join(as_lines(found))).requests == found.requests


@pytest.mark.parametrize(
    ("path", "tools"),
    [
        ("/tools/0/name", [{"name": "put in"}, {"name": "b"}]),
        ("/tools/1/name", [{"name": "a"}, {"name": "put in"}]),
        ("/tools/1", [{"name": "a"}, "put in"]),
        ("tools/1", [{"name": "a"}, "put in"]),
        ("/tools/0/more/name", [{"name": "a", "more": {"name": "put in"}}, {"name": "b"}]),
        *[
            (f"/tools/{step}{rest}", [{"name": "a"}, {"name": "b"}])
            for step in ("2", "-1", "x", "", "\u00b2", "\u0661", "9" * 5_000)
            for rest in ("", "/name")
        ],
    ],
)
def test_a_compact_record_has_its_blobs_put_where_there_is_a_place_for_them(path: str, tools: list[Any]) -> None:
    compact = {"refs": [{"path": path, "hash": "sha256:1"}]}
    record: dict[str, Any] = {"tools": [{"name": "a"}, {"name": "b"}]}
    found = expanded({"__claude_tap_compact_record__": compact, "record": record}, {"sha256:1": "put in"})
    assert found == {"tools": tools}
    assert record == {"tools": [{"name": "a"}, {"name": "b"}]}, "it may be expanded again"


def test_of_what_nothing_is_said_there_is_nothing() -> None:
    request, end = Recorded(1, "GET", "/", None), End()
    assert (request.bytes, request.masked, end.left_out) == (0, 0, 0)


@pytest.mark.parametrize("size", [1_999, 2_000, 2_001])
def test_of_a_body_that_is_no_json_2000_characters_are_kept(size: int) -> None:
    found = recorded(1, Exchange(path="/v1/messages", body="x" * size))
    assert (found.text, found.bytes, found.body) == ("x" * min(size, 2_000), size, None)


def test_where_a_record_stands_is_told() -> None:
    bad = {"what": 1}
    own = {"type": "request", "index": "x"}
    assert read_capture(json.dumps([tap(), bad]).encode()).problems[0].startswith("record 2: is not a known")
    document = har()
    document["log"]["entries"].insert(0, bad)
    assert read_capture(json.dumps(document).encode()).problems[0].startswith("entry 1: is not a known")
    assert read_capture(lines(tap(), own)).problems[0].startswith("line 2: index: input should be a valid integer")


def test_a_broken_lhar_document_keeps_its_whole_entries() -> None:
    document = {"lhar": {"sessions": [SESSION], "entries": [lhar_entry(), lhar_entry()]}}
    data = json.dumps(document, indent=1).encode()
    found = read_capture(data[:-20])
    assert [request.body for request in found.requests] == [ANTHROPIC]
    assert "kept the 1 complete entries" in found.problems[0]


def test_an_imported_file_says_which_request_is_the_main_one() -> None:
    title = {"messages": [{"role": "user", "content": "Make a title."}]}
    found = read_capture(lines({**tap(), "request": {**tap()["request"], "body": title}}, tap()))
    assert [request.label for request in found.requests] == ["title", "main"]
    assert (found.end.outcome, found.end.main) == ("imported", 2)


@pytest.mark.parametrize(("broken", "told"), [(19, 19), (20, 20), (21, 21)])
def test_twenty_problems_are_told_one_by_one(broken: int, told: int) -> None:
    found = read_capture(lines(tap()) + b"{\n" * broken)
    assert len(found.problems) == told
    assert (found.problems[-1] == "and 1 problems more") is (broken == 21)
    assert found.problems[min(broken, 20) - 1].startswith(f"line {min(broken, 20) + 1}: ")


@pytest.mark.parametrize(
    ("before", "are_lines"),
    [("{\n" * 2, True), ("{\n" * 3, False), ("\n" * 20, True), ("\n" * 20 + "{\n" * 3, False)],
)
def test_a_file_of_lines_has_an_object_among_its_first_ones(before: str, are_lines: bool) -> None:
    """One of the first three lines with a text."""
    data = before.encode() + lines(tap(), tap())
    if are_lines:
        assert len(read_capture(data).requests) == 2
    else:
        with pytest.raises(CaptureError, match=r"line \d+: "):
            read_capture(data)


def test_a_request_without_a_body_is_told() -> None:
    empty = {**tap(), "request": {**tap()["request"], "body": None}}
    for method, told in (("POST", ["line 2: has no body"]), ("post", ["line 2: has no body"]), ("GET", [])):
        found = read_capture(lines(tap(), {**empty, "request": {**empty["request"], "method": method}}))
        assert list(found.problems) == told
    text = {**empty, "request": {**empty["request"], "body": "no JSON"}}
    assert read_capture(lines(tap(), text)).problems == ()


def test_the_agent_is_told_by_the_user_agent_or_by_the_session() -> None:
    assert (read_capture(lines(tap())).header.agent, read_capture(lines(tap())).header.agent_version) == (
        "claude-code",
        "2.1.329",
    )
    nameless = {**tap(), "request": {**tap()["request"], "headers": {}}}
    assert read_capture(lines({**SESSION, "tool": "Aider"}, nameless)).header.agent == "aider"
    assert read_capture(lines(nameless)).header.agent == "unknown"
    assert read_capture(lines(nameless)).header.started == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("timestamp", "time"),
    [(1767225600.5, "2026-01-01T00:00:00+00:00"), (1767225600, "2026-01-01T00:00:00+00:00"), ("then", "then"),
     (None, None), (True, None), (1e300, None), (float("inf"), None)],
)  # fmt: skip
def test_seconds_are_a_time(timestamp: Any, time: str | None) -> None:
    record = trace()
    record["request"]["timestamp"] = timestamp
    (source, found) = exchange_of(record) or ("", "")
    assert source == "claude-trace"
    assert isinstance(found, Exchange)
    assert found.time == time


def test_what_records_leave_out_is_as_it_mostly_is() -> None:
    for record, source, method in (
        ({"request": {"path": "/v1/messages"}}, "claude-tap", "POST"),
        ({"request": {"url": "/v1/messages"}}, "claude-trace", "POST"),
        ({"request": {"url": "/v1/messages", "bodySize": 0}}, "har", "GET"),
        ({"request": {"url": "/v1/messages", "postData": {}}}, "har", "GET"),
        ({"request": {"url": "https://h/v1/messages?a=b#c", "httpVersion": "x"}}, "har", "GET"),
    ):
        found = exchange_of(record)
        assert found is not None
        assert found[0] == source
        exchange = found[1]
        assert isinstance(exchange, Exchange)
        assert (exchange.method, exchange.body, exchange.time, exchange.status, exchange.usage) == (
            method, None, None, None, None,
        )  # fmt: skip
        assert exchange.path.startswith("/v1/messages")
    for other in ({"type": "entry"}, {"raw": {}}, {"request": {}}, {"request": 3}, {}):
        assert exchange_of(other) is None
    for status, kept in ((200, 200), (0, None), ("200", None), (True, None)):
        found = exchange_of({"request": {"path": "/x"}, "response": {"status": status}})
        assert found is not None
        assert getattr(found[1], "status", None) == kept


@pytest.mark.parametrize("more", [0, 1])
def test_a_file_may_have_128_mebibytes(more: int) -> None:
    class Large(bytes):
        """Says that it is as large, and is not."""

        def __len__(self) -> int:
            return 128 * 1024 * 1024 + more

    if more:
        with pytest.raises(CaptureError, match="larger than 128 MB"):
            read_capture(Large(lines(tap())))
    else:
        assert len(read_capture(Large(lines(tap()))).requests) == 1


@pytest.mark.parametrize("between", ["", " \t\r"])
def test_a_document_may_break_off_anywhere(between: str) -> None:
    body = {"messages": [{"role": "user", "content": "hi"}]}
    request = {"method": "POST", "url": "/v1/messages", "bodySize": 9, "postData": {"text": json.dumps(body)}}
    entry = json.dumps({"request": request}) + between
    begin = '{"log":{"entries":[' + between
    data = begin + ",".join([entry] * 3)
    for cut in range(len(begin) + len(entry), len(data)):
        found = read_capture(data[:cut].encode())
        ends = [len(begin) + n * (len(entry) + 1) + len(entry) - len(between) for n in range(3)]
        assert len(found.requests) == sum(cut >= end for end in ends), data[:cut][-20:]


def test_a_request_is_found_by_its_number() -> None:
    found = read_capture(lines(tap(), trace()))
    assert [found.request(number) for number in (0, 1, 2, 3)] == [None, *found.requests, None]


@pytest.mark.parametrize(
    "record",
    [{"type": "capture"}, {"schema": "promptscope.capture.v1"}, {"type": "request"}, {"index": 1}, {"type": "other"}],
)
def test_what_only_looks_like_a_line_of_ours_is_none(record: Any) -> None:
    found = read_capture(lines(tap(), record))
    assert [problem.partition(" (")[0] for problem in found.problems] == ["line 2: is not a known kind of record"]
    assert (found.header.source, len(found.requests)) == ("claude-tap", 1)


def test_labels_of_a_whole_recording_stay_and_a_part_of_one_is_labelled_anew() -> None:
    request = replace(recorded(1, Exchange(path="/v1/messages", body=ANTHROPIC)), label="memory")
    whole = [*as_lines(Capture(Header("x"), (request,), End("by itself")))]
    assert [each.label for each in read_capture(b"".join(whole)).requests] == ["memory"]
    assert [each.label for each in read_capture(b"".join(whole[:-1])).requests] == ["main"]
    assert [each.label for each in read_capture(b"".join(whole[1:])).requests] == ["main"]


def test_the_first_record_tells_the_tool() -> None:
    assert read_capture(lines(tap(), trace())).header.source == "claude-tap"
