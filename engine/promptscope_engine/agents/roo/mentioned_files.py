"""The texts of mentioned files and folders."""

import posixpath
from collections.abc import Iterator
from contextlib import suppress
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore
from promptscope_engine.javascript.packages import is_binary
from promptscope_engine.javascript.text import join, relative, resolve, to_posix
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import Span, builtin, computed, file_text, label
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.spans import Spans, trimmed_spans
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Entry, Kind
from promptscope_engine.workspace.reader import MAX_PATH


class Tree(Protocol):
    """What the agent reads from its disk for a mention; all paths are absolute and normalised."""

    def kind(self, path: str) -> Kind | None:
        """What is there, links followed; None for a path that leads nowhere."""

    def entries(self, folder: str) -> list[Entry]:
        """What is in a folder, in byte order; links are not followed."""

    def content(self, path: str) -> str | bytes:
        """A file's bytes, or the text that an extractor gets out of it; OSError for what cannot be read."""

    def real(self, path: str) -> str:
        """The path with its links resolved."""


class DiskTree:
    """The files that the workspace may read."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def kind(self, path: str) -> Kind | None:
        """What is at a path."""
        return self._workspace.kind(path)

    def entries(self, folder: str) -> list[Entry]:
        """A folder's entries."""
        return list(self._workspace.list(folder).entries)

    def content(self, path: str) -> bytes:
        """A file's bytes."""
        file = self._workspace.read(path)
        if not file.found:
            raise OSError(file.detail)
        return file.data

    def real(self, path: str) -> str:
        """Where links lead."""
        return self._workspace.real_path(path)


_OWN_EXTRACTORS = (".pdf", ".docx", ".ipynb", ".xlsx")
"""Documents whose text the agent gets out by other means, without a limit of lines."""

MAX_LINES = 500_000
"""Lines of all mentioned files that are shown."""

MAX_TRACED = 20_000
"""Lines of all mentioned files that are traced to their place one by one; the others are one span for each file."""

_MAX_NAME = 255
"""Bytes of a name in a folder."""

_NO_LIMIT = -1
_LIMIT_PARAM = "editor.maxReadFileLine"


def _is_too_long(path: str) -> bool:
    """Whether the system refuses the path whatever is there: it counts bytes, and the zero that ends a path too."""
    data = path.encode("utf-8", "surrogatepass")
    return len(data) >= MAX_PATH or any(len(name) > _MAX_NAME for name in data.split(b"/"))


class MissingPathError(Exception):
    """A path that leads nowhere; the message is Node's."""


class ExtractionError(Exception):
    """A file whose text can't be extracted: the message for the model, `fact`, `remedy`, and `levers` for a person."""

    def __init__(self, message: str, fact: str, remedy: str, levers: tuple[Lever, ...] = ()) -> None:
        super().__init__(message)
        self.fact, self.remedy, self.levers = fact, remedy, levers


class Content(Struct, frozen=True):
    """What is appended for a path. `held_back`: why what is there, or the rest of it, is not in the text."""

    spans: Spans
    held_back: Fact | None = None
    read: tuple[str, ...] = ()
    """The files whose text is in it, absolute."""

    rest: Spans = ()
    """Lines over the limit: not in the text, and guarded by the reason."""


class FileReader(Struct, frozen=True):
    """Reads what is mentioned. `ignore` forbids reading; its entries are shown with a lock if `show_ignored`.

    `max_lines` is the setting maxReadFileLine: None or -1 for no limit.
    """

    cwd: str
    tree: Tree
    ignore: RooIgnore | None
    show_ignored: bool
    max_lines: float | None
    _lines: list[int] = field(default_factory=lambda: [0])

    def read(self, mentioned: str) -> Content:
        """What stands for the `mentioned` path, which has escaped spaces and no leading slash.

        A folder or a file is what is there, whatever the final slash says. A path that leads nowhere is a
        MissingPathError; what cannot be read gives a text in parentheses.
        """
        path = resolve(self.cwd, mentioned.replace("\\ ", " "))
        if _is_too_long(path):
            raise MissingPathError(f"ENAMETOOLONG: name too long, stat '{path}'")
        kind = self.tree.kind(path)
        if kind == "directory":
            return self._read_folder(mentioned, path)
        if kind is None:
            raise MissingPathError(f"{self._missing(path)}, stat '{path}'")
        if kind != "file":
            no = f"{mentioned} is not a regular file"
            fact = Fact("file", mentioned, False, f"{mentioned} is a file", no, remedy="mention a regular file")
            return Content((_sentence("unreadable", f"(The text of {mentioned} could not be read)"),), fact)
        if self.ignore is not None and self.ignore.ignores(self.tree.real(path)):
            fact = self._hidden(mentioned, f"`.rooignore` hides {mentioned}")
            return Content((_sentence("ignored", f"(The file {mentioned} is hidden by .rooignore.)"),), fact)
        try:
            return self._extract(path)
        except ExtractionError as error:
            no = f"{mentioned} {error.fact}"
            yes, on = f"{mentioned} was read", error.levers or None
            fact = Fact("file", mentioned, False, yes, no, on=on, remedy=error.remedy)
            return Content((_sentence("unreadable", f"(The text of {mentioned} could not be read): {error}"),), fact)

    @staticmethod
    def _hidden(mentioned: str, no: str) -> Fact:
        remedy = f"remove the pattern that hides it from {IGNORE_FILE}"
        return Fact("file", mentioned, False, f"{mentioned} may be read", no, remedy=remedy)

    def _missing(self, path: str) -> str:
        above = posixpath.dirname(path)
        while above != "/" and self.tree.kind(above) is None:
            above = posixpath.dirname(above)
        if self.tree.kind(above) == "file":
            return "ENOTDIR: not a directory"
        return "ENOENT: no such file or directory"

    def _read_folder(self, mentioned: str, path: str) -> Content:
        """The entries of one level as a tree, and below it the texts of the files among them."""
        lines: list[str] = []
        texts: list[Span] = []
        read: tuple[str, ...] = ()
        rest: Spans = ()
        hidden_count = 0
        # Node lists a folder in byte order here; what is hidden takes part in the choice of the branch's sign.
        entries = self.tree.entries(path)
        for index, found in enumerate(entries, start=1):
            name, is_folder = found.name, found.kind == "directory"
            entry = posixpath.join(path, name)
            hidden = self.ignore is not None and self.ignore.ignores(entry)
            hidden_count += hidden
            if hidden and not self.show_ignored:
                continue
            branch = "└── " if index == len(entries) else "├── "
            lines.append(f"{branch}{'🔒 ' if hidden else ''}{name}{'/' if is_folder else ''}\n")
            # A link is named like a file, and not read.
            with suppress(ExtractionError):  # a file without a text is left out, as binary files are
                if found.kind != "file" or hidden:
                    continue
                content = self._extract(entry)
                # An escaped space loses its backslash to a slash here.
                shown = to_posix(join(mentioned, name))
                gap = "\n\n" if texts else ""
                texts += [label(f'{gap}<file_content path="{shown}">\n'), *content.spans, label("\n</file_content>")]
                read += content.read
                rest += content.rest
        spans = trimmed_spans((computed("folder", "".join(lines) + "\n"), *texts))
        no = f"`.rooignore` hides {hidden_count} of {len(entries)} entries of {mentioned}"
        fact = self._hidden(mentioned, no)
        return Content(spans, fact if hidden_count else None, read, rest)

    def _extract(self, path: str) -> Content:
        limit = self.max_lines
        if limit is not None and limit != _NO_LIMIT and not (limit >= 1 and limit == int(limit)):
            # Zero is allowed where the agent reads files itself, but not here.
            message = f"Invalid maxReadFileLine: {limit:g}. It has to be a whole number from 1 on, or -1."
            levers = (Lever(_LIMIT_PARAM, _NO_LIMIT),) if self._is_text(path) else ()
            fact, remedy = f"is not read, as `{_LIMIT_PARAM}` is {limit:g}", f"`--set {_LIMIT_PARAM}={_NO_LIMIT}`"
            raise ExtractionError(message, fact, remedy, levers)
        try:
            content = self.tree.content(path)
        except OSError as error:
            raise ExtractionError(str(error), f"cannot be read ({error})", "make it readable") from None
        extension = posixpath.splitext(path)[1].lower()
        message, remedy = (
            f"This type of file holds no text that can be read: {extension}",
            "mention a text file in its place",
        )
        if extension in _OWN_EXTRACTORS and isinstance(content, str):
            # For such a document a text is what its extractor returns.
            return self._whole(path, content)
        if extension in _OWN_EXTRACTORS:
            raise ExtractionError(message, f"is a {extension} document, whose text only the agent extracts", remedy)
        if is_binary(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content):
            raise ExtractionError(message, "is binary", remedy)
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if limit is None or limit == _NO_LIMIT:
            return self._whole(path, text)
        return self._limited(path, text, int(limit))

    def _is_text(self, path: str) -> bool:
        """Whether the file has a text without any limit."""
        try:
            replace(self, max_lines=None)._extract(path)
        except ExtractionError:
            return False
        return True

    def _limited(self, path: str, text: str, limit: int) -> Content:
        """The text with numbers, cut after `limit` lines with a note on the rest.

        Lines are counted as Node's readline does, which takes a lone carriage return for an end too, but cut at
        newlines.
        """
        total = text.count("\n") + text.count("\r") - text.count("\r\n") + (text[-1:] not in ("", "\n", "\r"))
        if total <= limit:
            return self._whole(path, text)
        shown = "".join(f"{line}\n" for line in text.split("\n")[:limit])
        note = f"[File truncated: the first {limit} of {total} lines are shown. Call read_file for the others.]"
        no = f"`{_LIMIT_PARAM}` lets {limit} of {total} lines through"
        fact = Fact("flag", _LIMIT_PARAM, False, "", no, on=(Lever(_LIMIT_PARAM, _NO_LIMIT),))
        spans = (*self._numbered(path, shown), label("\n\n"), _sentence("truncated", note))
        rest = file_text(self._shown(path), "\n".join(text.split("\n")[limit:]), limit + 1, when=fact)
        return Content(spans, None, (path,), (rest,) if rest.text else ())

    def _whole(self, path: str, text: str) -> Content:
        """The text with numbers, as far as we show so many lines at all."""
        room = max(0, MAX_LINES - self._lines[0])
        if text.removesuffix("\n").count("\n") < room:
            return Content(tuple(self._numbered(path, text)), read=(path,))
        others = text.split("\n", room)[-1]
        no = f"no more than {MAX_LINES:,} lines of mentioned files are shown"
        fact = Fact("file", path, False, "all of its lines are shown", no, remedy="mention a shorter file")
        rest = file_text(self._shown(path), others, room + 1, when=fact)
        return Content(tuple(self._numbered(path, text[: len(text) - len(others)])), fact, (path,), (rest,))

    def _shown(self, path: str) -> str:
        return relative(self.cwd, path) if path.startswith(f"{self.cwd}/") else path

    def _numbered(self, path: str, text: str) -> Iterator[Span]:
        """The lines with their numbers; each line keeps its place in the file."""
        shown = self._shown(path)
        self._lines[0] += text.count("\n") + 1
        if self._lines[0] > MAX_TRACED:
            yield computed(f"lines of {shown}", add_line_numbers(text))
            return
        before = ""
        for number, (mark, line) in enumerate(line_numbers(text), start=1):
            yield label(before + mark)
            yield file_text(shown, line, number)
            before = "\n"
        if before:
            yield label(before)


def _sentence(name: str, text: str) -> Span:
    return builtin(f"mention.{name}", text)


def add_line_numbers(text: str, start: int = 1) -> str:
    """`text` with `<number> | ` before each line, padded to the widest; it ends in a newline unless it is empty."""
    return "".join(f"{mark}{line}\n" for mark, line in line_numbers(text, start))


def line_numbers(text: str, start: int = 1) -> Iterator[tuple[str, str]]:
    """Each line of `text` with the mark before it; none for an empty text."""
    if text == "":
        return
    lines = text.removesuffix("\n").split("\n")
    width = len(str(start + len(lines) - 1))
    yield from ((f"{number:>{width}} | ", line) for number, line in enumerate(lines, start))
