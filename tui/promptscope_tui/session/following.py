"""Follows a transcript that is still being written."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from promptscope_engine.agents.transcripts import MAX_BYTES, PIECE, Transcript, TranscriptReader
from promptscope_engine.workspace.disk import chunks_from

SECONDS = 0.5
"""How often an open file is looked at. Watching its folder would wake up for every other session's file."""


class Follower:
    """A thread that feeds a reader what is added to a file, and tells of the transcript as it is then."""

    def __init__(self, path: str, reader: TranscriptReader, read: int, tell: Callable[[Transcript], None]) -> None:
        """`read` bytes of the file are read already; `tell` is called from the thread."""
        self._path, self._reader, self._read, self._tell = path, reader, read, tell
        self._inode = _look(path)[0]
        self._over = threading.Event()
        self.thread = threading.Thread(target=self._run, name="promptscope-follower", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """End the thread; nothing is told from now on."""
        self._over.set()

    def _run(self) -> None:
        while not self._over.wait(SECONDS):
            inode, size = _look(self._path)
            if inode != self._inode or size < self._read:
                return  # another file in its place is another conversation
            if self._read < min(size, MAX_BYTES) and self._feed():
                found = latest(self._reader)
                if not self._over.is_set():
                    self._tell(found)

    def _feed(self) -> bool:
        """Read what is new; whether there was something."""
        before = self._read
        try:
            for piece in chunks_from(self._path, PIECE, self._read):
                self._reader.feed(piece)
                self._read += len(piece)
                if self._over.is_set():
                    return False
        except OSError:
            return False
        return self._read > before


def latest(reader: TranscriptReader) -> Transcript:
    """What was read so far; the last line counts if it is whole, whether or not its line break is written yet."""
    ended, without = reader.close(), reader.transcript()
    return ended if ended.broken == without.broken else without


def _look(path: str) -> tuple[int, int]:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return 0, -1
    return found.st_ino, found.st_size
