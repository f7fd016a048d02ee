"""The rows of the table of files: a tree, or a list where the user sorts or filters; problems are below their file."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from promptscope_engine.insight.lazy_rules import LazyRule
from promptscope_engine.prompt.model import Diagnostic
from promptscope_tui.text.folders import Choices, Entry, Folder, Labels, Leaf, tree_of, visible
from promptscope_tui.text.short_names import ALSO
from promptscope_tui.text.spans import Row, Span, Tone, paragraph
from promptscope_tui.text.tables import COLUMNS, Arrangement
from promptscope_tui.text.words import LOADS, many, number, short_path, short_text, total
from promptscope_tui.views.subjects import DiagnosticSubject, FileSubject, FolderSubject

from .records import FileRecord, FilesShown

FILE_COLUMNS = COLUMNS["files"]

MARKS: dict[str, tuple[str, Tone]] = {"error": ("✗", "error"), "warning": ("⚠", "warn"), "info": ("i", "dim")}
"""The sign of a problem, and its tone."""

_MISSING = ""
"""The path of the folder of usual places where nothing is: that of the root, which has no row."""

_ASKED = 200
"""Files of a folder whose reasons are compared: each is a sentence that is made for it."""


_IsOpen = Callable[[Folder], bool]


class Look(Struct, frozen=True):
    """How the files are shown: the paths that are lit, the order and the filter, and which folders are open."""

    lit: frozenset[str] = frozenset()
    arrangement: Arrangement = Arrangement()
    choices: Choices = {}

    @property
    def is_tree(self) -> bool:
        """Whether files are below their folders."""
        return self.arrangement.order is None and not self.arrangement.needle


class FileTree:
    """The files of one assembly in their folders, with what the rows say."""

    def __init__(self, shown: FilesShown) -> None:
        self.shown, self.records = shown, shown.records
        names = [(n, record.names[0]) for n, record in enumerate(self.records)]
        missing = {n for n, each in enumerate(self.records) if each.is_missing and each.paths[0] not in shown.problems}
        self._missing = Folder(_MISSING, "", tuple(Leaf(name, n) for n, name in names if n in missing))
        self._root = tree_of((n, name) for n, name in names if n not in missing)
        self.labels = Labels(lambda n: self.records[n].names)
        self._usual: dict[str, tuple[tuple[str, int], ...]] = {}
        self._by_path = {path: n for n, record in enumerate(self.records) for path in record.paths}

    # --- where things are ---------------------------------------------------------------------------------------

    def around(self, key: Hashable) -> tuple[Hashable, Sequence[str]]:
        """The key of the row of a file, folder or problem, and the paths of the folders around it."""
        path = ""
        if isinstance(key, DiagnosticSubject):
            path = next((path for path, found in self.shown.problems.items() if key.index in (n for n, _ in found)), "")
        elif isinstance(key, FileSubject):
            path = key.path
        if (file := self._by_path.get(path)) is None:
            return key, self._above(key.path) if isinstance(key, FolderSubject) else ()
        record = self.records[file]
        missing = file in self._missing.indexes
        key = FileSubject(record.paths[0]) if isinstance(key, FileSubject) else key
        return key, [_MISSING] if missing else self._above(record.names[0])

    def _above(self, name: str) -> list[str]:
        """The paths of the folders around a file or folder, the outermost first."""
        ends = (end for end, char in enumerate(name) if char == "/" and end)
        return [name[:end] for end in ends if name[:end] in self._folders]

    @cached_property
    def _folders(self) -> dict[str, Folder]:
        found, at = {_MISSING: self._missing}, [self._root]
        for folder in at:  # it grows meanwhile
            inner = [node for node in folder.entries if isinstance(node, Folder)]
            found |= {node.path: node for node in inner}
            at += inner
        return found

    def keys(self) -> Iterator[Hashable]:
        """The keys of all rows of files and problems, as if each folder were open."""
        for entry in self._entries(lambda _: True):
            yield from self._keys(entry)
        yield from (DiagnosticSubject(n) for n, _ in self.shown.problems.get("", ()))

    def _keys(self, entry: Entry) -> Iterator[Hashable]:
        if isinstance(entry.node, Folder):
            yield FolderSubject(entry.node.path)
        else:
            record = self.records[entry.node.index]
            yield FileSubject(record.paths[0])
            yield from map(DiagnosticSubject, self._problems(record))

    def _problems(self, record: FileRecord) -> list[int]:
        return [n for n, _ in self.shown.problems.get(record.paths[0], ())]

    def is_open(self, folder: Folder, look: Look) -> bool:
        """Whether a folder is open: as the user left it, else if it has few files, and always around lit ones."""
        if any(self.records[n].paths[0] in look.lit for n in folder.indexes if look.lit):
            return True
        alone = not self._root.entries
        return look.choices.get(folder.path, alone if folder is self._missing else folder.is_small)

    def folder(self, path: str) -> Folder | None:
        """The folder with this path."""
        return self._folders.get(path)

    # --- rows ---------------------------------------------------------------------------------------------------

    def rows(self, width: int, look: Look) -> list[Row]:
        """The table with its head, in `width` cells."""
        if look.is_tree:
            entries: Iterable[Entry] = self._entries(lambda folder: self.is_open(folder, look))
        else:
            entries = (Entry(Leaf("", n), (self._root,)) for n in range(len(self.records)))
        lines = [_line(self, look, entry) for entry in entries]
        found = []
        for each in look.arrangement.rows(FILE_COLUMNS, lines, width):
            found.append(each)
            if isinstance(each.key, FileSubject):
                found += (self.problem(n, d, under=True) for n, d in self.shown.problems.get(each.key.path, ()))
        return found

    def _entries(self, is_open: _IsOpen) -> Iterator[Entry]:
        yield from visible(self._root, is_open)
        if self._missing.entries:
            yield Entry(self._missing, (self._root,))
            if is_open(self._missing):
                yield from visible(self._missing, is_open, (self._root,))

    def problem(self, index: int, found: Diagnostic, *, under: bool = False) -> Row:
        """Something about a file; `under` the file's row its path need not be said."""
        assembly = self.shown.assembly
        mark, tone = MARKS[found.severity]
        place = f"line {found.line}: " if under and found.line else ""
        if not under and found.path and found.path != assembly.workspace:
            place = f"{short_path(found.place, assembly)}: "
        indent = 3 if under else 0
        return paragraph(
            " " * indent,
            Span(f"{mark} {place}{short_text(found.message, assembly)}", tone),
            Span(f"  {found.code}", "faint"),
            indent=indent + 2,
            key=DiagnosticSubject(index),
        )

    # --- what a folder says -------------------------------------------------------------------------------------

    def usual(self, folder: Folder) -> tuple[tuple[str, int], ...]:
        """The reasons that more than one of a folder's files have, the most usual first, each with how many have it."""
        if folder is self._root:
            return ()
        if folder.path not in self._usual:
            reasons = Counter(self.shown.why(self.records[n], in_folder=True) for n in folder.indexes[:_ASKED])
            self._usual[folder.path] = tuple((why, count) for why, count in reasons.most_common() if count > 1)
        return self._usual[folder.path]


class _FolderLine(Struct, frozen=True):
    """A folder, below those around it: what its files cost together, and what they have in common."""

    tree: FileTree
    look: Look
    folder: Folder
    around: tuple[Folder, ...]

    @property
    def key(self) -> FolderSubject:
        """The key of its row."""
        return FolderSubject(self.folder.path)

    def cell(self, column: int) -> Span:
        """By the columns of the table."""
        files = [self.tree.records[n] for n in self.folder.indexes]
        match FILE_COLUMNS[column].head:
            case "":
                return Span("▾" if self.tree.is_open(self.folder, self.look) else "▸", "dim")
            case "file":
                return Span("  " * (len(self.around) - 1) + self._named())
            case "always" if any(each.file.present for each in files):
                return Span(number(total(each.file.tokens for each in files if each.file.present)))
            case "on a read" if any(each.on_read for each in files):
                return Span(number(sum(each.on_read.tokens for each in files if each.on_read)), "faint")
            case "why" if self.folder.path != _MISSING:
                return self._reasons(files)
        return Span("")

    def _named(self) -> str:
        if self.folder.path == _MISSING:
            return f"{many(len(self.folder.indexes), 'usual place')}, nothing there"
        return self.tree.labels.folder(self.folder, self.around)

    def _reasons(self, files: Sequence[FileRecord]) -> Span:
        """The reason of its files, or how many have which, unless the folder around says it; and their problems."""
        problems = [found for each in files for _, found in self.tree.shown.problems.get(each.paths[0], ())]
        wrong = sum(found.severity != "info" for found in problems)
        usual, around = self.tree.usual(self.folder), self.tree.usual(self.around[-1])
        said = [why if count == len(files) else f"{count:,} {why}" for why, count in usual]
        if said[:1] == [why for why, _ in around[:1]]:
            said = []
        words = [f"⚠ {many(wrong, 'problem')}"] if wrong else []
        return Span(", ".join([*words, *said]), "warn" if wrong else "dim")


class _FileLine(Struct, frozen=True):
    """A file below its folders; where there is no tree, by its whole name."""

    tree: FileTree
    look: Look
    record: FileRecord
    leaf: Leaf
    around: tuple[Folder, ...]

    @property
    def key(self) -> FileSubject:
        """The key of its row."""
        return FileSubject(self.record.paths[0])

    def cell(self, column: int) -> Span:
        """By the columns of the table."""
        return _CELLS[column](self)

    @property
    def _is_lit(self) -> bool:
        return self.record.file.path in self.look.lit

    @property
    def _tone(self) -> Tone:
        return "accent" if self._is_lit else "text" if self.record.file.present else "faint"

    def glyph(self) -> Span:
        """How it gets into the prompt."""
        file, rule = self.record.file, self.record.rule
        if self._is_lit:
            return Span("»", "accent")
        if rule is None:
            return Span(LOADS[file.load], "file") if file.present else Span("✗", "faint")
        return Span("⊘", "warn") if rule.unmatched else Span(LOADS[when_loaded(rule)], "faint")

    def name(self) -> Span:
        """Its names."""
        if not self.look.is_tree:
            return Span(ALSO.join(self.record.names), self._tone)
        indent = "  " * (len(self.around) - 1)
        return Span(indent + self.tree.labels.file(self.leaf, self.around), self._tone)

    def always(self) -> Span:
        """Its tokens in the prompt."""
        file = self.record.file
        return Span(number(file.tokens) if file.present else "", self._tone)

    def on_read(self) -> Span:
        """Its tokens on a read."""
        on_read = self.record.on_read
        return Span(number(on_read.tokens) if on_read else "", "faint")

    def order(self) -> Span:
        """Its number in load order."""
        return Span(f"{self.record.order}" if self.record.order else "", "faint")

    def kind(self) -> Span:
        """What it is to the agent."""
        return Span(self.record.file.kind, "dim" if self.record.file.present else "faint")

    def bytes(self) -> Span:
        """Its size."""
        file, on_read = self.record.file, self.record.on_read
        size = file.bytes or (on_read.bytes if on_read else 0)
        return Span(f"{size:,}" if file.present or size else "", "dim")

    def injected(self) -> Span:
        """How many characters of it are in the prompt, and whether it was cut."""
        file = self.record.file
        return Span(f"{file.injected_chars:,}{'✂' * file.truncated}" if file.present else "", "dim")

    def why(self) -> Span:
        """Its own reason, unless its folder has said it."""
        record, folder = self.record, self.around[-1]
        if self._is_lit and record.rule:
            return Span("loads", "accent")
        why = self.tree.shown.why(record, in_folder=len(self.around) > 1)
        if why in [each for each, _ in self.tree.usual(folder)[:1]]:
            return Span("")
        return Span(why, "warn" if record.rule and record.rule.unmatched else "dim")


_BY_HEAD: Mapping[str, Callable[[_FileLine], Span]] = {
    "": _FileLine.glyph,
    "file": _FileLine.name,
    "always": _FileLine.always,
    "on a read": _FileLine.on_read,
    "#": _FileLine.order,
    "kind": _FileLine.kind,
    "bytes": _FileLine.bytes,
    "injected": _FileLine.injected,
    "why": _FileLine.why,
}

_CELLS = tuple(_BY_HEAD[column.head] for column in FILE_COLUMNS)
"""What makes the cell of each column."""


def _line(tree: FileTree, look: Look, entry: Entry) -> _FolderLine | _FileLine:
    node = entry.node
    if isinstance(node, Folder):
        return _FolderLine(tree, look, node, entry.around)
    return _FileLine(tree, look, tree.records[node.index], node, entry.around)


def when_loaded(rule: LazyRule) -> str:
    """How a file loads that another one loads, in the words of a legend."""
    return "conditional" if rule.file.patterns else "on-demand"
