"""A disk of which only some folders are seen."""

from __future__ import annotations

import errno
import os
import stat as stat_flags
from collections.abc import Iterable, Iterator

from .disk import Disk, Entry, made_stat


class OnlyBelow:
    """Another disk, of which nothing is there but what lies below `folders`, and the way to them.

    A link that lies below one of them may lead out: who reads decides whether to follow it.
    """

    def __init__(self, disk: Disk, folders: Iterable[str]) -> None:
        self._disk = disk
        self._folders = tuple({path for folder in folders for path in (folder, disk.realpath(folder))})

    def lstat(self, path: str) -> os.stat_result:
        return _FOLDER if self._is_above(path) else self._disk.lstat(self._seen(path))

    def stat(self, path: str) -> os.stat_result:
        return _FOLDER if self._is_above(path) else self._disk.stat(self._seen(path))

    def read(self, path: str, limit: int) -> bytes:
        return self._disk.read(self._seen(path), limit)

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        return self._disk.chunks(self._seen(path), size)

    def scan(self, path: str) -> list[Entry]:
        return [] if self._is_above(path) else self._disk.scan(self._seen(path))

    def readlink(self, path: str) -> str:
        return self._disk.readlink(self._seen(path))

    def realpath(self, path: str) -> str:
        return self._disk.realpath(path)

    def _seen(self, path: str) -> str:
        """The path. Raises OSError for one that is not to be seen."""
        if self._is_seen(path):
            return path
        raise FileNotFoundError(errno.ENOENT, "left out here", path)

    def _is_seen(self, path: str) -> bool:
        plain = os.path.normpath(path)
        return any(plain == folder or plain.startswith(folder.rstrip("/") + "/") for folder in self._folders)

    def _is_above(self, path: str) -> bool:
        """Whether it is a folder on the way to one that is seen."""
        plain = os.path.normpath(path).rstrip("/") + "/"
        return not self._is_seen(path) and any(folder.startswith(plain) for folder in self._folders)


_FOLDER = made_stat(stat_flags.S_IFDIR | 0o755, 0)
