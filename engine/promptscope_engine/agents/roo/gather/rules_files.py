"""The rule directories: what Roo finds in them, in which order, and what it drops (specs/roo.md 4.2, 4.4, 4.5).

A directory is walked as Node's recursive `readdir` walks it, links are followed to a depth of 5 without remembering
what was visited, and what was found is sorted by the lower-cased basename alone.
"""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.roo.materials import InstructionFile
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Load
from promptscope_engine.workspace import FileText, Workspace

from .found import binary_diagnostic, file_diagnostic, problem

MAX_DEPTH = 5
MAX_FOUND = 10_000
MAX_LINKS = 20_000
"""Our own bounds, Roo has none: a directory of n links to itself shows every file n² times and follows n³ links."""
EXCLUDED_ENDINGS = (
    ".DS_Store", ".bak", ".cache", ".crdownload", ".db", ".dmp", ".dump", ".eslintcache", ".lock", ".log", ".old",
    ".part", ".partial", ".pyc", ".pyo", ".stackdump", ".swo", ".swp", ".temp", ".tmp", "Thumbs.db",
)  # fmt: skip
"""Case-sensitive ends of a file's name (4.4): UPPER.LOG and a file called `log` are kept."""


@frozen
class WalkedFile:
    """A file as the walk finds it: the path whose text is read, and the name it is sorted by (a link's own)."""

    path: str
    sort_name: str
    link: str | None = None
    """The link that led here, if the path is not simply below the directory."""


@frozen
class RuleFile:
    """A file that counts: its heading shows `shown`; `text` is the decoded whole, `trimmed` what goes in. What is made
    of it stands beside it: of thousands of files one is saved."""

    shown: str
    file: FileText
    trimmed: str
    link: str | None
    among_rules: InstructionFile
    listed: FileDraft


@frozen
class Dropped:
    """A file or link that does not count, and why, as a clause: "its name ends in .log"."""

    path: str
    why: str
    remedy: str
    """What would make it count."""
    link: bool = False
    """Whether it is a link whose end is not reached, and not a file that Roo leaves out on purpose."""
    times: int = 0
    """How often a file behind the link is read all the same: it was followed before it was left."""
    outside: bool = False
    """Whether it is a link that Roo follows and that is not followed here."""


@dataclass(eq=False, repr=False)
class _Walk:
    """What one walk collects."""

    top: str
    found: list[WalkedFile] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    links: int = 0
    followed: set[str] = field(default_factory=set)
    """Links to directories whose entries were read."""
    left: dict[str, str] = field(default_factory=dict)
    """Links to directories that are too deep, at least once, each with its target."""
    led_out: list[str] = field(default_factory=list)
    """Links to directories outside of the announced folders behind which files were found."""

    @property
    def full(self) -> bool:
        """Whether one of our bounds is reached."""
        return len(self.found) > MAX_FOUND or self.links > MAX_LINKS


@frozen
class RulesDirectory:
    """One directory of rules, read. `exists` is whether it is a directory, a linked one too."""

    path: str
    exists: bool
    files: tuple[RuleFile, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    led_out: tuple[str, ...] = ()
    """Links to directories outside of the announced folders that were followed."""

    @property
    def counted(self) -> list[str]:
        """The paths of what Roo finds here, with links that it follows and that are not followed here."""
        return [*(rule.link or rule.shown for rule in self.files), *(d.path for d in self.dropped if d.outside)]


class _UnreadableError(Exception):
    """A directory of the tree that cannot be listed: Node's recursive readdir then rejects as a whole."""


def rules_directory(workspace: Workspace, path: str) -> RulesDirectory:
    """The directory's rule files in the order of the prompt."""
    return workspace.memo(("roo.rules_directory", path), lambda: _rules_directory(workspace, path), tracked=True)


@frozen
class _Walked:
    """What a walk found, in its order, the names that are left out among it; `order` has the places of the others in
    the order of the prompt, `to_read` their paths, each with what is made of it: the rule behind a link."""

    found: tuple[WalkedFile | Dropped, ...]
    to_read: tuple[tuple[str, tuple[str, str | None, str]], ...]
    order: tuple[int, ...]
    dropped: tuple[Dropped, ...]
    diagnostics: tuple[Diagnostic, ...]
    led_out: tuple[str, ...] = ()


def rule_paths(workspace: Workspace, path: str) -> tuple[str, ...]:
    """The files of a directory that would count as rules, none of them read."""
    return tuple(asked for asked, _ in _walk_of(workspace, path).to_read)


def _walk_of(workspace: Workspace, path: str) -> _Walked:
    """Apart from the texts: a file that is saved does not change it."""
    return workspace.memo(("roo.rules_walk", path), lambda: _walked(workspace, path), tracked=True)


def _rules_directory(workspace: Workspace, path: str) -> RulesDirectory:
    if not workspace.is_dir(path):
        return RulesDirectory(path, exists=False)
    walked = _walk_of(workspace, path)
    dropped, diagnostics = list(walked.dropped), list(walked.diagnostics)
    generic = posixpath.basename(path) == "rules"

    def make(number: int, file: FileText) -> _Read:
        link = walked.to_read[number][1][1]
        # A link that leads out keeps its row, followed or not.
        row = link if link and workspace.leads_outside(link) else file.path
        return _read(path, file, link, row, generic=generic)

    read = iter(workspace.made_of_each(walked.to_read, make))
    files: list[RuleFile | None] = []
    for found in walked.found:
        file, left_out, told = (None, found, None) if isinstance(found, Dropped) else next(read)
        files.append(file)
        if left_out is not None:
            dropped.append(left_out)
        if told is not None:
            diagnostics.append(told)
    in_order = tuple(file for file in map(files.__getitem__, walked.order) if file is not None)
    return RulesDirectory(path, True, in_order, tuple(dropped), tuple(diagnostics), walked.led_out)


def _walked(workspace: Workspace, path: str) -> _Walked:
    walk = _Walk(path)
    try:
        _walk_directory(workspace, walk, path, depth=0)
    except _UnreadableError as error:
        # One sub-directory that cannot be listed loses the whole directory: readdir rejects, and the agent
        # catches that as "no files" (4.3: swallowed).
        what = Diagnostic("warning", "rules-unreadable", f"no rule of {path} is used: {error}", path)
        return _Walked((), (), (), (), (what,))
    found = tuple(map(_by_name, walk.found))
    counting = [(n, file) for n, file in enumerate(found) if isinstance(file, WalkedFile)]
    # Lower-cased, then by localeCompare: 10-x before 2-x, equal names as they were found (4.4).
    order = locale_order([file.sort_name.lower() for _, file in counting])
    dropped = (*walk.dropped, *_left_links(walk, [file.path for _, file in counting]))
    to_read = tuple((file.path, ("roo.rule_file", file.link, path)) for _, file in counting)
    told, led_out = tuple(walk.diagnostics), tuple(dict.fromkeys(walk.led_out))
    return _Walked(found, to_read, tuple(counting[n][0] for n in order), dropped, told, led_out)


def _left_links(walk: _Walk, paths: Iterable[str]) -> Iterator[Dropped]:
    """The links to directories at which Roo stopped, with how often the files behind them are read before (4.5)."""
    read = Counter(paths) if walk.left else Counter[str]()
    rule = f"Roo counts each directory link twice, for itself and for what is in it, up to {MAX_DEPTH}"
    for link, target in walk.left.items():
        below = target.rstrip("/") + "/"
        times = max((n for path, n in read.items() if path.startswith(below)), default=0)
        if link in walk.followed and times:
            why = f"it is followed until it is too deep: {rule}"
            yield Dropped(link, why, f"remove {link}", link=True, times=times)
        else:
            yield _dropped_link(link, f"{rule}, so that a third one in a row is not followed")


# --- the walk ------------------------------------------------------------------------------------------------------


def _walk_directory(workspace: Workspace, walk: _Walk, path: str, depth: int) -> None:
    """resolveDirectoryEntry for every entry below `path`; links are resolved after all regular files were taken.

    Linked files come when their stat returns, a race (4.4); files are taken to be faster than directories, which
    still have to be listed.
    """
    links: list[str] = []
    for found, name, kind in _entries(workspace, walk, path):
        if kind == "file":
            walk.found.append(WalkedFile(found, name))
        else:
            links.append(found)
    walk.links += len(links)
    if walk.full:
        what = f"{walk.top} leads to more than {MAX_FOUND:,} files or {MAX_LINKS:,} links; the rest is left out"
        walk.diagnostics = [Diagnostic("warning", "too-many-files", what, walk.top)]
        del walk.found[MAX_FOUND:]
        return
    if depth >= MAX_DEPTH:  # of the directories that a link at the top leads through, the third
        return
    targets = [(link, _target(workspace, walk, link)) for link in links]
    for link, target in targets:
        if target is not None and not workspace.is_dir(target):
            walk.found.append(WalkedFile(target, posixpath.basename(link), link))
    for link, target in targets:
        if target is not None and not walk.full and workspace.is_dir(target):
            _walk_link(workspace, walk, link, target, depth + 1)


def _entries(workspace: Workspace, walk: _Walk, path: str) -> Iterator[tuple[str, str, str]]:
    """(path, name, kind) of every file and link below `path`, in Node's order.

    Names are byte-sorted within a directory, and sub-directories are taken last-first: Node keeps a stack (4.4).
    """
    stack = [path]
    collected: list[tuple[str, str, str]] = []
    while stack:
        parent = stack.pop()
        listing, within = workspace.list(parent), posixpath.join(parent, "")
        if listing.problem == "too-many":
            walk.diagnostics.append(Diagnostic("warning", "too-many-entries", f"{parent}: {listing.detail}", parent))
        elif listing.problem:
            raise _UnreadableError(f"{parent} cannot be listed ({listing.detail})")
        for entry in listing.entries:
            if not _is_text(entry.name):
                # Node shows such a name with U+FFFD and then finds no file of that name.
                if entry.kind == "directory":
                    raise _UnreadableError(f"the name of a directory in {parent} is not UTF-8")
                if entry.kind != "other":
                    name = os.fsencode(entry.name).decode("utf-8", "replace")
                    walk.dropped.append(Dropped(within + name, "its name is not UTF-8", "rename it"))
            elif entry.kind == "directory":
                stack.append(within + entry.name)
            elif entry.kind in ("file", "link"):
                collected.append((within + entry.name, entry.name, entry.kind))
    return iter(collected)


def _is_text(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _target(workspace: Workspace, walk: _Walk, link: str) -> str | None:
    """resolveSymLink's first half: the first hop, against the folder of the link AS REACHED (4.5), if it counts."""
    written = workspace.readlink(link)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(link), written or ""))
    if _is_refused(workspace, link, target):
        shown = posixpath.basename(link)
        why = f"it leads to {target}, which is not read here; Roo would read it"
        walk.dropped.append(Dropped(link, why, f"put a file in the place of {shown}", link=True, outside=True))
        walk.diagnostics.append(Diagnostic("warning", "file-outside", f"{shown} is left out here: {why}", link))
        return None
    kind = workspace.kind(target)
    if written is None or kind is None:
        loops = workspace.read(link).problem == "loop"
        why = "the link is circular" if loops else f"the link leads nowhere ({written})"
        if not loops and workspace.kind(link) is not None:
            # Upstream's issue 11786: a relative link inside a directory that is itself reached through a link.
            why = f"the link leads nowhere when read from {posixpath.dirname(link)}, itself reached through a link"
        walk.dropped.append(_dropped_link(link, why))
        return None
    if kind not in ("file", "directory"):
        walk.dropped.append(_dropped_link(link, "the link leads to something that is no file"))
        return None
    return target


def _is_refused(workspace: Workspace, link: str, target: str) -> bool:
    """Whether there is something at the end of the link that may not be read: our limit, not Roo's. Of what lies
    outside not even that it is there may be seen but through the link."""
    end, folder = workspace.leads_outside(link), posixpath.dirname(link)
    if end is None or workspace.allows(link, listing=True) or workspace.kind(link) not in ("file", "directory"):
        return False
    # A folder that is itself reached through a link may be left by another way than Roo takes.
    return workspace.real_path(folder) == folder or workspace.real_path(target) == end


def _dropped_link(link: str, why: str) -> Dropped:
    return Dropped(link, why, f"point {link} directly at a file", link=True)


def _walk_link(workspace: Workspace, walk: _Walk, link: str, target: str, depth: int) -> None:
    """resolveSymLink's second half: the entries of a linked directory, one level further down."""
    if depth + 1 > MAX_DEPTH:
        # The entries would all be dropped: with a loop of directories this is where it ends.
        walk.left[link] = target
        return
    walk.followed.add(link)
    before = len(walk.found)
    try:
        _walk_directory(workspace, walk, target, depth + 1)
    except _UnreadableError as error:
        del walk.found[before:]
        walk.diagnostics.append(Diagnostic("warning", "rules-unreadable", f"{link} is not used: {error}", link))
    if len(walk.found) > before and workspace.leads_outside(link):
        walk.led_out.append(link)


def linked_file(workspace: Workspace, link: str) -> str | None:
    """The file that a link at the top stands for: its target, or the first file of a linked directory (4.7).

    None for a link that leads to no file, and for what is no link.
    """
    walk = _Walk(link)
    target = _target(workspace, walk, link)
    if target is None or not workspace.is_dir(target):
        return target
    _walk_link(workspace, walk, link, target, depth=0)
    return walk.found[0].path if walk.found else None


# --- reading and sorting -------------------------------------------------------------------------------------------


def _by_name(found: WalkedFile) -> WalkedFile | Dropped:
    """The file, unless its name ends in what Roo leaves out."""
    if not found.path.endswith(EXCLUDED_ENDINGS):
        return found
    name = posixpath.basename(found.path)
    ending = next(ending for ending in EXCLUDED_ENDINGS if name.endswith(ending))
    # The resolved path decides: x.md -> y.log is dropped, x.log -> y.md kept (4.4).
    what = name if found.link else "its name"
    return Dropped(found.link or found.path, f"{what} ends in {ending}", f"rename {name}")


_Read = tuple[RuleFile | None, Dropped | None, Diagnostic | None]
"""The rule of a file, or why there is none; and what there is to say of it."""


def _read(directory: str, file: FileText, link: str | None, row: str, *, generic: bool) -> _Read:
    path = file.path
    if not file.found:
        left_out = Dropped(link or path, problem(file), f"make {path} readable")
        return None, left_out, file_diagnostic(path, file)
    told = binary_diagnostic(path) if file.looks_binary else None
    trimmed = js_trim(file.text)
    found = _found(directory, path, link, is_blank=not trimmed)
    load: Load = "always" if generic else "conditional"
    among_rules = InstructionFile(path, file.text, trimmed, found)
    listed = file_row(file, "rules" if generic else "mode-rules", load, found, trimmed, shown=row)
    return RuleFile(path, file, trimmed, link, among_rules, listed), None, told


def _found(directory: str, path: str, link: str | None, *, is_blank: bool) -> Condition:
    way = f"the link {link} leads to {path}" if link else f"found in {directory}"
    return Observed("file", path, True, f"{way}, and blank: only its heading stands" if is_blank else way, "")
