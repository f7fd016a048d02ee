"""The rules: what Roo finds in their directories, in which order, and what it drops; AGENTS.md, .rooignore.

A directory is walked as Node's recursive `readdir` walks it, links are followed to a depth of 5 without remembering
what was visited, and what was found is sorted by the lower-cased basename alone.
"""

import os
import posixpath
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import absent, file_row, followed
from promptscope_engine.agents.roo.gather.found import (
    Found,
    binary_diagnostic,
    file_diagnostic,
    has_text,
    problem,
)
from promptscope_engine.agents.roo.ignore import IGNORE_FILE
from promptscope_engine.agents.roo.materials import InstructionFile, RuleSet
from promptscope_engine.agents.roo.texts import FOLDER, USE_AGENT_RULES, USE_ROO_IGNORE
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Load, Severity
from promptscope_engine.workspace import FileText, Workspace

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
        lost = Dropped(path, f"{error}: Roo then reads none of its rules", "make the folder readable")
        return _Walked((), (), (), (lost,), (what,))
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
            self.diagnostics = [FOLDER.note("too-many-files", self.top, top=self.top, files=MAX_FOUND, links=MAX_LINKS)]
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
                self.diagnostics.append(FOLDER.note("too-many-entries", parent, folder=parent, detail=listing.detail))
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


AGENT_FILES = ("AGENTS.md", "AGENT.md")
LEGACY_NAMES = (".roorules", ".clinerules")
_NONE = (None, "missing", "directory")
"""Problems of a file that are nothing to tell about."""


def first_with_text(files: list[tuple[str, FileText]]) -> Iterator[InstructionFile]:
    """The named files, of which the first that is not blank counts."""
    when: Condition = ALWAYS
    for name, file in files:
        text = js_trim(file.text)
        yield InstructionFile(name, file.text, text, when & has_text(name, file, text))
        no, remedy = f"{name} comes first", f"remove {name}"
        counts = bool(text) or (file.problem in ("outside", "too-large") and file.size > 0)  # unread here, not by Roo
        instead = name if counts else None
        when = when & Fact("file", name, not counts, f"{name} does not count", no, actual=instead, remedy=remedy)


def find_agent_files(workspace: Workspace, cwd: str) -> Found[tuple[InstructionFile, ...]]:
    """`AGENTS.md`, then `AGENT.md`, of the root: the first with text. Links are resolved as those of rules."""
    paths = {name: f"{cwd}/{name}" for name in AGENT_FILES}
    texts = {name: workspace.read(linked_file(workspace, path) or path) for name, path in paths.items()}
    files = tuple(first_with_text([*texts.items()]))
    drafts = (
        file_row(text, "agents-md", "always", USE_AGENT_RULES & file.when, file.text, shown=file.name)
        for file, text in zip(files, texts.values(), strict=True)
    )
    return Found(files, tuple(drafts), tuple(_of_agent_files(texts.values())))


def _of_agent_files(files: Iterable[FileText]) -> Iterator[Diagnostic]:
    for file in files:
        if file.problem not in _NONE:
            yield file_diagnostic(file.path, file)
        elif file.looks_binary:
            yield binary_diagnostic(file.path)
        if js_trim(file.text):
            return


def find_rooignore(workspace: Workspace, cwd: str) -> Found[InstructionFile]:
    """The text of `.rooignore` as it is, untrimmed: a byte order mark stays, a blank file counts."""
    file = workspace.read(f"{cwd}/{IGNORE_FILE}")
    when = USE_ROO_IGNORE & has_text(IGNORE_FILE, file, file.text)
    return Found(
        InstructionFile(IGNORE_FILE, file.text, file.text, when),
        (file_row(file, "rooignore", "always", when, file.text, shown=IGNORE_FILE),),
        () if file.problem in _NONE else (file_diagnostic(file.path, file),),
    )


# --- rules of all modes, or of one ------------------------------------------------------------------------------------


def rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> Found[RuleSet]:
    """The generic rules (`slug` is None), or those of a mode: of directories, else legacy files.

    Both roots are read and put one after the other, nothing overrides anything. Legacy files count only while no
    directory, at home or in the project, has a file.
    """
    key = ("roo.rule_set", cwd, home, slug)
    return workspace.memo(key, lambda: _rule_set(workspace, cwd, home, slug), tracked=True)


def _rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> Found[RuleSet]:
    suffix, kind = ("", "rules") if slug is None else (f"-{slug}", "mode-rules")
    directories = [rules_directory(workspace, f"{root}/.roo/rules{suffix}") for root in (home, cwd)]
    texts = [(name + suffix, workspace.read(f"{cwd}/{name}{suffix}")) for name in LEGACY_NAMES]
    unsuppressed = _unsuppressed(directories, home)
    files = (replace(file, when=unsuppressed & file.when) for file in first_with_text(texts))
    legacy = [(file, text) for file, (_, text) in zip(files, texts, strict=True)]
    return Found(
        RuleSet(
            slug,
            _present(directories, [file for file, _ in legacy], f"rules{suffix}", slug),
            tuple(rule.among_rules for directory in directories for rule in directory.files),
            tuple(file for file, text in legacy if text.found),
        ),
        (
            *(draft for directory in directories for draft in _drafts(workspace, directory, kind)),
            *(file_row(t, "legacy-rules", "conditional", f.when, f.text, shown=f.name) for f, t in legacy),
        ),
        (*_diagnostics(directories), *_legacy_diagnostics(legacy, unsuppressed)),
    )


def _present(
    directories: list[RulesDirectory], legacy: list[InstructionFile], name: str, slug: str | None
) -> Condition:
    count = sum(len(directory.files) for directory in directories)
    yes, no = f"{_files(count)} found in {name} directories", f"no {name} directory holds a file"
    in_directories = Fact("file", name, count > 0, yes, no, remedy=f"create .roo/{name}/<name>.md")
    what = "generic rules" if slug is None else f"rules for the mode {slug}"
    anywhere = AnyOf((in_directories, *(file.when for file in legacy)))
    return Named("file", name, anywhere, f"there are {what}", f"there are no {what}")


def _drafts(workspace: Workspace, directory: RulesDirectory, kind: str) -> Iterator[FileDraft]:
    def row(path: str, why: str, remedy: str) -> FileDraft:
        return FileDraft(path, path, kind, "conditional", absent(path, why, remedy))

    path = directory.path
    if not directory.exists:
        yield row(path, f"there is no directory {path}", f"create {path} with a file of rules")
    elif not directory.files and not directory.dropped:
        yield row(path, f"{path} holds no file", f"put a file of rules into {path}")
    yield from (rule.listed for rule in directory.files)
    for link in directory.led_out:
        yield FileDraft(link, workspace.real_path(link), kind, "conditional", followed(workspace, link, follow=True))
    for dropped in directory.dropped:
        left_out = row(dropped.path, dropped.why, dropped.remedy)
        outside = dropped.outside
        yield replace(left_out, when=followed(workspace, dropped.path, follow=False)) if outside else left_out


def _diagnostics(directories: list[RulesDirectory]) -> Iterator[Diagnostic]:
    for directory in directories:
        yield from directory.diagnostics
        for dropped in directory.dropped:
            if dropped.times:
                times = {1: "once", 2: "twice"}.get(dropped.times, f"{dropped.times} times")
                yield FOLDER.note("link-repeated", dropped.path, link=dropped.path, times=times, why=dropped.why)
            elif dropped.link and not dropped.outside:
                yield FOLDER.note("link-dropped", dropped.path, link=dropped.path, why=dropped.why)


def _unsuppressed(directories: list[RulesDirectory], home: str) -> Condition:
    """Legacy files count only while the directories are empty: the first that is not is named."""
    full = next((directory for directory in directories if directory.counted), directories[-1])
    first = tilde(full.counted[0], home) if full.counted else ""
    folders = " and ".join(tilde(d.path, home) for d in directories if d.counted)
    more, files = {"actual": first or None}, _files(len(full.counted))
    ok = not full.counted
    return FOLDER.reason("unsuppressed", ok, more, path=full.path, first=first, files=files, folders=folders)


def _legacy_diagnostics(
    legacy: list[tuple[InstructionFile, FileText]], unsuppressed: Condition
) -> Iterator[Diagnostic]:
    verdict = unsuppressed.evaluate(Facts())
    earlier = False
    for one, file in legacy:
        if not verdict.ok and one.text:
            yield Diagnostic("warning", "legacy-silenced", f"{one.name} is not used: {verdict.text}", file.path)
        elif verdict.ok and not earlier and file.problem in ("too-large", "outside"):
            yield file_diagnostic(file.path, file)
        elif verdict.ok and not earlier and file.problem not in _NONE:
            # Directories and agent files swallow a read error; a legacy file's breaks the whole prompt.
            yield FOLDER.note("legacy-unreadable", file.path, file=one.name, detail=file.detail)
        elif verdict.ok and not earlier and file.looks_binary:
            yield binary_diagnostic(file.path)
        earlier = earlier or bool(one.text)


def tilde(path: str, home: str) -> str:
    """A path as a person writes it, below `~` where it is."""
    folder = home.rstrip("/")
    return "~" + path[len(folder) :] if path.startswith(folder + "/") else path


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


# --- named for a mode other than the one in force: one that can be chosen, or none at all -----------------------------

_MOST = 500
"""Names of one folder that are looked at: there are five built-in modes, and few add more than as many."""


def other_modes(
    workspace: Workspace, cwd: str, home: str, known: Sequence[str], counted: Container[str]
) -> Found[None]:
    """Rows for files of other modes. `known`: slugs of all modes, letter by letter; `counted`: those with rows."""
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    with_rules: set[str] = set()
    for slug, kind, place in _named_for_modes(workspace, cwd, home):
        if slug in counted:
            continue
        paths = [asked for asked, _ in _walk_of(workspace, place).to_read] if kind == "mode-rules" else [place]
        shown = tilde(place.removeprefix(f"{cwd}/"), home)
        no_mode = f"no mode has the slug {slug} (known: {', '.join(known)})"
        when = mode_is(slug)
        if slug not in known:
            close = nearest(slug, known, 1)
            rename = f"rename {shown} to {shown.removesuffix(slug)}{close[0]}" if close else f"rename {shown}"
            remedy = f"{rename}, or add a mode with the slug {slug} to .roomodes"
            when = Fact("mode", slug, False, "", no_mode, remedy=remedy)
        elif kind == "mode-rules":
            with_rules |= {slug} if paths else set()
        else:
            when = when & _would_count(shown, workspace.read(place).text, kind, slug in with_rules)
        files += (FileDraft(path, workspace.real_path(path), kind, "conditional", when) for path in paths)
        if slug not in known and paths:
            # Modes of another project may be behind a folder at home.
            severity: Severity = "warning" if place.startswith(f"{cwd}/") else "info"
            what = f"{shown} is never read: {no_mode}"
            diagnostics.append(Diagnostic(severity, "unknown-mode-rules", what, paths[0]))
    return Found(None, tuple(files), tuple(diagnostics))


def _would_count(shown: str, text: str, kind: str, has_rules: bool) -> Condition:
    """What the mode alone does not change: the file is blank, or the folder of its mode takes its place."""
    if not js_trim(text):
        return FOLDER.reason("blank", path=shown)
    if kind == "legacy-rules" and has_rules:
        return FOLDER.reason("outdone", path=shown, folder=f".roo/rules-{shown.rpartition('rules-')[2]}")
    return ALWAYS


def _named_for_modes(workspace: Workspace, cwd: str, home: str) -> Iterator[tuple[str, str, str]]:
    """(slug, kind, path) of each file or folder with a mode's slug in its name."""
    places = [(f"{root}/.roo", "rules-", "mode-rules") for root in dict.fromkeys((home, cwd))]
    places.append((f"{cwd}/.roo", "system-prompt-", "system-prompt-override"))
    places += ((cwd, f"{legacy}-", "legacy-rules") for legacy in LEGACY_NAMES)
    for folder, prefix, kind in places:
        names = (entry.name for entry in workspace.list(folder).entries)
        for name in islice((name for name in names if name.startswith(prefix) and name != prefix), _MOST):
            path, wanted = f"{folder}/{name}", "directory" if kind == "mode-rules" else "file"
            if workspace.kind(path) == wanted:
                yield name.removeprefix(prefix), kind, path
