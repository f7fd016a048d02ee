"""Records of other tools, and a prompt that a person copied, each made into exchanges or a capture of ours."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from promptscope_engine.formats.document import Json

from .exchange import Exchange, bare, labelled, recorded
from .model import Capture, CaptureError, End, Fidelity, Header, Source, objects, word
from .protocols import route, usage_of

_INDEX = re.compile(r"[0-9]{1,9}")
NO_BODY = "has no body: its tool kept none (full privacy has to be chosen there)"


def exchange_of(record: Mapping[str, Json]) -> tuple[Source, Exchange | str] | None:
    """The tool that made a record, and the exchange, or a word on why there is none."""
    request = record.get("request")
    if isinstance(request, dict):
        if isinstance(request.get("postData"), dict) or "httpVersion" in request or "bodySize" in request:
            return "har", _of_har(record, request)
        if "url" in request:
            return "claude-trace", _of_claude_trace(record, request)
        if "path" in request:
            return "claude-tap", _of_claude_tap(record, request)
    if record.get("type") == "entry" and "raw" in record:
        return "lhar", _of_lhar(record)
    found = bare(dict(record))
    return ("body", found) if found else None


def _of_har(entry: Mapping[str, Json], request: Mapping[str, Json]) -> Exchange:
    data = request.get("postData")
    response = _object(entry.get("response"))
    return Exchange(
        method=word(request.get("method")) or "GET",
        path=_path(request.get("url")),
        headers={word(each.get("name")): word(each.get("value")) for each in objects(request.get("headers"))},
        body=word(_object(data).get("text")) or None,
        time=word(entry.get("startedDateTime")) or None,
        status=_status(response.get("status")),
        usage=usage_of(_object(response.get("content")).get("text")),
    )


def _of_claude_tap(record: Mapping[str, Json], request: Mapping[str, Json]) -> Exchange:
    response = _object(record.get("response"))
    return Exchange(
        method=word(request.get("method")) or "POST",
        path=_path(request.get("path")),
        headers=_headers(request.get("headers")),
        body=request.get("body"),
        time=word(record.get("timestamp")) or None,
        status=_status(response.get("status")),
        usage=usage_of(response.get("body")) or usage_of(response.get("sse_events")),
    )


def _of_claude_trace(record: Mapping[str, Json], request: Mapping[str, Json]) -> Exchange:
    response = _object(record.get("response"))
    replies = (response.get("body"), response.get("body_raw"), response.get("events"))
    return Exchange(
        method=word(request.get("method")) or "POST",
        path=_path(request.get("url")),
        headers=_headers(request.get("headers")),
        body=request.get("body"),
        time=_time(request.get("timestamp")),
        status=_status(response.get("status_code")),
        usage=next((found for found in map(usage_of, replies) if found), None),
    )


def _of_lhar(entry: Mapping[str, Json]) -> Exchange | str:
    http, raw = _object(entry.get("http")), _object(entry.get("raw"))
    body = raw.get("request_body")
    if body is None:
        return NO_BODY
    return Exchange(
        method=word(http.get("method")) or "POST",
        path=_path(http.get("url")),
        body=body,
        time=word(entry.get("timestamp")) or None,
        status=_status(http.get("status_code")),
        usage=usage_of(raw.get("response_body")),
    )


def expanded(record: Mapping[str, Json], blobs: Mapping[str, Json]) -> dict[str, Json]:
    """A compact record of claude-tap with its blobs put back in their places."""
    if "__claude_tap_compact_record__" not in record:
        return dict(record)
    whole: dict[str, Json] = _copied(_object(record.get("record")))
    for ref in objects(_object(record["__claude_tap_compact_record__"]).get("refs")):
        *way, last = word(ref.get("path")).removeprefix("/").split("/")
        inner: Json = whole
        for step in way:
            inner = inner.setdefault(step, {}) if isinstance(inner, dict) else _item(inner, step)
        if isinstance(inner, dict):
            inner[last] = blobs.get(word(ref.get("hash")))
        elif isinstance(inner, list) and (at := _index(last, inner)) is not None:
            inner[at] = blobs.get(word(ref.get("hash")))
    return whole


def _copied(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _item(value: Json, step: str) -> Json:
    return value[at] if isinstance(value, list) and (at := _index(step, value)) is not None else None


def _index(step: str, items: Sequence[Json]) -> int | None:
    """The place in a list that a step of a path names; None if it names none."""
    digits = _INDEX.fullmatch(step)  # not "²", and no number of a thousand digits
    return int(step) if digits and int(step) < len(items) else None


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _headers(value: Json) -> dict[str, str]:
    return {str(name): word(header) for name, header in _object(value).items()}


def _path(url: Json) -> str:
    """The path with its query: the host says nothing that matters."""
    text = word(url)
    query = text.partition("?")[2]
    return route(text) + (f"?{query}" if query else "")


def _status(value: Json) -> int | None:
    return value if type(value) is int and value else None


def _time(value: Json) -> str | None:
    """Seconds of the epoch as ISO 8601."""
    if type(value) not in (int, float):
        return word(value) or None
    try:
        return datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return None


MAX_BYTES = 8 * 1024 * 1024
"""A text that is larger is no prompt."""

NOTE = "a pasted system prompt: no tools, no messages and no request body, so none of these is compared"
_ESCAPED = 3
"""So many `\\n` in a text of one line, and it is a JSON string without its quotation marks."""


def pasted(data: bytes, agent: str) -> Capture:
    """The text as a capture of `agent`; its problems say how it was read. Raises CaptureError for what is not text."""
    if len(data) > MAX_BYTES:
        raise CaptureError(f"the text is larger than {MAX_BYTES >> 20} MB")
    text, problems = _read(data)
    if not text.strip():
        raise CaptureError("the text is empty")
    body = {"messages": [{"role": "system", "content": text}]}
    request = replace(recorded(1, Exchange(path="/v1/chat/completions", body=body)), bytes=len(data), note=NOTE)
    header = Header(agent, source="prompt", fidelity=Fidelity(notes=(NOTE,)))
    return Capture(header, labelled([request], None), End("imported", main=1), tuple(problems))


def _read(data: bytes) -> tuple[str, list[str]]:
    """The text as the agent had it, and what was done to it."""
    problems: list[str] = []
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8", "replace").removeprefix("\ufeff")
    if "\ufffd" in text and "\ufffd".encode() not in data and not wide:
        problems.append("some of its bytes are not UTF-8")
    if "\0" in text:
        raise CaptureError("this is not text: it contains NUL characters")
    unescaped = _unescaped(text.strip())
    if unescaped is not None:
        text = unescaped
        problems.append("it is one JSON string: its escapes were resolved")
    # A clipboard changes all line ends; a carriage return at some of them is in a file of the prompt.
    if text.count("\r\n") == text.count("\n") > 0:
        text = text.replace("\r\n", "\n")
        problems.append("its lines end in CRLF: read as LF")
    return text, problems


def _unescaped(text: str) -> str | None:
    """What a JSON string says; None for a text that is none."""
    if not text.startswith('"'):
        if "\n" in text or text.count("\\n") < _ESCAPED:
            return None
        text = f'"{text}"'
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None
