"""Context files: which are found, in which order, and what each of them comes to (specs/gemini.md 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_

from promptscope_engine.agents.gemini.materials import ContextFile, Discovered, Place
from promptscope_engine.agents.kit.rows import absent, file_row, followed
from promptscope_engine.agents.kit.walking import upwards
from promptscope_engine.javascript.path import join, resolve
from promptscope_engine.javascript.text import js_trim, utf16_key
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Load
from promptscope_engine.prompt.pieces import joined
from promptscope_engine.workspace import Workspace

from .extensions import Extension
from .ignore import IgnoreRules
from .imports import MAX_DEPTH, MAX_IMPORTS, Format, Import, Importer, boundary
from .places import Places

DEFAULT_NAME = "GEMINI.md"
PRIVATE_NAME = "MEMORY.md"
KIND = "gemini-md"
_MAX_FILES = 1_000
_MAX_NAMES = 50
_SHOWN_IMPORTS = 200
_NO_FILE = "it is not a file"

Identity = tuple[object, ...]


def context_names(value: object) -> tuple[str, ...]:
    """The names of `context.fileName`, before the one that cannot be switched off (5.1)."""
    given = value if isinstance(value, list) else [value]
    names = [join("", js_trim(name)) for name in given[:_MAX_NAMES] if isinstance(name, str) and js_trim(name)]
    return tuple(dict.fromkeys([*names, DEFAULT_NAME]))


@dataclass(eq=False, repr=False)
class MemoryLoader:
    """Collects the files of every place. A file counts once, whatever its names: by device and number."""

    workspace: Workspace
    places: Places
    names: tuple[str, ...]
    markers: tuple[str, ...]
    style: Format
    follow: bool
    facts: Facts
    trusted: Condition
    ignored: IgnoreRules
    """What may not be read."""
    loaded: list[ContextFile] = field(default_factory=list)
    drafts: dict[str, FileDraft] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    identities: dict[Identity, str] = field(default_factory=dict)
    importer: Importer = field(init=False)

    def __post_init__(self) -> None:
        self.importer = Importer(self.workspace, self.markers)

    @property
    def private(self) -> str:
        """The path of the private project memory, whether it is there or not."""
        return f"{self.places.memory}/{PRIVATE_NAME}"

    # --- in order ---------------------------------------------------------------------------------------------------

    def load(self, extensions: Sequence[Extension], directories: Sequence[str]) -> None:
        """Everything that loads at the start."""
        for name in self.names:
            self.file(join(self.places.own, name), "global", listed=True)
        for path, when in self._extension_files(extensions):
            self.file(path, "extension", when)
        for path in self._project_files(directories):
            self.file(path, "project", self.trusted)
        for name in self.names:
            self._missing(join(self.places.cwd, name), self.trusted)
        self.file(self.private, "private", listed=True)
        if self.workspace.kind(self.private) is None:
            for name in self.names:
                self.file(join(self.places.memory, name), "private")

    def _extension_files(self, extensions: Sequence[Extension]) -> Iterator[tuple[str, Condition]]:
        found = {path: extension.when for extension in extensions for path in extension.context}
        return iter([(path, found[path]) for path in sorted(found, key=utf16_key)])

    def _project_files(self, directories: Sequence[str]) -> list[str]:
        """The files of the walks, each once, sorted by path: not by how near they are (5.2)."""
        found: dict[Identity, str] = {}
        for directory in directories:
            for path in self._walk(directory, self._ceiling(directory)):
                identity = self._identity(path)
                if identity in found and found[identity] != path:
                    self._duplicate(path, found[identity], self.trusted)
                found.setdefault(identity, path)
        return sorted(set(found.values()), key=utf16_key)

    def projects(self, directories: Sequence[str]) -> list[str]:
        """The folders in which the walks end, but for the root of the disk: imports may lead into all of them."""
        return [top for top in map(self._ceiling, directories) if top != "/"]

    def _ceiling(self, directory: str) -> str:
        return boundary(self.workspace, directory, self.markers) or directory

    def _walk(self, folder: str, ceiling: str) -> list[str]:
        """The files from a folder up to the ceiling, outermost first."""
        folders = upwards(folder, ceiling)
        if self.places.own in folders:
            folders = folders[: folders.index(self.places.own)]
        paths = [join(folder, name) for folder in reversed(folders) for name in self.names]
        return [path for path in paths if self.workspace.kind(path, follow=False) is not None]

    def _identity(self, path: str) -> Identity:
        """What tells two names of one file."""
        try:
            found = self.workspace.disk.stat(path)
        except (OSError, ValueError):
            return (path,)
        return (found.st_dev, found.st_ino)

    # --- one file ---------------------------------------------------------------------------------------------------

    def file(self, path: str, place: Place, gate: Condition = ALWAYS, *, listed: bool = False) -> None:
        """A file of a place, and its imports. `listed`: a missing one has a row too."""
        if path in self.drafts:
            return
        if self.workspace.kind(path, follow=False) is None:
            if listed:
                self._missing(path, gate)
            return
        identity = self._identity(path)
        if identity in self.identities:
            self._duplicate(path, self.identities[identity], gate)
            return
        if gate.holds(self.facts) and self.workspace.kind(path) == "file":
            self.identities[identity] = path  # a blank file counts, too: its other names are not looked at
        if found := self._entry(path, place, gate, "always"):
            self.loaded.append(found)

    def _entry(self, path: str, place: Place, gate: Condition, load: Load) -> ContextFile | None:
        """The file's text with its imports, and its rows; None if nothing of it is sent."""
        if len(self.loaded) >= _MAX_FILES:
            text = f"{_MAX_FILES:,} context files are shown; the others are left out"
            self.diagnostics.append(Diagnostic("warning", "too-many-files", text, self.places.cwd))
            return None
        source = self.workspace.read(path)
        before = len(self.importer.seen)
        pieces = self.importer.process(source, self.style) if source.found else ()
        text = joined(pieces)
        when = reduce(and_, (gate, self._readable(path, bool(text))), followed(self.workspace, path, self.follow))
        if self.workspace.leads_outside(path) and not self.follow:
            why = f"left out here: it leads to {source.real_path}; Gemini CLI would read it"
            self.diagnostics.append(Diagnostic("warning", "outside", why, path))
        elif source.problem in ("too-large", "unreadable", "loop", "special"):
            why = f"it cannot be read: {source.problem} ({source.detail})"
            self.diagnostics.append(Diagnostic("warning", source.problem, why, path))
        kind = "memory" if place == "private" else KIND
        self.drafts[path] = file_row(source, kind, load, when, text)
        if source.looks_binary:
            self.diagnostics.append(Diagnostic("warning", "binary", "the file holds zero bytes", path))
        stands = when.holds(self.facts)
        self._imports(self.importer.seen[before:], when, stands)
        return ContextFile(path, place, pieces) if stands else None

    def _readable(self, path: str, has_text: bool) -> Condition:
        source = self.workspace.read(path)
        no, remedy = "it holds only white space", f"write something into {path}"
        if self.workspace.kind(path) != "file":
            no, remedy = _NO_FILE, f"put a file in the place of {path}"
        elif source.problem:
            no, remedy = f"it cannot be read: {source.problem}", f"make {path} a readable file"
        return Observed("file", path, has_text, "the file was found", no, remedy=remedy)

    def _imports(self, seen: Sequence[Import], when: Condition, stands: bool) -> None:
        """A row for each file that is put in, and a diagnostic for each that failed."""
        listed = 0
        for each in seen:
            if each.outcome == "found":
                source = self.workspace.read(each.path)
                row = file_row(source, "import", "import", when, source.text, imported_by=each.importer)
                self.drafts.setdefault(each.path, row)
            elif each.outcome == "too-deep":
                if stands:
                    what = f"`@{each.token}` is left as text: imports are followed {MAX_DEPTH} levels deep"
                    self.diagnostics.append(Diagnostic("warning", "import-too-deep", what, each.importer, each.line))
            elif each.outcome == "too-many":
                what = f"more than {MAX_IMPORTS:,} imports: those behind it are left as text"
                self.diagnostics.append(Diagnostic("warning", "too-many-imports", what, each.importer, each.line))
            elif stands and listed < _SHOWN_IMPORTS:
                listed += 1
                self.diagnostics.append(self._failed(each))

    def _failed(self, each: Import) -> Diagnostic:
        """What the client makes of an import that leads nowhere: a note that the model reads."""
        why = {
            "missing": "there is no such file",
            "directory": "it is a folder",
            "unreadable": "it cannot be read",
            "outside": "it leads out of the project",
            "repeated": "the file imports itself, by way of others",
        }[each.outcome]
        if self.style == "flat":
            text = f"`@{each.token}` imports nothing: {why}"
        elif each.outcome == "repeated":
            text = f"`@{each.token}` is replaced by a note: {why}"
        else:
            text = f"`@{each.token}` is taken for an import and replaced by a note that it failed: {why}"
        severity = "info" if each.outcome == "repeated" else "warning"
        return Diagnostic(severity, "import-failed", text, each.importer, each.line)  # type: ignore[arg-type]

    def _missing(self, path: str, gate: Condition) -> None:
        if self.workspace.kind(path, follow=False) is None:
            why = absent(path, "no such file", f"create {path}")
            kind = "memory" if path.startswith(self.places.memory + "/") else KIND
            self.drafts.setdefault(path, FileDraft(path, path, kind, "always", gate & why))

    def _duplicate(self, path: str, first: str, gate: Condition) -> None:
        no, remedy = f"it is the same file as {first}", f"put a file of its own in the place of {path}"
        why = Observed("file", path, False, "", no, actual=first, remedy=remedy)
        self.drafts.setdefault(path, FileDraft(path, self.workspace.real_path(path), KIND, "always", gate & why))

    # --- on a read --------------------------------------------------------------------------------------------------

    def discover(self, reads: Iterable[str], directories: Sequence[str]) -> tuple[Discovered, ...]:
        """What the simulated reads bring along, each file once in a session (5.5)."""
        found: list[Discovered] = []
        refused: list[FileDraft] = []
        for read in reads:
            path = resolve(self.places.cwd, read)
            is_folder = self.workspace.is_dir(path)
            folder = path if is_folder else path.rpartition("/")[0] or "/"
            around = [d for d in directories if f"{folder}/".startswith(f"{d.rstrip('/')}/")]
            if self.workspace.kind(path) is None or not around:
                continue
            candidates = self._walk(folder, self._ceiling(max(around, key=len)))
            if not is_folder and (ignored := self.ignored.hidden_by(path)):
                refused += (self._refused(candidate, read, ignored) for candidate in candidates)
                continue
            files = [file for candidate in candidates if (file := self._discovered(candidate, path)) is not None]
            if files:
                found.append(Discovered(path, tuple(files), "list_directory" if is_folder else "read_file"))
        for row in refused:  # unless another read loads it
            if self.workspace.kind(row.path) == "file":
                self.drafts.setdefault(row.path, row)
        return tuple(found)

    def _refused(self, path: str, read: str, ignored: str) -> FileDraft:
        """The row of a file that would come with a read which the client refuses."""
        no = f"the client refuses to read {read}, which {ignored} hides; listing its folder would load this file"
        why = Observed("file", read, False, "", no, remedy=f"take {read} out of {ignored}")
        return FileDraft(path, self.workspace.real_path(path), KIND, "on-demand", self.trusted & why)

    def _discovered(self, path: str, read: str) -> ContextFile | None:
        identity = self._identity(path)
        if identity in self.identities or path in self.drafts:
            return None
        by_read = Observed("file", read, True, f"loaded by reading {read}", "", remedy=f"take {read} out of `reads`")
        file = self._entry(path, "project", self.trusted & by_read, "on-demand")
        self.identities[identity] = path
        return file
