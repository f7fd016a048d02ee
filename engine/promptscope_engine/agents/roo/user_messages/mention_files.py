"""The texts of mentioned files and folders (specs/roo-user-messages.md, section 3.3)."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from promptscope_engine.agents.roo.responses.paths import join, resolve, to_posix
from promptscope_engine.agents.roo.user_messages.binary import is_binary
from promptscope_engine.agents.roo.user_messages.line_numbers import add_line_numbers
from promptscope_engine.jstext import js_trim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from promptscope_engine.agents.roo.responses.ignore import RooIgnore

_OWN_EXTRACTORS = (".pdf", ".docx", ".ipynb", ".xlsx")
"""Documents whose text the agent gets out by other means, without a limit of lines."""

_NO_LIMIT = -1


class MissingPathError(Exception):
    """A path that leads nowhere; the message is Node's."""


class ExtractionError(Exception):
    """A file whose text cannot be had; the message is part of what the model reads."""


class FileTree:
    """The files below and around `cwd`, given as data.

    `files` are texts or bytes by path relative to `cwd`; a name that ends in `/` is a folder, folders of
    files exist by themselves. `ignore` forbids reading; its entries are shown with a lock if `show_ignored`.
    `max_lines` is the setting maxReadFileLine: None or -1 for no limit.
    """

    def __init__(
        self,
        cwd: str,
        files: Mapping[str, str | bytes],
        ignore: RooIgnore | None,
        show_ignored: bool,
        max_lines: float | None,
    ) -> None:
        self._cwd = cwd
        self._ignore = ignore
        self._show_ignored = show_ignored
        self._max_lines = max_lines
        self._files: dict[str, str | bytes] = {}
        self._folders: dict[str, set[str]] = {}
        self._add_folder(resolve("/", cwd))
        for name, content in files.items():
            path = resolve(cwd, name)
            if name.endswith("/"):
                self._add_folder(path)
            else:
                self._files[path] = content
                self._add_entry(path)

    def _add_folder(self, path: str) -> None:
        if path not in self._folders:
            self._folders[path] = set()
            self._add_entry(path)

    def _add_entry(self, path: str) -> None:
        folder, name = posixpath.split(path)
        if name:
            self._add_folder(folder)
            self._folders[folder].add(name)

    def read(self, mentioned: str) -> str:
        """What stands for the `mentioned` path, which has escaped spaces and no leading slash.

        A folder or a file is what is there, whatever the final slash says. A path that leads nowhere is a
        MissingPathError; what cannot be read gives a text in parentheses.
        """
        path = resolve(self._cwd, mentioned.replace("\\ ", " "))
        if path in self._folders:
            return self._read_folder(mentioned, path)
        if path not in self._files:
            above = path
            while above not in self._files and above != "/":
                above = posixpath.dirname(above)
            code = "ENOTDIR: not a directory" if above in self._files else "ENOENT: no such file or directory"
            raise MissingPathError(f"{code}, stat '{path}'")
        if self._ignore is not None and self._ignore.ignores(path):
            return f"(The file {mentioned} is hidden by .rooignore.)"
        try:
            return self._extract(path)
        except ExtractionError as error:
            return f"(The text of {mentioned} could not be read): {error}"

    def _read_folder(self, mentioned: str, path: str) -> str:
        """The entries of one level as a tree, and below it the texts of the files among them."""
        lines, texts = [], []
        # Node lists a folder in byte order here; what is hidden takes part in the choice of the branch's
        # sign.
        entries = sorted(self._folders[path], key=lambda name: name.encode("utf-8", "surrogatepass"))
        for index, name in enumerate(entries, start=1):
            entry = posixpath.join(path, name)
            hidden = self._ignore is not None and self._ignore.ignores(entry)
            if hidden and not self._show_ignored:
                continue
            branch = "└── " if index == len(entries) else "├── "
            lines.append(f"{branch}{'🔒 ' if hidden else ''}{name}{'/' if entry in self._folders else ''}\n")
            text = None if hidden or entry in self._folders else self._text_in_folder(entry)
            if text is not None:
                # An escaped space loses its backslash to a slash here (section 3.3, "POSIX").
                shown = to_posix(join(mentioned, name))
                texts.append(f'<file_content path="{shown}">\n{text}\n</file_content>')
        return js_trim("".join(lines) + "\n" + "\n\n".join(texts))

    def _text_in_folder(self, path: str) -> str | None:
        """A file's text, None for one that is left out: binary documents here count as binary files."""
        content = self._files[path]
        if is_binary(_bytes(content)):
            return None
        try:
            return self._extract(path)
        except ExtractionError:
            return None

    def _extract(self, path: str) -> str:
        limit = self._max_lines
        if limit is not None and limit != _NO_LIMIT and not (limit >= 1 and limit == int(limit)):
            # Zero is allowed where the agent reads files itself, but not here (section 3.3).
            raise ExtractionError(f"Invalid maxReadFileLine: {limit:g}. It has to be a whole number from 1 on, or -1.")
        content = self._files[path]
        extension = posixpath.splitext(path)[1].lower()
        if extension in _OWN_EXTRACTORS and isinstance(content, str):
            # A text given for such a document stands for what its extractor gets out.
            return add_line_numbers(content)
        if is_binary(_bytes(content)):
            raise ExtractionError(f"This type of file holds no text that can be read: {extension}")
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if limit is None or limit == _NO_LIMIT:
            return add_line_numbers(text)
        return _limited(text, int(limit))


def _bytes(content: str | bytes) -> bytes:
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def _limited(text: str, limit: int) -> str:
    """The text with numbers, cut after `limit` lines with a note on the rest.

    Lines are counted as Node's readline does, which takes a lone carriage return for an end too, but cut at
    newlines.
    """
    total = len(re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", text))
    if total <= limit:
        return add_line_numbers(text)
    shown = "".join(f"{line}\n" for line in text.split("\n")[:limit])
    note = f"[File truncated: the first {limit} of {total} lines are shown. Call read_file for the others.]"
    return f"{add_line_numbers(shown)}\n\n{note}"
