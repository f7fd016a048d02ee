"""What ignore files hide, and the structure of a workspace folder as the session context shows it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from msgspec import Struct

from promptscope_engine.agents.gemini.materials import Tree
from promptscope_engine.agents.gemini.texts import FOLDER, SANDBOX, SEATBELT, home_folder
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.agents.kit.disk.walking import absolute, shown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json
from promptscope_engine.workspace import Workspace

_MARKER = ".project_root"
_MAX_NAMES = 1_000


class Places(Struct, frozen=True):
    """Where things lie. `home` is the user's or GEMINI_CLI_HOME."""

    cwd: str
    home: str
    runtime: str
    """The folder of what the client writes, which is another one in a macOS sandbox."""
    own: str
    """The folder of settings, context files, extensions: `~/.gemini`, in a sandbox too."""
    project: str
    """The workspace's own folder of settings, skills and agents."""
    temporary: str
    memory: str
    """The folder of the private project memory."""
    plans: str
    """Where plans are kept unless something else is set."""
    tracker: str

    def shown(self, path: str) -> str:
        """A path as a sentence has it: relative to the working directory, or from `~`."""
        return shown(path, self.cwd, self.home)

    def absolute(self, path: str) -> str:
        """A path that a person wrote: from `~`, absolute, or relative to the working directory."""
        return absolute(path, self.cwd, self.home)


def find_places(inputs: Inputs, session: str, workspace: Workspace) -> Places:
    """The folders of a scenario."""
    cwd, home = inputs.workspace, home_folder(inputs.env, inputs.home)
    own = f"{home.rstrip('/')}/.gemini"
    runtime = f"{home.rstrip('/')}/.cache/.gemini" if inputs.env.get(SANDBOX) == SEATBELT else own
    slug = _slug(cwd, f"{own}/projects.json", (f"{runtime}/tmp", f"{own}/history"), workspace)
    temporary = f"{runtime}/tmp/{slug}"
    return Places(
        cwd, home, runtime, own, f"{cwd.rstrip('/')}/.gemini", temporary, f"{temporary}/memory",
        f"{temporary}/{session}/plans", f"{temporary}/{session}/tracker",
    )  # fmt: skip


def _slug(cwd: str, registry: str, bases: tuple[str, ...], workspace: Workspace) -> str:
    """The project's name: the registered one, one whose folder belongs to the project, or a new one."""
    known = _registered(workspace, registry)
    registered = known.get(cwd)
    if registered and all(_owner(workspace, base, registered) in (None, cwd) for base in bases):
        return registered
    for base in bases:
        for entry in workspace.list(base).entries[:_MAX_NAMES]:
            if _owner(workspace, base, entry.name) == cwd:
                return entry.name
    taken = {name for project, name in known.items() if project != cwd}
    plain = slug_of(cwd)
    for number in range(_MAX_NAMES):
        name = f"{plain}-{number}" if number else plain
        if name not in taken and all(_owner(workspace, base, name) in (None, cwd) for base in bases):
            return name
    return plain


def slug_of(path: str) -> str:
    """The name made of a path: its last part in lower case, with dashes for everything but letters and digits."""
    name = path.rstrip("/").rpartition("/")[2]
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "project"


def _registered(workspace: Workspace, registry: str) -> Mapping[str, str]:
    try:
        value = parse_json(workspace.read(registry).text).value
    except JsonSyntaxError:
        return {}
    projects = value.get("projects") if isinstance(value, dict) else None
    found = projects.items() if isinstance(projects, dict) else ()
    return {path: name for path, name in found if isinstance(name, str) and name and "/" not in name}


def _owner(workspace: Workspace, base: str, name: str) -> str | None:
    """The project that a folder is marked as belonging to; None for one without a mark."""
    marker = workspace.read(f"{base}/{name}/{_MARKER}")
    return marker.text.strip() if marker.found else None


# --- the client's folders ---------------------------------------------------------------------------------------------


OWN = ".geminiignore"
_GIT = read_patterns([".git"])


@dataclass(eq=False, repr=False)
class IgnoreRules:
    """The patterns of a workspace, strongest last. `git`: git's files count, in a repository; `own`: the client's."""

    root: str
    git: bool
    found: Found
    own: tuple[str, ...] = (OWN,)
    always: tuple[str, ...] = ()
    """Folders of these names are hidden, whatever the files say."""
    _known: dict[str, IgnorePatterns | None] = field(default_factory=dict)

    def hides(self, path: str) -> bool:
        """Whether a file, or a folder (its path ends in a slash), is left out, or is in a folder that is."""
        return self.hidden_by(path) is not None

    def hidden_by(self, path: str) -> str | None:
        """The ignore file that hides it, relative to the root; None if none does."""
        base = self.root.rstrip("/") + "/"
        if not path.startswith(base):
            return None
        relative = path.removeprefix(base)
        if always := next((name for name in relative.split("/") if name in self.always), None):
            return always
        within = ""
        for name in relative.removesuffix("/").split("/")[:-1]:
            within += f"{name}/"
            if found := self._decides(within):
                return found
        return self._decides(relative) if relative else None

    def _decides(self, relative: str) -> str | None:
        """The file whose pattern is the last to name the path itself, if that pattern hides it."""
        verdict = None
        for source, base, patterns in self._sources(relative):
            decided = patterns.decide(relative.removeprefix(base))
            if decided is not None:
                verdict = source if decided else None
        return verdict

    def _sources(self, relative: str) -> Iterator[tuple[str, str, IgnorePatterns]]:
        """The patterns that speak of a path, each with its file and the folder that they are relative to."""
        if self.git:
            yield ".git", "", _GIT
            folders = ["", *accumulate(f"{name}/" for name in relative.removesuffix("/").split("/")[:-1])]
            for base, name in (("", ".git/info/exclude"), *((folder, ".gitignore") for folder in folders)):
                if patterns := self._patterns(f"{base}{name}"):
                    yield f"{base}{name}", base, patterns
        for name in self.own:
            if patterns := self._patterns(name):
                yield name, "", patterns

    def _patterns(self, name: str) -> IgnorePatterns | None:
        if name not in self._known:
            self._known[name] = self._read(f"{self.root.rstrip('/')}/{name}")
        return self._known[name]

    def _read(self, path: str) -> IgnorePatterns | None:
        file = self.found.workspace.read(path)
        if not file.found:
            return None
        kept, cut = within_limits(line.lstrip() for line in file.text.split("\n", MAX_LINES + 1))
        if cut:
            self.found.warn("ignore-file", cut, path)
        patterns = read_patterns(kept)
        self.found.row(file, "ignore", "always", FOLDER.reason("patterns", bool(patterns.patterns), path=path))
        return patterns


# --- the structure ----------------------------------------------------------------------------------------------------

MAX_ITEMS = 200
"""Files and folders that are listed; folders that are left out count too."""
SKIPPED = ("node_modules", ".git", "dist", "__pycache__")
"""Folders that are named and not entered."""
_DOTS = "..."


@dataclass(eq=False, repr=False)
class _Folder:
    """A folder on its way into the tree. `more_files`, `more_folders`: the limit was hit in here."""

    path: str
    name: str
    is_skipped: bool = False
    files: list[str] = field(default_factory=list)
    folders: list[_Folder] = field(default_factory=list)
    more_files: bool = False
    more_folders: bool = False


def folder_tree(folder: str, rules: IgnoreRules) -> Tree:
    """The folder's structure, level by level up to the limit; folders whose turn comes later are shown as empty."""
    root = _Folder(folder, "")
    queue = deque([root])
    items, is_cut = 0, False
    while queue and items < MAX_ITEMS:
        current = queue.popleft()
        entries = rules.found.workspace.list(current.path).entries  # links are neither files nor folders
        order = in_locale_order(entries, lambda entry: entry.name)
        for name in [entry.name for entry in order if entry.kind == "file"]:
            if items >= MAX_ITEMS:
                current.more_files = is_cut = True
                break
            if not rules.hides(f"{current.path.rstrip('/')}/{name}"):
                current.files.append(name)
                items += 1
        for name in [entry.name for entry in order if entry.kind == "directory"]:
            if items >= MAX_ITEMS:
                current.more_folders = is_cut = True
                break
            path = f"{current.path.rstrip('/')}/{name}"
            inner = _Folder(path, name, name in SKIPPED or rules.hides(f"{path}/"))
            current.folders.append(inner)
            items += 1
            if inner.is_skipped:
                is_cut = True
            else:
                queue.append(inner)
    return Tree(folder, tuple(_lines(root)), is_cut)


def _lines(folder: _Folder, indent: str = "") -> Iterator[str]:
    """The lines below a folder, which has no more levels than items."""
    has_folders = bool(folder.folders) or folder.more_folders
    # The last file counts as the last one even where the dots of left out files follow.
    files = [(name, number == len(folder.files) and not has_folders) for number, name in enumerate(folder.files, 1)]
    rows: list[tuple[str, bool, _Folder | None]] = [(name, is_last, None) for name, is_last in files]
    rows += [(_DOTS, not has_folders, None)] if folder.more_files else []
    for inner in folder.folders:
        is_last = inner is folder.folders[-1] and not folder.more_folders
        rows.append((f"{inner.name}/{_DOTS if inner.is_skipped else ''}", is_last, inner))
    rows += [(_DOTS, True, None)] if folder.more_folders else []
    for text, is_last, below in rows:
        yield f"{indent}{'└───' if is_last else '├───'}{text}"
        if below:
            yield from _lines(below, indent + ("    " if is_last else "│   "))
