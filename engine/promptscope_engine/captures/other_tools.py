"""Records of other tools, each as an exchange. A record of no known shape gives None."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from promptscope_engine.captures.content import objects, word
from promptscope_engine.captures.exchange import Exchange, bare
from promptscope_engine.captures.model import Source
from promptscope_engine.captures.protocols import route, usage_of
from promptscope_engine.formats.document import Json

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
