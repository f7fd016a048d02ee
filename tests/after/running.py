"""Real clients over several turns: a process for each turn, one that stays, a server, or a terminal."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Queue
from typing import Any

from tests.oracle.clients import client_of
from tests.oracle.clients.client import Client, Launch
from tests.oracle.processes import Terminal, end_group, headless
from tests.oracle.situation import Situation

from .asking import Script
from .worlds import World

Json = Any
LOG = "client.log"
_TYPING = 0.8
_QUIET = 2.5
_GONE = 8
_PATIENT = 3
"""Seconds: between the keys and Enter, without a request until a turn is over, for a client to end by itself, and for
a server that starts to answer."""


class Running:
    """A client in its world, asked through a stand-in. `extra` are the words of the last restart."""

    def __init__(self, world: World, script: Script) -> None:
        given = world.situation
        self.world, self.script, self.agent = world, script, given["agent"]
        self.limit = given.get("limit", 90)
        self.arguments, self.extra = world.fill(given.get("args", [])), list[str]()
        self.started = False
        self.launch, self.program = self._launch(given)
        self.model = given.get("model")

    def _launch(self, given: Json) -> tuple[Launch, list[str]]:
        asked = Situation(
            self.agent, given["version"], 0, cwd=given.get("cwd", "repo"), prompt="", files=given["files"]
        )
        asked.env = self.world.fill(given.get("env", {}))
        asked.args = {"interactive": True} if given.get("tty") else {}
        if given.get("model"):
            asked.args["model"] = given["model"]
        client: Client = client_of(asked)
        own = {name: text for name, text in client.files(asked).items() if text != given["files"].get(name)}
        own.pop("system.json", None)  # the world has it already
        self.world.write(own)
        return client.launch(asked, self.script.port, self.world.root), client.program()

    def restart(self, extra: list[str], *, fresh: bool) -> None:
        """The client ends; the next turn starts it with these words, in a session of its own if `fresh`."""
        self.end()
        self.extra, self.started = extra, self.started and not fresh

    def end(self) -> None:
        """The client ends, if it is there."""

    def say(self, text: str) -> None:
        """One turn, to its end: `Turns` is for clients that start anew for each."""
        ended = headless(Launch(self.command(text), self.launch.environment), self.world.cwd, self.limit)
        (self.world.root / LOG).write_text(ended.said)
        self.started = True

    def command(self, text: str = "") -> list[str]:
        """How a turn, or on a terminal the session, is started."""
        own, given = self.launch.command, [*self.arguments, *self.extra]
        if self.agent == "codex":
            asked = ["resume", "--last", text] if self.started else ["--", text]
            return [*own[:-2], *given, *([] if self.world.situation.get("tty") else asked)]
        if self.agent == "openclaw":
            return [*own[: own.index("")], text, *own[own.index("") + 1 :], *given]
        words = [*own[: own.index("")], *own[own.index("") + 1 :]]
        ask = words.index("-p") if "-p" in words else words.index("-i") if "-i" in words else len(words)
        words = [*words[:ask], *words[ask + 1 :], *given]
        if self.world.situation.get("tty"):
            return words
        again = {"gemini": ["--resume", "latest"], "copilot": ["--continue"]}[self.agent] if self.started else []
        return [*words, *again, "-p", text]


class Stream(Running):
    """Claude Code, which stays and takes one line of JSON for each turn."""

    child: subprocess.Popen[bytes] | None = None

    def say(self, text: str) -> None:
        """Until it says that there is a result, or until it has gone."""
        if self.child is None or self.child.poll() is not None:
            self._start()
        assert self.child is not None
        assert self.child.stdin is not None
        line = json.dumps({"type": "user", "message": {"role": "user", "content": text}})
        self.child.stdin.write(f"{line}\n".encode())
        self.child.stdin.flush()
        end = time.monotonic() + self.limit
        while time.monotonic() < end and self.child.poll() is None:
            with suppress(Empty):
                if b'"type":"result"' in self.lines.get(timeout=0.3):
                    return

    def _start(self) -> None:
        own = self.launch.command
        command = [*own[: own.index("-p")], *own[own.index("-p") + 2 :], *self.arguments, *self.extra]
        streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        self.child = started([*command, "-p", *streams], self, subprocess.PIPE)
        self.lines: Queue[bytes] = Queue()
        threading.Thread(target=_read, args=(self.child, self.lines), daemon=True).start()

    def end(self) -> None:
        """Its input ends, and it does."""
        if self.child is not None:
            assert self.child.stdin is not None
            with suppress(OSError, subprocess.TimeoutExpired):
                self.child.stdin.close()
                self.child.wait(_GONE)
            end_group(self.child.pid)
        self.child = None


class Server(Running):
    """OpenCode behind its server, as its terminal asks it: `/compact` is a call of its own, `/clear` a new session."""

    child: subprocess.Popen[bytes] | None = None
    session = ""

    def say(self, text: str) -> None:
        """One message, or what a command does."""
        if self.child is None:
            self._start()
        provider, _, model = (self.model or "anthropic/claude-sonnet-4-5").partition("/")
        named = {"providerID": provider, "modelID": model}
        if text == "/clear":
            self.session = self._call("session", {})["id"]
        elif text == "/compact":
            self._call(f"session/{self.session}/summarize", named)
        else:
            self._call(f"session/{self.session}/message", {"model": named, "parts": [{"type": "text", "text": text}]})

    def _start(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = ["serve", "--port", str(self.port), "--hostname", "127.0.0.1", *self.arguments]
        self.child = started([*self.program, *words], self)
        end = time.monotonic() + self.limit
        found = None
        while found is None and time.monotonic() < end:
            time.sleep(0.2)
            with suppress(OSError):
                found = self._call("session", limit=_PATIENT)  # a first one may be left without an answer
        going_on = found and "--continue" in self.extra
        self.session = found[0]["id"] if found and going_on else self._call("session", {})["id"]

    def _call(self, path: str, body: Json = None, limit: float | None = None) -> Json:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", data)
        request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request, timeout=limit or self.limit) as got:
            return json.loads(got.read() or b"null")

    def end(self) -> None:
        """The server is ended."""
        if self.child is not None:
            end_group(self.child.pid)
            self.child.wait()
        self.child = None


class OnTerminal(Running):
    """Any client on a pseudo-terminal: a turn is over when nothing was asked for some seconds."""

    terminal: Terminal | None = None

    def say(self, text: str) -> None:
        """Type it, and Enter if it does not end so."""
        if self.terminal is None:
            self.terminal = Terminal(Launch(self.command(), self.launch.environment), self.world.cwd)
            self._hear(self.world.situation.get("boot", 5))
        before = len(self.script.asked)
        self.terminal.type(text)
        self._hear(_TYPING)
        if not text.endswith("\r"):
            self.terminal.type("\r")
        self.script.last = time.monotonic()
        self._hear(self.limit, lambda: len(self.script.asked) > before)

    def _hear(self, seconds: float, asked: Callable[[], bool] | None = None) -> None:
        """Take what it writes, for some seconds, or until it is quiet; that takes longer where nothing was asked."""
        assert self.terminal is not None
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.terminal.hear():
            quiet = time.monotonic() - self.script.last
            if asked and quiet > _QUIET * (1 if asked() else 2) and not self.script.replies:
                return

    def end(self) -> None:
        """It is ended, with its terminal."""
        if self.terminal is not None:
            self.terminal.end()
            (self.world.root / LOG).write_bytes(self.terminal.said)
        self.terminal = None


def started(command: list[str], running: Running, output: int | None = None) -> subprocess.Popen[bytes]:
    """A client that stays, in a group of its own; what it says else is in a log."""
    log = (running.world.root / LOG).open("ab")
    return subprocess.Popen(
        command,
        cwd=running.world.cwd,
        env=running.launch.environment,
        stdin=subprocess.PIPE,
        stdout=output or log,
        stderr=log,
        start_new_session=True,
    )


def _read(child: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    assert child.stdout is not None
    for line in iter(child.stdout.readline, b""):
        lines.put(line)


def running(world: World, script: Script) -> Running:
    """The client of a situation, as it runs there."""
    kinds = {"claude-code": Stream, "opencode": Server}
    kind = OnTerminal if world.situation.get("tty") else kinds.get(world.situation["agent"], Running)
    return kind(world, script)
