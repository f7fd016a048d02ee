"""Changes in folders, as Linux tells them: at once, and without waking up while nothing happens.

watchfiles collects events for 20 to 40 ms, and looks every 20 ms whether there are any. The kernel also says when a
file that was written is closed, so that a save need not be waited for; other changes are collected until it is quiet.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

AVAILABLE = sys.platform == "linux"

SETTLED = 0.003
"""Seconds of silence after a file was closed or renamed; a checkout writes the next one within them."""

UNDER_WAY = 0.020
"""Seconds of silence after any other event, as while a file is being written."""

AT_MOST = 0.200
"""Seconds over which a burst is collected."""

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _OVERFLOW = 0x400, 0x800, 0x4000
_ALL = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
_COMPLETE = _CLOSE_WRITE | _MOVED_TO | _DELETE | _DELETE_SELF | _MOVE_SELF
EVENT = struct.Struct("iIII")
_BUFFER = 1 << 16


class Notices:
    """What changes in folders, one by one and not below them. Close it; `nudge` may be called from any thread."""

    def __init__(self, folders: Iterable[str]) -> None:
        """Begin to listen. A folder that may not be read is left out.

        Raises OSError: FileNotFoundError for a folder that is not there, another one if no watches are left.
        """
        self._folders: dict[int, str] = {}
        self._lock = threading.Lock()
        self._woken, self._wake = os.pipe()
        self._events = -1
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            self._events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            if self._events < 0:
                raise _problem("inotify")
            for folder in folders:
                number = libc.inotify_add_watch(self._events, os.fsencode(folder), _ALL)
                if number >= 0:
                    self._folders[number] = folder
                elif ctypes.get_errno() != errno.EACCES:
                    raise _problem(folder)
        except BaseException:
            self.close()
            raise

    def nudge(self) -> None:
        """Let `batches` ask whether it should end."""
        with self._lock:
            if self._wake >= 0:
                os.write(self._wake, b".")

    def close(self) -> None:
        """Stop listening."""
        with self._lock:
            for number in (self._events, self._woken, self._wake):
                if number >= 0:
                    os.close(number)
            self._events = self._woken = self._wake = -1

    def batches(
        self, is_over: Callable[[], bool], matters: Callable[[str], bool], begins: Callable[[], None]
    ) -> Iterator[set[str]]:
        """The paths that matter and changed together, until `is_over`, which is asked at first and after each `nudge`.
        `begins` is called when the first of them is told.

        If so many things happened that some were lost, all of the folders are named.
        """
        waiting = select.poll()
        waiting.register(self._events, select.POLLIN)
        waiting.register(self._woken, select.POLLIN)
        while not is_over():
            ready = {number for number, _ in waiting.poll()}
            if self._woken in ready:
                os.read(self._woken, _BUFFER)
            if self._events in ready and (burst := self._burst(matters, begins)):
                yield burst

    def _burst(self, matters: Callable[[str], bool], begins: Callable[[], None]) -> set[str]:
        """What is told now and until it is quiet. A home folder is never quiet: only what matters is waited for."""
        more = select.poll()
        more.register(self._events, select.POLLIN)
        found: set[str] = set()
        end = time.monotonic() + AT_MOST
        quiet_at = 0.0
        while True:
            first = not found
            if (mask := self.read_events(found, matters)) and found:
                if first:
                    begins()
                quiet_at = min(time.monotonic() + (SETTLED if mask & _COMPLETE else UNDER_WAY), end)
            left = quiet_at - time.monotonic()
            if left <= 0 or not more.poll(max(left * 1000, 1)):
                return found

    def read_events(self, found: set[str], matters: Callable[[str], bool]) -> int:
        """Add the paths of the events that are there. What the last one that matters is, 0 if none does."""
        data, at, last = b"", 0, 0
        with suppress(BlockingIOError):
            data = os.read(self._events, _BUFFER)
        while at < len(data):
            number, mask, _, length = EVENT.unpack_from(data, at)
            at += EVENT.size
            name = os.fsdecode(data[at : at + length].rstrip(b"\0"))
            at += length
            if mask & _OVERFLOW:
                found.update(self._folders.values())
                last = mask
            elif (folder := self._folders.get(number)) is not None:
                path = f"{folder.rstrip('/')}/{name}" if name else folder
                if matters(path):
                    found.add(path)
                    last = mask
        return last


def _problem(name: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number), name)  # of the class that the number stands for
