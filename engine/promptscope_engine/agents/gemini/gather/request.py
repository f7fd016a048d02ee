"""What the message names with `@` (recorded 0.61.0).

A name that leads nowhere is searched for: the first file below the workspace whose path holds it, the newest of
today's, is meant. A folder stands for all that is below it. Files that every build makes are left out.
"""

import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from promptscope_engine.agents.gemini.materials import Discovered, Mention, Mentions
from promptscope_engine.agents.kit.disk.reading import excerpt
from promptscope_engine.agents.kit.disk.rows import absent
from promptscope_engine.agents.kit.disk.walking import MOST
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.picomatch import names
from promptscope_engine.javascript.text import js_trim, relative, resolve, utf16_key
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed, label, param_value, trimmed_file
from promptscope_engine.prompt.spans import joined, trimmed_spans
from promptscope_engine.workspace import Workspace

from .context import MemoryLoader
from .session import Gatherer

_AT = re.compile(r'(?<!\\)@((?:"[^"]*"|\\.|[^ \t\n\r,;!?()\[\]{}.]|\.(?!\Z|[ \t\n\r]))+)')
_ESCAPED = re.compile(r"\\(.)")
_LINE_END = re.compile(r"\r?\n")
_UNSEARCHED = frozenset(("node_modules", ".git", "bower_components", ".svn", ".hg"))
_UNREAD_FOLDERS = _UNSEARCHED | {".vscode", ".idea", "dist", "build", "coverage", "__pycache__"}
_UNREAD_ENDINGS = (
    ".bin", ".exe", ".dll", ".so", ".dylib", ".class", ".jar", ".war", ".zip", ".tar", ".gz", ".bz2", ".rar", ".7z",
    ".pak", ".rpa", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".pyc", ".pyo",
)  # fmt: skip
_PICTURES = (
    ".avif", ".bmp", ".gif", ".heic", ".heif", ".jpe", ".jpeg", ".jpg", ".pdf", ".png", ".tif", ".tiff", ".webp",
)  # fmt: skip
_MEDIA = (".aac", ".flac", ".m4a", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".oga", ".ogg", ".ogv", ".wav", ".webm")
_UNREAD_NAMES = (".ds_store", ".env")
_DAY = 24 * 60 * 60
_LONGEST_PATH = 4096
_LONGEST_NAME = 255
_MOST_LINES = 2_000
_LONGEST_LINE = 2_000
_MOST_FILES = 500
_CUT = "[Only a part of this file stands here. Read the file itself, with `read_file`, to see all of it.]"


class _Named(Struct, frozen=True):
    """A name with the file or folder that it stands for; `shown` is what takes its place in the message."""

    name: str
    path: str
    shown: str


@dataclass(eq=False, repr=False)
class MentionFinder(Gatherer):
    """Looks for what a message names. `searches`: a name that leads nowhere is searched for."""

    loader: MemoryLoader
    directories: Sequence[str]
    agents: Sequence[str]
    searches: bool

    def mentions(self, spans: tuple[Span, ...]) -> tuple[tuple[Span, ...], Mentions]:
        """The message as it is sent, and what follows it."""
        parts = list(_split(joined(spans)))
        tokens = dict.fromkeys(content for is_name, content in parts if is_name)
        agents = tuple(token for token in tokens if token in self.agents)
        named = {token: found for token in tokens if token not in agents and (found := self._named(token))}
        nowhere = (token for token in tokens if token not in agents and token not in named)
        kept_out = tuple((token, self._why_not(token)) for token in nowhere)
        if not agents and not named:
            return spans, Mentions(kept_out=kept_out)
        read = dict.fromkeys(file for each in named.values() for file in self._meant(each.path))
        labels = {each.path: each.name for each in reversed(named.values())}
        shown = sorted(read, key=utf16_key)[:_MOST_FILES]
        mentions = tuple(
            Mention(labels.get(path, self._relative(path)), path, self.text(path), self._is_data(path))
            for path in shown
        )
        for path in shown:
            self.row(path)
        folders = dict.fromkeys(path.rpartition("/")[0] for path in read)
        discovered: tuple[Discovered, ...] = self.loader.discover(folders, self.directories, is_imagined=False)
        sent = _rebuilt(parts, {token: each.shown for token, each in named.items()})
        unchanged = joined(sent) == joined(spans)
        return (spans if unchanged else sent), Mentions(bool(named), agents, mentions, discovered, kept_out)

    def _why_not(self, name: str) -> Condition:
        """Why a name brings no file along."""
        own = resolve(self.directories[0], name) if "\0" not in name else ""
        hidden = self.loader.ignored.hidden_by(own) if own else None
        if hidden:
            return absent(own, f"{hidden} hides {name}", f"take it out of {hidden}")
        if own and self.workspace.kind(own) and not self.is_inside(own):
            return absent(own, f"{name} is outside of the workspace's folders", "name a file in the workspace")
        return absent(own or name, f"there is no file {name}: the words go as they are", f"write {name}")

    def _is_data(self, path: str) -> bool:
        """Whether a file is sent as it is: pictures and PDFs by their names, sound and films if they are no text."""
        name = path.lower()
        return name.endswith(_PICTURES) or (name.endswith(_MEDIA) and self.workspace.read(path).looks_binary)

    def _named(self, name: str) -> _Named | None:
        """The file or folder that a name stands for."""
        if "\0" in name or len(name) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in name.split("/")):
            return None
        own = resolve(self.directories[0], name)
        if hidden := self.loader.ignored.hidden_by(own):
            if self.workspace.kind(own) == "file":
                why = absent(own, f"the prompt names it, and {hidden} hides it", f"take it out of {hidden}")
                self.found.files.append(FileDraft(own, own, "mention", "on-demand", why))
            return None
        for directory in self.directories:
            path = resolve(directory, name)
            if self.is_inside(path) and (kind := self.workspace.kind(path)) in ("file", "directory"):
                shown = self._relative(path) if name.startswith("/") else name
                plain = shown.removeprefix("./").rstrip("/") if shown not in (".", "./") else ""
                return _Named(shown, path, f"{plain}/**".lstrip("/") if kind == "directory" else shown)
        for directory in self.directories if self.searches else ():
            if found := self._searched(directory, name):
                shown = relative(directory, found)
                return _Named(shown if name.startswith("/") else name, found, shown)
        return None

    def is_inside(self, path: str) -> bool:
        """Whether a path is in one of the folders."""
        real = self.workspace.real_path(path)
        tops = (self.workspace.real_path(directory).rstrip("/") for directory in self.directories)
        return any(real == top or real.startswith(f"{top}/") for top in tops)

    def _searched(self, directory: str, name: str) -> str | None:
        """The file whose path holds the name: the newest of those of the last day, else the first by name."""
        pattern = f"**/*{name}*".lower().replace('"', '\\"')
        below = files_below(self.workspace, directory, lambda path: _last(path) not in _UNSEARCHED)
        fits = [f"{directory}/{path}" for path in below if names(pattern, path.lower())]
        # What a link leads to is not among the files that were found, and so is left out.
        fits = [path for path in fits if self.workspace.real_path(path) == path and not self.loader.ignored.hides(path)]
        if not fits:
            return None
        ages = {path: self._age(path) for path in fits}
        newest = min(fits, key=lambda path: ages[path])
        return newest if ages[newest] < _DAY else fits[locale_order(fits)[0]]

    def _age(self, path: str) -> float:
        """Seconds since the file was changed."""
        now = self.session.inputs.environment.read_at
        try:
            return datetime.fromisoformat(now).timestamp() - self.workspace.disk.stat(path).st_mtime
        except (OSError, ValueError):
            return float(_DAY)

    def _meant(self, path: str) -> Iterator[str]:
        """The files that are read: the client takes the path for a pattern, in which case does not matter."""
        if self.workspace.kind(path) == "directory":
            below = files_below(self.workspace, path, lambda folder: _last(folder) not in _UNREAD_FOLDERS)
            found = [f"{path.rstrip('/')}/{name}" for name in below]
        else:  # a class of characters does not name itself
            found = [path] if "[" not in path else []
        for file in found:
            if not self._is_left_out(file) and not self.loader.ignored.hides(file) and self.is_inside(file):
                yield file

    def _is_left_out(self, path: str) -> bool:
        *folders, name = self._relative(path).lower().split("/")
        own = self.loader.names[0].lower()
        return (
            name.endswith(_UNREAD_ENDINGS) or name in (*_UNREAD_NAMES, own) or not _UNREAD_FOLDERS.isdisjoint(folders)
        )

    def _relative(self, path: str) -> str:
        inside = (each for each in self.directories if path.startswith(each.rstrip("/") + "/"))
        return relative(next(inside, self.directories[0]), path)

    def text(self, path: str, *, trims: bool = True) -> tuple[Span, ...]:
        """The file's text: its first lines, and the beginnings of long ones. `trims`: without white space around it."""
        if self._is_data(path):
            return (builtin("mention.data", f"(the file {self._relative(path)} itself)"),)
        file = self.workspace.read(path)
        if file.looks_binary:
            return (builtin("mention.binary", f"This file is not text: {self._relative(path)}"),)
        whole = file.text.removeprefix("\ufeff")
        lines = _LINE_END.split(whole, _MOST_LINES)
        kept, _ = excerpt(lines, "... [truncated]", width=_LONGEST_LINE, most=_MOST_LINES)
        text = js_trim("\n".join(kept)) if trims else "\n".join(kept)
        if not text:
            return ()
        span = trimmed_file(path, file.text, text) if text in file.text else computed("mention", text)
        is_cut = trims and kept != lines
        return (builtin("mention.cut", _CUT), label("\n\n"), span) if is_cut else (span,)

    def row(self, path: str) -> None:
        """A file is read."""
        file = self.workspace.read(path)
        when = Fact("file", path, True, "the prompt names it", "", remedy="take it out of the prompt")
        self.found.row(file, "mention", "on-demand", when, file.text)


def _last(path: str) -> str:
    return path.rpartition("/")[2].lower()


def _split(text: str) -> Iterator[tuple[bool, str]]:
    """(whether it is a name, the name without its escapes or the text) in order; blank stretches are left out."""
    for number, part in enumerate(_AT.split(text)):
        if number % 2:
            yield True, _ESCAPED.sub(r"\1", part)
        elif js_trim(part):
            yield False, part


def _rebuilt(parts: Sequence[tuple[bool, str]], shown: dict[str, str]) -> tuple[Span, ...]:
    """The message with what was found in place of the names, each behind a blank."""
    spans: list[Span] = []
    for is_name, content in parts:
        if is_name and spans and not spans[-1].text.endswith(" "):
            spans.append(label(" "))
        found = shown.get(content) if is_name else None
        text = f"@{content}" if is_name else content
        spans.append(param_value("prompt", text) if found in (None, content) else computed("prompt", f"@{found}"))
    return trimmed_spans(tuple(spans))


def files_below(workspace: Workspace, top: str, enters: Callable[[str], bool]) -> Iterator[str]:
    """Paths relative to `top`, folder by folder, the nearest first; no link to a folder is followed.

    The names of one folder come in descending order of their bytes, as the npm package glob gives them on Linux.
    `enters` says of a folder, by its path relative to `top`, whether it is looked into.
    """
    queue, looked = deque([""]), 0
    while queue:
        folder = queue.popleft()
        entries = workspace.list(f"{top}/{folder}".rstrip("/") or "/").entries
        for entry in sorted(entries, key=lambda entry: os.fsencode(entry.name), reverse=True):
            path = f"{folder}/{entry.name}".lstrip("/")
            looked += 1
            if looked > MOST:
                return
            if entry.kind == "directory":
                queue.extend([path] if enters(path) else [])
            elif entry.kind == "file" or workspace.kind(f"{top}/{path}") == "file":
                yield path
