"""A revision of a repository: found by its name, and read through git's objects as a disk.

What is below the repository's root is that of the revision; `.git`, what git ignores and all else is what the disk
beneath has: personal files, of which no revision knows, are there whatever it is compared with. The work tree is not
touched. The text is as git keeps it: line ends are not converted, and no filter runs.
"""

import errno
import os
import posixpath
import re
import stat as stat_flags
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec import Struct

from .disk import Disk, Entry, Kind, RealDisk, made_stat
from .git import Git, find_git, waits_on
from .objects import MAX_BYTES, Objects
from .paths import path_in
from .reader import MAX_PATH
from .repository import repository_root
from .workspace import Workspace

_MOST_LINKS = 40
_MOST_NAMES = 500
"""Branches and tags among which a misspelt name is looked for."""
_LINK, _SUBMODULE = 0o120000, 0o160000
_NO_NAMES = (b"", b".", b"..", b".git")
"""Names that git would not check out, and that lead elsewhere."""
_LFS = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n"
)
_LFS_MOST = 1_024
"""Bytes of a pointer: Git LFS takes nothing longer for one."""


class RevisionError(ValueError):
    """A revision that cannot be read: what is the case and what to do. `known` are the names that there are."""

    def __init__(self, message: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.known = known


class Revision(Struct, frozen=True):
    """A commit of the repository at `root`; `name` is what was asked for, `git_dir` what all its work trees share."""

    name: str
    commit: str
    tree: str
    root: str
    git_dir: str
    git: Git

    @property
    def short(self) -> str:
        """The first digits of the commit."""
        return self.commit[:9]


def find_revision(name: str, folder: str, home: str, env: Mapping[str, str]) -> Revision:
    """The commit of this name in the repository around a folder. Raises RevisionError."""
    git, root = _git_for(folder, home, env)
    return _revision(name, _commit(name, git), root, git)


def find_merge_base(one: str, other: str, folder: str, home: str, env: Mapping[str, str]) -> Revision:
    """The commit at which `other` left `one`. Raises RevisionError."""
    git, root = _git_for(folder, home, env)
    found = git.text("merge-base", _commit(one, git), _commit(other, git))
    if found is None:
        why = f"{one} and {other} have no common commit"
        raise RevisionError(f"{why} in this shallow clone: {_DEEPEN}" if _is_shallow(git) else why)
    return _revision(f"{one}...{other}", found.strip(), root, git)


def revision_names(folder: str, home: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """The branches and tags of the repository around a folder, the latest first; () where git does not tell."""
    try:
        git, _ = _git_for(folder, home, env)
    except RevisionError:
        return ()
    return _names(git)


class Commit(Struct, frozen=True):
    """A commit that changed some of the files asked about: `day` in ISO 8601, `parent` None for the first one here."""

    id: str
    day: str
    parent: str | None
    subject: str


_MOST_PATHS = 2_000
"""Paths that fit a command line on every system."""


def commits_touching(
    paths: Iterable[str], folder: str, home: str, env: Mapping[str, str], most: int
) -> tuple[Commit, ...]:
    """The last commits that changed any of these paths, the latest first; () where git can't tell.

    The paths are relative to the root of the repository around `folder`; a folder stands for all that is in it. In a
    shallow clone the oldest commit counts as one that changed everything; it has no parent.
    """
    try:
        git, _ = _git_for(folder, home, env)
    except RevisionError:
        return ()
    named = tuple(islice(paths, _MOST_PATHS))
    if not named:
        return ()  # without a path git would list every commit
    listed = git.text(
        "--literal-pathspecs", "log", f"--max-count={most}", "--format=%h%x00%cs%x00%p%x00%s", "--", *named
    )
    rows = (line.split("\0", 3) for line in (listed or "").split("\n") if line)
    return tuple(Commit(id, day, parents.partition(" ")[0] or None, subject) for id, day, parents, subject in rows)


_DEEPEN = "fetch what is missing with `git fetch --unshallow`"


def _git_for(folder: str, home: str, env: Mapping[str, str]) -> tuple[Git, str]:
    """Git in the repository around a folder, and its root."""
    workspace = Workspace()
    root = repository_root(folder, workspace, kinds=("directory", "file"))
    if root is None:
        without = "it has no revisions; agents, versions and modes can be compared without"
        raise RevisionError(f"{folder} is in no git repository: {without}")
    git = find_git(root, home, env)
    if git is None:
        raise RevisionError("git is not installed, and without it no revision can be read")
    git_dir = f"{root.rstrip('/')}/.git"
    if workspace.is_dir(git_dir) and (path := waits_on(git_dir, git_dir, workspace)):
        raise RevisionError(f"git would wait on {path}, which is a pipe or a device")
    return git, root


def _commit(name: str, git: Git) -> str:
    if not name or name.startswith("-") or "\0" in name:
        raise RevisionError(f"{name!r} is not the name of a revision")
    found = git.text("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if found is not None:
        return found.strip()
    if git.text("rev-parse", "--git-dir") is None:
        raise RevisionError(f"git does not read this repository: see what `git -C {git.cwd} status` says")
    if git.text("rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        raise RevisionError("there is no commit yet")
    if _is_shallow(git):
        raise RevisionError(f"this shallow clone has no revision {name!r}: {_DEEPEN}, or name one that it has")
    raise RevisionError(f"there is no revision {name!r}; `git fetch` brings those of the remote", _names(git))


def _revision(name: str, commit: str, root: str, git: Git) -> Revision:
    tree, shared = git.texts(("rev-parse", "--verify", f"{commit}^{{tree}}"), ("rev-parse", "--git-common-dir"))
    if tree is None or shared is None:
        raise RevisionError(f"git has not got the files of {name}")
    return Revision(name, commit, tree.strip(), root, path_in(root, shared.rstrip("\n")), git)


def _is_shallow(git: Git) -> bool:
    return (git.text("rev-parse", "--is-shallow-repository") or "").strip() == "true"


def _names(git: Git) -> tuple[str, ...]:
    listed = git.text(
        "for-each-ref", "--sort=-creatordate", f"--count={_MOST_NAMES}", "--format=%(refname:short)",
        "refs/heads", "refs/remotes", "refs/tags",
    )  # fmt: skip
    return tuple((listed or "").split())


class _Node(Struct, frozen=True):
    """Something in the tree: its real path, git's mode and its object."""

    path: str
    mode: int
    oid: str

    @property
    def kind(self) -> Kind:
        if self.mode == _LINK:
            return "link"
        return "directory" if self.mode == _SUBMODULE or stat_flags.S_ISDIR(self.mode) else "file"


class RevisionDisk:
    """The files of a revision over another disk."""

    def __init__(self, revision: Revision, beneath: Disk | None = None) -> None:
        self.revision = revision
        self.submodules: dict[str, str] = {}
        """The submodules that something was looked for in, by path: their commits. They are empty folders here."""
        self._beneath = beneath or RealDisk()
        self._objects = Objects(revision.git)
        self._root = _Node(self._beneath.realpath(revision.root), stat_flags.S_IFDIR, revision.tree)
        self._trees: dict[str, dict[str, tuple[int, str]]] = {}
        self._untracked = _untracked_in(revision.git, self._root.path)

    def is_ignored(self, path: str) -> bool:
        """Whether a path, links resolved, is something that git ignores, or is in such a folder."""
        folder, _, name = path.rpartition("/")
        while folder.startswith(self._root.path):
            if name in self._untracked.get(folder, ()):
                return True
            folder, _, name = folder.rpartition("/")
        return False

    def close(self) -> None:
        """End git; nothing can be read any more."""
        self._objects.close()

    # --- as a disk ----------------------------------------------------------------------------------------------

    def lstat(self, path: str) -> os.stat_result:
        """What is at the path, links not followed."""
        found = self._find(path, follow=False)
        return self._beneath.lstat(found) if isinstance(found, str) else self._stat(found)

    def stat(self, path: str) -> os.stat_result:
        """What the path leads to."""
        found = self._find(path)
        return self._beneath.stat(found) if isinstance(found, str) else self._stat(found)

    def read(self, path: str, limit: int) -> bytes:
        """The file, or the content that Git LFS keeps for it."""
        found = self._find(path)
        if isinstance(found, str):
            return self._beneath.read(found, limit)
        if found.kind != "file":
            raise OSError(errno.EISDIR, "is a directory", path)
        if (stored := self._stored_elsewhere(found)) is None:
            return self._objects.read(found.oid, limit)
        try:
            return self._beneath.read(stored[0], limit)
        except OSError:
            why = "Git LFS keeps its content, and this clone has only the pointer: `git lfs fetch` brings it"
            raise OSError(errno.EIO, why, path) from None

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """The file in chunks."""
        found = self._find(path)
        if isinstance(found, str):
            yield from self._beneath.chunks(found, size)
            return
        data = self.read(path, MAX_BYTES)
        for start in range(0, len(data), size):
            yield data[start : start + size]

    def scan(self, path: str) -> list[Entry]:
        """The entries, in the order of the work tree."""
        found = self._find(path)
        if isinstance(found, str):
            return self._beneath.scan(found)
        if found.kind != "directory":
            raise NotADirectoryError(errno.ENOTDIR, "is not a directory", path)
        entries = [Entry(name, _Node("", *each).kind) for name, each in self._entries(found).items()]
        there = self._there(found.path)
        own = self._untracked.get(found.path, set()) - {each.name for each in entries}
        entries += [each for each in there if each.name in own]
        # In the work tree's order, so that a comparison with it shows no moves that nobody made.
        places = {each.name: place for place, each in enumerate(there)}
        return sorted(entries, key=lambda each: places.get(each.name, len(places)))

    def _there(self, path: str) -> list[Entry]:
        try:
            return self._beneath.scan(path)
        except OSError:
            return []

    def readlink(self, path: str) -> str:
        """Where a link points, as written."""
        found = self._find(path, follow=False)
        if isinstance(found, str):
            return self._beneath.readlink(found)
        if found.kind != "link":
            raise OSError(errno.EINVAL, "is not a link", path)
        return self._target(found)

    def realpath(self, path: str) -> str:
        """As the system's: what is missing at the end of the path stays as it is."""
        rest: list[str] = []
        while True:
            try:
                found = self._find(path)
                real = self._beneath.realpath(found) if isinstance(found, str) else found.path
                return "/".join([real.rstrip("/"), *rest]) or "/"
            except OSError:
                folder, _, name = path.rstrip("/").rpartition("/")
                rest.insert(0, name)
                path = folder or "/"

    # --- the tree -----------------------------------------------------------------------------------------------

    def _find(self, path: str, *, follow: bool = True, links: int = 0) -> _Node | str:
        """What the path leads to in the tree, or the path for the disk beneath."""
        inside = self._below(path)
        if inside is None:
            return self._from_outside(path, follow=follow, links=links)
        rest = deque(inside)
        nodes = [self._root]
        while rest:
            name = rest.popleft()
            if name == "..":
                if len(nodes) == 1:
                    above = posixpath.dirname(self._root.path)
                    return self._find("/".join([above.rstrip("/"), *rest]) or "/", follow=follow, links=links)
                nodes.pop()
                continue
            here = nodes[-1]
            entry = self._entries(here).get(name)
            if entry is None:
                if name not in self._untracked.get(here.path, ()):
                    raise FileNotFoundError(errno.ENOENT, "not in this revision", path)
                return "/".join([here.path.rstrip("/"), name, *rest])
            node = _Node(f"{here.path.rstrip('/')}/{name}", *entry)
            if node.kind != "link" or not (rest or follow):
                nodes.append(node)
                continue
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, "too many links", path)
            target = self._target(node)
            if target.startswith("/"):
                return self._find("/".join([target.rstrip("/"), *rest]), follow=follow, links=links)
            rest.extendleft(reversed(_parts(target)))
        return nodes[-1]

    def _below(self, path: str) -> list[str] | None:
        """The names on the way from the root to a path; None for one that is not below it."""
        for root in (self.revision.root, self._root.path):
            if path == root or path.startswith(root.rstrip("/") + "/"):
                return _parts(path[len(root) :])
        return None

    def _from_outside(self, path: str, *, follow: bool, links: int) -> _Node | str:
        """A path that does not begin in the repository may still lead there, by a link or by `..`."""
        folder, _, name = path.rpartition("/")
        real = self._beneath.realpath(path if follow or name in ("", "..") else folder or "/")
        if not follow and name not in ("", ".."):
            real = f"{real.rstrip('/')}/{name}"
        if self._below(real) is None:
            return path
        return self._find(real, follow=follow, links=links)

    def _entries(self, node: _Node) -> dict[str, tuple[int, str]]:
        """What a directory holds: mode and object by name."""
        if node.mode == _SUBMODULE:
            self.submodules[node.path] = node.oid
            return {}
        if node.kind != "directory":
            raise NotADirectoryError(errno.ENOTDIR, "is not a directory", node.path)
        if node.oid not in self._trees:
            data, width = self._objects.read(node.oid), len(node.oid) // 2
            self._trees[node.oid] = dict(_listed(data, width))
        return self._trees[node.oid]

    def _target(self, node: _Node) -> str:
        return os.fsdecode(self._objects.read(node.oid, MAX_PATH))

    def _stat(self, node: _Node) -> os.stat_result:
        if node.kind == "directory":
            mode, size = stat_flags.S_IFDIR | 0o755, 0
        elif node.kind == "link":
            mode, size = stat_flags.S_IFLNK | 0o777, self._objects.size(node.oid)
        else:
            stored = self._stored_elsewhere(node)
            mode, size = node.mode, stored[1] if stored else self._objects.size(node.oid)
        return made_stat(mode, size)

    def _stored_elsewhere(self, node: _Node) -> tuple[str, int] | None:
        """For a pointer of Git LFS: where the content lies if this clone has it, and its size."""
        if self._objects.size(node.oid) > _LFS_MOST:
            return None
        found = _LFS.match(self._objects.read(node.oid))
        if found is None:
            return None
        oid = found[1].decode()
        return f"{self.revision.git_dir}/lfs/objects/{oid[:2]}/{oid[2:4]}/{oid}", int(found[2])


def _untracked_in(git: Git, root: str) -> dict[str, set[str]]:
    """`.git` and what git ignores in the work tree: names by their folder, a folder of such files as one name."""
    listed = git.ask("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    found: dict[str, set[str]] = {root: {".git"}}
    for path in (listed or b"").split(b"\0"):
        folder, _, name = os.fsdecode(path).rstrip("/").rpartition("/")
        if name:
            found.setdefault("/".join(filter(None, (root.rstrip("/"), folder))), set()).add(name)
    return found


def _parts(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]


def _listed(data: bytes, width: int) -> Iterator[tuple[str, tuple[int, str]]]:
    """The entries of a tree as git stores it: mode, name, an id of `width` bytes."""
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _, name = data[at:end].partition(b" ")
        at = end + 1 + width
        if name not in _NO_NAMES and b"/" not in name:
            yield os.fsdecode(name), (int(mode, 8), data[end + 1 : at].hex())
