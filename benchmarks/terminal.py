"""A process on a terminal of its own, measured from outside: what it wrote, when, and what was on the screen then."""

from __future__ import annotations

import ctypes
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path

import pyte

COLUMNS, LINES = 140, 40
QUIET = 0.4
"""Seconds without a byte after which a screen is looked at."""
PATIENCE = 60.0
"""Seconds after which what was waited for will not come."""

Seen = Callable[[str], bool]
"""Says of the text of a screen whether it is the one that was waited for."""


_LIBC = ctypes.CDLL(None)
_PARENT_ENDED = 1  # PR_SET_PDEATHSIG


def _end_with_us() -> None:
    """A Textual app whose terminal is gone would spin for ever."""
    _LIBC.prctl(_PARENT_ENDED, signal.SIGKILL)


class Terminal:
    """A process on a pty of 140 by 40. Everything it writes is kept with the time at which it came."""

    def __init__(self, command: list[str], folder: Path, env: Mapping[str, str]) -> None:
        self.start = time.perf_counter()
        self._master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_end_with_us,
        )
        os.close(slave)
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def pid(self) -> int:
        return self._process.pid

    def until(self, seen: Seen) -> float:
        """Seconds from `start` to the bytes with which the screen came to show it.

        Bytes are parsed only when no more of them come, so that parsing takes no time of the process that is measured.
        """
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            for at, data in self._read():
                self._stream.feed(data)
                if seen(self.text):
                    self._feed_rest()
                    return at - self.start
        raise TimeoutError("it did not come:\n" + self.text)

    def _read(self) -> Iterator[tuple[float, bytes]]:
        chunks = []
        while select.select([self._master], [], [], QUIET)[0]:
            data = os.read(self._master, 1 << 16)
            chunks.append((time.perf_counter(), data))
        self._rest = iter(chunks)
        return self._rest

    def _feed_rest(self) -> None:
        for _, data in self._rest:
            self._stream.feed(data)

    def settle(self, quiet: float = 1.0) -> None:
        """Read until nothing came for so many seconds."""
        while select.select([self._master], [], [], quiet)[0]:
            self._stream.feed(os.read(self._master, 1 << 16))

    def write(self, keys: str) -> None:
        """Press keys, and measure from now on."""
        self.start = time.perf_counter()
        os.write(self._master, keys.encode())

    def press(self, keys: str, seen: Seen) -> float:
        """Seconds from these keys to the screen that was waited for."""
        self.write(keys)
        return self.until(seen)

    @property
    def text(self) -> str:
        """What is on the screen now."""
        return "\n".join(self._screen.display)

    def memory(self) -> int:
        """Bytes of memory that the process holds."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def processor(self, seconds: float) -> float:
        """The share of one processor that it took while nothing happened for so long."""
        before = self._ticks()
        self.settle(seconds)
        return (self._ticks() - before) / os.sysconf("SC_CLK_TCK") / seconds

    def _ticks(self) -> int:
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])  # user and system time

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)


@contextmanager
def terminal(command: list[str], folder: Path, env: Mapping[str, str]) -> Iterator[Terminal]:
    opened = Terminal(command, folder, env)
    try:
        yield opened
    finally:
        opened.close()
