"""The few calls that a workspace makes to a disk, and the disks: the machine's, an empty one, changed views of one."""

import errno
import os
import posixpath
import stat as stat_flags
from collections.abc import Iterable, Iterator
from io import DEFAULT_BUFFER_SIZE, FileIO
from typing import Literal, NoReturn, Protocol

from msgspec import Struct

from .paths import from_system, real, to_system

Kind = Literal["file", "directory", "link", "other"]


class Entry(Struct, frozen=True):
    """A directory's entry, links not followed."""

    name: str
    kind: Kind


class Disk(Protocol):
    """The few calls that a workspace makes; errors are OSError."""

    def lstat(self, path: str) -> os.stat_result:
        """What is at the path, links not followed."""

    def stat(self, path: str) -> os.stat_result:
        """What the path leads to."""

    def read(self, path: str, limit: int) -> bytes:
        """At most `limit` bytes of a regular file."""

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """A regular file in chunks of at most `size` bytes."""

    def scan(self, path: str) -> list[Entry]:
        """The entries of a directory in its own order."""

    def readlink(self, path: str) -> str:
        """Where a link points, as written."""

    def realpath(self, path: str) -> str:
        """The path with every link followed."""


def made_stat(mode: int, size: int) -> os.stat_result:
    """The stat of something that is on no real disk."""
    return os.stat_result((mode, 0, 0, 0, 0, 0, size, 0, 0, 0))


class RealDisk:
    """The machine's disk. Paths are strings: a Path for each costs more than the call."""

    def lstat(self, path: str) -> os.stat_result:
        """What is at the path, links not followed."""
        return os.lstat(to_system(path))

    def stat(self, path: str) -> os.stat_result:
        """What the path leads to."""
        return os.stat(to_system(path))  # noqa: PTH116

    def readlink(self, path: str) -> str:
        """Where a link points, as written."""
        return from_system(os.readlink(to_system(path)))  # noqa: PTH115

    def realpath(self, path: str) -> str:
        """The path with every link followed."""
        return real(path)

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
        """A regular file in chunks of at most `size` bytes; errors as for `read`."""
        with FileIO(_opened(path)[0]) as file:
            while chunk := file.read(size):
                yield chunk

    def scan(self, path: str) -> list[Entry]:
        """The entries of a directory in its own order."""
        with os.scandir(to_system(path)) as entries:
            return [Entry(e.name, _entry_kind(e)) for e in entries]


def chunks_from(path: str, size: int, start: int) -> Iterator[bytes]:
    """A regular file from the byte `start` on, as `chunks`: only files of the real disk grow while they are read."""
    with FileIO(_opened(path)[0]) as file:
        file.seek(start)
        while chunk := file.read(size):
            yield chunk


# O_NONBLOCK: a FIFO put in the file's place between the look and the opening must not stop us.
# O_BINARY: Windows would change line ends.
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def _opened(path: str) -> tuple[int, int]:
    """A descriptor of a regular file, and its size."""
    fd = os.open(to_system(path), _HOW)
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
        """The path itself."""
        return path


class _OtherPaths:
    """Another disk that is asked for other paths."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def _inner(self, path: str) -> str:
        """The path on the other disk. Raises OSError for one that is hidden."""
        raise NotImplementedError

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
        return self._disk.realpath(path)


class OnlyBelow(_OtherPaths):
    """Another disk on which nothing exists but what is below `folders`, and the way to them.

    A link below one of them may lead out: the reader decides whether to follow it.
    """

    def __init__(self, disk: Disk, folders: Iterable[str]) -> None:
        super().__init__(disk)
        self._folders = tuple({path for folder in folders for path in (folder, disk.realpath(folder))})

    def lstat(self, path: str) -> os.stat_result:
        """As the other disk's, or a folder on the way."""
        return _FOLDER if self._is_above(path) else super().lstat(path)

    def stat(self, path: str) -> os.stat_result:
        """As the other disk's, or a folder on the way."""
        return _FOLDER if self._is_above(path) else super().stat(path)

    def scan(self, path: str) -> list[Entry]:
        """As the other disk's; a folder on the way is empty."""
        return [] if self._is_above(path) else super().scan(path)

    def _inner(self, path: str) -> str:
        if self._is_seen(path):
            return path
        raise FileNotFoundError(errno.ENOENT, "left out here", path)

    def _is_seen(self, path: str) -> bool:
        plain = posixpath.normpath(path)
        return any(plain == folder or plain.startswith(folder.rstrip("/") + "/") for folder in self._folders)

    def _is_above(self, path: str) -> bool:
        """Whether it is a folder on the way to one that is seen."""
        plain = posixpath.normpath(path).rstrip("/") + "/"
        return not self._is_seen(path) and any(folder.startswith(plain) for folder in self._folders)


_FOLDER = made_stat(stat_flags.S_IFDIR | 0o755, 0)


class Moved(_OtherPaths):
    """Another disk with the folder `there` at `shown`; what would otherwise be at `shown` is hidden."""

    def __init__(self, disk: Disk, there: str, shown: str) -> None:
        super().__init__(disk)
        self._there, self._shown = there, shown
        self._real = disk.realpath(there)

    def realpath(self, path: str) -> str:
        """The path with every link followed, as it is shown."""
        return moved(super().realpath(self._inner(path)), self._real, self._shown)

    def shown(self, path: str) -> str:
        """Where a path of the other disk is."""
        return moved(moved(path, self._there, self._shown), self._real, self._shown)

    def _inner(self, path: str) -> str:
        return moved(path, self._shown, self._there)


class Rewritten(_OtherPaths):
    """Another disk with another text in one file, which is known by these paths."""

    def __init__(self, disk: Disk, paths: frozenset[str], data: bytes) -> None:
        super().__init__(disk)
        self._paths, self._data = paths, data

    def lstat(self, path: str) -> os.stat_result:
        """As the other disk's, but for the file's size; a link stays one."""
        return self._resized(path, super().lstat(path))

    def stat(self, path: str) -> os.stat_result:
        """As the other disk's, but for the file's size."""
        return self._resized(path, super().stat(path))

    def read(self, path: str, limit: int) -> bytes:
        """As the other disk's, or the other text."""
        return self._data[:limit] if path in self._paths else super().read(path, limit)

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """As the other disk's, or the other text."""
        if path not in self._paths:
            return super().chunks(path, size)
        return (self._data[at : at + size] for at in range(0, len(self._data), size))

    def _inner(self, path: str) -> str:
        return path

    def _resized(self, path: str, found: os.stat_result) -> os.stat_result:
        is_it = path in self._paths and stat_flags.S_ISREG(found.st_mode)
        return made_stat(found.st_mode, len(self._data)) if is_it else found


class Added(_OtherPaths):
    """Another disk with one file more, and the folders that lead to it."""

    def __init__(self, disk: Disk, path: str, data: bytes) -> None:
        super().__init__(disk)
        self._data, self._kinds = data, {path: False}
        self._inside: dict[str, Entry] = {}
        above, name = posixpath.split(path)
        kind: Kind = "file"
        while name:
            self._inside[above] = Entry(name, kind)
            if _exists(disk, above):
                break
            self._kinds[above] = True
            kind = "directory"
            above, name = posixpath.split(above)

    def lstat(self, path: str) -> os.stat_result:
        """As the other disk's, or that of what was added."""
        return self._made(path) or super().lstat(path)

    def stat(self, path: str) -> os.stat_result:
        """As the other disk's, or that of what was added."""
        return self._made(path) or super().stat(path)

    def read(self, path: str, limit: int) -> bytes:
        """As the other disk's, or the file that was added."""
        return self._data[:limit] if self._kinds.get(path) is False else super().read(path, limit)

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """As the other disk's, or the file that was added."""
        if self._kinds.get(path) is not False:
            return super().chunks(path, size)
        return (self._data[at : at + size] for at in range(0, len(self._data), size))

    def scan(self, path: str) -> list[Entry]:
        """As the other disk's, with what was added."""
        own = [self._inside[path]] if path in self._inside else []
        return own if self._kinds.get(path) else [*super().scan(path), *own]

    def _inner(self, path: str) -> str:
        return path

    def _made(self, path: str) -> os.stat_result | None:
        if path not in self._kinds:
            return None
        return _FOLDER if self._kinds[path] else made_stat(stat_flags.S_IFREG | 0o644, len(self._data))


def _exists(disk: Disk, path: str) -> bool:
    try:
        disk.lstat(path)
    except OSError:
        return False
    return True


def moved(path: str, there: str, shown: str) -> str:
    """The path with the leading folder `there` replaced by `shown`; any other path as it is."""
    base = there.rstrip("/")
    if path in (there, base):
        return shown
    return f"{shown.rstrip('/')}{path[len(base) :]}" if path.startswith(f"{base}/") else path


def _entry_kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "link"
    if entry.is_file(follow_symlinks=False):
        return "file"
    return "directory" if entry.is_dir(follow_symlinks=False) else "other"
