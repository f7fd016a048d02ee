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


QUESTIONS = (
    (rb"\x1b\[6n", b"\x1b[1;1R"),
    (rb"\x1b\[0?c", b"\x1b[?62;22c"),
    (rb"\x1b\](1[01]);\?(?:\x07|\x1b\\)", b"\x1b]\\1;rgb:0000/0000/0000\x1b\\\\"),
)
"""What is asked of a terminal (where the cursor is, what it can do, its colours), and what a plain one says."""


def on_terminal(launch: Launch, folder: Path, limit: float, done: Callable[[], bool]) -> Ended:
    """Run on a pseudo-terminal until `done` says so, or to the limit in seconds."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(launch.command[0], launch.command, launch.environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    end, said = time.monotonic() + limit, b""
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                piece = os.read(terminal, 65536)
                for question, answer in QUESTIONS:
                    for found in re.finditer(question, piece):
                        os.write(terminal, found.expand(answer))
            except OSError:
                break
            said += piece
        if done():
            end = min(end, time.monotonic() + _SETTLE)
    end_group(child)
    os.close(terminal)
    with suppress(OSError):
        os.waitpid(child, 0)
    return Ended(_text(said), None)


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
