"""`@path` in a context file: what is put in its place, and where it comes from (specs/gemini.md 6).

Nothing is raised for a path that leads nowhere: the client leaves a note in the text, which the model then reads.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from promptscope_engine.agents.kit.paths import target_of
from promptscope_engine.agents.kit.walking import walk
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import Piece, computed, file_text, label
from promptscope_engine.prompt.pieces import Pieces, trimmed_pieces
from promptscope_engine.workspace import FileText, Workspace

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


@frozen
class Import:
    """An import that was looked at. `line` is where it stands in `importer`, `path` where it leads."""

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

    def process(self, file: FileText, style: Format) -> Pieces:
        """The file's text with its imports, trimmed; () if nothing is left."""
        folder = file.path.rpartition("/")[0] or "/"
        root = boundary(self.workspace, folder, self.markers) or folder
        if style == "flat":
            return self._flat(file, folder, root)
        return trimmed_pieces(tuple(self._tree(file, folder, root, (), 0)))

    # --- in place ---------------------------------------------------------------------------------------------------

    def _tree(self, file: FileText, folder: str, root: str, importers: tuple[str, ...], depth: int) -> Iterator[Piece]:
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

    def _flat(self, top: FileText, folder: str, root: str) -> Pieces:
        """`flat`: the files one behind the other, the top one under the name of its folder (6)."""
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
        pieces: list[Piece] = []
        for number, (path, source) in enumerate(entries):
            gap = "\n\n" if number else ""
            pieces.append(label(f"{gap}--- File: {path} ---\n"))
            pieces += trimmed_pieces((file_text(source.path, source.text, 1),))
            pieces.append(label(f"\n--- End of File: {path} ---"))
        return trimmed_pieces(tuple(pieces))

    def _inner(self, file: FileText, folder: str) -> list[tuple[str, str, int, str]]:
        return [(token, file.path, line, folder) for token, _, line in tokens(file.text)]


def is_usable(marker: str) -> bool:
    """Whether a boundary marker counts: only names within a folder do."""
    return not marker.startswith("/") and ".." not in marker.split("/")


def boundary(workspace: Workspace, folder: str, markers: tuple[str, ...]) -> str | None:
    """The nearest folder, upward, that holds one of the markers; None if none does (5.2, 6)."""
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
    """The stretches from a run of backticks to the next one of that length: /(`+)([\\s\\S]*?)\\1/g, in one walk.

    A run that finds no partner is tried with fewer of its backticks, as the expression does.
    """
    runs = [match.span() for match in _TICKS.finditer(text)]
    longer = _next_longer([end - start for start, end in runs])
    number, at = 0, 0
    while number < len(runs):
        start, end = max(runs[number][0], at), runs[number][1]
        found = None
        for size in range(end - start, 0, -1):
            if end - start >= 2 * size:
                found = (start + 2 * size, number)
                break
            other = number + 1
            while other < len(runs) and runs[other][1] - runs[other][0] < size:
                other = longer[other]
            if other < len(runs):
                found = (runs[other][0] + size, other)
                break
        if found is None:
            number += 1
            continue
        yield start, found[0]
        at, number = found


def _next_longer(lengths: list[int]) -> list[int]:
    """For each run the next one that is longer; the number of runs where there is none."""
    result = [len(lengths)] * len(lengths)
    waiting: list[int] = []
    for number, length in enumerate(lengths):
        while waiting and lengths[waiting[-1]] < length:
            result[waiting.pop()] = number
        waiting.append(number)
    return result


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
