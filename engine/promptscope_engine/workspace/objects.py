"""Git's objects, read through `git cat-file`: one process that tells sizes, one that gives contents.

Nothing is checked out and no filter is applied. An object that is not in this clone is not fetched.
"""

import contextlib
import errno
import subprocess
import threading
import time

from .git import TIMEOUT, Git

MAX_BYTES = 32 * 1024 * 1024
"""Bytes of one object; what is larger is not read."""

_SMALL = 1_024
"""Bytes up to which a content is kept: it is read to see whether it only points to the real one, then once more."""
_FRESH = 1.0
"""Seconds for which one watch over the time serves: starting one takes longer than git's answer."""


class Objects:
    """The objects of a repository by their ids. Errors are OSError, as of a disk."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._sizes: dict[str, int] = {}
        self._small: dict[str, bytes] = {}
        self._ended = ""
        self._busy: subprocess.Popen[bytes] | None = None
        self._watch: threading.Timer | None = None
        self._watched_since = 0.0

    def size(self, oid: str) -> int:
        """The size of an object in bytes."""
        if oid not in self._sizes:
            with self._lock:
                self._sizes[oid], _ = self._ask("--batch-check", oid)
        return self._sizes[oid]

    def read(self, oid: str, limit: int = MAX_BYTES) -> bytes:
        """The content of an object of at most `limit` bytes."""
        size = self.size(oid)
        if size > limit:
            raise OSError(errno.EFBIG, f"{size:,} bytes in git are more than {limit:,}")
        if oid not in self._small:
            with self._lock:
                _, data = self._ask("--batch", oid)
            if size > _SMALL:
                return data
            self._small[oid] = data
        return self._small[oid]

    def close(self) -> None:
        """End the processes; nothing can be read any more."""
        with self._lock:
            self._end("the revision was closed")

    def _ask(self, mode: str, oid: str) -> tuple[int, bytes]:
        process = self._process(mode)
        assert process.stdin is not None
        assert process.stdout is not None
        self._watch_over(process)
        try:
            process.stdin.write(f"{oid}\n".encode())
            process.stdin.flush()
            words = process.stdout.readline().decode("ascii", "replace").split()
            if words[1:] == ["missing"]:
                raise OSError(errno.EIO, "git has not got its content: this clone is partial, or damaged")
            _, _, told = words
            size = int(told)
            wanted = size + 1 if mode == "--batch" else 0  # a line end follows
            data = process.stdout.read(wanted)
            if len(data) != wanted:
                raise BrokenPipeError
        except (BrokenPipeError, ValueError):
            self._end("git ended, or did not answer in time")
            raise OSError(errno.EIO, self._ended) from None
        finally:
            self._busy = None
        return size, data[:-1]

    def _watch_over(self, process: subprocess.Popen[bytes]) -> None:
        """End the process if it has not answered when TIMEOUT is over."""
        self._busy = process
        if self._watch is None or time.monotonic() - self._watched_since > _FRESH:
            self._stop_watching()
            self._watch = threading.Timer(TIMEOUT, self._give_up)
            self._watch.daemon = True
            self._watched_since = time.monotonic()
            self._watch.start()

    def _give_up(self) -> None:
        self._watch = None
        if (process := self._busy) is not None:
            process.kill()

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    def _process(self, mode: str) -> subprocess.Popen[bytes]:
        if self._ended:
            raise OSError(errno.EIO, self._ended)
        if mode not in self._processes:
            self._processes[mode] = self._git.open("cat-file", mode)
        return self._processes[mode]

    def _end(self, why: str) -> None:
        self._ended = self._ended or why
        self._stop_watching()
        for process in self._processes.values():
            for pipe in filter(None, (process.stdin, process.stdout)):
                with contextlib.suppress(OSError):
                    pipe.close()
            process.kill()
            process.wait()
        self._processes.clear()
