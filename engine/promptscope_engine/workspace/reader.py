"""The only access to the disk.

Every read, listing and look at a path goes through a `Workspace`: it keeps what it saw (so that two assemblies of one
state agree, and a re-assembly after one saved file re-reads that file only), remembers every path it was asked for,
found or not (the watch set), decodes, limits sizes, and refuses what lies outside the allowed roots.

Nothing is ever written, locked or executed, and only regular files are opened: a FIFO or a device is never waited on.

Two threads use one workspace: an app assembles in one and compares with the disk in another. One re-entrant lock guards
what was seen; it is held while something is looked up, never while the disk is compared.
"""

from __future__ import annotations

import errno
import os
import stat as stat_flags
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from hashlib import sha256
from itertools import chain
from threading import RLock
from typing import Concatenate, Literal, ParamSpec, TypeVar, cast

from msgspec import Struct

from promptscope_engine.learned.model import Learned
from promptscope_engine.timings import timed

from .disk import Disk, Entry, Kind, RealDisk
from .disk import EmptyDisk as EmptyDisk

MAX_FILE_BYTES = 32 * 1024 * 1024  # an instruction file this large is never meant as one; reading more stalls a screen
MAX_DIRECTORY_ENTRIES = 50_000
_ANYTHING = ""
"""Among the paths that a memo depends on: no path in particular."""
_MANY = 100
"""Files of which what was made of each is kept together, too."""

_KEPT_ROWS = 64
"""How many such rows are kept."""

_ANYWHERE = ("missing", "directory", "special", "loop")
"""Problems that a path has whether it may be read or not."""
_ALIKE = 8
"""Values of one name that `same` keeps: a what-if makes others, and the next assembly is of the first again."""
MAX_TOTAL_BYTES = 32 * 1024 * 1024
"""Bytes of all files together: eight times what the largest window takes."""
_BINARY_BYTES = 8_192
"""Bytes among which a NUL makes a file look binary."""

MAX_PATH = 4_096
"""No system opens a longer path."""

Problem = Literal["missing", "directory", "unreadable", "too-large", "outside", "special", "loop", "too-many"]
T = TypeVar("T")
P = ParamSpec("P")


class FileText(Struct, frozen=True):
    """What reading a path gave. `text` is the bytes decoded as UTF-8, bad ones as U+FFFD, a BOM kept.

    Bytes that the text can be turned into again are not kept: thousands of files take half of the memory.
    """

    path: str
    real_path: str
    text: str = ""
    not_utf8: bytes | None = None
    """The bytes, if they are no UTF-8."""
    problem: Problem | None = None
    detail: str = ""
    """The problem in words, wherever there is one."""
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
        return self._bytes_of(self.text)

    def _bytes_of(self, text: str) -> bytes:
        return text.encode() if self.not_utf8 is None else self.not_utf8

    @property
    def found(self) -> bool:
        return self.problem is None

    @property
    def bytes_read(self) -> int:
        """The size of a file that was read."""
        return self.size if self.found else 0

    @property
    def looks_binary(self) -> bool:
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


def _guarded(method: Callable[Concatenate[Workspace, P], T]) -> Callable[Concatenate[Workspace, P], T]:
    """A method that one thread at a time may be in; it may call others of them."""

    @wraps(method)
    def guarded(self: Workspace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self._lock:
            return method(self, *args, **kwargs)

    return guarded


class Workspace:
    """Reads and keeps what it saw until `forget`; see the module's docstring."""

    def __init__(self, disk: Disk | None = None, max_bytes: int = MAX_FILE_BYTES) -> None:
        self.disk: Disk = disk or RealDisk()
        self.max_bytes = max_bytes
        self.learned: Learned | None = None
        """What a scenario with `learned` is assembled with; whoever opens the workspace hands it over."""
        self.reads = 0
        """How many files were really read: a re-assembly after one save adds one."""
        self.forgotten = 0
        """How often something that was seen was forgotten: until then an assembly would be the same again."""
        self._lock = RLock()
        self._roots: set[str] = set()
        self._below_roots: tuple[str, ...] = ()
        self._shallow: set[str] = set()
        self._base: tuple[set[str], set[str]] = (set(), set())
        """The places that the scenario itself allows: `allow` adds to them."""
        self._follows = False
        self._targets: set[str] = set()
        self._files: dict[str, FileText] = {}
        self._bytes = 0
        self._listings: dict[str, Listing] = {}
        self._kinds: dict[tuple[str, bool], Kind | None] = {}
        self._links: dict[str, str | None] = {}
        self._real: dict[str, str] = {}
        self._outside: dict[str, str | None] = {}
        self._straight: set[str] = set()
        """Paths that are known to be their own real path."""
        self._memo: dict[object, _Memo] = {}
        self._made: dict[str, dict[object, object]] = {}
        """By path, what was made of one file's text alone."""
        self._rows: dict[int, _Row] = {}
        """By the identity of what was asked, what was made of thousands of files."""
        self._same: dict[str, list[object]] = {}
        self._reading: list[set[str]] = []
        """The paths that each memo under way has read."""

    # --- what may be read ---------------------------------------------------------------------------------------

    @_guarded
    def allow(self, roots: Iterable[str], shallow: Iterable[str] = ()) -> None:
        """Allow whole trees (`roots`) and single folders with their `.…` children (`shallow`)."""
        new_roots = self._with_real(roots) - self._roots
        new_shallow = self._with_real(shallow) - self._shallow
        if new_roots or new_shallow:
            self._permit(self._roots | new_roots, self._shallow | new_shallow)
            self._drop_what_depends_on_places()

    @_guarded
    def confine(self, roots: Iterable[str], shallow: Iterable[str]) -> None:
        """Allow these places and no others, unless they were the last ones given here: then what was allowed since
        stays. One workspace answers several scenarios, and what one of them names is not read for the next.
        """
        base = (self._with_real(roots), self._with_real(shallow))
        if base == self._base:
            return
        self._base = base
        self._permit(set(base[0]), set(base[1]))
        self._drop_what_depends_on_places()

    def _permit(self, roots: set[str], shallow: set[str]) -> None:
        self._roots, self._shallow = roots, shallow
        self._below_roots = tuple(root.rstrip("/") + "/" for root in roots)

    def _with_real(self, places: Iterable[str]) -> set[str]:
        return {path for place in places for path in (place, self._realpath(place))}

    def _drop_what_depends_on_places(self) -> None:
        """Forget what would be answered otherwise now that other places are allowed."""
        self._outside.clear()
        allowed: dict[str, bool] = {}
        files = [
            path
            for path, file in self._files.items()
            if file.problem not in _ANYWHERE and self._allows_file(path, allowed) is (file.problem == "outside")
        ]
        listings = [
            path
            for path, listing in self._listings.items()
            if listing.problem not in _ANYWHERE and self.allows(path, listing=True) is (listing.problem == "outside")
        ]
        for path in files:
            self._drop(path)
        for path in listings:
            del self._listings[path]
        if files or listings:
            self.forgotten += 1
            self._memo.clear()
            self._forget_made()

    def _allows_file(self, path: str, allowed: dict[str, bool]) -> bool:
        """`allows`, for thousands of files: `allowed` keeps the answer by folder, as most lie in the same ones."""
        real = self._realpath(path)
        folder = real.rpartition("/")[0]
        if folder not in allowed:
            allowed[folder] = self._announced(f"{folder}/\0", listing=False)  # a name that no place has
        return allowed[folder] or (self.allows(path) if self._follows else real in self._roots)

    def _forget_made(self) -> None:
        self._made.clear()
        self._rows.clear()

    @_guarded
    def follow_links(self, follow: bool) -> None:
        """Whether links that lie in an allowed place may lead out of it. What such a link hid or gave is forgotten."""
        if follow is self._follows:
            return
        self._follows = follow
        self.forgotten += 1
        self._targets.clear()
        seen = self._files.keys() | self._listings.keys()
        out = [path for path in seen if not self._announced(self._realpath(path), listing=True)]
        for path in out:
            self._drop(path)
            self._listings.pop(path, None)
        self._memo.clear()
        self._forget_made()

    @_guarded
    def leads_outside(self, path: str) -> str | None:
        """Where a link leads that takes the path out of the allowed places, whether it is followed or not."""
        if path not in self._outside:
            real = self._realpath(path)
            leads = not self._announced(real, listing=True) and self._announced(os.path.normpath(path), listing=True)
            self._outside[path] = real if leads else None
        return self._outside[path]

    @_guarded
    def leading_outside(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of many paths that `leads_outside` says something of."""
        unknown = set(paths) - self._straight
        links = {path for path in unknown if self._real.get(path) != path or os.path.normpath(path) != path}
        self._straight |= unknown - links
        return frozenset(path for path in links if self.leads_outside(path) is not None)

    @_guarded
    def allows(self, path: str, *, listing: bool = False) -> bool:
        """Whether the real path lies in an allowed place; a parent's sub-folders may be neither listed nor entered."""
        return self._allows(path, listing=listing)

    def _allows(self, path: str, *, listing: bool = False) -> bool:
        if self._announced(self._realpath(path), listing=listing):
            return True
        return self._follows and (self._announced(os.path.normpath(path), listing=listing) or self._is_target(path))

    def _is_target(self, path: str) -> bool:
        """Whether a link that was looked at leads there: some agents resolve a link first and read its target."""
        real = self._realpath(path)
        return any(real == target or real.startswith(target.rstrip("/") + "/") for target in self._targets)

    def _announced(self, real: str, *, listing: bool) -> bool:
        if real in self._roots or real.startswith(self._below_roots):
            return True
        if listing and real in self._shallow:
            return True
        parent, name = os.path.split(real)
        if not listing and parent in self._shallow:
            return True
        # The dot folders of a parent directory (/work/.claude/rules/x.md) belong to that parent.
        while name:
            if name.startswith(".") and parent in self._shallow:
                return True
            real = parent
            parent, name = os.path.split(real)
        return False

    # --- what is there ------------------------------------------------------------------------------------------

    @_guarded
    def read(self, path: str) -> FileText:
        """The file's bytes and text, or the problem. Never raises for what is on the disk."""
        if self._reading:
            self._reading[-1].add(path)
        return self._file(path)

    def _file(self, path: str) -> FileText:
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = self._read(path)
            self._bytes += file.bytes_read
        return file

    def _drop(self, path: str) -> None:
        if file := self._files.pop(path, None):
            self._bytes -= file.bytes_read

    @timed("reading", lambda _, path: path)
    def _read(self, path: str) -> FileText:
        size = 0
        known = self._real.get(path)
        real, looked = self._looked_up(path) if known is None else (known, None)
        self._real[path] = real
        try:
            # The look that told that the path is no link saves another one, of thousands of files.
            found = looked or self.disk.stat(path)
            if stat_flags.S_ISDIR(found.st_mode):
                return FileText(path, real, problem="directory", detail="is a directory")
            if not stat_flags.S_ISREG(found.st_mode):
                return FileText(path, real, problem="special", detail="is not a regular file")
            size = found.st_size
            if not self._allows(path):
                return FileText(path, real, problem="outside", detail=f"leads to {real}", size=size)
            if size > self.max_bytes:
                return FileText(path, real, problem="too-large", detail=f"{size:,} bytes", size=size)
            if self._bytes + size > MAX_TOTAL_BYTES:
                detail = f"{size:,} bytes: with the files read before more than {MAX_TOTAL_BYTES:,}"
                return FileText(path, real, problem="too-large", detail=detail, size=size)
            data = self.disk.read(path, self.max_bytes)
        except (OSError, ValueError) as error:
            problem, detail = _problem(error)
            return FileText(path, real, problem=problem, detail=detail, size=size)
        self.reads += 1
        return FileText.of(path, real, data, len(data))

    def chunks(self, path: str, size: int, limit: int) -> Iterator[bytes]:
        """The first `limit` bytes of a file in chunks of at most `size`; neither kept nor watched. Raises OSError."""
        if not self.allows(path):
            raise OSError(errno.EACCES, f"leads to {self.real_path(path)}", path)
        left = limit
        for chunk in self.disk.chunks(path, size):
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    @_guarded
    def kind(self, path: str, *, follow: bool = True) -> Kind | None:
        """What the path is, or None if it is not there (or leads nowhere)."""
        key = (path, follow)
        if key not in self._kinds:
            self._kinds[key] = self._kind(path, follow)
        return self._kinds[key]

    def _kind(self, path: str, follow: bool) -> Kind | None:
        try:
            mode = (self.disk.stat(path) if follow else self.disk.lstat(path)).st_mode
        except (OSError, ValueError):
            return None
        if stat_flags.S_ISLNK(mode):
            return "link"
        if stat_flags.S_ISREG(mode):
            return "file"
        return "directory" if stat_flags.S_ISDIR(mode) else "other"

    def is_dir(self, path: str) -> bool:
        return self.kind(path) == "directory"

    def is_executable(self, path: str) -> bool:
        """Whether a program lies there. Only looked at: this is how a search along PATH asks."""
        if self.kind(path) != "file":
            return False
        try:
            return bool(self.disk.stat(path).st_mode & 0o111)
        except (OSError, ValueError):
            return False

    @_guarded
    def list(self, path: str) -> Listing:
        """The directory's entries, links not followed."""
        if path not in self._listings:
            self._listings[path] = self._list(path)
        return self._listings[path]

    def _list(self, path: str) -> Listing:
        if not self.allows(path, listing=True):
            return Listing(problem="outside", detail=f"leads to {self._realpath(path)}")
        try:
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

    @_guarded
    def readlink(self, path: str) -> str | None:
        """Where a link points, as written; None if it is no link."""
        if path not in self._links:
            try:
                self._links[path] = self.disk.readlink(path)
            except (OSError, ValueError):
                self._links[path] = None
        if self._follows and self._links[path] is not None:
            real, (folder, _) = self._realpath(path), os.path.split(path)
            # The links of a folder outside that was reached by a link are followed, too.
            if not self._announced(real, listing=True) and self._allows(folder, listing=True):
                self._targets.add(real)
        return self._links[path]

    def _realpath(self, path: str) -> str:
        found = self._real.get(path)
        if found is None:
            found, _ = self._looked_up(path)
            self._real[path] = found
        return found

    def _looked_up(self, path: str) -> tuple[str, os.stat_result | None]:
        """The real path, and what was seen there if that is its own end and no link. The real path of the folder around
        it is often known, and then one look at the disk is enough.

        In a tree of many thousand folders, one in the other, each walk from the top would take too long.
        """
        folder, _, name = path.rpartition("/")
        above = self._real.get(folder)
        try:
            if len(path) > MAX_PATH:
                return path, None
            if above is None or name in ("", ".", ".."):
                return self.disk.realpath(path), None
            found = self.disk.lstat(path)
            if stat_flags.S_ISLNK(found.st_mode):
                return self.disk.realpath(path), None
            return path if above == folder else f"{above.rstrip('/')}/{name}", found
        except (OSError, ValueError):
            return (f"{above.rstrip('/')}/{name}" if above is not None else path), None

    @_guarded
    def real_path(self, path: str) -> str:
        """The path with every link followed; the path itself where it leads nowhere."""
        return self._realpath(path)

    @_guarded
    def memo(self, key: object, compute: Callable[[], T], *, tracked: bool = False) -> T:
        """A value computed from what was read, kept until anything is forgotten. Keys carry their own name.

        `tracked`: `compute` itself reads every file that the value depends on, here and from this workspace. Then a
        file that is saved drops it only if it was among them.
        """
        if key not in self._memo:
            self._reading.append(set() if tracked else {_ANYTHING})
            try:
                value = compute()
            finally:
                paths = self._reading.pop()
            self._memo[key] = _Memo(value, frozenset(paths))
        memo = self._memo[key]
        if self._reading:
            self._reading[-1] |= memo.paths
        return memo.value  # type: ignore[return-value]  # the key determines the type

    @_guarded
    def made_of(self, file: FileText, key: object, make: Callable[[], T]) -> T:
        """A value that depends on nothing but the key and one file as it was read, kept until that one is forgotten."""
        if self._files.get(file.path) is not file:  # read elsewhere, or forgotten since
            return make()
        made = self._made.setdefault(file.path, {})
        if key not in made:
            made[key] = make()
        return made[key]  # type: ignore[return-value]  # the key determines the type

    @_guarded
    def made_of_each(self, asked: Sequence[tuple[str, object]], make: Callable[[int, FileText], T]) -> tuple[T, ...]:
        """`made_of` for thousands of files at once, each by its path and key; `make` gets the number of the pair, too.

        The files are read, if they were not yet. If the same tuple was asked for before, only what was forgotten since
        is looked up.
        """
        row = self._rows.get(id(asked))
        if row is None:
            row = _Row(asked, frozenset(path for path, _ in asked))
        if self._reading:
            self._reading[-1].update(row.paths)
        found = list(row.found)
        for number in row.stale():
            path, key = asked[number]
            made = self._made.get(path)
            if made is not None and key in made:
                found[number] = made[key]
            else:
                found[number] = make(number, self._file(path))
                self._made.setdefault(path, {})[key] = found[number]
        if row.changed is None or row.changed:
            row.found, row.changed = tuple(found), set()
        if isinstance(asked, tuple) and len(asked) >= _MANY:
            self._rows[id(asked)] = row
            while len(self._rows) > _KEPT_ROWS:
                del self._rows[next(iter(self._rows))]
        return cast(tuple[T, ...], row.found)  # the keys determine the type

    @_guarded
    def same(self, name: str, value: T) -> T:
        """One of the values that were last given under this name if it is the same, else this one: equal values are
        one object then, and what was made of one of them can be kept with it."""
        kept = self._same.setdefault(name, [])
        for number, other in enumerate(kept):
            if other == value and repr(other) == repr(value):  # True is 1, but is not written so
                kept.insert(0, kept.pop(number))
                return other
        kept.insert(0, value)
        del kept[_ALIKE:]
        return value

    # --- what to watch, and what changed ------------------------------------------------------------------------

    @property
    @_guarded
    def asked(self) -> frozenset[str]:
        """Every path that was asked for, found or not."""
        looked = {path for path, _ in self._kinds}
        return frozenset(self._files.keys() | self._listings.keys() | looked | self._links.keys())

    @_guarded
    def still_lists(self, path: str, name: str) -> bool:
        """Whether a name in a folder is the same kind of thing as when that was listed, or still nothing."""
        listing = self._listings.get(path)
        if listing is None or listing.problem is not None:
            return False
        before = next((entry.kind for entry in listing.entries if entry.name == name), None)
        return self._kind(f"{path.rstrip('/')}/{name}", follow=False) == before

    @_guarded
    def asked_as(self, name: str) -> set[str]:
        """The files of this name that were asked for."""
        looked = (path for path, _ in self._kinds)
        return {path for path in chain(self._files, looked) if path.endswith(f"/{name}")}

    @property
    @_guarded
    def directories(self) -> frozenset[str]:
        """The directories that were listed: new names in them count."""
        return frozenset(self._listings)

    @_guarded
    def snapshot(self) -> Workspace:
        """What was seen so far, to compare with the disk while reading goes on. The contents are shared."""
        copy = self._empty_copy()
        copy._base = self._base
        copy._bytes, copy.learned = self._bytes, self.learned
        copy._files, copy._listings = self._files.copy(), self._listings.copy()
        copy._kinds, copy._links, copy._real = self._kinds.copy(), self._links.copy(), self._real.copy()
        return copy

    def _empty_copy(self) -> Workspace:
        """A workspace that may read the same, and that has seen nothing."""
        copy = Workspace(self.disk, self.max_bytes)
        copy._permit(self._roots.copy(), self._shallow.copy())
        copy._follows, copy._targets = self._follows, self._targets.copy()
        return copy

    @_guarded
    def _seen_of(self, paths: Iterable[str]) -> Workspace:
        """What was seen of these paths: of thousands of files one was saved."""
        copy = self._empty_copy()
        for path in paths:
            if path in self._files:
                copy._files[path] = self._files[path]
            if path in self._listings:
                copy._listings[path] = self._listings[path]
            if path in self._links:
                copy._links[path] = self._links[path]
            for key in ((path, True), (path, False)):
                if key in self._kinds:
                    copy._kinds[key] = self._kinds[key]
        return copy

    def changed(self, paths: Iterable[str] | None = None) -> frozenset[str]:
        """Which of the asked paths (all, or `paths`) differ on the disk from what was seen: content, not times. It is
        compared with a copy: the app may be reading at this moment."""
        seen = self.snapshot() if paths is None else self._seen_of(paths)
        fresh = seen._empty_copy()
        return frozenset(path for path in seen.asked if seen._differs(path, fresh))

    def _differs(self, path: str, fresh: Workspace) -> bool:
        for follow in (True, False):
            if (path, follow) in self._kinds and self._kinds[path, follow] != fresh.kind(path, follow=follow):
                return True
        if path in self._links and self._links[path] != fresh.readlink(path):
            return True
        if path in self._listings and self._listings[path] != fresh.list(path):
            return True
        if path not in self._files:
            return False
        before, now = self._files[path], fresh.read(path)
        if before.problem == "too-large":  # what counts is its size: whether there is room depends on the others
            return (before.real_path, before.size) != (now.real_path, now.size)
        return _signature(before) != _signature(now)

    @_guarded
    def forget(self, paths: Iterable[str]) -> None:
        """Look at these paths again when they are next asked for. What was computed from them is dropped too.

        If they are files that were there before, nothing else can have changed; otherwise all that was computed from
        the disk is dropped.
        """
        self.forgotten += 1
        paths = list(paths)
        if paths and all(map(self._is_still_a_file, paths)):
            changed = frozenset(paths)
            self._memo = {key: memo for key, memo in self._memo.items() if memo.stands_without(changed)}
        else:
            self._memo.clear()
            self._real.clear()
            self._straight.clear()
            self._outside.clear()
        for row in self._rows.values():
            row.forget(paths)
        for path in paths:
            self._made.pop(path, None)
            self._drop(path)
            self._listings.pop(path, None)
            self._links.pop(path, None)
            self._kinds.pop((path, True), None)
            self._kinds.pop((path, False), None)

    def _is_still_a_file(self, path: str) -> bool:
        """Whether a file was read there, and the path still leads to it: only what it holds may be something else."""
        seen = self._files.get(path)
        if seen is None or not seen.found or self._kinds.get((path, True), "file") != "file":
            return False
        try:
            return stat_flags.S_ISREG(self.disk.stat(path).st_mode) and self.disk.realpath(path) == seen.real_path
        except (OSError, ValueError):
            return False


class _Memo(Struct, frozen=True):
    """A computed value, and the files that were read for it."""

    value: object
    paths: frozenset[str]

    def stands_without(self, changed: frozenset[str]) -> bool:
        """Whether it stays true if these files hold something else."""
        return _ANYTHING not in self.paths and self.paths.isdisjoint(changed)


class _Row:
    """What was made of each of many files; `changed` are the paths that were forgotten since, None for all."""

    def __init__(self, asked: Sequence[tuple[str, object]], paths: frozenset[str]) -> None:
        self.asked, self.paths = asked, paths
        self.found: tuple[object, ...] = (None,) * len(asked)
        self.changed: set[str] | None = None

    def forget(self, paths: Iterable[str]) -> None:
        """Make these anew when they are next asked for."""
        if self.changed is not None:
            self.changed |= self.paths.intersection(paths)

    def stale(self) -> Iterable[int]:
        """The numbers of the pairs to look up."""
        changed = self.changed
        if changed is None:
            return range(len(self.asked))
        return [number for number, (path, _) in enumerate(self.asked) if path in changed] if changed else ()


def _signature(file: FileText) -> tuple[object, ...]:
    return file.problem, file.real_path, file.size, sha256(file.data).digest()
