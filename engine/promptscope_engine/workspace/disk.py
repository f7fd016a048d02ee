"""The few calls that a workspace makes to the machine's disk, and a disk with nothing on it."""

from __future__ import annotations

import errno
import os
import stat as stat_flags
from collections.abc import Iterator
from io import DEFAULT_BUFFER_SIZE, FileIO
from typing import Literal, NoReturn, Protocol

from msgspec import Struct

Kind = Literal["file", "directory", "link", "other"]


class Entry(Struct, frozen=True):
    """A directory's entry, links not followed."""

    name: str
    kind: Kind


class Disk(Protocol):
    """The few calls that a workspace makes; errors are OSError."""

    def lstat(self, path: str) -> os.stat_result: ...
    def stat(self, path: str) -> os.stat_result: ...
    def read(self, path: str, limit: int) -> bytes: ...
    def chunks(self, path: str, size: int) -> Iterator[bytes]: ...
    def scan(self, path: str) -> list[Entry]: ...
    def readlink(self, path: str) -> str: ...
    def realpath(self, path: str) -> str: ...


def made_stat(mode: int, size: int) -> os.stat_result:
    """What `stat` says of something that is on no real disk."""
    return os.stat_result((mode, 0, 0, 0, 0, 0, size, 0, 0, 0))


class RealDisk:
    """The machine's disk."""

    def lstat(self, path: str) -> os.stat_result:
        return os.lstat(path)

    def stat(self, path: str) -> os.stat_result:
        return os.stat(path)  # noqa: PTH116 - paths are strings here: a Path for each costs more than the call

    def readlink(self, path: str) -> str:
        return os.readlink(path)  # noqa: PTH115

    def realpath(self, path: str) -> str:
        return os.path.realpath(path)

    def read(self, path: str, limit: int) -> bytes:
        """At most `limit` bytes of a regular file; OSError(EINVAL) for anything else (checked on the open file)."""
        fd, size = _opened(path)
        try:
            # Room for one byte more: some files do not tell their size, and some have grown since.
            chunks, left, most = [], limit, size + 1
            while left and (chunk := os.read(fd, min(left, most))):
                chunks.append(chunk)
                left -= len(chunk)
                if limit - left == size:
                    break
                most = DEFAULT_BUFFER_SIZE
        finally:
            os.close(fd)
        return b"".join(chunks)

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """A regular file in chunks of at most `size` bytes; errors as of `read`."""
        with FileIO(_opened(path)[0]) as file:
            while chunk := file.read(size):
                yield chunk

    def scan(self, path: str) -> list[Entry]:
        with os.scandir(path) as entries:
            return [Entry(e.name, _entry_kind(e)) for e in entries]


def chunks_from(path: str, size: int, start: int) -> Iterator[bytes]:
    """A regular file from the byte `start` on, as `chunks`: only what lies on the real disk grows while it is read."""
    with FileIO(_opened(path)[0]) as file:
        file.seek(start)
        while chunk := file.read(size):
            yield chunk


# O_NONBLOCK: a FIFO put in the file's place between the look and the opening must not stop us.
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)


def _opened(path: str) -> tuple[int, int]:
    """A descriptor of a regular file, and its size."""
    fd = os.open(path, _HOW)
    found = os.fstat(fd)
    if not stat_flags.S_ISREG(found.st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return fd, found.st_size


class EmptyDisk:
    """A disk with nothing on it: for assemblies of the agent's own text alone."""

    def _missing(self, path: str, *_: object, **__: object) -> NoReturn:
        raise FileNotFoundError(errno.ENOENT, "nothing here", path)

    lstat = stat = read = chunks = scan = readlink = _missing

    def realpath(self, path: str) -> str:
        return path


def _entry_kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "link"
    if entry.is_file(follow_symlinks=False):
        return "file"
    return "directory" if entry.is_dir(follow_symlinks=False) else "other"
