"""Commands on a pty, with pyte as the screen behind it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pyte
from wcwidth import wcwidth

PATIENCE = 60.0
"""Seconds after which what did not come is a failure."""


_END = "--- the end of a command ---"

_ONE_BY_ONE = f"""
import json, os, sys
from promptscope_tui.__main__ import main
for words in json.loads(sys.argv[1]):
    before = dict(os.environ)
    while words and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        os.environ[name] = value
    sys.argv = ["promptscope", *words]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
    os.environ.clear()
    os.environ.update(before)
    print({_END!r}, flush=True)
"""

_BARE = """
import sys
from promptscope_tui.session import findings
findings.each_effect = lambda *_, **__: iter(())
findings.agents_for = lambda _: ()
from promptscope_tui.__main__ import run
sys.argv[0] = "promptscope"
run()
"""


def _hear_interrupts() -> None:
    """Undo what a shell does to the jobs it runs in the background, which would ignore ctrl+c."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Process(TypedDict, total=False):
    """How the process is started."""

    env: Mapping[str, str]
    python: str
    program: Sequence[str]
    bare: bool


class Terminal:
    """A process on a pty; `raw` is every byte it wrote, `screen` what a person would see.

    Of several commands, which one process runs one after the other, `each` is what each of them wrote. As in a shell,
    `NAME=VALUE` before the words of one of them is a variable for it alone.

    A `program` with its words takes the place of the commands. A `bare` app leaves out what its worker finds out last,
    the effects of switches and what other agents read. That is half of the work of a start, and nothing to a test of
    the terminal.
    """

    def __init__(
        self,
        commands: Sequence[list[str]],
        folder: Path,
        size: tuple[int, int] = (100, 30),
        **process: Unpack[Process],
    ) -> None:
        columns, rows = size
        self._screen = pyte.Screen(columns, rows)
        self.raw = b""
        self._parsed = 0
        self._stream = pyte.ByteStream(self._screen)
        self._lines: dict[int, str] = {}
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder.parent),
            "PROMPTSCOPE_CACHE": str(folder.parent / "cache"),
            "PROMPTSCOPE_STATE": str(folder.parent / "state"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **process.get("env", {}),
        }
        one = len(commands) == 1
        if one:
            program = [*(["-c", _BARE] if process.get("bare") else ["-m", "promptscope_tui"]), *commands[0]]
        else:
            program = ["-c", _ONE_BY_ONE, json.dumps(commands)]
        self.process = subprocess.Popen(
            process.get("program") or [process.get("python", sys.executable), *program],
            cwd=folder,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_hear_interrupts,
        )
        os.close(slave)

    @property
    def screen(self) -> pyte.Screen:
        """What the bytes so far have drawn. They are parsed when somebody looks."""
        self._stream.feed(self.raw[self._parsed :])
        self._parsed = len(self.raw)
        return self._screen

    @property
    def text(self) -> str:
        """The lines of the screen. It is asked for after every read: only lines that were drawn on are made again."""
        screen = self.screen
        for y in screen.dirty | {
            max(y - 1, 0) for y in screen.dirty
        }:  # a mark may join the last character of the line above
            self._lines[y] = self._line(y)
        screen.dirty.clear()
        return "\n".join(self._lines[y] for y in range(screen.lines))

    def _line(self, y: int) -> str:
        """A line as `pyte.Screen.display` has it: the cell behind a wide character is none of its own."""
        cells, found, behind = self._screen.buffer[y], [], False
        for x in range(self._screen.columns):
            if not behind:
                found.append(cells[x].data)
            behind = not behind and not found[-1].isascii() and wcwidth(found[-1][0]) == 2
        return "".join(found)

    @property
    def each(self) -> list[bytes]:
        """What each of several commands wrote."""
        *parts, rest = self.raw.split(f"{_END}\r\n".encode())
        assert rest == b""
        return parts

    @property
    def settings(self) -> list[Any]:
        """How the system treats the terminal (see termios)."""
        return termios.tcgetattr(self._master)

    @property
    def modes(self) -> dict[bytes, bool]:
        """The private modes that were set or reset, by number."""
        return {
            number: found[2] == b"h"
            for found in re.finditer(rb"\x1b\[\?([\d;]+)([hl])", self.raw)
            for number in found[1].split(b";")
        }

    def opens_and_ends(self, holds: Callable[[], bool]) -> None:
        """Wait until an app shows something, leave it with `q`, and give the pty back."""
        try:
            self.until(holds)
            self.send("q")
            assert self.finish() == 0
        finally:
            self.close()

    def send(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def until(self, holds: Callable[[], bool]) -> None:
        """Read until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert self._read(end), self.text

    def until_quiet(self, seconds: float) -> None:
        """Read as long as no pause is longer."""
        end = time.monotonic() + PATIENCE
        while select.select([self._master], [], [], seconds)[0] and time.monotonic() < end and self._read(end):
            pass

    def until_made(self, path: Path) -> None:
        """Read until a file exists."""
        end = time.monotonic() + PATIENCE
        while not path.exists():
            assert time.monotonic() < end, self.text
            if select.select([self._master], [], [], 0.05)[0]:
                self._read(end)

    def finish(self) -> int:
        """Read to the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, end: float) -> bool:
        """Wait for more, and take it; False at the end."""
        left = max(0, end - time.monotonic())
        assert select.select([self._master], [], [], left)[0], self.text
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux's way to say that the other side is closed
            return False
        self.raw += data
        return bool(data)

    def resize(self, columns: int, rows: int) -> None:
        """The window has another size."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)
        self.screen.resize(rows, columns)

    def hang_up(self) -> int:
        """The window is closed: writing fails from now on. The exit code."""
        os.close(self._master)
        self._master = -1
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self._master >= 0:
            os.close(self._master)
