"""A pseudo-terminal for a client: it answers what programs ask of terminals, and dialogs that are known."""

import asyncio
import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import Sequence
from contextlib import suppress

from promptscope_engine.learning.script import Answer

_ROWS, _COLUMNS = 40, 120
_KEPT = 20_000
"""Bytes of what it printed last that are looked at for a dialog."""
_ASKED = (
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\](1[01]);\?(?:\x07|\x1b\\)"), b"\x1b]\\1;rgb:0000/0000/0000\x1b\\\\"),
)
"""What is asked of a terminal (where the cursor is, what it can do, its colours), and what a plain one says."""
SETTLED = 0.3
"""Seconds in which nothing more is printed once a dialog is there: keys that come before it takes any are lost."""
_RIGHT = re.compile(r"\x1b\[\d*C")
_CONTROL = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x09\x0b-\x1f\x7f]"
)


class Terminal:
    """Its two ends. `slave` is for the program's three streams; the other is read until it is closed."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        os.set_blocking(self.master, False)
        self._left = [(re.compile(answer.shows.replace(" ", r"\s*")), answer.keys.encode()) for answer in answers]
        self._printed = b""
        self._unread = b""
        self._due: asyncio.TimerHandle | None = None
        asyncio.get_running_loop().add_reader(self.master, self._read)

    def take(self) -> None:
        """In the program's process, before it starts: this is its terminal."""
        with suppress(OSError):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def started(self) -> None:
        """The program has its end."""
        os.close(self.slave)

    @property
    def said(self) -> str:
        """What it printed last, as a person would read it."""
        return plain(self._printed)

    def close(self) -> None:
        """Hang up."""
        if self._due:
            self._due.cancel()
        asyncio.get_running_loop().remove_reader(self.master)
        with suppress(OSError):
            os.close(self.master)

    def _read(self) -> None:
        try:
            piece = os.read(self.master, 65_536)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            asyncio.get_running_loop().remove_reader(self.master)
            return
        for asked, answer in _ASKED:
            for found in asked.finditer(piece):
                self._type(found.expand(answer))
        self._printed = (self._printed + piece)[-_KEPT:]
        self._unread = (self._unread + piece)[-_KEPT:]
        if self._due:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(SETTLED, self._answer)

    def _answer(self) -> None:
        """Answer the dialog that is shown, if it is one that is known."""
        for number, (shows, keys) in enumerate(self._left):
            if shows.search(plain(self._unread)):
                del self._left[number]
                self._unread = b""
                self._type(keys)
                return

    def _type(self, keys: bytes) -> None:
        with suppress(OSError):
            os.write(self.master, keys)


def plain(printed: bytes) -> str:
    """Text without control sequences; a move to the right is a blank, as programs that draw write it."""
    return _CONTROL.sub("", _RIGHT.sub(" ", printed.decode("utf-8", "replace")))
