"""Folders: those an agent reads, from its start up to a boundary; those beyond; those below one."""

import posixpath
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec import Struct

from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.dot_git import git_folder
from promptscope_engine.workspace.paths import from_system

from .rows import NAME as SKILL
from .rows import Found, Place, near_entries, near_misses, near_skills, never, row

_GIT = ".git"
MOST_BEYOND = 50
"""Rows for what is beyond a boundary."""
_MOST_BELOW = 5_000
"""Folders below in which files are asked for by name: git may have been told to ignore them."""
_WATCHED = 500
"""The outermost of them are asked of the workspace itself, so that a file that appears there is noticed."""


class Walk(Struct, frozen=True):
    """`folders` from the outermost one down to where the agent is started.

    `marker` is the path that makes the outermost one the project's root; None where none of `markers` does, and then
    the walk is of one folder.
    """

    folders: tuple[str, ...]
    marker: str | None
    markers: tuple[str, ...] = (_GIT,)

    @property
    def beyond(self) -> tuple[str, ...]:
        """The folders around the outermost one, nearest first."""
        return tuple(map(str, PurePosixPath(self.folders[0]).parents))

    def ends(self, workspace: Workspace, folder: str) -> str:
        """Why nothing in a folder beyond is read."""
        only = "only the folder that it is started in counts"
        if self.marker is None:
            named = [marker for marker in self.markers if marker]
            return (
                f"without {' or '.join(named)} above it, {only}" if named else f"no file marks a project's root: {only}"
            )
        root = posixpath.relpath(self.folders[0], folder)
        return (
            f"{posixpath.relpath(self.marker, folder)} makes {root} the project root{_kind_of(self.marker, workspace)}"
        )


def _kind_of(marker: str, workspace: Workspace) -> str:
    """What a `.git` is, where it is not a repository as a person expects one."""
    if PurePosixPath(marker).name != _GIT:
        return ""
    kind = workspace.kind(marker)
    if kind == "directory":
        return "" if workspace.list(marker).entries else " (it is an empty folder, not a repository)"
    target = workspace.read(marker).text.partition("gitdir:")[2].strip()
    for part, what in (("/modules/", "a submodule's"), ("/worktrees/", "a linked worktree's")):
        if part in target:
            return f" (it is {what} file)"
    return " (it is a file, not a folder)"


def upwards(start: str, top: str | None = None) -> list[str]:
    """A folder and those around it, nearest first, up to `top`, or to the root if that is not among them."""
    found = [start, *map(str, PurePosixPath(start).parents)]
    return found[: found.index(top) + 1] if top in found else found


def walk(workspace: Workspace, start: str, markers: Sequence[str], counts: Callable[[str], bool] | None = None) -> Walk:
    """Up to the nearest folder that holds one of the markers; `counts` says of the path of one whether it does."""
    folders = upwards(start)
    for number, folder in enumerate(folders):
        for marker in markers:
            path = posixpath.join(folder, marker)  # a marker may be absolute
            if workspace.kind(path) is not None and (counts is None or counts(path)):
                return Walk(tuple(reversed(folders[: number + 1])), path, tuple(markers))
    return Walk((start,), None, tuple(markers))


def git_walk(workspace: Workspace, start: str, *, lost: bool = False) -> Walk:
    """Up to what git takes for a repository; a `.git` file that leads nowhere ends the search without one.

    `lost`: one that names a folder counts even where there is none.
    """
    kind = workspace.kind

    def counts(path: str) -> bool:
        return kind(path) == "file" or all(kind(f"{path}/{part}") is not None for part in ("HEAD", "objects", "refs"))

    found = walk(workspace, start, (_GIT,), counts)
    leads = found.marker is None or kind(git_folder(workspace, found.marker)) == "directory"
    is_lost = not leads and lost and "gitdir:" in workspace.read(found.marker or "").text
    return found if leads or is_lost else Walk((start,), None)


FilesIn = Callable[[Workspace, str], Iterator[str]]


def beyond(
    workspace: Workspace, walk: Walk, files: tuple[str, FilesIn], known: Container[str], remedy: str
) -> list[FileDraft]:
    """A row for each file that would count if the walk went on. `files`: their kind, and those of a folder."""
    kind, files_in = files
    copy = workspace.snapshot()  # what cannot count is not watched
    rows: list[FileDraft] = []
    for folder in walk.beyond:
        for path in files_in(copy, folder):
            if len(rows) < MOST_BEYOND and path not in known and copy.kind(path) == "file":
                rows.append(row(copy, path, kind, never(path, walk.ends(copy, folder), remedy)))
    return rows


def named_in(names: Sequence[str]) -> FilesIn:
    """The files of these names, for `beyond`."""
    return lambda _, folder: (f"{folder.rstrip('/')}/{name}" for name in names)


def unread(found: Found, walk: Walk | None, places: Iterable[Place], names: Sequence[str], remedy: str) -> None:
    """Add the rows of what nearly counts in some places, and of files of these names beyond a walk.

    The latter are of the kind of the first place.
    """
    first, *others = places
    known = {file.path for file in found.files}
    found.files += near_misses(found.workspace, (first, *others), known)
    if walk is not None:
        found.files += beyond(found.workspace, walk, (first.kind, named_in(names)), known, remedy)


def first_there(workspace: Workspace, paths: Iterable[str]) -> str | None:
    """The first of some paths at which there is something."""
    return next((path for path in paths if workspace.kind(path) is not None), None)


def folders_with(workspace: Workspace, cwd: str, files: Iterable[str], names: Sequence[str]) -> list[str]:
    """The folders below `cwd` that hold something of these names, outer first; `files` are the repository's."""
    return [folder for folder, _ in named_below(workspace, cwd, files, names)]


def named_below(
    workspace: Workspace, cwd: str, files: Iterable[str], names: Sequence[str]
) -> list[tuple[str, list[str]]]:
    """The same folders, each with the paths of these names that there are."""
    base = cwd.rstrip("/") + "/"
    below: dict[str, None] = {}
    for file in files:
        folder = file.rpartition("/")[0]
        while folder.startswith(base) and folder not in below and len(below) < _MOST_BELOW:
            below[folder] = None
            folder = folder.rpartition("/")[0]
    copy = workspace.snapshot()  # what is asked of a copy is not watched
    found = []
    for number, folder in enumerate(sorted(below, key=lambda folder: (folder.count("/"), folder))):
        place = workspace if number < _WATCHED else copy
        if there := [path for name in names if place.kind(path := f"{folder}/{name}") is not None]:
            found.append((folder, there))
    return found


MOST = 20_000
"""Entries that are looked at: a search of a whole disk ends here."""


def folders_in(workspace: Workspace, folder: str) -> list[str]:
    """The names of the folders in a folder, and of links to folders; without hidden ones and node_modules."""
    names = [entry.name for entry in workspace.list(folder).entries if entry.kind != "file"]
    return [n for n in names if n[:1] != "." and n != "node_modules" and workspace.is_dir(f"{folder}/{n}")]


class Reach(Struct, frozen=True):
    """How far a search goes: levels of folders, folders and files in all, and which folders are entered.

    `enters` is asked with the path, and whether it is a link.
    """

    depth: int
    folders: int = MOST
    files: int = 500
    enters: Callable[[str, bool], bool] = lambda *_: True


def linked_below(workspace: Workspace, folder: str, ending: str, reach: Reach) -> Iterator[str]:
    """The files with this ending in and below a folder, sorted by path; linked folders once."""
    return _Linked(workspace, ending, reach, set()).below(folder, reach.depth)


def read_below(found: Found, folder: str, kind: str, ending: str, reach: Reach) -> Iterator[FileText]:
    """The files of one kind, if the folder may be looked into; that there are more than are read is said."""
    paths = linked_below(found.workspace, folder, ending, reach) if found.may_read(folder, kind) else ()
    for number, path in enumerate(paths):
        if number == reach.files:
            found.warn("too-many-files", f"{reach.files} files are read; the others are left out", folder)
            return
        yield found.workspace.read(path)


def skills_below(found: Found, folder: str, reach: Reach) -> Iterator[FileText]:
    """Each SKILL.md in and below a folder of skills, then the rows of what nearly is one."""
    for file in read_below(found, folder, "skill", SKILL, reach):
        if file.path.endswith(f"/{SKILL}"):
            yield file
    found.files += near_skills(found.workspace, folder, depth=reach.depth, root=True)


def named_files(found: Found, folder: str, kind: str, reach: Reach) -> Iterator[tuple[str, FileText]]:
    """Each Markdown file of a folder of commands or sub-agents, by its name there, then the rows of what nearly is."""
    for file in read_below(found, folder, kind, ".md", reach):
        yield file.path.removeprefix(f"{folder}/").removesuffix(".md"), file
    found.files += near_entries(found.workspace, folder, kind)


class _Linked(NamedTuple):
    """A walk through folders and links to folders."""

    workspace: Workspace
    ending: str
    reach: Reach
    walked: set[str]

    def below(self, at: str, left: int) -> Iterator[str]:
        real = self.workspace.real_path(at)
        if real in self.walked or len(self.walked) >= self.reach.folders:
            return
        self.walked.add(real)
        for entry in self.workspace.list(at).entries:
            path = f"{at}/{entry.name}"
            kind = self.workspace.kind(path) if entry.kind == "link" else entry.kind
            if kind == "directory":
                if left and self.reach.enters(path, entry.kind == "link"):
                    yield from self.below(path, left - 1)
            elif kind == "file" and entry.name.endswith(self.ending):
                yield path


# --- paths ------------------------------------------------------------------------------------------------------------


def from_home(path: str, home: str) -> str:
    """A path that a person wrote, with the home folder for a `~` that it begins with."""
    path = from_system(path)
    return home + path[1:] if path.partition("/")[0] == "~" else path


def absolute(path: str, cwd: str, home: str) -> str:
    """A path that a person wrote: from `~`, absolute, or relative to the working directory."""
    return resolve(cwd, from_home(path, home))


def shown(path: str, cwd: str, home: str) -> str:
    """A path as a sentence has it: relative to the working directory, or from `~`."""
    for folder, short in ((cwd, ""), (home, "~/")):
        base = folder.rstrip("/") + "/"
        if path.startswith(base):
            return short + path.removeprefix(base)
    return path


_LONGEST = 4_096
"""Characters of a path: no system opens a longer one."""


def target_of(token: str, folder: str, home: str | None = None) -> str | None:
    """The absolute path that a token in a file of `folder` names (`~`: `home`, if given); None if it can't be one."""
    if "\0" in token or len(token) > _LONGEST:
        return None
    return resolve(folder, token) if home is None else absolute(token, folder, home)
