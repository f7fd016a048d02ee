"""The requests that Claude Code from 2.1.332 on keeps in its session files [recorded].

`api-request-shape` has the system text without the billing line and the tools, `api-request-blob` a message by the hash
of its JSON with sorted keys, `api-request` a request: the first `keep` messages of its `base`, then those of `tail` by
their hashes, the cache's breakpoints, the parameters. Answers, and what tools
answered where nothing was put beside it, are the session's own lines, a line a block.
"""

import hashlib
import json
from collections.abc import Mapping

from promptscope_engine.formats.document import Json

from .exchange import Exchange
from .model import objects, word

_PATH = "/v1/messages"
_GONE = "(a message that the session file does not hold)"
NO_REQUESTS = "a session of Claude Code without its requests: only 2.1.332 and later keep them"


class SessionRequests:
    """Takes the lines of a session file, and gives each request as it was sent."""

    def __init__(self) -> None:
        self._shapes: dict[str, Json] = {}
        self._messages: dict[str, Json] = {}
        self._hashes: dict[str, list[str]] = {}
        """The messages of each request, by its id."""
        self._said: tuple[str, list[Json]] = ("", [])
        """The message that the last lines belong to, by its id or its role."""
        self.lines = 0
        """How many lines were taken."""

    def is_line(self, record: Mapping[str, Json]) -> bool:
        """Whether a record is a line of such a file; of the other kinds of lines only answers are taken."""
        return "sessionId" in record and isinstance(record.get("type"), str)

    def take(self, record: Mapping[str, Json]) -> Exchange | None:
        """A line; the request where it is one."""
        kind = record.get("type")
        self.lines += 1
        if kind == "api-request-shape":
            self._shapes[word(record.get("shapeHash"))] = record.get("shape")
        elif kind == "api-request-blob":
            self._keep(word(record.get("hash")), record.get("message"))
        elif kind in ("assistant", "user"):
            self._take_said(str(kind), record.get("message"))
        elif kind == "api-request":
            return self._request(record)
        return None

    def _take_said(self, role: str, said: Json) -> None:
        """A block or more of an answer, or of what a tool answered: neighbours of one message are one."""
        if not isinstance(said, dict):
            return
        name = word(said.get("id")) or role
        before = self._said[1] if self._said[0] == name else []
        content = said.get("content")
        own: list[Json] = [{"type": "text", "text": content}] if isinstance(content, str) else [*objects(content)]
        self._said = (name, [*before, *own])
        for blocks in (self._said[1], own):
            message: Json = {"role": role, "content": [*blocks]}
            self._keep(_hash(message), message)

    def _keep(self, name: str, message: Json) -> None:
        """A message under its hash, and under that of its other form: a single text is sent with or without a block."""
        self._messages[name] = message
        if isinstance(message, dict):
            content = message.get("content")
            blocks = objects(content)
            if isinstance(content, str):
                other: Json = {**message, "content": [{"type": "text", "text": content}]}
            elif len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
                other = {**message, "content": blocks[0]["text"]}
            else:
                return
            self._messages.setdefault(_hash(other), other)

    def _request(self, record: Mapping[str, Json]) -> Exchange:
        keep, tail = record.get("keep"), record.get("tail")
        base = self._hashes.get(word(record.get("base")), [])
        hashes = [*base[: keep if isinstance(keep, int) else 0], *(word(each) for each in _items(tail))]
        self._hashes[word(record.get("id"))] = hashes
        lost = [each for each in hashes if each not in self._messages]
        missing: Json = {"role": "user", "content": _GONE}
        shape, params = self._shapes.get(word(record.get("shapeHash"))), record.get("params")
        body: dict[str, Json] = {
            **(params if isinstance(params, dict) else {}),
            **(shape if isinstance(shape, dict) else {}),
            "messages": [self._messages.get(each, missing) for each in hashes],
        }
        body = json.loads(json.dumps(body))  # breakpoints differ from request to request
        for mark in objects(record.get("cacheControl")):
            _put(body, _items(mark.get("path")), mark.get("value"))
        note = "the billing line is not in the session file"
        if lost:
            note = f"{len(lost):,} of {len(hashes):,} messages are not in the session file, and {note}"
        if shape is None:
            note = f"system and tools are not in the session file; {note}"
        version = word(record.get("version"))
        headers = {"user-agent": f"claude-cli/{version}"} if version else {}
        return Exchange(path=_PATH, headers=headers, body=body, time=word(record.get("timestamp")) or None, note=note)


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _hash(message: Json) -> str:
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _put(body: Json, path: list[Json], value: Json) -> None:
    """A breakpoint at a path of keys and numbers; nothing where the path leads nowhere."""
    here = body
    for step in path:
        if isinstance(here, dict) and isinstance(step, str):
            here = here.get(step)
        elif isinstance(here, list) and isinstance(step, int) and 0 <= step < len(here):
            here = here[step]
        else:
            return
    if isinstance(here, dict):
        here["cache_control"] = value
