"""The files of a prompt as lines of a table: one for each file under all of its names, and its folders."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.insight.on_read import OnRead
from promptscope_engine.prompt.model import Assembly, Diagnostic, Reason, SourceFile
from promptscope_tui.text.reasons import plain_reason
from promptscope_tui.text.words import short_path, short_text

_LATER = Reason("loads later")


class FileRecord(Struct, frozen=True):
    """A file that was looked for, or loads later: `paths` as the agent shows them, `names` as people read them.

    The first of them is the one by which it counts; a link and what it leads to are one file. `order` numbers those
    that are in the prompt, from 1.
    """

    file: SourceFile
    paths: tuple[str, ...]
    names: tuple[str, ...]
    rule: LazyRule | None
    on_read: OnRead | None
    order: int | None

    @property
    def is_missing(self) -> bool:
        """Whether nothing is there, and nobody asked for it but the agent."""
        file = self.file
        return not (file.present or file.bytes or self.rule or file.imported_by) and "create " in file.why.remedy


class FilesShown(Struct, frozen=True, dict=True):
    """What the files of one assembly are shown with."""

    assembly: Assembly
    lazy_rules: LazyRules | None = None
    on_read: Mapping[str, OnRead] | None = None

    def same(self, other: "FilesShown") -> bool:
        """Whether other ones show the same: an assembly is another one when a check found something."""
        mine, theirs = self.assembly, other.assembly
        pairs = [(getattr(mine, name), getattr(theirs, name)) for name in ("files", "tokens", "diagnostics")]
        pairs += [(self.lazy_rules, other.lazy_rules), (self.on_read, other.on_read)]
        return all(one is another for one, another in pairs)

    @cached_property
    def records(self) -> tuple[FileRecord, ...]:
        """The files in load order, then those that load later."""
        later = self.lazy_rules.beside(self.assembly.files) if self.lazy_rules else ()
        order = 0
        found = []
        for files in _by_file(self.assembly.files):
            record = self._record(files, order + 1)
            order = record.order or order
            found.append(record)
        return (*found, *(self._record([rule.as_file(_LATER)]) for rule in later))

    def _record(self, files: Sequence[SourceFile], order: int = 0) -> FileRecord:
        files = sorted(files, key=_rank) if len(files) > 1 else files
        file, on_read = files[0], (self.on_read or {}).get(files[0].path)
        rule = self.lazy_rules.of(file.path) if self.lazy_rules and not file.present else None
        paths = tuple(each.path for each in files)
        names = tuple(short_path(path, self.assembly) for path in paths)
        real = on_read.real_path if on_read else file.real_path
        if real not in paths:
            last = short_path(real, self.assembly)
            if last[:1] not in ("", "/"):  # outside of the folder, it may be the folder that is linked
                names = tuple(dict.fromkeys((*names, last)))
        return FileRecord(file, paths, names, rule, on_read, order if file.present else None)

    @cached_property
    def problems(self) -> Mapping[str, Sequence[tuple[int, Diagnostic]]]:
        """The diagnostics with their indices, by the path of the file that they are about; "" for all others."""
        shown = {
            path: record.paths[0]
            for record in reversed(self.records)
            for path in (record.file.real_path, *reversed(record.paths))
            if path
        }
        found: dict[str, list[tuple[int, Diagnostic]]] = {}
        for n, diagnostic in enumerate(self.assembly.diagnostics):
            found.setdefault(shown.get(diagnostic.path or "", ""), []).append((n, diagnostic))
        return found

    def why(self, record: FileRecord, *, in_folder: bool = False) -> str:
        """Why a file is in the prompt or not, or what loads it; below a row that names its folder in fewer words."""
        rule = record.rule
        if rule is None or self.lazy_rules is None:
            return plain_reason(record.file, self.assembly)
        file = rule.file
        if in_folder and not (file.patterns or file.never) and file.base == posixpath.dirname(file.path):
            return "loads on a read in its folder"
        return short_text(self.lazy_rules.why(rule), self.assembly)


def _by_file(files: Iterable[SourceFile]) -> Iterable[list[SourceFile]]:
    """The rows of each file, by the first of them; what is in the prompt twice stays apart."""
    found: dict[tuple[str, int], list[SourceFile]] = {}
    for file in files:
        others = found.setdefault((file.real_path, 0), [])
        if any(map(_costs, others)) and _costs(file):
            found[file.real_path, len(found)] = [file]
        else:
            others.append(file)
    return found.values()


def _costs(file: SourceFile) -> bool:
    return file.present and file.tokens != 0


def _rank(file: SourceFile) -> int:
    """The row by which a file counts comes first."""
    return 0 if _costs(file) else 1 if file.present else 2
