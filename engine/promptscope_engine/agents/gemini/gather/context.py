"""Context files: which are found, in which order, and what each of them comes to with its imports."""

import posixpath
import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, chain
from operator import and_
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.gemini.materials import ContextFile, Discovered, Place
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.disk.rows import absent, file_row, followed
from promptscope_engine.agents.kit.disk.walking import target_of, upwards, walk
from promptscope_engine.javascript.text import join, js_trim, resolve, utf16_key
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import FileDraft, Span, computed, file_text, label
from promptscope_engine.prompt.leaves import by_reading
from promptscope_engine.prompt.model import Load
from promptscope_engine.prompt.spans import Spans, joined, trimmed_spans
from promptscope_engine.workspace import FileText, Workspace

from .folders import IgnoreRules
from .session import Gatherer

Format = Literal["tree", "flat"]

MAX_DEPTH = 5
"""Contents of this level are put in, and their own imports are left as text."""
MAX_IMPORTS = 5_000
"""Imports of all files together; siblings may import one file again and again, so a few lines could name billions."""
MAX_CHARS = 2_000_000
"""Characters of all that is put in."""

_START = re.compile(r"(?:^|(?<=[ \t\r\n]))@([^ \t\r\n]*)")
_FIRST = re.compile(r"[./A-Za-z]")
_URLS = ("file://", "http://", "https://")
_TICKS = re.compile(r"`+")

Outcome = Literal["found", "missing", "directory", "unreadable", "outside", "repeated", "too-many", "too-deep"]


class Import(Struct, frozen=True):
    """An import that was looked at. `line` is where it is in `importer`, `path` where it leads."""

    token: str
    path: str
    importer: str
    line: int
    outcome: Outcome


@dataclass(eq=False, repr=False)
class Importer:
    """Follows imports; the limits hold for all files together."""

    workspace: Workspace
    markers: tuple[str, ...]
    seen: list[Import] = field(default_factory=list)
    count: int = 0
    chars: int = 0

    def process(self, file: FileText, style: Format) -> Spans:
        """The file's text with its imports, trimmed; () if nothing is left."""
        folder = file.path.rpartition("/")[0] or "/"
        root = boundary(self.workspace, folder, self.markers) or folder
        if style == "flat":
            return self._flat(file, folder, root)
        return trimmed_spans(tuple(self._tree(file, folder, root, (), 0)))

    # --- in place ---------------------------------------------------------------------------------------------------

    def _tree(self, file: FileText, folder: str, root: str, importers: tuple[str, ...], depth: int) -> Iterator[Span]:
        text, at, first = file.text, 0, 1
        if depth == MAX_DEPTH and (left := next(tokens(text), None)):
            self.seen.append(Import(left[0], file.path, file.path, left[2], "too-deep"))
        for token, start, line in tokens(text) if depth < MAX_DEPTH else ():
            path, outcome, source = self._look(token, folder, root, importers)
            self.seen.append(Import(token, path, file.path, line, outcome))
            if outcome == "too-many":
                break
            yield file_text(file.path, text[at:start], first)
            at, first = start + 1 + len(token), line
            if source is None or outcome != "found":
                yield computed("import", _note(token, path, outcome, source.detail if source else ""))
                continue
            yield label(f"<!-- Imported from: {token} -->\n")
            inner = path.rpartition("/")[0] or "/"
            yield from self._tree(source, inner, root, (*importers, path), depth + 1)
            yield label(f"\n<!-- End of import from: {token} -->")
        yield file_text(file.path, text[at:], first)

    def _look(
        self, token: str, folder: str, root: str, importers: tuple[str, ...] = ()
    ) -> tuple[str, Outcome, FileText | None]:
        """Where a token leads, what comes of it, and the file if it was read."""
        self.count += 1
        if self.count > MAX_IMPORTS or self.chars > MAX_CHARS:
            return token, "too-many", None
        path, refused = self._target(token, folder, root)
        if refused or path in importers:
            return path, refused or "repeated", None
        source = self.workspace.read(path)
        self.chars += len(source.text)
        kinds: dict[str | None, Outcome] = {None: "found", "missing": "missing", "directory": "directory"}
        return path, kinds.get(source.problem, "unreadable"), source

    def _target(self, token: str, folder: str, root: str) -> tuple[str, Outcome | None]:
        """Where a token leads, and why it is not followed."""
        path = target_of(token, folder)
        if path is None or token.startswith(_URLS):
            return token, "outside"
        real, border = self.workspace.real_path(path), self.workspace.real_path(root)
        return path, None if f"{real}/".startswith(f"{border.rstrip('/')}/") else "outside"

    # --- as a list --------------------------------------------------------------------------------------------------

    def _flat(self, top: FileText, folder: str, root: str) -> Spans:
        """`flat`: the files one behind the other, the top one under the name of its folder."""
        entries: list[tuple[str, FileText]] = [(folder, top)]
        named = {folder}
        pending = self._inner(top, folder)
        while pending:
            token, importer, line, base = pending.pop()
            path, outcome, source = self._look(token, base, root)
            if path in named:
                continue
            self.seen.append(Import(token, path, importer, line, outcome))
            if outcome == "too-many":
                break
            if source is None or outcome != "found":
                continue
            named.add(path)
            entries.append((path, source))
            pending += self._inner(source, path.rpartition("/")[0] or "/")
        spans: list[Span] = []
        for number, (path, source) in enumerate(entries):
            gap = "\n\n" if number else ""
            spans.append(label(f"{gap}--- File: {path} ---\n"))
            spans += trimmed_spans((file_text(source.path, source.text, 1),))
            spans.append(label(f"\n--- End of File: {path} ---"))
        return trimmed_spans(tuple(spans))

    def _inner(self, file: FileText, folder: str) -> list[tuple[str, str, int, str]]:
        return [(token, file.path, line, folder) for token, _, line in tokens(file.text)]


def is_usable(marker: str) -> bool:
    """Whether a boundary marker counts: only names within a folder do."""
    return not marker.startswith("/") and ".." not in marker.split("/")


def boundary(workspace: Workspace, folder: str, markers: tuple[str, ...]) -> str | None:
    """The nearest folder, upward, that holds one of the markers; None if none does."""
    found = walk(workspace, folder, [marker for marker in markers if is_usable(marker)])
    return found.folders[0] if found.marker else None


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """(path as written, place of the `@`, 1-based line) of every import that the client sees in a text."""
    if "@" not in text:
        return
    borders = list(chain.from_iterable(code_regions(text)))
    line = counted = 0
    for match in _START.finditer(text):
        start = match.start()
        if not _FIRST.match(match[1]):
            continue
        if bisect(borders, start) % 2:  # behind a beginning and before its end
            continue
        line += text.count("\n", counted, start)
        counted = start
        yield match[1], start, line + 1


def code_regions(text: str) -> Iterator[tuple[int, int]]:
    r"""The stretches from a run of backticks to the next one of that length: /(`+)([\s\S]*?)\1/g, in one walk.

    A run that finds no partner is tried with fewer of its backticks, as the expression does.
    """
    runs = [match.span() for match in _TICKS.finditer(text)]
    lengths = [end - start for start, end in runs]
    longest = [*accumulate(reversed(lengths), max, initial=0)][::-1]  # of each run and those behind it
    number = at = 0
    while number < len(runs):
        start, end = max(runs[number][0], at), runs[number][1]
        size = min(end - start, longest[number + 1])
        if 2 * size > end - start:
            number = next(other for other in range(number + 1, len(runs)) if lengths[other] >= size)
            at = runs[number][0] + size
        elif end - start > 1:  # its own second half
            at = start + (end - start) // 2 * 2
        else:
            number += 1
            continue
        yield start, at


_ERRORS = {
    "Not a directory": "ENOTDIR: not a directory",
    "File name too long": "ENAMETOOLONG: name too long",
    "Too many levels of symbolic links": "ELOOP: too many symbolic links encountered",
}
"""What Node says where the system says this."""


def _note(token: str, path: str, outcome: Outcome, detail: str) -> str:
    """What the client leaves in place of an import that failed."""
    match outcome:
        case "outside":
            return f"<!-- Import failed: {token} - Path traversal attempt -->"
        case "repeated":
            return f"<!-- File already processed: {token} -->"
        case "directory":
            return f"<!-- Import failed: {token} - EISDIR: illegal operation on a directory, read -->"
        case "unreadable":
            if detail not in _ERRORS:
                return f"<!-- Import failed: {token} - EACCES: permission denied, open '{path}' -->"
    error = _ERRORS.get(detail, "ENOENT: no such file or directory")
    return f"<!-- Import failed: {token} - {error}, access '{path}' -->"


DEFAULT_NAME = "GEMINI.md"
PRIVATE_NAME = "MEMORY.md"
KIND = "gemini-md"
_MAX_FILES = 1_000
_MAX_NAMES = 50
_SHOWN_IMPORTS = 200
_WHY = {
    "missing": "there is no such file",
    "directory": "it is a folder",
    "unreadable": "it cannot be read",
    "outside": "it leads out of the project",
    "repeated": "the file imports itself, by way of others",
}
"""What is said of imports that lead nowhere."""

Identity = tuple[object, ...]


def context_names(value: object) -> tuple[str, ...]:
    """The names of `context.fileName`, before the one that cannot be switched off."""
    given = value if isinstance(value, list) else [value]
    names = [join("", js_trim(name)) for name in given[:_MAX_NAMES] if isinstance(name, str) and js_trim(name)]
    return tuple(dict.fromkeys([*names, DEFAULT_NAME]))


@dataclass(eq=False, repr=False)
class MemoryLoader(Gatherer):
    """Collects the files of every place. A file counts once, whatever its names: by device and number."""

    ignored: IgnoreRules
    """What may not be read."""
    loaded: list[ContextFile] = field(default_factory=list)
    drafts: dict[str, FileDraft] = field(default_factory=dict)
    identities: dict[Identity, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.session.settings.known
        self.names = context_names(known("context.fileName").value)
        self.style: Format = "flat" if known("context.importFormat").value == "flat" else "tree"
        given = known("context.memoryBoundaryMarkers").value
        markers = [item for item in given if isinstance(item, str) and item] if isinstance(given, list) else [".git"]
        self.importer = Importer(self.workspace, tuple(map(posixpath.normpath, markers)))

    @property
    def private(self) -> str:
        """The path of the private project memory, whether it is there or not."""
        return f"{self.places.memory}/{PRIVATE_NAME}"

    # --- in order ---------------------------------------------------------------------------------------------------

    def load(self, directories: Sequence[str]) -> None:
        """Everything that loads at the start."""
        for name in self.names:
            self.file(join(self.places.own, name), "global", listed=True)
        of_extensions = {path: each.when for each in self.session.extensions for path in each.context}
        for path in sorted(of_extensions, key=utf16_key):
            self.file(path, "extension", of_extensions[path])
        for path in self._project_files(directories):
            self.file(path, "project", self.trusted)
        for name in self.names:
            self._missing(join(self.places.cwd, name), self.trusted)
        self.file(self.private, "private", listed=True)
        if self.workspace.kind(self.private) is None:
            for name in self.names:
                self.file(join(self.places.memory, name), "private")

    def _project_files(self, directories: Sequence[str]) -> list[str]:
        """The files of the walks, each once, sorted by path: not by how near they are."""
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
        return boundary(self.workspace, directory, self.importer.markers) or directory

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
        """The file's text with its imports, and its rows; None if it is not sent."""
        if len(self.loaded) >= _MAX_FILES:
            text = f"{_MAX_FILES:,} context files are shown; the others are left out"
            self.found.warn("too-many-files", text, self.places.cwd)
            return None
        source = self.workspace.read(path)
        before = len(self.importer.seen)
        spans = self.importer.process(source, self.style) if source.found else ()
        text = joined(spans)
        when = reduce(and_, (gate, self._readable(source, bool(text))), followed(self.workspace, path, self.follow))
        if self.workspace.leads_outside(path) and not self.follow:
            why = f"left out here: it leads to {source.real_path}; Gemini CLI would read it"
            self.found.warn("outside", why, path)
        elif source.problem in ("too-large", "unreadable", "loop", "special"):
            why = f"it cannot be read: {source.problem} ({source.detail})"
            self.found.warn(source.problem, why, path)
        kind = "memory" if place == "private" else KIND
        self.drafts[path] = file_row(source, kind, load, when, text)
        if source.looks_binary:
            self.found.warn("binary", "the file holds zero bytes", path)
        stands = when.holds(self.facts)
        self._imports(self.importer.seen[before:], when, stands)
        return ContextFile(path, place, spans) if stands else None

    def _readable(self, source: FileText, has_text: bool) -> Condition:
        path = source.path
        key = "no_file" if self.workspace.kind(path) != "file" else "unreadable" if source.problem else "has_text"
        return FOLDER.reason(key, has_text, path=path, problem=source.problem)

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
                    note = FOLDER.note("import-too-deep", each.importer, each.line, token=each.token, depth=MAX_DEPTH)
                    self.found.diagnostics.append(note)
            elif each.outcome == "too-many":
                note = FOLDER.note("too-many-imports", each.importer, each.line, most=MAX_IMPORTS)
                self.found.diagnostics.append(note)
            elif stands and listed < _SHOWN_IMPORTS:
                listed += 1
                self._failed(each)

    def _failed(self, each: Import) -> None:
        """Say what the client makes of an import that leads nowhere: a note that the model reads."""
        keys = (
            ("import-nothing", "import-nothing-again") if self.style == "flat" else ("import-failed", "import-repeated")
        )
        key = keys[each.outcome == "repeated"]
        note = FOLDER.note(key, each.importer, each.line, token=each.token, why=_WHY[each.outcome])
        self.found.diagnostics.append(note)

    def _missing(self, path: str, gate: Condition) -> None:
        if self.workspace.kind(path, follow=False) is None:
            why = absent(path, "no such file", f"create {path}")
            kind = "memory" if path.startswith(self.places.memory + "/") else KIND
            self.drafts.setdefault(path, FileDraft(path, path, kind, "always", gate & why))

    def _duplicate(self, path: str, first: str, gate: Condition) -> None:
        why = FOLDER.reason("duplicate", False, {"actual": first}, path=path, first=first)
        file = self.workspace.read(path)
        self.drafts.setdefault(path, FileDraft(path, file.real_path, KIND, "always", gate & why, file.size))

    # --- on a read --------------------------------------------------------------------------------------------------

    def discover(
        self, reads: Iterable[str], directories: Sequence[str], *, is_imagined: bool = True
    ) -> tuple[Discovered, ...]:
        """What reads bring along, each file once in a session: the simulated ones, or those of the prompt."""
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
            files = [
                file
                for candidate in candidates
                if (file := self._discovered(candidate, by_reading(path, is_imagined=is_imagined)))
            ]
            if files:
                found.append(Discovered(path, tuple(files), "list_directory" if is_folder else "read_file"))
        for row in refused:  # unless another read loads it
            if self.workspace.kind(row.path) == "file":
                self.drafts.setdefault(row.path, row)
        return tuple(found)

    def _refused(self, path: str, read: str, ignored: str) -> FileDraft:
        """The row of a file that would come with a read which the client refuses."""
        why = FOLDER.reason("read_refused", path=read, ignored=ignored)
        return FileDraft(path, self.workspace.real_path(path), KIND, "on-demand", self.trusted & why)

    def _discovered(self, path: str, by_read: Condition) -> ContextFile | None:
        identity = self._identity(path)
        if identity in self.identities or path in self.drafts:
            return None
        file = self._entry(path, "project", self.trusted & by_read, "on-demand")
        self.identities[identity] = path
        return file
