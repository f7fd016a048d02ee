"""AGENTS.md: the user's own file, the chain of the project, and what is elsewhere and is never read."""

import contextlib
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msgspec.structs import replace

from promptscope_engine.agents.codex.materials import AgentsFile
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.rows import Place, absent, below, file_row, near_misses, never, usable
from promptscope_engine.agents.kit.disk.settings import note
from promptscope_engine.agents.kit.disk.walking import Walk, beyond
from promptscope_engine.prompt.conditions import Condition, Fact, Named
from promptscope_engine.prompt.drafts import FileDraft, Span, computed, file_text, trimmed_file
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit, Stretch
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

from .permissions import Trust
from .settings import Session, is_blank, trimmed

OVERRIDE = "AGENTS.override.md"
NAME = "AGENTS.md"
MAX_BYTES = 32 * 1024
_FALLBACKS = "project_doc_fallback_filenames"
_KIND = "agents-md"
_MOVE_THE_ROOT = "remove what makes it the root, or set `project_root_markers` in ~/.codex/config.toml"


def _places(folders: Sequence[str], names: Sequence[str], codex_home: str) -> Iterator[Place]:
    """`folders` are the project's, `names` those that count there."""
    theirs = {
        name: f"Codex does not read {name}: name it in `project_doc_fallback_filenames`, or move it to AGENTS.md"
        for name in ("CLAUDE.md", "GEMINI.md", "AGENT.md", "AGENTS.local.md")
        if name not in names
    }
    beside = {f".codex/{name}": f"Codex reads {name} beside .codex, not in it" for name in names}
    for folder in folders:
        inside = {} if f"{folder.rstrip('/')}/.codex" == codex_home else beside
        yield Place(folder, _KIND, tuple(names), others=inside, theirs=theirs)
        yield Place(f"{folder.rstrip('/')}/.codex/agents", "agent", ending=".toml")
    servers = "Codex does not read .mcp.json: its servers are in `mcp_servers` of config.toml"
    yield Place(folders[-1], "mcp-config", theirs={".mcp.json": servers})
    yield Place(codex_home, _KIND, tuple(names[:2]))
    yield Place(f"{codex_home}/agents", "agent", ending=".toml")


_PASSED_OVER = ("missing", "directory", "special", "outside")
"""What a name leads to where Codex looks for the next one; anything else drops every file."""


def agents_md(
    session: Session, walk: Walk, trust: Trust, seen: Sequence[str]
) -> tuple[AgentsFile | None, tuple[AgentsFile, ...]]:
    """The user's file and the project's, with rows and words for whatever is near and does not count.

    `seen` are those of the walk's folders that the sandbox leaves to Codex.
    """
    limit = session.settings.known("project_doc_max_bytes")
    size = limit.value if isinstance(limit.value, int) and limit.value >= 0 else MAX_BYTES
    names = (OVERRIDE, NAME, *(session.settings.texts(_FALLBACKS) or ()))
    level = trust.of(session.cwd).value
    no = "the project is trusted" if level else "you haven't marked the project as untrusted"
    untrusted = trust.is_("untrusted", session.cwd, "the project is untrusted", no)
    is_allowed = level != "untrusted"
    chain = _Chain(session, seen, names, Sourced(size, limit.source), ~untrusted, is_allowed, walk.marker)
    user, project = chain.user_file(), chain.project_files()
    own = f"{session.codex_home}/"
    if not is_allowed and any(
        file.bytes for file in session.files if file.kind == _KIND and not file.path.startswith(own)
    ):  # the surprise: the text is lost, and skills of the same repository are kept
        session.diagnostics.append(FOLDER.note("untrusted-agents-md", trust.of(session.cwd).source))
    for path in (path for folder in walk.folders if folder not in seen for path in _in(folder, names[:2])):
        if session.workspace.kind(path) == "file":
            why = "the sandbox hides its folder from Codex, which reads a project's files from within"
            session.row(session.workspace.read(path), _KIND, "always", never(path, why, "let the sandbox read it"))
    nested_files(session, names)
    _unread(session, walk, names)
    return user, project


def _unread(session: Session, walk: Walk, names: Sequence[str]) -> None:
    """Rows of what nearly counts: other spellings, other places, and files beyond the project's root."""
    known = {file.path for file in session.files} | {f"{session.codex_home}/{name}" for name in names}
    workspace, home = session.workspace, session.inputs.home  # the home's skills count wherever Codex is started
    above = beyond(workspace, walk, (_KIND, lambda _, at: _in(at, names)), known, _MOVE_THE_ROOT)
    near = near_misses(workspace, [*_places(walk.folders, names, session.codex_home)], known)

    def skill_files(copy: Workspace, folder: str) -> Iterator[str]:
        entries = copy.list(f"{folder.rstrip('/')}/.agents/skills").entries if folder != home else ()
        return _in(folder, (f".agents/skills/{entry.name}/SKILL.md" for entry in entries))

    session.files += [*above, *near, *beyond(workspace, walk, ("skill", skill_files), known, _MOVE_THE_ROOT)]


def _in(folder: str, names: Iterable[str]) -> Iterator[str]:
    return (f"{folder.rstrip('/')}/{name}" for name in names)


def unmatched_fallbacks(session: Session, folders: Sequence[str]) -> Iterator[Diagnostic]:
    """What is said of the names of fallback files that match nothing."""
    workspace, source = session.workspace.snapshot(), session.settings.known(_FALLBACKS).source
    entries = session.settings.texts(_FALLBACKS) or ()
    there = [each.name for folder in folders for each in workspace.list(folder).entries] if entries else []
    for entry in entries:
        close = next((name for name in there if name.strip().lower() == entry.strip().lower()), None)
        why = f"the file is called {close}" if close and entry not in there else ""
        if not entry.strip():
            why = "a blank name matches no file"
        elif "/" in entry:
            why = "it has to be the name of a file in a folder of the project, not a path"
        elif entry in (NAME, OVERRIDE):
            why = "Codex reads this file anyway"
        if why:
            yield note(f"`{_FALLBACKS}` names {entry!r}: {why}", source)


@dataclass(eq=False, repr=False)
class _Chain:
    """Looks for the files, and says of each why it counts or does not."""

    session: Session
    folders: Sequence[str]
    names: Sequence[str]
    """Those that count in a project's folder, the first that is there before the others."""
    limit: Sourced[int]
    allowed: Condition
    """The project is not untrusted."""
    is_allowed: bool
    marker: str | None = None
    """What makes the first folder the project's root."""
    chosen: list[AgentsFile] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    left: int = 0
    needed: int = 0
    """Bytes that all files so far would take."""

    # --- the user's own -------------------------------------------------------------------------------------------

    def user_file(self) -> AgentsFile | None:
        """The first of the two names that has a text. It is trimmed, and nothing limits it."""
        chosen: AgentsFile | None = None
        for name in (OVERRIDE, NAME):
            path = f"{self.session.codex_home}/{name}"
            found = self.session.workspace.read(path)
            text = trimmed(found.text)
            if found.found and text and chosen is None:
                counts = Fact("file", path, True, "it is the user's own file", "", remedy=f"empty {path}")
                chosen = AgentsFile(path, (trimmed_file(path, found.text, text),), counts)
                self._row(found, counts, text)
            elif found.found and text:
                self._row(found, FOLDER.reason("overridden", path=path, home=self.session.codex_home))
            elif found.problem != "missing" or name == NAME:
                self._row(found, _absent(found))
            if found.problem in ("too-large", "unreadable", "loop"):
                key = "agents-md-too-large" if found.problem == "too-large" else "agents-md-unreadable"
                self.session.diagnostics.append(FOLDER.note(key, path, detail=found.detail))
        return chosen

    # --- the project's --------------------------------------------------------------------------------------------

    def project_files(self) -> tuple[AgentsFile, ...]:
        """The chosen file of each folder that has a text, the root's first; those of which nothing is sent as well."""
        names = dict.fromkeys(n for n in self.names if n and "/" not in n)
        looked = [[self._read(f"{folder.rstrip('/')}/{name}") for name in names] for folder in self.folders]
        # what can be neither looked at nor read, of the names that Codex looks at: up to the first file
        tried = (file for files in looked for file in takewhile(lambda file: not file.found, files))
        broken = next((file for file in tried if file.problem not in _PASSED_OVER), None)
        self.left = self.limit.value
        for folder, files in zip(self.folders, looked, strict=True):
            taken = next((file for file in files if file.found or file.problem == "outside"), None)
            instead = ""
            for file in files:
                if file is taken:
                    instead = file.path
                    self._taken(file, broken)
                elif file.problem != "missing":
                    self._passed_over(file, instead)
            if taken is None:
                self._would_be(folder, files)
        if broken is not None and self.is_allowed and self.limit.value:
            self._all_dropped(broken, any(file.found for files in looked for file in files))
        return tuple(self.chosen)

    def _taken(self, file: FileText, broken: FileText | None) -> None:
        """The file that Codex chooses in its folder."""
        blank = is_blank(file.text)
        refused = self._refused(file, broken) if file.found else None
        if not file.found or (refused is not None and blank):  # what it holds is not known here
            self._row(file, _absent(file))
        elif refused is not None:
            self._lost(file, refused)
        else:
            kept = min(file.size, self.left)
            if 0 < self.left < file.size:
                self._cut(file)
            self.needed += 0 if blank else file.size
            text = file.data[:kept].decode("utf-8", "replace")
            if is_blank(text):
                self._left_out(file, blank)
                return
            counts = self._counts(file) & self.allowed
            self._row(file, counts, text, kept)
            note = "" if kept == file.size else _cut_at(file, kept)
            self.chosen.append(AgentsFile(file.path, _spans(file, text), counts, note))
            self.used.append(file.path)
            self.left -= kept

    def _lost(self, file: FileText, why: Condition, *, limited: bool = False) -> None:
        """A file that has a text, and of which nothing is sent."""
        self._row(file, why, limited=limited)
        self.chosen.append(AgentsFile(file.path, (), why))

    def _read(self, path: str) -> FileText:
        found = self.session.workspace.read(path)
        if found.problem != "too-large":
            return found
        data = b""  # only what the limit lets through is needed of a file that is too large to be kept
        with contextlib.suppress(OSError):
            wanted = self.limit.value
            data = b"".join(self.session.workspace.chunks(path, wanted, wanted)) if wanted else b""
        return FileText.of(path, found.real_path, data, found.size)

    def _refused(self, file: FileText, broken: FileText | None) -> Condition | None:
        """Why no file of the project counts at all: it is not trusted, the limit is 0, or one cannot be read."""
        if not self.is_allowed:
            return self.allowed
        if not self.limit.value:
            key = "project_doc_max_bytes"
            return self.limit.is_(MAX_BYTES, yes=f"`{key}` lets it in", no=f"`{key}` is {{actual}}")
        if broken is not None:
            return FOLDER.reason("dropped", path=file.path, broken=broken.path)
        return None

    def _counts(self, file: FileText) -> Condition:
        folder, _, name = file.path.rpartition("/")
        above = len(self.folders) - 1 - self.folders.index(folder or "/")
        at = f"{above} folder{'s' * (above > 1)} above" if above else "in the folder Codex starts in"
        remedy, source = f"delete {file.path}", self.session.settings.known("project_root_markers").source
        by = posixpath.relpath(self.marker or "/", self.folders[-1])
        root = f"; `project_root_markers` makes {by} mark the root" if above and self.marker and source.is_set else ""
        here = Fact("file", file.path, True, f"{name}, {at}{root}", "", remedy=remedy, source=source if root else None)
        if file.size <= self.left:
            return here
        return Named("file", file.path, here, f"{_cut_at(file, self.left)}, after {self.left:,} of {file.size:,} bytes")

    def _left_out(self, file: FileText, blank: bool) -> None:
        """The file is not sent: it is blank, or the part within the limit is."""
        if blank:
            self._row(file, _absent(file))
            self._blank_override(file)
            return
        no = f"the first {self.left:,} bytes, which are all that is left for it, are blank"
        if not self.left:
            limit = f"{self.limit.value:,} bytes"
            spent = " and ".join(posixpath.relpath(path, self.folders[-1]) for path in self.used[-2:])
            no = f"{limit} are used up by {spent}, and the nearest file comes last"
            self.session.diagnostics.append(FOLDER.note("agents-md-dropped", file.path, 1, limit=limit))
        more = Lever("settings.project_doc_max_bytes", self.needed)
        why = Fact("file", file.path, False, "", no, on=(more,), source=self.limit.source)
        self._lost(file, why, limited=True)

    def _cut(self, file: FileText) -> None:
        used, left = len(self.used), self.left
        above = f"the {used} files above it leave" if used > 1 else "the file above it leaves"
        line = 1 + file.data[:left].count(b"\n")
        limit = f"`project_doc_max_bytes`, {self.limit.value:,} for all files together"
        rest = f"what {above} of {limit}" if used else limit
        text = f"cut in line {line:,}: {left:,} of its {file.size:,} bytes are sent, {rest}"
        self.session.warn("truncated", text, file.path, line)

    def _blank_override(self, file: FileText) -> None:
        """A blank override hides the file that it was meant to replace."""
        folder, _, name = file.path.rpartition("/")
        hidden = self.session.workspace.read(f"{folder}/{NAME}")
        if name == OVERRIDE and hidden.found and not is_blank(hidden.text):
            self.session.diagnostics.append(FOLDER.note("blank-override", file.path, 1))

    def _passed_over(self, file: FileText, instead: str) -> None:
        """A row for what is there and is not taken."""
        if not instead:
            self._row(file, _absent(file))
        elif file.found:
            more, name = {"actual": instead}, instead.rpartition("/")[2]
            self._row(file, FOLDER.reason("passed_over", False, more, path=file.path, name=name, instead=instead))

    def _would_be(self, folder: str, files: Sequence[FileText]) -> None:
        """Where a file would count, if there were one: the root and the folder it is started in."""
        path = f"{folder.rstrip('/')}/{NAME}"
        if folder in (self.folders[0], self.folders[-1]) and all(
            file.path != path or file.problem == "missing" for file in files
        ):
            missing = absent(path, "no such file", f"create {path}")
            self.session.files.append(FileDraft(path, path, _KIND, "always", missing))

    def _all_dropped(self, broken: FileText, is_lost: bool) -> None:
        what = "every AGENTS.md of the project is dropped" if is_lost else "no AGENTS.md of the project would count"
        why = "it is a link to itself" if broken.problem == "loop" else f"it cannot be read: {broken.detail}"
        text = f"{why}; {what}, those of other folders too, and Codex does not say so"
        self.session.say("error", "agents-md-unreadable", text, broken.path)

    def _row(
        self, file: FileText, when: Condition, text: str = "", kept: int | None = None, *, limited: bool = False
    ) -> None:
        kept = file.size if kept is None else kept
        cut = bool(text) and kept < file.size
        limits = (Limit("project_doc_max_bytes", self.limit.value, file.size),) if limited or kept < file.size else ()
        row = file_row(file, _KIND, "always", when, text, limits=limits, truncated=cut)
        if text:
            self.session.note_link(file)
        self.session.files.append(replace(row, stretches=tuple(_stretches(file, kept, text))) if cut else row)


def _spans(file: FileText, sent: str) -> tuple[Span, ...]:
    """The text; a character that the cut breaks is as what it is sent as."""
    same = len(sent)
    while not file.text.startswith(sent[:same]):
        same -= 1
    parts = [file_text(file.path, sent[:same], 1)] if same else []
    return (*parts, *([computed("broken_character", sent[same:])] if sent[same:] else []))


def _cut_at(file: FileText, left: int) -> str:
    """Where a file is cut."""
    at, lines = 1 + file.data[:left].count(b"\n"), 1 + file.text.removesuffix("\n").count("\n")
    where = f"before line {at:,}" if file.data[:left].endswith(b"\n") else f"in line {at:,}"
    return f"cut {where} of {lines:,}"


def _stretches(file: FileText, kept: int, sent: str) -> Iterator[Stretch]:
    """What was kept of a file that was cut, and what was lost."""
    whole = file.text
    last = 1 + file.data[:kept].count(b"\n")
    at_line_end = file.data[:kept].endswith(b"\n")
    yield Stretch(1, last - at_line_end, len(sent), kept=True, partial_end=not at_line_end)
    lost = len(whole) - len(sent)
    yield Stretch(last, 1 + whole.count("\n"), lost, kept=False, partial_start=not at_line_end)


def _absent(file: FileText) -> Condition:
    """Why a file adds nothing: it cannot be read, or it is blank."""
    return usable(file) if file.problem else absent(file.path, "it is blank", f"write something into {file.path}")


def nested_files(session: Session, names: Sequence[str]) -> None:
    """Rows and notes for files just below the working directory, which Codex never reads. They aren't watched."""
    workspace, cwd = session.workspace, session.cwd

    def looked() -> list[tuple[str, int]]:
        copy = workspace.snapshot()
        return [(path, copy.read(path).size) for path in below(workspace, cwd, lambda p: p.rpartition("/")[2] in names)]

    found = workspace.memo(("codex nested", cwd, tuple(names)), looked)
    for path, size in found:
        never = FOLDER.reason("nested", path=path, folder=path.rpartition("/")[0])
        session.files.append(FileDraft(path, path, "agents-md", "on-demand", never, size))
    if found:
        which = f"it and {len(found) - 1} more are" if len(found) > 1 else "it is"
        are = "them" if len(found) > 1 else "it"
        text = f"{which} below the folder Codex starts in, so it never reads {are}"
        session.say("info", "agents-md-below", text, found[0][0], 1)
