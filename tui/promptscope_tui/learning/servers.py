"""Asks an MCP server of this machine what it offers: starts it, and ends it and all that it started.

The protocol is spoken here, and not by the client of the package mcp (looked at in 1.30): it reads a server's lines
without a limit, adds variables to those that the agent gives, logs a server's stray output with a traceback on the
terminal, and leaves what a server started running if the server itself ends.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import IO

from promptscope_engine.agents.kit.disk.servers import Configured
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.answers import MAX_BYTES

SECONDS = 30.0
_MAX_PAGES = 100
_MAX_ERRORS = 2_000
"""Characters of what a server writes to stderr that are told."""
_GRACE = 1.0
"""Seconds that a server has to end after its stdin was closed, and then after a signal."""
_LOOK = 0.1
"""Seconds after which it is looked whether the time is over, or somebody stopped it."""
_PROTOCOL = "2025-06-18"
_NO_METHOD = -32601


class ServerError(Exception):
    """A server that gave no answer; the message says why."""


def environment(server: Configured, env: Mapping[str, str]) -> dict[str, str]:
    """The variables that its agent would start it with."""
    passed = {name: text for name, text in env.items() if server.inherits(name)}
    return {**passed, **server.adds, **server.own_env}


def ask(server: Configured, env: Mapping[str, str], seconds: float = SECONDS, *, stopped: Event | None = None) -> bytes:
    """The answers to initialize and tools/list as they came, one a line. Once `stopped` is set, the server is stopped.

    Raises ServerError for a server that does not answer in time, or with too much.
    """
    try:
        process = subprocess.Popen(
            server.command,
            cwd=server.folder,
            env=environment(server, env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else error
        place = error.filename if isinstance(error, OSError) else None
        raise ServerError(f"it cannot be started: {words}{f': {place}' if place else ''}") from None
    stopped = stopped or Event()
    talk = _Talk(process, seconds, stopped)
    try:
        return b"\n".join(talk.answers())
    finally:
        _end(process, at_once=stopped.is_set())
        talk.close()


class _Talk:
    """What is said to a server under way, and what it says."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, stopped: Event) -> None:
        self._process, self._seconds, self._stopped = process, seconds, stopped
        self._until = time.monotonic() + seconds
        self._heard: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors, self._rest, self._read = bytearray(), b"", 0
        self._strange = ""
        heard = ((process.stdout, self._heard.put), (process.stderr, self._complained))
        self._readers = [Thread(target=_read, args=each, daemon=True) for each in heard]
        for reader in self._readers:
            reader.start()

    def close(self) -> None:
        """Wait until everything is read; a process that keeps a pipe open in another group is not waited for."""
        for reader in self._readers:
            reader.join(_GRACE)

    def answers(self) -> Iterator[bytes]:
        """The lines of the answers that count."""
        client = {"name": "promptscope", "version": "0"}
        said = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client}
        yield self._answer(1, "initialize", said)[0]
        self._say({"method": "notifications/initialized"})
        cursor: Json = None
        for number in range(_MAX_PAGES):
            line, result = self._answer(2 + number, "tools/list", {} if cursor is None else {"cursor": cursor})
            yield line
            cursor = result.get("nextCursor")
            if cursor is None:
                return
        raise ServerError(f"its list of tools has no end: {_MAX_PAGES} pages, and each names a next one")

    def _answer(self, number: int, method: str, params: Json) -> tuple[bytes, dict[str, Json]]:
        self._say({"id": number, "method": method, "params": params})
        while True:
            line = self._line(method)
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict):
                self._strange = self._strange or line.decode("utf-8", "replace")[:80]
            elif message.get("id") == number and "method" not in message:
                if (error := message.get("error")) is not None:
                    words = error.get("message") if isinstance(error, dict) else error
                    raise ServerError(f"it refused {method}: {str(words)[:200]}")
                result = message.get("result")
                return line, result if isinstance(result, dict) else {}
            elif "method" in message and "id" in message:  # a question of its own
                refused = {"error": {"code": _NO_METHOD, "message": "not supported"}}
                self._say({"id": message["id"], **({"result": {}} if message["method"] == "ping" else refused)})

    def _say(self, message: dict[str, Json]) -> None:
        stdin = self._process.stdin
        with suppress(OSError, ValueError):  # it ended: what it left is still read
            assert stdin is not None
            stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            stdin.flush()

    def _line(self, method: str) -> bytes:
        """The next line that is not empty."""
        while True:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                if line.strip():
                    return line
                continue
            if self._stopped.is_set():
                raise ServerError("stopped")
            if time.monotonic() > self._until:
                raise ServerError(f"no answer to {method} within {self._seconds:g} s{self._why()}")
            try:
                chunk = self._heard.get(timeout=_LOOK)
            except Empty:
                continue
            if chunk is None:
                raise ServerError(f"it ended before it answered {method}{self._code()}{self._why()}")
            self._read += len(chunk)
            if self._read > MAX_BYTES:
                raise ServerError(f"it sent more than {MAX_BYTES:,} bytes{self._why()}")
            self._rest += chunk

    def _complained(self, chunk: bytes | None) -> None:
        if chunk:
            self._errors[:] = (self._errors + chunk)[-_MAX_ERRORS:]

    def _code(self) -> str:
        self.close()  # its last words may still be on the way
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(_GRACE)
            return f" (exit code {code})" if code >= 0 else f" (signal {-code})"
        return ""

    def _why(self) -> str:
        """What it wrote where no answer is, for a person who looks for the reason."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        said = f"; it printed to stdout, where only messages may be: {self._strange}" if self._strange else ""
        return said + (f"; its last words: {lines[-1][:200]}" if lines else "")


def _read(stream: IO[bytes], take: Callable[[bytes | None], None]) -> None:
    """Give each chunk, and None at the end."""
    with suppress(OSError, ValueError), stream:
        while chunk := os.read(stream.fileno(), 65_536):
            take(chunk)
    take(None)


def _end(process: subprocess.Popen[bytes], *, at_once: bool) -> None:
    """Close its stdin, as clients do, then end it and all that it started."""
    if at_once:
        _signal(process, "SIGKILL")
    with suppress(OSError):
        if process.stdin:
            process.stdin.close()
    for end in (None, "SIGTERM", "SIGKILL"):
        if end is not None:
            _signal(process, end)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            break
    _signal(process, "SIGKILL")  # what it started, and did not end


def _signal(process: subprocess.Popen[bytes], name: str) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, getattr(signal, name))
        else:
            process.kill()
