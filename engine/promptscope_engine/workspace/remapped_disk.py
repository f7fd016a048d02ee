"""A folder of a disk, shown at another place."""

from __future__ import annotations

import os
from collections.abc import Iterator

from .disk import Disk, Entry


class Moved:
    """Another disk with the folder `there` at `shown`; what would otherwise be at `shown` is not to be seen."""

    def __init__(self, disk: Disk, there: str, shown: str) -> None:
        self._disk, self._there, self._shown = disk, there, shown
        self._real = disk.realpath(there)

    def lstat(self, path: str) -> os.stat_result:
        return self._disk.lstat(self._inner(path))

    def stat(self, path: str) -> os.stat_result:
        return self._disk.stat(self._inner(path))

    def read(self, path: str, limit: int) -> bytes:
        return self._disk.read(self._inner(path), limit)

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        return self._disk.chunks(self._inner(path), size)

    def scan(self, path: str) -> list[Entry]:
        return self._disk.scan(self._inner(path))

    def readlink(self, path: str) -> str:
        return self._disk.readlink(self._inner(path))

    def realpath(self, path: str) -> str:
        return moved(self._disk.realpath(self._inner(path)), self._real, self._shown)

    def _inner(self, path: str) -> str:
        return moved(path, self._shown, self._there)


def moved(path: str, there: str, shown: str) -> str:
    """The path with one folder for another in front; any other path as it is."""
    base = there.rstrip("/")
    if path in (there, base):
        return shown
    return f"{shown.rstrip('/')}{path[len(base) :]}" if path.startswith(f"{base}/") else path
