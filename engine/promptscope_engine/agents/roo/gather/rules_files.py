"""The rule directories: what Roo finds in them, in which order, and what it drops.

A directory is walked as Node's recursive `readdir` walks it, links are followed to a depth of 5 without remembering
what was visited, and what was found is sorted by the lower-cased basename alone.
"""

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.roo.materials import InstructionFile
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Fact
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
"""Case-sensitive ends of a file's name: UPPER.LOG and a file called `log` are kept."""


class WalkedFile(Struct, frozen=True):
    """A file as the walk finds it: the path whose text is read, and the name it is sorted by (a link's own)."""

    path: str
    sort_name: str
    link: str | None = None
    """The link that led here, if the path is not simply below the directory."""


class RuleFile(Struct, frozen=True):
    """A file that counts. What is made of it is kept with it: of thousands of files one is saved."""

    among_rules: InstructionFile
    link: str | None
    listed: FileDraft


class Dropped(Struct, frozen=True):
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


class RulesDirectory(Struct, frozen=True):
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
        files = (rule.link or rule.among_rules.name for rule in self.files)
        return [*files, *(d.path for d in self.dropped if d.outside)]


class _Walked(Struct, frozen=True):
    """What a walk found, in its order, including names that are left out.

    `order` has the places of the others in the prompt's order, `to_read` their paths, each with the rule behind a
    link.
    """

    found: tuple[WalkedFile | Dropped, ...]
    to_read: tuple[tuple[str, tuple[str, str | None, str]], ...]
    order: tuple[int, ...]
    dropped: tuple[Dropped, ...]
    diagnostics: tuple[Diagnostic, ...]
    led_out: tuple[str, ...] = ()


class _UnreadableError(Exception):
    """A directory of the tree that cannot be listed: Node's recursive readdir then rejects as a whole."""


def rule_paths(workspace: Workspace, path: str) -> tuple[str, ...]:
    """The files of a directory that would count as rules, none of them read."""
    return tuple(asked for asked, _ in _walk_of(workspace, path).to_read)


def linked_file(workspace: Workspace, link: str) -> str | None:
    """The file a link at the top is for: its target or a linked folder's first file; None if there is none."""
    walk = _Walk(workspace, link)
    target = walk.target(link)
    if target is None or not workspace.is_dir(target):
        return target
    walk.follow(link, target, depth=0)
    return walk.found[0].path if walk.found else None


# --- reading and sorting ---------------------------------------------------------------------------------------------

_Read = tuple[RuleFile | None, Dropped | None, Diagnostic | None]
"""The rule of a file, or why there is none; and what there is to say of it."""


def rules_directory(workspace: Workspace, path: str) -> RulesDirectory:
    """The directory's rule files in the order of the prompt."""
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
        dropped += [left_out] if left_out else []
        diagnostics += [told] if told else []
    in_order = tuple(file for file in map(files.__getitem__, walked.order) if file is not None)
    return RulesDirectory(path, True, in_order, tuple(dropped), tuple(diagnostics), walked.led_out)


def _read(directory: str, file: FileText, link: str | None, row: str, *, generic: bool) -> _Read:
    path = file.path
    if not file.found:
        left_out = Dropped(link or path, problem(file), f"make {path} readable")
        return None, left_out, file_diagnostic(path, file)
    trimmed = js_trim(file.text)
    way = f"the link {link} leads to {path}" if link else f"found in {directory}"
    found = Fact("file", path, True, way if trimmed else f"{way}, and blank: only its heading is sent", "")
    load: Load = "always" if generic else "conditional"
    listed = file_row(file, "rules" if generic else "mode-rules", load, found, trimmed, shown=row)
    rule = RuleFile(InstructionFile(path, file.text, trimmed, found), link, listed)
    return rule, None, binary_diagnostic(path) if file.looks_binary else None


def _walk_of(workspace: Workspace, path: str) -> _Walked:
    """Apart from the texts: a file that is saved does not change it."""
    return workspace.memo(("roo.rules_walk", path), lambda: _walked(workspace, path), tracked=True)


def _walked(workspace: Workspace, path: str) -> _Walked:
    walk = _Walk(workspace, path)
    try:
        walk.directory(path, depth=0)
    except _UnreadableError as error:
        # One sub-directory that cannot be listed loses the whole directory: readdir rejects, and the agent
        # takes that for "no files".
        what = Diagnostic("warning", "rules-unreadable", f"no rule of {path} is used: {error}", path)
        return _Walked((), (), (), (), (what,))
    found = tuple(map(_by_name, walk.found))
    counting = [(n, file) for n, file in enumerate(found) if isinstance(file, WalkedFile)]
    # Lower-cased, then by localeCompare: 10-x before 2-x, equal names as they were found.
    order = locale_order([file.sort_name.lower() for _, file in counting])
    dropped = (*walk.dropped, *walk.left_links([file.path for _, file in counting]))
    to_read = tuple((file.path, ("roo.rule_file", file.link, path)) for _, file in counting)
    told, led_out = tuple(walk.diagnostics), tuple(dict.fromkeys(walk.led_out))
    return _Walked(found, to_read, tuple(counting[n][0] for n in order), dropped, told, led_out)


def _by_name(found: WalkedFile) -> WalkedFile | Dropped:
    """The file, unless its name ends in what Roo leaves out."""
    if not found.path.endswith(EXCLUDED_ENDINGS):
        return found
    name = posixpath.basename(found.path)
    ending = next(ending for ending in EXCLUDED_ENDINGS if name.endswith(ending))
    # The resolved path decides: x.md -> y.log is dropped, x.log -> y.md kept.
    what = name if found.link else "its name"
    return Dropped(found.link or found.path, f"{what} ends in {ending}", f"rename {name}")


# --- the walk --------------------------------------------------------------------------------------------------------


class _Walk:
    """One walk below `top`, and what it collects."""

    def __init__(self, workspace: Workspace, top: str) -> None:
        self.workspace, self.top = workspace, top
        self.found: list[WalkedFile] = []
        self.dropped: list[Dropped] = []
        self.diagnostics: list[Diagnostic] = []
        self.links = 0
        self.followed: set[str] = set()
        """Links to directories whose entries were read."""
        self.left: dict[str, str] = {}
        """Links to directories that are too deep, at least once, each with its target."""
        self.led_out: list[str] = []
        """Links to directories outside of the announced folders behind which files were found."""

    @property
    def full(self) -> bool:
        """Whether one of our bounds is reached."""
        return len(self.found) > MAX_FOUND or self.links > MAX_LINKS

    def directory(self, path: str, depth: int) -> None:
        """As resolveDirectoryEntry does: every entry below `path`; links are resolved after all regular files.

        Linked files come when their stat returns, a race; files are taken to be faster than directories, which
        still have to be listed.
        """
        links: list[str] = []
        for found, name, kind in self.entries(path):
            if kind == "file":
                self.found.append(WalkedFile(found, name))
            else:
                links.append(found)
        self.links += len(links)
        if self.full:
            what = f"{self.top} leads to more than {MAX_FOUND:,} files or {MAX_LINKS:,} links; the rest is left out"
            self.diagnostics = [Diagnostic("warning", "too-many-files", what, self.top)]
            del self.found[MAX_FOUND:]
            return
        if depth >= MAX_DEPTH:  # of the directories that a link at the top leads through, the third
            return
        targets = [(link, self.target(link)) for link in links]
        for link, target in targets:
            if target is not None and not self.workspace.is_dir(target):
                self.found.append(WalkedFile(target, posixpath.basename(link), link))
        for link, target in targets:
            if target is not None and not self.full and self.workspace.is_dir(target):
                self.follow(link, target, depth + 1)

    def entries(self, path: str) -> list[tuple[str, str, str]]:
        """(path, name, kind) of files and links below, as Node lists them: names sorted, sub-directories last-first."""
        stack = [path]
        collected: list[tuple[str, str, str]] = []
        while stack:
            parent = stack.pop()
            listing, within = self.workspace.list(parent), posixpath.join(parent, "")
            if listing.problem == "too-many":
                what = f"{parent}: {listing.detail}"
                self.diagnostics.append(Diagnostic("warning", "too-many-entries", what, parent))
            elif listing.problem:
                raise _UnreadableError(f"{parent} cannot be listed ({listing.detail})")
            for entry in listing.entries:
                if not entry.name.isascii() and any("\ud800" <= char <= "\udfff" for char in entry.name):
                    # Node shows such a name with U+FFFD and then finds no file of that name.
                    if entry.kind == "directory":
                        raise _UnreadableError(f"the name of a directory in {parent} is not UTF-8")
                    if entry.kind != "other":
                        name = os.fsencode(entry.name).decode("utf-8", "replace")
                        self.dropped.append(Dropped(within + name, "its name is not UTF-8", "rename it"))
                elif entry.kind == "directory":
                    stack.append(within + entry.name)
                elif entry.kind in ("file", "link"):
                    collected.append((within + entry.name, entry.name, entry.kind))
        return collected

    def target(self, link: str) -> str | None:
        """The first half of resolveSymLink: the first hop, against the folder of the link AS REACHED, if it counts."""
        written = self.workspace.readlink(link)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(link), written or ""))
        if self.is_refused(link, target):
            shown = posixpath.basename(link)
            why = f"it leads to {target}, which is not read here; Roo would read it"
            self.dropped.append(Dropped(link, why, f"put a file in the place of {shown}", link=True, outside=True))
            self.diagnostics.append(Diagnostic("warning", "file-outside", f"{shown} is left out here: {why}", link))
            return None
        kind = self.workspace.kind(target)
        if written is not None and kind in ("file", "directory"):
            return target
        why = "the link leads to something that is not a file"
        if written is None or kind is None:
            loops = self.workspace.read(link).problem == "loop"
            why = "the link is circular" if loops else f"the link leads nowhere ({written})"
            if not loops and self.workspace.kind(link) is not None:
                # Upstream's issue 11786: a relative link inside a directory that is itself reached through a link.
                why = f"the link leads nowhere when read from {posixpath.dirname(link)}, itself reached through a link"
        self.dropped.append(_dropped_link(link, why))
        return None

    def is_refused(self, link: str, target: str) -> bool:
        """Whether something at the end of the link may not be read. Outside, only the link shows it (our limit)."""
        workspace, end, folder = self.workspace, self.workspace.leads_outside(link), posixpath.dirname(link)
        if end is None or workspace.allows(link, listing=True) or workspace.kind(link) not in ("file", "directory"):
            return False
        # A folder that is itself reached through a link may be left by another way than Roo takes.
        return workspace.real_path(folder) == folder or workspace.real_path(target) == end

    def follow(self, link: str, target: str, depth: int) -> None:
        """The second half of resolveSymLink: the entries of a linked directory, one level further down."""
        if depth + 1 > MAX_DEPTH:
            # The entries would all be dropped: with a loop of directories this is where it ends.
            self.left[link] = target
            return
        self.followed.add(link)
        before = len(self.found)
        try:
            self.directory(target, depth + 1)
        except _UnreadableError as error:
            del self.found[before:]
            self.diagnostics.append(Diagnostic("warning", "rules-unreadable", f"{link} is not used: {error}", link))
        if len(self.found) > before and self.workspace.leads_outside(link):
            self.led_out.append(link)

    def left_links(self, paths: Iterable[str]) -> Iterator[Dropped]:
        """The links to directories at which Roo stopped, with how often the files behind them are read before."""
        read = Counter(paths) if self.left else Counter[str]()
        rule = f"Roo counts each directory link twice, once for the link and once for its contents, up to {MAX_DEPTH}"
        for link, target in self.left.items():
            below = target.rstrip("/") + "/"
            times = max((n for path, n in read.items() if path.startswith(below)), default=0)
            if link in self.followed and times:
                why = f"it is followed until it is too deep: {rule}"
                yield Dropped(link, why, f"remove {link}", link=True, times=times)
            else:
                yield _dropped_link(link, f"{rule}, so that a third one in a row is not followed")


def _dropped_link(link: str, why: str) -> Dropped:
    return Dropped(link, why, f"point {link} directly at a file", link=True)
