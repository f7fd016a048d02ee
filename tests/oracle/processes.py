"""Runs a client's command: headless or on a terminal, with a limit, ended with everything that it started."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .clients.client import Launch

_SETTLE = 0.7
"""Seconds that a client on a terminal may still ask in, once it has asked what was waited for."""


_LOOK = 0.2
"""Seconds between two looks at whether a client that is run to a point has got there."""


@dataclass(frozen=True)
class Ended:
    """What a command said, and its exit status; None where it was ended."""

    said: str
    status: int | None


def headless(launch: Launch, folder: Path, limit: float, done: Callable[[], bool] | None = None) -> Ended:
    """Run to the end, until `done` says so, or to the limit in seconds."""
    child = subprocess.Popen(
        launch.command,
        cwd=folder,
        env=launch.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    end = time.monotonic() + limit
    while True:
        left = end - time.monotonic()
        try:
            output, errors = child.communicate(timeout=left if done is None else min(left, _LOOK))
            break
        except subprocess.TimeoutExpired:
            if time.monotonic() < end and not (done and done()):
                continue
            end_group(child.pid)
            output, errors = child.communicate()
            return Ended(_text(output, errors), None)
    return Ended(_text(output, errors) if child.returncode else _text(errors), child.returncode)


_QUESTIONS = (
    (rb"\x1b\[6n", b"\x1b[1;1R"),
    (rb"\x1b\[0?c", b"\x1b[?62;22c"),
    (rb"\x1b\](1[01]);\?(?:\x07|\x1b\\)", b"\x1b]\\1;rgb:0000/0000/0000\x1b\\\\"),
)
"""What is asked of a terminal (where the cursor is, what it can do, its colours), and what a plain one says."""


def on_terminal(launch: Launch, folder: Path, limit: float, done: Callable[[], bool]) -> Ended:
    """Run on a pseudo-terminal until `done` says so, or to the limit in seconds."""
    terminal = Terminal(launch, folder)
    end = time.monotonic() + limit
    while time.monotonic() < end and terminal.hear():
        if done():
            end = min(end, time.monotonic() + _SETTLE)
    terminal.end()
    return Ended(_text(terminal.said), None)


class Terminal:
    """A command on a pseudo-terminal, which answers what is asked of it. `said` is all that it wrote."""

    def __init__(self, launch: Launch, folder: Path) -> None:
        self.said = b""
        self._child, self._file = pty.fork()
        if self._child == 0:
            os.chdir(folder)
            os.execvpe(launch.command[0], launch.command, launch.environment)
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def hear(self) -> bool:
        """Take what it writes by now; False once it has gone."""
        if select.select([self._file], [], [], _LOOK)[0]:
            try:
                piece = os.read(self._file, 65536)
                for question, answer in _QUESTIONS:
                    for found in re.finditer(question, piece):
                        os.write(self._file, found.expand(answer))
            except OSError:
                return False
            self.said += piece
        return True

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._file, keys.encode())

    def end(self) -> None:
        """End it with everything that it started."""
        end_group(self._child)
        os.close(self._file)
        with suppress(OSError):
            os.waitpid(self._child, 0)


def end_group(group: int) -> None:
    """End a process with everything that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(group, number)
        except OSError:
            return
        time.sleep(0.2)


def _text(*outputs: bytes) -> str:
    return "\n".join(output.decode("utf-8", "replace") for output in outputs)
