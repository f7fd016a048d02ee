"""Instruction files: blocks, loose texts, rows of tables, what reads bring along, and what is never read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from posixpath import basename, relpath

from promptscope_engine.agents.copilot.materials import Instruction, Named, table
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.features import LazyFile
from promptscope_engine.agents.kit.disk.heads import Heads
from promptscope_engine.agents.kit.disk.rows import Reads, Strays, absent, below, places_of, rows_below, there, usable
from promptscope_engine.agents.kit.disk.walking import first_there, named_below, unread, upwards
from promptscope_engine.agents.kit.text.markup import in_quotes
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import AnyOf, Condition, Fact
from promptscope_engine.prompt.drafts import Span, file_text
from promptscope_engine.prompt.leaves import by_reading, flag
from promptscope_engine.prompt.model import Load
from promptscope_engine.workspace import FileText, Workspace

from .imports import BOM, TOKEN, Importer
from .modular import ENDING, Modular, at_start, cell, files_in, modular, reader
from .session import Session

KIND = "custom-instructions"
NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
GITHUB = ".github/copilot-instructions.md"
# what counts of a folder that is neither the root nor the start folder [asked of 1.0.102]
_OF_EDITOR = (".github/prompts", ".github/chatmodes", ".vscode/mcp.json", ".github/copilot-instructions.md")
"""Files that the Copilot of an editor reads as well, or alone."""
_WOKEN = (GITHUB, "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md")
_WANTED: Condition = ~flag("args.noCustomInstructions", yes="--no-custom-instructions is on", no="instructions are on")


@dataclass(eq=False, repr=False)
class Instructions:
    """Collects what is sent, in `blocks` or `loose`, and what tables name, in order, each with its row.

    `texts` are those of the blocks, each with the first file that has it.
    """

    session: Session
    blocks: list[Instruction] = field(default_factory=list)
    loose: list[Instruction] = field(default_factory=list)
    directories: list[Named] = field(default_factory=list)
    patterns: list[Named] = field(default_factory=list)
    woken: list[Instruction] = field(default_factory=list)
    heads: Heads = field(default_factory=reader)
    texts: dict[str, str] = field(default_factory=dict)

    def gather(self) -> None:
        """Everything that is there at the start, then what the reads bring along."""
        modular = at_start(self.session, self.heads)
        for path in block_paths(self.session):
            self._block(path)
        for each in modular:
            self._modular(each)
        for folder in self.session.folders["extra"]:
            self._directory(folder)
        self._reads(modular)
        self._unread()
        self._notes()

    def named(self) -> dict[str, object]:
        """The files by how they are sent or named, and whether there are any."""
        others: list[Instruction | Named] = [*self.loose, *self.directories, *self.patterns]
        found: dict[str, Sequence[Instruction | Named]] = {"blocks": self.blocks, "others": others}
        found |= {"directories": self.directories, "patterns": self.patterns}
        return {**found, "loose": self.loose, **{f"any_{name}": _any(items) for name, items in found.items()}}

    def _block(self, path: str) -> None:
        """A file in an element of its own; of one text the first file counts."""
        session = self.session
        file = session.workspace.read(path)
        if not file.found:
            self._missing(file, listed=path in (f"{session.cwd}/AGENTS.md", f"{session.root}/{GITHUB}"))
            return
        if file.not_utf8 is not None and path.startswith(f"{session.home}/"):  # of the user's own alone [asked]
            self._row(file, absent(path, "it is not UTF-8, and Copilot leaves it out", f"save {path} as UTF-8"))
            return
        text = file.text.replace(BOM, "")
        first = self.texts.setdefault(text, path)
        if first != path:
            yes = f"its text is sent, as that of {session.shown(first)}"
            is_text, no = bool(text.strip()), "it is blank"
            same = Fact("file", path, is_text, yes, no, actual=first, remedy=f"delete {path}")
            self._row(file, same & _WANTED)
            return
        importer = Importer(session)
        when = there(path) & _WANTED
        self.blocks.append(Instruction(path, self._spans(file, importer), when))
        self._row(file, _empty(file, text, importer) or when, text)
        for each, by in importer.rows:
            kind = "import" if each.path.endswith((".md", ".txt")) else "import-data"
            session.row(each, kind, "import", when, each.text, imported_by=by)

    def _spans(self, file: FileText, importer: Importer) -> tuple[Span, ...]:
        """The text with its imports; some kinds of files import nothing."""
        text = file.text.replace(BOM, "")
        if file.path.lower().endswith(("/gemini.md", ENDING)) or "/.claude/rules/" in file.path:
            return (file_text(file.path, text, 1),) if text else ()
        return importer.spans(file, text)

    def _missing(self, file: FileText, *, listed: bool = True) -> None:
        if listed or file.problem != "missing":
            self._row(file, usable(file))
        too_large = file.problem == "too-large" and file.path
        self.session.note(table("notes"), {"instructions-unreadable": too_large}, size=str(file.detail))

    def _row(self, file: FileText, when: Condition, text: str = "", load: Load = "always") -> None:
        self.session.row(file, KIND, load, when, text)

    def _modular(self, each: Modular) -> None:
        """One that always applies is sent as it is; one with patterns is named, and waits for a read."""
        file, path, when = each.file, each.file.path, there(each.file.path) & _WANTED
        if each.others and not each.excluded:
            text = f"`excludeAgent` names {', '.join(each.others)}, no name of the CLI: it goes by coding-agent"
            self.session.say("info", "excludes-others", f"{text} and cloud-agent alone", path)
        if not file.found:
            self._missing(file)
        elif each.excluded:
            no = f"`excludeAgent` names {each.excluded}, which the CLI is"
            self._row(file, absent(path, no, f"take {each.excluded} out of {path}"))
        elif each.twin:
            first = self.session.shown(each.twin)
            self._row(file, absent(path, f"it is the same file as {first}, which counts once", f"delete {first}"))
        elif each.patterns:
            first = cell(", ".join(each.patterns))
            self.patterns.append(Named(path, first, each.shown, each.description, when))
            if not any(each.applies(read, self.session.root) for read in self._read_files()):
                self._row(file, when, load="conditional")
        else:
            text = file.text.replace(BOM, "")
            self.loose.append(Instruction(path, self._spans(file, Importer(self.session)), when))
            blank = absent(path, "it is blank", f"write something into {path}")
            self._row(file, when if text.strip() else blank, text)

    def _directory(self, folder: str) -> None:
        """A further folder's AGENTS.md is only named."""
        session = self.session
        file = session.workspace.read(f"{folder}/AGENTS.md")
        if not file.found or folder in (session.root, session.cwd):
            return
        shown, when = relpath(folder, session.root), there(file.path) & _WANTED
        said = f"Agent instructions for {shown}/**/*"
        self.directories.append(Named(file.path, f"{shown}/", f"{shown}/AGENTS.md", said, when))
        self._row(file, when, load="conditional")

    # --- reads ----------------------------------------------------------------------------------------------------

    def _read_files(self) -> list[str]:
        session, root = self.session, f"{self.session.root}/"
        paths = (resolve(session.cwd, path) for path in session.inputs.reads)
        seen = (path for path in paths if session.may_view(path))
        return [path for path in seen if path.startswith(root) and session.workspace.kind(path) == "file"]

    def _reads(self, modular: Sequence[Modular]) -> None:
        """Pattern files that match, then the files of folders below, the nearest folder first; each once."""
        session = self.session
        seen = {each.path for each in (*self.blocks, *self.loose)}
        for read in self._read_files():
            when = by_reading(read) & _WANTED
            matching = ((each.file, each.shown) for each in modular if each.applies(read, session.root))
            for file, shown in (*matching, *nested(session, read, self.heads)):
                if file.path not in seen:
                    seen.add(file.path)
                    spans = in_quotes(self._spans(file, Importer(session)), "woken")
                    self.woken.append(Instruction(file.path, spans, when, shown))
                    self._row(file, when, file.text.replace(BOM, ""), "conditional")

    # --- what is not read -----------------------------------------------------------------------------------------

    def _unread(self) -> None:
        """Rows of what nearly counts: other spellings, other places, and files beyond the root or below the folder."""
        session, workspace = self.session, self.session.workspace
        places, names = places_of(FOLDER.agent, session.folders), (*NAMES, GITHUB)
        unread(session, session.walk, places, names, "start Copilot in its folder, or move its text")
        strays = Strays(NAMES, KIND, Reads.of(FOLDER.agent, session.inputs.agent_version))
        session.files += rows_below(workspace, session.cwd, strays, {file.path for file in session.files})
        found = below(workspace, session.cwd, lambda path: basename(path) in NAMES) if not session.inputs.reads else []
        session.note(table("notes"), {"instructions-below": next(iter(found), None)})

    def _notes(self) -> None:
        """What switches a modular file, and that the Copilot of an editor is another one."""
        session = self.session
        listed = next((row.path for row in self.patterns), None)
        editor = first_there(session.workspace, (f"{session.root}/{name}" for name in _OF_EDITOR))
        session.note(table("notes"), {"instructions-by-pattern": listed, "editor-copilot": editor})


def _any(items: Sequence[Instruction | Named]) -> Condition:
    nothing = Fact("file", "instructions", False, "", "there is no such file", remedy="create AGENTS.md")
    return AnyOf(tuple(item.when for item in items)) if items else nothing


def _empty(file: FileText, text: str, importer: Importer) -> Condition | None:
    """Why a file whose block is sent says nothing by itself; None if it does."""
    why = ""
    if not text.strip():
        why = "it is blank: an empty element is sent"
    elif importer.rows and not TOKEN.sub("", text).strip():
        why = "it says nothing but what it imports"
    elif file.not_utf8 is not None and file.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        why = "it is UTF-16 and is sent as if it were UTF-8"
    return absent(file.path, why, f"write something into {file.path}") if why else None


def block_paths(session: Session) -> Iterator[str]:
    """The paths of blocks in order: the user's, the root's and the start folder's, then the folders between."""
    root, cwd, workspace = session.root, session.cwd, session.workspace
    ends = tuple(dict.fromkeys((root, cwd)))
    yield _spelled(workspace, session.home, basename(GITHUB))
    yield from (_spelled(workspace, folder, GITHUB) for folder in ends)
    for folder in ends:
        yield from _named(workspace, folder, NAMES)
    for folder in upwards(cwd, root)[1:-1]:
        yield from _named(workspace, folder, _WOKEN)


def _named(workspace: Workspace, folder: str, names: Sequence[str]) -> Iterator[str]:
    return (_spelled(workspace, folder, name) for name in names)


def _spelled(workspace: Workspace, folder: str, name: str) -> str:
    """The path of a name in a folder; where it is not there, in other letters: of several the folder's first."""
    path = f"{folder}/{name}"
    if workspace.kind(path) is None:
        above, _, last = path.rpartition("/")
        others = (entry.name for entry in workspace.list(above).entries if entry.name.lower() == last.lower())
        path = f"{above}/{next(others, last)}"
    return path


def nested(session: Session, read: str, heads: Heads) -> Iterator[tuple[FileText, str]]:
    """The instruction files that reading a file brings along, of the folders from it up to those that are sent."""
    workspace, root = session.workspace, session.root
    sent = upwards(session.cwd, root)
    for folder in upwards(read.rpartition("/")[0], root):
        if folder in sent:
            continue
        found = map(workspace.read, _named(workspace, folder, _WOKEN))
        yield from ((file, file.path.removeprefix(f"{root}/")) for file in found if file.found)
        rules = files_in(workspace, f"{folder}/.claude/rules", ".md")
        for path in (*files_in(workspace, f"{folder}/.github/instructions"), *rules):
            each = modular(workspace, path, root, heads)
            if each.file.found and not each.excluded and (each.patterns == () or each.applies(read, root)):
                yield each.file, each.shown


def lazy_files(inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
    """Every pattern file, and the instruction files of folders below."""
    session = Session(workspace=workspace, inputs=inputs)
    root, sent = session.root, upwards(session.cwd, session.root)
    every = at_start(session, reader())
    modular = [each for each in every if each.patterns and not each.excluded and not each.twin]
    below = named_below(workspace, root, files, (*_WOKEN, *map(str.lower, NAMES)))
    return (
        *(_by_pattern(each, root) for each in modular),
        *(LazyFile.of_folder(path, KIND, folder) for folder, paths in below if folder not in sent for path in paths),
    )


def _by_pattern(each: Modular, root: str) -> LazyFile:
    one, many = partial(each.applies, root=root), partial(each.among, root=root)
    return LazyFile(each.file.path, KIND, root, each.patterns or (), one, loads_among=many)
