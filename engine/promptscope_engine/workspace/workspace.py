"""The only access to the disk.

Every read, listing and look at a path goes through a `Workspace`: it keeps what it saw (so that two assemblies of one
state agree, and a re-assembly after one saved file re-reads that file only), remembers every path it was asked for,
found or not (the watch set), and refuses what is outside the allowed places.

Two threads use one workspace: an app assembles in one and compares with the disk in another. One re-entrant lock guards
what was seen; it is held while something is looked up, never while the disk is compared.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from .access import AccessPolicy
from .disk import Disk, Moved, RealDisk, moved
from .memo import Memo
from .reader import MAX_FILE_BYTES, FileText, Reader, Seen, differing, guarded

T = TypeVar("T")


class Workspace(Reader):
    """Reads, and keeps what it saw until `forget`; see the module's docstring."""

    def __init__(self, disk: Disk | None = None, max_bytes: int = MAX_FILE_BYTES) -> None:
        self.forgotten = 0
        """How often something that was seen was forgotten: while it stays the same, so does an assembly."""
        super().__init__(disk or RealDisk(), max_bytes)
        self._memo = Memo()
        self._confined_to = AccessPolicy()
        self._own_disk, self._shown = self.disk, None  # type: Disk, tuple[str, str] | None

    # --- what may be read ---------------------------------------------------------------------------------------

    @guarded
    def allow(self, trees: Iterable[str], shallow: Iterable[str] = ()) -> None:
        """Allow whole trees and single folders (`shallow`) with their own files and `.…` children."""
        self.admit(AccessPolicy.of(trees, shallow, follows_links=self.policy.follows_links))

    @guarded
    def admit(self, policy: AccessPolicy) -> None:
        """Allow the places of a policy as well, and follow links as it says."""
        current, wanted = self.policy, self._with_real_paths(policy)
        if not current.covers(wanted) or current.follows_links is not policy.follows_links:
            self._permit(replace(current, follows_links=policy.follows_links).with_places_of(wanted))

    @guarded
    def confine(self, policy: AccessPolicy) -> None:
        """Allow the places of a policy and no others.

        If they were also the last ones given here, what was allowed since stays. One workspace answers several
        scenarios, and what one of them names is not read for the next.
        """
        wanted = self._with_real_paths(policy)
        if wanted != self._confined_to:
            self._confined_to = wanted
            self._permit(wanted)

    def _with_real_paths(self, policy: AccessPolicy) -> AccessPolicy:
        real = self.real_path
        return policy.with_places_of(AccessPolicy.of(map(real, policy.trees), map(real, policy.folders)))

    def _permit(self, policy: AccessPolicy) -> None:
        links_changed = policy.follows_links is not self.policy.follows_links
        if self.permit(policy) or links_changed:
            self.forgotten += 1
            self._memo.clear()

    @guarded
    def leading_outside(self, paths: Iterable[str]) -> frozenset[str]:
        """The paths for which `leads_outside` gives a target."""
        return frozenset(path for path in paths if self.leads_outside(path) is not None)

    def beneath(self) -> Workspace:
        """One that has seen nothing, with every folder at its own place."""
        return self.over(self._own_disk)

    def own_path(self, path: str) -> str:
        """Where a path is on the disk of this machine."""
        return moved(path, *self._shown[::-1]) if self._shown else path

    def shown_path(self, path: str) -> str:
        """Where a path of this machine's disk is shown, as a file outside of the folder that was moved names it."""
        return self.disk.shown(path) if isinstance(self.disk, Moved) else path

    @guarded
    def show(self, place: tuple[str, str] | None) -> None:
        """From now on the first folder is where the second one names it, as on another machine; None: at its own place.

        What was seen is forgotten where that changes.
        """
        if place == self._shown:
            return
        self._shown = place
        self.disk = Moved(self._own_disk, *place) if place else self._own_disk
        self.seen, self.policy, self._confined_to = Seen(), AccessPolicy(), AccessPolicy()
        self._real.clear()
        self._outside.clear()
        self._targets.clear()
        self._memo.clear()
        self.forgotten += 1

    # --- what is there ------------------------------------------------------------------------------------------

    @guarded
    def read(self, path: str) -> FileText:
        """The file's text, or the problem. Never raises for what is on the disk."""
        self._memo.note_read((path,))
        return super().read(path)

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

    def is_dir(self, path: str) -> bool:
        """Whether the path leads to a directory."""
        return self.kind(path) == "directory"

    # --- what was made of it ------------------------------------------------------------------------------------

    @guarded
    def memo(self, key: Hashable, compute: Callable[[], T], *, tracked: bool = False) -> T:
        """A value computed from what was read, kept until anything is forgotten. Keys carry their own name.

        `tracked`: `compute` itself reads every file that the value depends on, here and from this workspace. Then a
        file that is saved drops it only if it was among them.
        """
        return self._memo.get(key, compute, tracked=tracked)

    @guarded
    def made_of(self, file: FileText, key: object, make: Callable[[], T]) -> T:
        """A value that depends only on the key and one file as it was read, kept until the file is forgotten."""
        if self.seen.files.get(file.path) is not file:  # read elsewhere, or forgotten since
            return make()
        return self._memo.of_file(file.path, key, make)

    @guarded
    def made_of_each(self, asked: Sequence[tuple[str, object]], make: Callable[[int, FileText], T]) -> tuple[T, ...]:
        """`made_of` for thousands of files at once, each by its path and key; `make` also gets the pair's index."""
        return self._memo.of_each(asked, make, super().read)

    @guarded
    def same(self, name: str, value: T) -> T:
        """A value given earlier under this name that equals this one, else this one: see `Memo.same`."""
        return self._memo.same(name, value)

    # --- what to watch, and what changed ------------------------------------------------------------------------

    @property
    @guarded
    def asked(self) -> frozenset[str]:
        """Every path that was asked for, found or not."""
        return self.seen.paths

    @guarded
    def asked_as(self, name: str) -> set[str]:
        """The files of this name that were asked for."""
        seen = self.seen
        return {path for path in seen.files.keys() | {path for path, _ in seen.kinds} if path.endswith(f"/{name}")}

    @property
    @guarded
    def directories(self) -> frozenset[str]:
        """The directories that were listed: new names in them count."""
        return frozenset(self.seen.listings)

    @guarded
    def still_lists(self, path: str, name: str) -> bool:
        """Whether a name in a folder is the same kind of thing as when the folder was listed, or still nothing."""
        listing = self.seen.listings.get(path)
        if listing is None or listing.problem is not None:
            return False
        before = next((entry.kind for entry in listing.entries if entry.name == name), None)
        return self.kind_now(f"{path.rstrip('/')}/{name}", follow=False) == before

    def over(self, disk: Disk) -> Workspace:
        """One that has seen nothing of this disk."""
        return Workspace(disk, self.max_bytes)

    @guarded
    def snapshot(self) -> Workspace:
        """A copy that has seen the same. What is asked of it is not watched here."""
        copy = self.over(self.disk)
        copy._confined_to = self._confined_to
        self.show_to(copy)
        return copy

    def changed(self, paths: Iterable[str] | None = None) -> frozenset[str]:
        """The asked paths (all, or some) that differ on the disk from what was seen.

        A copy is compared: the app may be reading at this moment.
        """
        with self.lock:
            seen, now = self.seen.copy(paths), self.unused_copy()
        return differing(seen, now)

    @guarded
    def forget(self, paths: Iterable[str]) -> None:
        """Look at these paths again when they are next asked for, and drop what was computed from them.

        If they are files that were there before, nothing else can have changed; otherwise everything that was computed
        from the disk is dropped.
        """
        self.forgotten += 1
        paths = list(paths)
        if paths and all(map(self.is_still_file, paths)):
            self._memo.forget(paths)
        else:
            self._memo.forget_computed()
            self._memo.forget_files(paths)
            self.forget_places()
        for path in paths:
            self.seen.drop(path)
