"""Instruction files: blocks, loose texts, rows of tables, what reads bring along, and what is never read."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from posixpath import basename, relpath

from msgspec import Struct

from promptscope_engine.agents.copilot.materials import Instruction, Named, Woken
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.features import LazyFile
from promptscope_engine.agents.kit.markup import IN_QUOTES
from promptscope_engine.agents.kit.rows import Place, Reads, Strays, absent, below, file_row, near_misses, rows_below
from promptscope_engine.agents.kit.walking import beyond, upwards
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.javascript.picomatch import names as pattern_names
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft, Span, computed, file_text, label
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Load
from promptscope_engine.workspace import FileText, Workspace

from .session import Session, extra_folders

KIND = "custom-instructions"
NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
GITHUB = ".github/copilot-instructions.md"
_ENDING = ".instructions.md"
_BOM = "\ufeff"
_MOST_FILES = 2_000
_WANTED: Condition = ~flag(
    "args.noCustomInstructions", yes="--no-custom-instructions is given", no="instructions are on"
)


# --- imports ----------------------------------------------------------------------------------------------------------


_TOKEN = re.compile(r"(?<![\w@.])@([^\s`@,;:()\[\]{}<>\"']+)")
_EXTENSION = re.compile(r"\.[A-Za-z0-9]+\Z")
_CLOSING = "</imported_custom_instruction>"
_MAX_IMPORTS = 500


@dataclass
class _Importer:
    """Writes out the imports of one file. `seen` are the files of its tree, the file itself among them."""

    session: Session
    rows: list[tuple[FileText, str]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def spans(self, file: FileText, text: str, *, inside: bool = False) -> Iterator[Span]:
        """The text with what each import adds behind its token."""
        self.seen.add(file.real_path)
        at, folder = 0, file.path.rpartition("/")[0]
        for found in _TOKEN.finditer(_without_code(text)):
            target = self._target(found[1], folder)
            if target is not None:
                yield from _stretch(file.path, text, at, found.end(), inside=inside)
                at = found.end()
                yield from self._import(target, file.path)
        yield from _stretch(file.path, text, at, len(text), inside=inside)

    def _target(self, token: str, folder: str) -> FileText | None:
        """The file that a token names: text within the repository, whose name has an ending."""
        name = token.rstrip(".!?")
        if not _EXTENSION.search(name) or name.startswith(("/", "~")) or len(self.rows) >= _MAX_IMPORTS:
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
        yield from self.spans(file, file.text.removeprefix(_BOM).rstrip(), inside=True)
        yield label(f"\n{_CLOSING}")


def _stretch(path: str, text: str, start: int, end: int, *, inside: bool) -> Iterator[Span]:
    """A part of a file's text; within an import a closing tag is written in another way."""
    while start < end:
        closes = text.find(_CLOSING, start, end) if inside else -1
        stop = closes if closes >= 0 else end
        if stop > start:
            yield file_text(path, text[start:stop], 1 + text.count("\n", 0, start))
        if closes >= 0:
            yield computed("import.closing", f"&lt;{_CLOSING[1:]}")
            stop += len(_CLOSING)
        start = stop


def _without_code(text: str) -> str:
    """The text with blanks for code: fenced blocks, and what is between backticks of a line."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(```|~~~)", line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
            lines.append(" " * len(line))
        elif fence:
            lines.append(" " * len(line))
        else:
            parts = line.split("`")
            last = len(parts) - 1
            lines.append("`".join(" " * len(part) if at % 2 and at < last else part for at, part in enumerate(parts)))
    return "\n".join(lines)


# --- modular files ----------------------------------------------------------------------------------------------------


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?|true|false|null|~")


class Modular(Struct, frozen=True):
    """A modular file: its patterns, () if it always applies, None if it is for another agent; where they count from."""

    file: FileText
    base: str
    shown: str
    patterns: tuple[str, ...] | None
    description: str

    def applies(self, path: str, root: str) -> bool:
        """Whether a read file is one that a pattern names."""
        relative = path.removeprefix(f"{root}/")
        return any(_names(pattern, relative) for pattern in self.patterns or ())


def _names(pattern: str, relative: str) -> bool:
    if pattern.startswith("!"):
        return not _names(pattern[1:], relative)
    pattern = pattern.removeprefix("./")
    return pattern_names(pattern, relative if "/" in pattern else basename(relative))


def modular(file: FileText, base: str, root: str, *, key: str = "applyTo") -> Modular:
    """What a file's front matter says, read line by line."""
    head = _head(file.text.removeprefix(_BOM))
    said = _list(head.get(key, head.get("applyTo", "")))
    patterns = () if not said or (len(said) == 1 and said[0] in ("**", "**/*", "*")) else tuple(said)
    excluded = "coding-agent" in _list(head.get("excludeAgent", ""))
    shown = file.path.removeprefix(f"{base}/") if base else file.path
    return Modular(file, root, shown, None if excluded else patterns, _plain(head.get("description", "")))


def _head(text: str) -> Mapping[str, str]:
    """The keys of the front matter with their values, and the items of lists below, as they are written."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    ends = [number for number, line in enumerate(lines) if number and line.rstrip() == "---"]
    if not lines or lines[0].rstrip() != "---" or not ends:
        return {}
    found: dict[str, str] = {}
    key = ""
    for line in lines[1 : ends[0]]:
        item = re.match(r"\s*-\s+(.*)", line)
        name = re.match(r"([A-Za-z_-]+):(?:\s+(.*))?\Z", line)
        if name:
            key = name[1]
            found[key] = (name[2] or "").strip()
        elif item and key:
            found[key] += f"{',' if found[key] else ''}{item[1].strip()}"
    return found


def _list(value: str) -> list[str]:
    """The patterns of a value: a list of YAML, or a text with commas."""
    if _NUMBER.fullmatch(value):
        return []
    if (value.startswith("[") and value.endswith("]")) or (value[:1] in "'\"" and value[-1:] == value[:1]):
        value = value[1:-1]
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(value):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth <= 0:
            parts.append(value[start:at])
            start = at + 1
    return [text for part in (*parts, value[start:]) if (text := part.strip().strip("'\"").strip())]


def _plain(value: str) -> str:
    """A description as it is shown in a table."""
    if value[:1] == '"' and value[-1:] == '"' and len(value) > 1:
        value = value[1:-1].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
    elif value[:1] == "'" and value[-1:] == "'" and len(value) > 1:
        value = value[1:-1].replace("''", "'")
    return value.replace("|", "\\|").replace("\n", " ")


def modular_files(workspace: Workspace, folder: str, ending: str = _ENDING) -> Iterator[str]:
    """The files below a folder by their whole path; hidden ones and linked folders are passed over."""
    yield from sorted(_below(workspace, folder, ending, 0), key=os.fsencode)


_DEPTH = 20


def _below(workspace: Workspace, folder: str, ending: str, depth: int) -> Iterator[str]:
    for entry in workspace.list(folder).entries:
        path = f"{folder}/{entry.name}"
        if entry.name.startswith(".") and (depth or entry.name != ".github"):
            continue
        if entry.kind == "directory" and depth < _DEPTH:
            yield from _below(workspace, path, ending, depth + 1)
        elif entry.name.lower().endswith(ending) and workspace.kind(path) == "file":
            yield path


# --- all of them ------------------------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Instructions:
    """Collects what is sent and what is only named, in order, each with its row."""

    session: Session
    sent: list[Instruction] = field(default_factory=list)
    named: list[Named] = field(default_factory=list)
    woken: list[Woken] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """The text of each block, and the first file that has it."""

    def gather(self) -> None:
        """Everything that is there at the start, then what the reads bring along."""
        session = self.session
        for path in block_paths(session):
            self._block(path)
        for each in self.start_modular():
            self._modular(each)
        for folder in extra_folders(session.inputs):
            self._directory(folder)
        self._reads()
        self._unread()

    def start_modular(self) -> Iterator[Modular]:
        """The modular files of the user, the root, the start folder and the further folders."""
        session, read = self.session, self.session.workspace.read
        root, cwd = session.root, session.cwd
        places = [(f"{session.home}/instructions", "", _ENDING), (f"{root}/.github/instructions", root, _ENDING)]
        places += [(f"{root}/.claude/rules", root, ".md")]
        if cwd != root:
            places += [(f"{cwd}/.github/instructions", cwd, _ENDING), (f"{cwd}/.claude/rules", cwd, ".md")]
        places += [(folder, "", _ENDING) for folder in extra_folders(session.inputs)]
        seen: set[str] = set()
        for folder, base, ending in places:
            for path in modular_files(session.workspace, folder, ending):
                if path not in seen and len(seen) < _MOST_FILES:
                    seen.add(path)
                    yield modular(read(path), base, root, key="paths" if ending == ".md" else "applyTo")

    # --- blocks ---------------------------------------------------------------------------------------------------

    def _block(self, path: str) -> None:
        session = self.session
        file = session.workspace.read(path)
        if not file.found:
            self._missing(file, path)
            return
        text = file.text.removeprefix(_BOM)
        first = self.texts.get(text)
        if first is not None:
            yes = f"its text is sent, as that of {session.shown(first)}"
            self._row(
                file, Fact("file", path, bool(text.strip()), yes, "it is blank", remedy=f"delete {path}") & _WANTED
            )
            return
        self.texts[text] = path
        importer = _Importer(session)
        imports = basename(path).lower() != "gemini.md"
        spans = tuple(importer.spans(file, text)) if imports else (file_text(path, text, 1),) if text else ()
        when = self._counts(file)
        self.sent.append(Instruction(path, spans, when))
        self._row(file, _weighed(file, text, importer) or when, text)
        for each, by in importer.rows:
            if each.text.removeprefix(_BOM) in self.texts:
                said = f"it is sent twice: by itself, and as an import of {session.shown(by)}"
                session.say("info", "sent-twice", said, each.path, 1)
            kind = "import" if each.path.endswith((".md", ".txt")) else "import-data"
            session.row(each, kind, "import", when, each.text, imported_by=by)

    def _counts(self, file: FileText) -> Condition:
        found = Fact("file", file.path, True, f"{basename(file.path)} was found", "", remedy=f"delete {file.path}")
        return found & _WANTED

    def _missing(self, file: FileText, path: str) -> None:
        session = self.session
        if file.problem == "missing":
            if path in (f"{session.cwd}/AGENTS.md", f"{session.root}/{GITHUB}"):
                session.files.append(
                    FileDraft(path, path, KIND, "always", absent(path, "no such file", f"create {path}"))
                )
            return
        why = "a folder is there" if file.problem == "directory" else f"it cannot be read: {file.detail}"
        self._row(file, absent(path, why, f"put a file in the place of {path}"))
        if file.problem == "too-large":
            session.warn(
                "instructions-unreadable", f"it has {file.detail} and is not read here; Copilot sends it", path
            )

    def _row(self, file: FileText, when: Condition, text: str = "", load: Load = "always") -> None:
        self.session.files.append(file_row(file, KIND, load, when, text))

    # --- modular files and folders --------------------------------------------------------------------------------

    def _modular(self, each: Modular) -> None:
        file, path, session = each.file, each.file.path, self.session
        if not file.found:
            self._missing(file, path)
        elif each.patterns is None:
            no, remedy = "`excludeAgent` names coding-agent, which the CLI is", f"take coding-agent out of {path}"
            self._row(file, absent(path, no, remedy))
        elif each.patterns:
            when = self._counts(file)
            description = (computed("description", each.description),) if each.description else ()
            self.named.append(Named("patterns", path, ", ".join(each.patterns), each.shown, description, when))
            if not any(each.applies(read, session.root) for read in self._read_files()):
                self._row(file, when, load="conditional")
        else:
            text = file.text.removeprefix(_BOM)
            when = self._counts(file)
            self.sent.append(Instruction(path, (file_text(path, text, 1),) if text else (), when, loose=True))
            blank = absent(path, "it is blank", f"write something into {path}")
            self._row(file, when if text.strip() else blank, text)

    def _directory(self, folder: str) -> None:
        """A further folder's AGENTS.md is only named."""
        session, path = self.session, f"{folder}/AGENTS.md"
        file = session.workspace.read(path)
        if not file.found or folder in (session.root, session.cwd):
            return
        shown = relpath(folder, session.root)
        said = (computed("description", f"Agent instructions for {shown}/**/*"),)
        self.named.append(Named("directories", path, f"{shown}/", f"{shown}/AGENTS.md", said, self._counts(file)))
        self._row(file, self._counts(file), load="conditional")

    # --- reads ----------------------------------------------------------------------------------------------------

    def _read_files(self) -> list[str]:
        workspace, root = self.session.workspace, f"{self.session.root}/"
        paths = (resolve(self.session.cwd, path) for path in self.session.inputs.reads)
        return [path for path in paths if path.startswith(root) and workspace.kind(path) == "file"]

    def _reads(self) -> None:
        """Pattern files that match, then the files of folders below, the nearest folder first."""
        session = self.session
        every = list(self.start_modular())
        seen = {each.path for each in self.sent}
        for read in self._read_files():
            when = Fact("file", read, True, f"{read} was read", "", remedy=f"take {read} out of `reads`") & _WANTED
            for each in every:
                if each.file.path not in seen and each.applies(read, session.root):
                    seen.add(each.file.path)
                    self._wake(each.file, each.shown, when)
            for file, shown in nested(session, read):
                if file.path not in seen:
                    seen.add(file.path)
                    self._wake(file, shown, when)

    def _wake(self, file: FileText, shown: str, when: Condition) -> None:
        text = file.text.removeprefix(_BOM)
        importer = _Importer(self.session)
        plain = file.path.lower().endswith(("gemini.md", _ENDING)) or "/rules/" in file.path
        parts = [file_text(file.path, text, 1)] if plain else importer.spans(file, text)
        self.woken.append(Woken(file.path, shown, tuple(map(_escaped, parts)), when))
        self._row(file, when, text, "conditional")

    # --- what is not read -----------------------------------------------------------------------------------------

    def _unread(self) -> None:
        """Rows of what nearly counts: other spellings, other places, and files beyond the root or below the folder."""
        session, workspace = self.session, self.session.workspace
        known = {file.path for file in session.files}
        near = FOLDER.agent["near"]
        ends = dict.fromkeys((session.cwd, session.root))
        places = [Place(each, KIND, NAMES, others=near["folder"], theirs=near["theirs"]) for each in ends]
        places += [Place(f"{session.root}/.github", KIND, (basename(GITHUB),))]
        places += [Place(f"{session.root}/.github/instructions", KIND, ending=_ENDING)]
        places += [Place(session.inputs.home.rstrip("/"), KIND, theirs=near["home"])]
        spelled = {path.lower() for path in known}
        rows = [row for row in near_misses(workspace, places, known) if row.path.lower() not in spelled]
        files = (KIND, lambda _, folder: (f"{folder.rstrip('/')}/{name}" for name in (*NAMES, GITHUB)))
        rows += beyond(workspace, session.walk, files, known, "start Copilot there, or move the text")
        strays = Strays(NAMES, KIND, Reads.of(FOLDER.agent, session.inputs.agent_version))
        session.files += [*rows, *rows_below(workspace, session.cwd, strays, known | {row.path for row in rows})]
        found = below(workspace, session.cwd, lambda path: basename(path) in NAMES)
        if found and not session.inputs.reads:
            text = "files below the start folder come only when a file beside or below them is read"
            session.say("info", "instructions-below", text, found[0], 1)


def _weighed(file: FileText, text: str, importer: _Importer) -> Condition | None:
    """Why a file whose block is sent says nothing by itself; None if it does."""
    own = "".join(_TOKEN.sub("", line) for line in text.split("\n"))
    if not text.strip():
        why = "it is blank: an empty element is sent"
    elif importer.rows and not own.strip():
        why = "it says nothing but what it imports"
    elif file.not_utf8 is not None and file.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        why = "it is UTF-16 and is sent as if it were UTF-8"
    else:
        return None
    return absent(file.path, why, f"write something into {file.path}")


def _escaped(span: Span) -> Span:
    text = span.text.translate(IN_QUOTES)
    return span if text == span.text else computed("woken", text)


def block_paths(session: Session) -> Iterator[str]:
    """The paths of blocks in order: the user's, the root's and the start folder's, then the folders between."""
    root, cwd = session.root, session.cwd
    yield f"{session.home}/{basename(GITHUB)}"
    ends = tuple(dict.fromkeys((root, cwd)))
    yield from (f"{folder}/{GITHUB}" for folder in ends)
    for folder in ends:
        yield from (_spelled(session.workspace, folder, name) for name in NAMES)
    for folder in upwards(cwd, root)[1:-1]:
        yield from folder_paths(session.workspace, folder)


def folder_paths(workspace: Workspace, folder: str) -> Iterator[str]:
    """The paths of a folder's own files."""
    yield f"{folder}/{GITHUB}"
    yield from (_spelled(workspace, folder, name) for name in NAMES)


def _spelled(workspace: Workspace, folder: str, name: str) -> str:
    """The name in small letters where the usual one is not there."""
    usual, small = f"{folder}/{name}", f"{folder}/{name.lower()}"
    return small if workspace.kind(usual) is None and workspace.kind(small) is not None else usual


def nested(session: Session, read: str) -> Iterator[tuple[FileText, str]]:
    """The instruction files that reading a file brings along, of the folders from it up to those that are sent."""
    workspace, root = session.workspace, session.root
    at_start = set(upwards(session.cwd, root))
    for folder in upwards(read.rpartition("/")[0], root):
        if folder in at_start:
            continue
        for path in folder_paths(workspace, folder):
            file = workspace.read(path)
            if file.found:
                yield file, path.removeprefix(f"{root}/")
        for path in modular_files(workspace, f"{folder}/.github/instructions"):
            each = modular(workspace.read(path), folder, root)
            if each.file.found and each.patterns is not None and (not each.patterns or each.applies(read, root)):
                yield each.file, path.removeprefix(f"{root}/")


def lazy_files(inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
    """Every pattern file, and the instruction files of folders below."""
    session = Session(workspace=workspace, inputs=inputs)
    root = session.root
    found = [
        LazyFile(each.file.path, KIND, root, each.patterns, partial(each.applies, root=root))
        for each in Instructions(session).start_modular()
        if each.patterns
    ]
    at_start = set(upwards(session.cwd, root))
    for path in files:
        folder = path.removesuffix(f"/{GITHUB}") if path.endswith(f"/{GITHUB}") else path.rpartition("/")[0]
        is_one = path.endswith(f"/{GITHUB}") or basename(path).upper() in map(str.upper, NAMES)
        if is_one and folder.startswith(f"{root}/") and folder not in at_start:
            found.append(LazyFile(path, KIND, folder, (), partial(_is_below, folder)))
    return tuple(found)


def _is_below(folder: str, path: str) -> bool:
    return path.startswith(f"{folder}/")
