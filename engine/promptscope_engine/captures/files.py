"""Captures in files: read from any known kind, and written as JSON Lines. What is broken is passed over, and said."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

from msgspec import to_builtins

from promptscope_engine.formats.document import Json, unfit
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.models import problems_of, type_adapter
from promptscope_engine.workspace import Workspace

from .claude_sessions import NO_REQUESTS, SessionRequests
from .exchange import is_empty, labelled, recorded
from .model import SCHEMA, Capture, CaptureError, End, Header, Recorded, Source, objects, word
from .other_tools import exchange_of, expanded
from .protocols import agent_from_prompt, agent_from_user_agents, content_of

MAX_BYTES = 128 * 1024 * 1024
"""A file that is larger is not read."""

MAX_PROBLEMS = 20
"""Problems that are told one by one."""

KINDS = "HAR, claude-tap, claude-trace, LHAR, a session of Claude Code, or the body of a request"


def read_capture(data: bytes) -> Capture:
    """The capture in a file's bytes. Raises CaptureError if none of it can be kept."""
    if len(data) > MAX_BYTES:
        raise CaptureError(f"the file is larger than {MAX_BYTES >> 20} MB")
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if not text.strip():
        raise CaptureError("the file is empty")
    found = _Found()
    for place, record in _records(text, found):
        found.take(place, record)
    return found.capture()


class _Found:
    """What was made of a file's records so far."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.end: End | None = None
        self.source: Source | None = None
        self.requests: list[Recorded] = []
        self.problems: list[str] = []
        self.session = SessionRequests()
        self.told = ""
        """The tool that a session's first line names."""

    def problem(self, message: str) -> None:
        self.problems.append(message)

    def take(self, place: str, record: Mapping[str, Json]) -> None:
        """One record: a line of a file, an entry of a list."""
        if problem := unfit(record):
            self.problem(f"{place}: {problem[1]}")
        elif record.get("type") == "capture" and str(record.get("schema", "")).startswith("promptscope.capture."):
            if record["schema"] == SCHEMA:
                self.header = self._own(place, Header, record)
            else:
                self.problem(f"{place}: the schema is {record['schema']}; this promptscope reads {SCHEMA}")
        elif record.get("type") == "request" and "index" in record:
            if request := self._own(place, Recorded, record):
                self.requests.append(replace(request, index=len(self.requests) + 1))
        elif record.get("type") == "end":
            self.end = self._own(place, End, record)
        elif self.session.is_line(record):
            if exchange := self.session.take(record):
                self.source = self.source or "claude-session"
                self.requests.append(recorded(len(self.requests) + 1, exchange))
        elif record.get("type") == "session":
            self.told = word(record.get("tool"))
        else:
            self._of_other_tool(place, record)

    def _own(self, place: str, kind: Any, record: Mapping[str, Json]) -> Any:
        try:
            return _adapter(kind).validate_python(record)
        except ValueError as error:
            first = problems_of(error)[0]
            self.problem(f"{place}: {'.'.join(map(str, first['loc']))}: {first['msg'].lower()}")
            return None

    def _of_other_tool(self, place: str, record: Mapping[str, Json]) -> None:
        found = exchange_of(record)
        if found is None:
            self.problem(f"{place}: is not a known kind of record ({KINDS})")
            return
        source, exchange = found
        self.source = self.source or source
        if isinstance(exchange, str):
            self.problem(f"{place}: {exchange}")
            return
        request = recorded(len(self.requests) + 1, exchange)
        if exchange.method.upper() == "POST" and request.body is None and not request.text:
            self.problem(f"{place}: has no body")
        self.requests.append(request)

    def capture(self) -> Capture:
        """All that could be kept."""
        if not any(request.protocol and not is_empty(request) for request in self.requests) and self.header is None:
            nothing = NO_REQUESTS if self.session.lines else "no request to a model in it"
            raise CaptureError(self.problems[0] if self.problems else nothing)
        header = self.header or self._made_up()
        is_whole = self.header is not None and self.end is not None
        requests = tuple(self.requests) if is_whole else labelled(self.requests, header.prompt)
        if self.header is not None and self.end is None:
            self.problem("the end is missing: the recording was cut off")
        more = len(self.problems) - MAX_PROBLEMS
        told = self.problems[:MAX_PROBLEMS] + ([f"and {more:,} problems more"] if more > 0 else [])
        main = next((request.index for request in requests if request.label == "main"), None)
        return Capture(header, requests, self.end or End("imported", main=main), tuple(told))

    def _made_up(self) -> Header:
        told = agent_from_user_agents(request.headers.get("user-agent", "") for request in self.requests)
        agent, version = told or (self.told.lower() or self._introduced() or "unknown", None)
        return Header(agent, version, source=self.source or "body", started=self.requests[0].time)

    def _introduced(self) -> str | None:
        """The agent that a system prompt names."""
        contents = (content_of(each.protocol, each.path, each.body) for each in self.requests if each.protocol)
        return next(filter(None, map(agent_from_prompt, contents)), None)


@cache
def _adapter(kind: type) -> Any:
    return type_adapter(kind)


# --- from a text to records -------------------------------------------------------------------------------------------


def _records(text: str, found: _Found) -> Iterator[tuple[str, dict[str, Json]]]:
    """The records with the place of each. What does not parse is a problem of `found`."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise CaptureError("it is nested too deeply") from None
    except ValueError as error:
        yield from _of_broken(text, error, found)
        return
    yield from _of_document(value, found)


def _of_document(value: Json, found: _Found) -> Iterator[tuple[str, dict[str, Json]]]:
    if isinstance(value, list):
        yield from _numbered(objects(value), "record")
        return
    if not isinstance(value, dict):
        raise CaptureError(f"not a capture file: expected {KINDS}")
    log, lhar = value.get("log"), value.get("lhar")
    if isinstance(log, dict) and isinstance(log.get("entries"), list):
        found.source = "har"
        yield from _numbered(objects(log["entries"]), "entry")
    elif isinstance(lhar, dict):
        found.source = "lhar"
        sessions = objects(lhar.get("sessions"))
        found.told = word(sessions[0].get("tool")) if sessions else ""
        entries = [{**each, "type": "entry"} for each in objects(lhar.get("entries"))]
        yield from _numbered(entries, "entry")
    elif "__claude_tap_compact_trace__" in value:
        blobs = value.get("blobs")
        whole = (expanded(each, blobs if isinstance(blobs, dict) else {}) for each in objects(value.get("records")))
        yield from _numbered(list(whole), "record")
    else:
        yield "line 1", value


def _numbered(records: Sequence[dict[str, Json]], what: str) -> Iterator[tuple[str, dict[str, Json]]]:
    for number, record in enumerate(records, 1):
        yield f"{what} {number}", record


def _of_broken(text: str, error: ValueError, found: _Found) -> Iterator[tuple[str, dict[str, Json]]]:
    """Lines of JSON, or one document that breaks off."""
    lines = text.split("\n")
    if isinstance(error, json.JSONDecodeError) and _is_lines(lines):
        yield from _of_lines(lines, found)
        return
    line = error.lineno if isinstance(error, json.JSONDecodeError) else None
    message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    start = text.find('"entries"')
    kept = list(_complete(text, text.find("[", start) + 1)) if start >= 0 else []
    if not kept:
        raise CaptureError(message, line) from None
    found.problem(f"line {line}: {message}; kept the {len(kept)} complete entries before it")
    if '"lhar"' in text[:start]:
        kept = [{**each, "type": "entry"} for each in kept]
    yield from _numbered(kept, "entry")


def _is_lines(lines: Sequence[str]) -> bool:
    """Whether one of the first lines is an object by itself."""
    for line in islice(filter(str.strip, lines), 3):
        try:
            if isinstance(json.loads(line), dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _of_lines(lines: Sequence[str], found: _Found) -> Iterator[tuple[str, dict[str, Json]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except RecursionError:
            found.problem(f"line {number}: is nested too deeply")
        except ValueError as error:
            found.problem(f"line {number}: {error.msg if isinstance(error, json.JSONDecodeError) else error}")
        else:
            if isinstance(value, dict):
                yield f"line {number}", value
            else:
                found.problem(f"line {number}: must be an object")


def _complete(text: str, at: int) -> Iterator[dict[str, Json]]:
    """The objects of a list that breaks off."""
    decoder = json.JSONDecoder()
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            yield value


# --- writing ----------------------------------------------------------------------------------------------------------


def as_lines(capture: Capture) -> Iterator[bytes]:
    """Each line with its line break, in UTF-8; `type` and `schema` come first."""
    records: tuple[Header | Recorded | End, ...] = (capture.header, *capture.requests, capture.end)
    for record in records:
        values: dict[str, Json] = to_builtins(record)
        first = {key: values[key] for key in ("type", "schema") if key in values}
        yield _line(first | values)


def _line(values: dict[str, Json]) -> bytes:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can name and UTF-8 cannot hold
        return (json.dumps(values, separators=(",", ":")) + "\n").encode()


_PIECE = 1 << 20


def recording(path: str, workspace: Workspace) -> Capture:
    """The capture at `path`. Raises ScenarioError where nothing of the file can be used.

    It is kept until all is looked at again: captures are not edited.
    """
    return workspace.memo(("capture", path), lambda: _read(path, workspace), tracked=True)


def _read(path: str, workspace: Workspace) -> Capture:
    workspace.allow([path])
    try:
        data = b"".join(workspace.chunks(path, _PIECE, MAX_BYTES + 1))
        return read_capture(data)
    except OSError as error:
        raise ScenarioError(f"cannot read the capture: {error.strerror or error}", where=path) from None
    except CaptureError as error:
        where = f"{path}:{error.line}" if error.line else path
        raise ScenarioError(f"no capture: {error.message}", where=where) from None


def chosen(capture: Capture, number: int) -> Recorded:
    """The request of this number, 0 being the main one. Raises ScenarioError if there is none to show."""
    if number == 0:
        if capture.main is None:
            raise ScenarioError("the capture holds no request to a model", where="capture")
        return capture.main
    found = capture.request(number)
    usable = [str(each.index) for each in capture.requests if each.protocol and each.body is not None]
    if found is None or str(number) not in usable:
        message = f"no request {number} to a model in the capture; there are: {', '.join(usable[:20]) or 'none'}"
        raise ScenarioError(message, where="params.request")
    return found


def recorded_in(path: str) -> str | None:
    """The folder in which promptscope recorded a capture; None for a file of another tool, or one that is none."""
    try:
        return recording(path, Workspace()).header.cwd
    except ScenarioError:  # who assembles it is told
        return None
