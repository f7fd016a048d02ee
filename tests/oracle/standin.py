"""A stand-in on loopback for the agents' model servers. It keeps bodies and no headers, so no keys."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar

from . import replies
from .bodies import texts_of, tools_of
from .situation import Json

TITLE = "Generate a title"
"""How OpenCode's request for a title begins."""


class Answers(Protocol):
    """What stands in for a server, and where it listens."""

    port: int

    def answer(self, path: str, body: Json) -> replies.Reply | None:
        """The reply to a posted body; None for what no model server knows."""


S = TypeVar("S", bound=Answers)


class StandIn:
    """What was asked so far, and the tool calls still to be made: one list for each reply of the conversation."""

    def __init__(self, script: list[list[Json]]) -> None:
        self._script = list(script)
        self._asked: list[tuple[bool, Json]] = []
        self._lock = threading.Lock()
        self.port = 0

    def answer(self, path: str, body: Json) -> replies.Reply | None:
        """The reply to a posted body; None for what no model server knows."""
        where = path.split("?")[0]
        main = _is_main(path, body)
        with self._lock:
            self._asked.append((main, {**_in_path(where), **body}))
            number = len(self._asked)
            calls = self._script.pop(0) if main and self._script else []
        return replies.answered(path, body, calls, number)

    def requests(self) -> list[Json]:
        """The bodies of the conversation, without the small questions that agents ask beside it."""
        with self._lock:
            found = [body for main, body in self._asked if main]
        return [body for body in found if tools_of(body)] or found


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that has gone."""


@contextmanager
def standing_in(script: list[list[Json]]) -> Iterator[StandIn]:
    """A stand-in that listens until the block is left."""
    with serving(StandIn(script)) as standin:
        yield standin


@contextmanager
def serving(standin: S) -> Iterator[S]:
    """What answers, listening until the block is left."""
    server = _Server(("127.0.0.1", 0), _handler(standin))
    standin.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield standin
    finally:
        server.shutdown()
        server.server_close()


def _in_path(where: str) -> Json:
    """What a request of Gemini's API says by its path: the model."""
    named = re.search(r"/models/([^/:]+):", where)
    return {"model": named[1]} if named else {}


def _is_main(path: str, body: Json) -> bool:
    where = path.split("?")[0]
    if where.endswith("/v1/messages"):
        return bool(body.get("messages")) and ("tools" in body or _is_bare_question(body))
    return where.endswith(("/responses", "/chat/completions")) or ("stream" in path and "contents" in body)


def _is_bare_question(body: Json) -> bool:
    """Whether a body without tools is a session's whose tools are all denied: OpenCode's, which sends no `tools` then.

    Its request for a title begins with an order of its own. Claude Code says `metadata` and, in a session, `tools`.
    """
    return "metadata" not in body and not texts_of({"messages": body["messages"]})[0][1].startswith(TITLE)


class Handler(BaseHTTPRequestHandler):
    standin: Answers
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._reply(200, b"")

    def do_GET(self) -> None:
        self._reply(404, b'{"type":"error","error":{"type":"not_found_error","message":"no"}}')

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        answer = self.standin.answer(self.path, body if isinstance(body, dict) else {})
        if answer is None:
            self._reply(404, b"{}")
        else:
            data, kind, *status = answer
            self._reply(status[0] if status else 200, data, kind)

    def _reply(self, code: int, data: bytes, kind: str = "application/json") -> None:
        try:
            self.send_response(code)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)
        except OSError:  # the client has gone
            return


def _handler(standin: Answers) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (Handler,), {"standin": standin})
