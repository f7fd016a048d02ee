"""What an instruction file imports: the text of each file that an `@path` names follows the token."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.drafts import Span, computed, file_text, label
from promptscope_engine.prompt.spans import Spans, replaced
from promptscope_engine.workspace import FileText

from .session import Session

TOKEN = re.compile(r"(?<![\w@.])@([^\s`@,;:()\[\]{}<>\"']+)")
_EXTENSION = re.compile(r"\.[A-Za-z0-9]+\Z")
_CLOSING = "</imported_custom_instruction>"
_MOST = 500
BOM = "\ufeff"


@dataclass
class Importer:
    """Writes out the imports of one file. `seen` are the files of its tree, the file itself among them."""

    session: Session
    rows: list[tuple[FileText, str]] = field(default_factory=list)
    """Each imported file with the path of the one that imports it."""
    seen: set[str] = field(default_factory=set)

    def spans(self, file: FileText, text: str, *, inside: bool = False) -> Spans:
        """The text with what each import adds behind its token; inside an import a closing tag is escaped."""
        self.seen.add(file.real_path)
        places: list[tuple[int, int, tuple[Span, ...]]] = [
            (found.end(), found.end(), tuple(self._import(target, file.path)))
            for found in TOKEN.finditer(_without_code(text))
            if (target := self._target(found[1], file.path.rpartition("/")[0])) is not None
        ]
        if inside:
            escaped = (computed("import.closing", f"&lt;{_CLOSING[1:]}"),)
            places += [(found.start(), found.end(), escaped) for found in re.finditer(_CLOSING, text)]
        own = (file_text(file.path, text, 1),) if text else ()
        return replaced(own, sorted(places, key=lambda place: place[0]))

    def _target(self, token: str, folder: str) -> FileText | None:
        """The file that a token names: text within the repository, whose name has an ending."""
        name = token.rstrip(".!?")
        if not _EXTENSION.search(name) or name.startswith(("/", "~")) or len(self.rows) >= _MOST:
            return None
        path = resolve(folder, name)
        if not path.startswith((f"{self.session.root}/", f"{self.session.home}/")):
            return None
        file = self.session.workspace.read(path)
        return file if file.found and file.not_utf8 is None else None

    def _import(self, file: FileText, importer: str) -> Iterator[Span]:
        yield label('\n\n<imported_custom_instruction source="')
        yield computed("import.path", file.path)
        if file.real_path in self.seen:
            yield label('" skipped="already-loaded" />')
            return
        yield label('">\n')
        self.rows.append((file, importer))
        yield from self.spans(file, file.text.removeprefix(BOM).rstrip(), inside=True)
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
            *parts, last = line.split("`")
            shown = [" " * len(part) if number % 2 else part for number, part in enumerate(parts)]
            lines.append("`".join((*shown, last)))
        if mark is not None and is_border:
            fence = "" if fence else mark[1]
    return "\n".join(lines)
