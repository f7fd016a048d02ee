"""Reads a disk under an access policy and keeps what it saw.

Nothing is ever written, locked or executed, and only regular files are opened: it never waits on a FIFO or a device.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat as stat_flags
from collections.abc import Callable, Iterable
from functools import wraps
from hashlib import sha256
from threading import RLock
from typing import Concatenate, Literal, ParamSpec, TypeVar

from msgspec import Struct

from promptscope_engine.timings import timed

from .access import AccessPolicy
from .disk import Disk, Entry, Kind

MAX_FILE_BYTES = 32 * 1024 * 1024
"""Bytes of one file: an instruction file this large is never meant as one, and reading more stalls a screen."""
MAX_DIRECTORY_ENTRIES = 50_000
MAX_TOTAL_BYTES = 32 * 1024 * 1024
"""Bytes of all files together: eight times what the largest window takes."""
MAX_PATH = 4_096
"""Bytes of the longest path that a system opens."""

_DEEP = 100
"""Folders within each other up to which the real path of each one is found from the top."""
_BINARY_BYTES = 8_192
"""Bytes in which a NUL makes a file look binary."""
_EXECUTABLE = 0o111

Problem = Literal["missing", "directory", "unreadable", "too-large", "outside", "special", "loop", "too-many"]

_WHEREVER = ("missing", "directory", "special", "loop")
"""Problems that a path has whether it may be read or not."""


class FileText(Struct, frozen=True):
    """What reading a path gave. `text` is the bytes decoded as UTF-8, bad ones as U+FFFD, a BOM kept.

    Bytes that the text can be turned into again are not kept: thousands of files take half of the memory.
    """

    path: str
    real_path: str
    text: str = ""
    not_utf8: bytes | None = None
    """The bytes if they are not UTF-8."""
    problem: Problem | None = None
    detail: str = ""
    """The problem in words."""
    size: int = 0

    @classmethod
    def of(cls, path: str, real_path: str, data: bytes, size: int) -> FileText:
        """A file of these bytes, or one of `size` bytes of which only these were read."""
        try:
            return cls(path, real_path, data.decode(), size=size)
        except UnicodeDecodeError:
            return cls(path, real_path, data.decode("utf-8", "replace"), data, size=size)

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return self._bytes_of(self.text)

    def _bytes_of(self, text: str) -> bytes:
        return text.encode() if self.not_utf8 is None else self.not_utf8

    @property
    def found(self) -> bool:
        """Whether it was read."""
        return self.problem is None

    @property
    def looks_binary(self) -> bool:
        """Whether there is a NUL at its beginning."""
        return "\0" in self.text and b"\0" in self._bytes_of(self.text[:_BINARY_BYTES])[:_BINARY_BYTES]


class Listing(Struct, frozen=True):
    """What listing a directory gave; names byte-sorted in `entries`, in the folder's own order in `listed`."""

    entries: tuple[Entry, ...] = ()
    problem: Problem | None = None
    detail: str = ""
    listed: tuple[Entry, ...] = ()


_PROBLEMS: dict[int | None, Problem] = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.EISDIR: "directory",
    errno.ELOOP: "loop",
    errno.EINVAL: "special",
    errno.ENXIO: "special",
    errno.ENAMETOOLONG: "missing",
}


def _problem(error: OSError | ValueError) -> tuple[Problem, str]:
    if isinstance(error, ValueError):  # a NUL in a path
        return "missing", str(error)
    return _PROBLEMS.get(error.errno, "unreadable"), error.strerror or str(error)


class Seen:
    """What was seen of a disk, by path."""

    def __init__(self) -> None:
        self.files: dict[str, FileText] = {}
        self.listings: dict[str, Listing] = {}
        self.kinds: dict[tuple[str, bool], Kind | None] = {}
        """By path and whether links were followed."""
        self.links: dict[str, str | None] = {}
        self.total_bytes = 0
        """Bytes of all files that were read."""

    @property
    def paths(self) -> frozenset[str]:
        """Every path that was asked for, found or not."""
        return frozenset(
            self.files.keys() | self.listings.keys() | {path for path, _ in self.kinds} | self.links.keys()
        )

    def keep(self, file: FileText) -> None:
        """Keep a file that was read."""
        self.files[file.path] = file
        self.total_bytes += file.size if file.found else 0

    def drop_file(self, path: str) -> None:
        """Forget what reading a path gave."""
        file = self.files.pop(path, None)
        if file is not None and file.found:
            self.total_bytes -= file.size

    def drop(self, path: str) -> None:
        """Forget a path."""
        self.drop_file(path)
        self.listings.pop(path, None)
        self.links.pop(path, None)
        for follow in (True, False):
            self.kinds.pop((path, follow), None)

    def copy(self, paths: Iterable[str] | None = None) -> Seen:
        """A copy of everything, or of what was seen of some paths. The contents are shared."""
        copy = Seen()
        if paths is None:
            copy.files, copy.listings = self.files.copy(), self.listings.copy()
            copy.kinds, copy.links, copy.total_bytes = self.kinds.copy(), self.links.copy(), self.total_bytes
            return copy
        wanted = set(paths)
        copy.files = {path: self.files[path] for path in wanted & self.files.keys()}
        copy.listings = {path: self.listings[path] for path in wanted & self.listings.keys()}
        copy.links = {path: self.links[path] for path in wanted & self.links.keys()}
        both = {(path, follow) for path in wanted for follow in (True, False)}
        copy.kinds = {key: self.kinds[key] for key in both & self.kinds.keys()}
        return copy


P = ParamSpec("P")
R = TypeVar("R", bound="Reader")
T = TypeVar("T")


def guarded(method: Callable[Concatenate[R, P], T]) -> Callable[Concatenate[R, P], T]:
    """Let one thread at a time into a method, which may call others of them."""

    @wraps(method)
    def inner(self: R, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self.lock:
            return method(self, *args, **kwargs)

    return inner


class Reader:
    """Reads files, folders and links of one disk. It raises nothing for what is there."""

    def __init__(self, disk: Disk, max_bytes: int = MAX_FILE_BYTES, policy: AccessPolicy | None = None) -> None:
        self.disk = disk
        self.max_bytes = max_bytes
        self.policy = policy or AccessPolicy()
        self.seen = Seen()
        self.reads = 0
        """How many files were read from the disk."""
        self.lock = RLock()
        self._real: dict[str, str] = {}
        self._outside: dict[str, str | None] = {}
        self._targets: set[str] = set()
        """Where links lead that are followed out of the allowed places."""

    def unused_copy(self) -> Reader:
        """A reader that may read the same and has seen nothing."""
        copy = Reader(self.disk, self.max_bytes, self.policy)
        copy._targets = self._targets.copy()
        return copy

    def show_to(self, other: Reader) -> None:
        """Let another reader of the disk have seen the same, and read the same."""
        other.policy, other._targets = self.policy, self._targets.copy()
        other.seen, other._real = self.seen.copy(), self._real.copy()

    # --- what may be read ---------------------------------------------------------------------------------------

    def permit(self, policy: AccessPolicy) -> bool:
        """Read under another policy from now on. Whether anything was forgotten that it answers differently."""
        if policy.follows_links is not self.policy.follows_links:
            self._targets.clear()
        self.policy = policy
        self._outside.clear()
        files = [path for path, file in self.seen.files.items() if self._is_outdated(path, file, listing=False)]
        listings = [path for path, found in self.seen.listings.items() if self._is_outdated(path, found, listing=True)]
        for path in files:
            self.seen.drop_file(path)
        for path in listings:
            del self.seen.listings[path]
        return bool(files or listings)

    def _is_outdated(self, path: str, found: FileText | Listing, *, listing: bool) -> bool:
        return found.problem not in _WHEREVER and self.allows(path, listing=listing) is (found.problem == "outside")

    @guarded
    def allows(self, path: str, *, listing: bool = False) -> bool:
        """Whether a path may be read: the policy admits its real path, or the path itself where links are followed.

        A parent's sub-folders may be neither listed nor entered.
        """
        if self.policy.admits(self.real_path(path), listing=listing):
            return True
        if not self.policy.follows_links:
            return False
        return self.policy.admits(posixpath.normpath(path), listing=listing) or self._is_target(path)

    def _is_target(self, path: str) -> bool:
        """Whether a link that was looked at leads there: some agents resolve a link first and read its target."""
        real = self.real_path(path)
        return any(real == target or real.startswith(target.rstrip("/") + "/") for target in self._targets)

    @guarded
    def leads_outside(self, path: str) -> str | None:
        """Where a link leads that takes the path out of the allowed places, whether it is followed or not."""
        if path not in self._outside:
            real, plain = self.real_path(path), posixpath.normpath(path)
            leaves = real != plain and not self.policy.admits(real, listing=True)
            self._outside[path] = real if leaves and self.policy.admits(plain, listing=True) else None
        return self._outside[path]

    # --- what is there ------------------------------------------------------------------------------------------

    @guarded
    def read(self, path: str) -> FileText:
        """The file's text, or the problem."""
        file = self.seen.files.get(path)
        if file is None:
            file = self._read(path)
            self.seen.keep(file)
        return file

    @timed("reading", lambda _, path: path)
    def _read(self, path: str) -> FileText:
        size = 0
        known = self._real.get(path)
        real, looked = self._look_up(path) if known is None else (known, None)
        self._real[path] = real
        try:
            # If the path is known not to be a link, that look saves another one, of thousands of files.
            found = looked or self.disk.stat(path)
            if problem := self._obstacle(path, real, found):
                return problem
            size = found.st_size
            data = self.disk.read(path, self.max_bytes)
        except (OSError, ValueError) as error:
            kind, detail = _problem(error)
            return FileText(path, real, problem=kind, detail=detail, size=size)
        self.reads += 1
        return FileText.of(path, real, data, len(data))

    def _obstacle(self, path: str, real: str, found: os.stat_result) -> FileText | None:
        """Why a path that is there is not read."""
        size = found.st_size
        if stat_flags.S_ISDIR(found.st_mode):
            return FileText(path, real, problem="directory", detail="is a directory")
        if not stat_flags.S_ISREG(found.st_mode):
            return FileText(path, real, problem="special", detail="is not a regular file")
        if not self.allows(path, listing=False):
            return FileText(path, real, problem="outside", detail=f"leads to {real}", size=size)
        if size > self.max_bytes:
            return FileText(path, real, problem="too-large", detail=f"{size:,} bytes", size=size)
        if self.seen.total_bytes + size > MAX_TOTAL_BYTES:
            detail = f"{size:,} bytes: with the files read before more than {MAX_TOTAL_BYTES:,}"
            return FileText(path, real, problem="too-large", detail=detail, size=size)
        return None

    @guarded
    def kind(self, path: str, *, follow: bool = True) -> Kind | None:
        """What the path is, or None if it is not there (or leads nowhere)."""
        key = (path, follow)
        if key not in self.seen.kinds:
            self.seen.kinds[key] = self.kind_now(path, follow=follow)
        return self.seen.kinds[key]

    def kind_now(self, path: str, *, follow: bool) -> Kind | None:
        """`kind` as it is on the disk at this moment."""
        try:
            mode = (self.disk.stat(path) if follow else self.disk.lstat(path)).st_mode
        except (OSError, ValueError):
            return None
        if stat_flags.S_ISLNK(mode):
            return "link"
        if stat_flags.S_ISREG(mode):
            return "file"
        return "directory" if stat_flags.S_ISDIR(mode) else "other"

    @guarded
    def modified(self, path: str) -> int | None:
        """When a file was last changed, in whole milliseconds of the epoch; None where the disk does not say."""
        try:
            at = self.disk.stat(path).st_mtime if self.allows(path) else 0
        except (OSError, ValueError):
            return None
        return int(at * 1000) or None

    @guarded
    def is_executable(self, path: str) -> bool:
        """Whether there is a program at the path. It is only looked at: a search along PATH asks so."""
        if self.kind(path) != "file":
            return False
        try:
            return bool(self.disk.stat(path).st_mode & _EXECUTABLE)
        except (OSError, ValueError):
            return False

    @guarded
    def list(self, path: str) -> Listing:
        """The directory's entries, links not followed."""
        if path not in self.seen.listings:
            self.seen.listings[path] = self._list(path)
        return self.seen.listings[path]

    def _list(self, path: str) -> Listing:
        try:
            # What is not there is the same under every policy: see _WHEREVER.
            if not self.allows(path, listing=True) and stat_flags.S_ISDIR(self.disk.stat(path).st_mode):
                return Listing(problem="outside", detail=f"leads to {self.real_path(path)}")
            entries = self.disk.scan(path)
        except (OSError, ValueError) as error:
            problem, detail = _problem(error)
            return Listing(problem=problem, detail=detail)
        listed = tuple(entries)
        entries.sort(key=lambda e: os.fsencode(e.name))
        if len(entries) > MAX_DIRECTORY_ENTRIES:
            kept = tuple(entries[:MAX_DIRECTORY_ENTRIES])
            return Listing(kept, "too-many", f"{len(entries):,} entries, the first {len(kept):,} are used", kept)
        return Listing(tuple(entries), listed=listed)

    @guarded
    def readlink(self, path: str) -> str | None:
        """Where a link points, as written; None if it is not a link."""
        if path not in self.seen.links:
            try:
                self.seen.links[path] = self.disk.readlink(path)
            except (OSError, ValueError):
                self.seen.links[path] = None
        if self.policy.follows_links and self.seen.links[path] is not None:
            real, (folder, _) = self.real_path(path), posixpath.split(path)
            # The links of a folder outside that was reached by a link are followed, too.
            if not self.policy.admits(real, listing=True) and self.allows(folder, listing=True):
                self._targets.add(real)
        return self.seen.links[path]

    @guarded
    def real_path(self, path: str) -> str:
        """The path with every link followed; the path itself where it leads nowhere."""
        found = self._real.get(path)
        if found is None:
            found = self._real[path] = self._look_up(path)[0]
        return found

    def _look_up(self, path: str) -> tuple[str, os.stat_result | None]:
        """The real path, and the stat of what is there unless it is a link.

        With that of the folder around it one look at the disk is enough: in a tree of many thousand nested folders
        each walk from the top would take too long.
        """
        folder, _, name = path.rpartition("/")
        above = self._real.get(folder)
        try:
            if len(path) > MAX_PATH:
                return path, None
            if above is None and folder and path.count("/") < _DEEP:
                above = self.real_path(folder)
            if above is None or name in ("", ".", ".."):
                return self.disk.realpath(path), None
            found = self.disk.lstat(path)
            if stat_flags.S_ISLNK(found.st_mode):
                return self.disk.realpath(path), None
            return path if above == folder else f"{above.rstrip('/')}/{name}", found
        except (OSError, ValueError):
            return (f"{above.rstrip('/')}/{name}" if above is not None else path), None

    # --- forgetting ---------------------------------------------------------------------------------------------

    def is_still_file(self, path: str) -> bool:
        """Whether a file was read there, and the path still leads to it: only its content may be different."""
        file = self.seen.files.get(path)
        if file is None or not file.found or self.seen.kinds.get((path, True), "file") != "file":
            return False
        try:
            return stat_flags.S_ISREG(self.disk.stat(path).st_mode) and self.disk.realpath(path) == file.real_path
        except (OSError, ValueError):
            return False

    def forget_places(self) -> None:
        """Look again where paths lead."""
        self._real.clear()
        self._outside.clear()


# --- which paths differ on the disk from what was seen: content, not times --------------------------------------------


def differing(seen: Seen, now: Reader) -> frozenset[str]:
    """The paths of which a reader that has seen nothing sees something else than was seen."""
    return frozenset(path for path in seen.paths if _differs(path, seen, now))


def _differs(path: str, seen: Seen, now: Reader) -> bool:
    for follow in (True, False):
        if (path, follow) in seen.kinds and seen.kinds[path, follow] != now.kind(path, follow=follow):
            return True
    if path in seen.links and seen.links[path] != now.readlink(path):
        return True
    if path in seen.listings and seen.listings[path] != now.list(path):
        return True
    return path in seen.files and _is_other_file(seen.files[path], now.read(path))


def _is_other_file(before: FileText, now: FileText) -> bool:
    if before.problem == "too-large":  # only its size counts: whether there is room depends on the other files
        return (before.real_path, before.size) != (now.real_path, now.size)
    return _signature(before) != _signature(now)


def _signature(file: FileText) -> tuple[object, ...]:
    return file.problem, file.real_path, file.size, sha256(file.data).digest()
