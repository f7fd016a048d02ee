"""What an instruction file imports: the text of each file that an `@path` names follows the token."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.drafts import Span, computed, file_text, label
from promptscope_engine.prompt.spans import Spans, replaced
from promptscope_engine.workspace import FileText

from .session import Session

TOKEN = re.compile(r"(?<![A-Za-z0-9_@.%+-])@([^\s`<>\"']+)")
# what ends a sentence or a bracket is no part of a name
_BEHIND = ".,:;!?)]}"
_EXTENSION = re.compile(r"\.[A-Za-z0-9]+\Z")
_CLOSING = "</imported_custom_instruction>"
_MOST, _LEVELS = 500, 8
BOM = "\ufeff"


@dataclass
class Importer:
    """Writes out the imports of one file. `seen` are the files of its tree, the file itself among them.

    `rows` are the imported files, each with the path of the one that imports it.
    """

    session: Session
    rows: list[tuple[FileText, str]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def spans(self, file: FileText, text: str, level: int = 0) -> Spans:
        """The text with what each import adds behind its name; inside an import a closing tag is escaped."""
        self.seen.add(file.real_path)
        places: list[tuple[int, int, tuple[Span, ...]]] = []
        for found in TOKEN.finditer(_without_code(text) if level < _LEVELS else ""):
            name = found[1].rstrip(_BEHIND)
            if (target := self._target(name, file.path.rpartition("/")[0])) is not None:
                end = found.start(1) + len(name)
                places.append((end, end, tuple(self._import(target, file.path, level + 1))))
        if level:
            escaped = (computed("import.closing", f"&lt;{_CLOSING[1:]}"),)
            places += [(found.start(), found.end(), escaped) for found in re.finditer(_CLOSING, text)]
        own = (file_text(file.path, text, 1),) if text else ()
        return replaced(own, sorted(places, key=lambda place: place[0]))

    def _target(self, name: str, folder: str) -> FileText | None:
        """The file that a name means: text that is within the repository, and has an ending."""
        if not _EXTENSION.search(name) or name.startswith(("/", "~")) or len(self.rows) >= _MOST:
            return None
        path, own = resolve(folder, name), (f"{self.session.root}/", f"{self.session.home}/")
        file = self.session.workspace.read(path) if path.startswith(own) else None
        return file if file and file.found and file.not_utf8 is None and file.real_path.startswith(own) else None

    def _import(self, file: FileText, importer: str, level: int) -> Iterator[Span]:
        yield label('\n\n<imported_custom_instruction source="')
        yield computed("import.path", file.real_path)
        if file.real_path in self.seen:
            yield label('" skipped="already-loaded" />')
            return
        yield label('">\n')
        self.rows.append((file, importer))
        yield from self.spans(file, file.text.replace(BOM, "").rstrip(), level)
        yield label(f"\n{_CLOSING}")


def _without_code(text: str) -> str:
    """The text with blanks for code: fenced blocks, and what is between backticks of a line."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(```|~~~)", line)
        is_border = mark is not None and fence in ("", mark[1])
        if is_border or fence:
            lines.append(" " * len(line))
        else:
            lines.append("".join(_outside_ticks(line)))
        if mark is not None and is_border:
            fence = "" if fence else mark[1]
    return "\n".join(lines)


def _outside_ticks(line: str) -> Iterator[str]:
    """A line with blanks behind each run of backticks, up to one of the same length or to the end."""
    opened = ""
    for part in re.split("(`+)", line):
        if part[:1] == "`":
            opened = part if not opened else "" if part == opened else opened
        yield " " * len(part) if opened else part
