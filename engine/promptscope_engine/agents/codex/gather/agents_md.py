"""AGENTS.md: the user's own file, the chain of the project, and what lies elsewhere and is never read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from promptscope_engine.agents.codex.materials import AgentsFile
from promptscope_engine.agents.kit.near_misses import Place, below
from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, computed, file_text, trimmed_file
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit, Stretch
from promptscope_engine.workspace import FileText, Workspace

from .settings import is_blank, trimmed

_KIND = "agents-md"
MOVE_THE_ROOT = "remove what makes it the root, or set `project_root_markers` in ~/.codex/config.toml"


def places(folders: Sequence[str], names: Sequence[str], codex_home: str) -> Iterator[Place]:
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


OVERRIDE = "AGENTS.override.md"
NAME = "AGENTS.md"
MAX_BYTES = 32 * 1024
_PASSED_OVER = ("missing", "directory", "special", "outside")
"""What a name leads to where Codex looks for the next one; anything else drops every file (2.9)."""


@frozen
class Found:
    """A file that was chosen in its folder, and the text that is left of it."""

    file: FileText
    kept: int
    """Bytes that are sent."""
    reason: Condition

    @property
    def text(self) -> str:
        return self.file.data[: self.kept].decode("utf-8", "replace")

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The text; a character that the cut breaks stands as what it is sent as."""
        whole, sent = self.file.text, self.text
        same = len(sent)
        while not whole.startswith(sent[:same]):
            same -= 1
        parts = [file_text(self.file.path, sent[:same], 1)] if same else []
        return (*parts, *([computed("broken_character", sent[same:])] if sent[same:] else []))


@dataclass(eq=False, repr=False)
class AgentsGatherer:
    """Looks for the files, and says of each why it counts or does not."""

    workspace: Workspace
    codex_home: str
    folders: Sequence[str]
    limit: Known[int]
    fallbacks: Sequence[str]
    allowed: Condition
    """The project is not untrusted (2.8)."""
    is_allowed: bool
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    chosen: list[AgentsFile] = field(default_factory=list)

    # --- the user's own -------------------------------------------------------------------------------------------

    def user_file(self) -> AgentsFile | None:
        """The first of the two names that has a text (2.3). It is trimmed, and nothing limits it."""
        chosen: AgentsFile | None = None
        for name in (OVERRIDE, NAME):
            path = f"{self.codex_home}/{name}"
            found = self.workspace.read(path)
            text = trimmed(found.text)
            if found.found and text and chosen is None:
                counts = Observed("file", path, True, "it is the user's own file", "", remedy=f"empty {path}")
                chosen = AgentsFile(path, (trimmed_file(path, found.text, text),), counts)
                self._row(found, counts, text)
            elif found.found and text:
                remedy = f"delete or empty {self.codex_home}/{OVERRIDE}"
                self._row(found, absent(path, f"{OVERRIDE} beside it takes its place", remedy))
            elif found.problem != "missing" or name == NAME:
                self._row(found, _absent(found, "it is blank"))
            if found.problem == "too-large":
                text = (
                    f"it has {found.detail} and is not read here; Codex sends all of it, for nothing limits this file"
                )
                self.diagnostics.append(Diagnostic("warning", "agents-md-unreadable", text, path))
            elif found.problem in ("unreadable", "loop"):
                text = f"the user's file cannot be read ({found.detail}): Codex goes on without it"
                self.diagnostics.append(Diagnostic("warning", "agents-md-unreadable", text, path))
        return chosen

    # --- the project's --------------------------------------------------------------------------------------------

    def project_files(self) -> tuple[AgentsFile, ...]:
        """The chosen file of each folder that has a text, the root's first; those of which nothing is sent as well."""
        names = [OVERRIDE, NAME, *(n for n in self.fallbacks if n and "/" not in n)]
        looked = [self._look(folder, tuple(dict.fromkeys(names))) for folder in self.folders]
        broken = next(filter(None, map(_stopping, looked)), None)
        left = self.limit.value
        needed = 0
        used: list[str] = []
        for folder, files in zip(self.folders, looked, strict=True):
            chosen = next((file for file in files if file.found or file.problem == "outside"), None)
            instead: str | None = None
            for file in files:
                if file is not chosen:
                    self._passed_over(file, instead)
                    continue
                instead = file.path
                if not file.found:  # Codex would choose it: what it holds is not known here
                    self._row(file, _absent(file, ""))
                    continue
                refused = self._refused(file, broken)
                kept = min(file.size, left)
                found = Found(file, kept, self._counts(file, left))
                if refused is not None and is_blank(file.text):
                    self._row(file, _absent(file, "it is blank"))
                    continue
                if refused is not None:
                    self._lost(file, refused)
                    continue
                if left and file.size > left:
                    self._cut(file, left, used)
                needed += 0 if is_blank(file.text) else file.size
                if is_blank(found.text):
                    self._left_out(found, left, used, needed)
                    self._blank_override(file, folder)
                    continue
                left -= kept
                used.append(file.path)
                counts = found.reason & self.allowed
                self._row(file, counts, found.text, kept)
                note = "" if kept == file.size else _cut_at(file, kept)
                self.chosen.append(AgentsFile(file.path, found.pieces, counts, note))
            if chosen is None:
                self._would_be(folder, files)
        if broken is not None and self.is_allowed and self.limit.value:
            self._all_dropped(broken, looked)
        return tuple(self.chosen)

    def _lost(self, file: FileText, why: Condition, wanted: int | None = None) -> None:
        """A file that has a text, and of which nothing is sent."""
        self._row(file, why, wanted=wanted)
        self.chosen.append(AgentsFile(file.path, (), why))

    def _look(self, folder: str, names: Sequence[str]) -> list[FileText]:
        return [self._read(f"{folder.rstrip('/')}/{name}") for name in names]

    def _read(self, path: str) -> FileText:
        found = self.workspace.read(path)
        if found.problem != "too-large":
            return found
        data = b""  # only what the limit lets through is needed of a file that is too large to be kept
        with contextlib.suppress(OSError):
            wanted = self.limit.value
            data = b"".join(self.workspace.pieces(path, wanted, wanted)) if wanted else b""
        return FileText.of(path, found.real_path, data, found.size)

    def _refused(self, file: FileText, broken: FileText | None) -> Condition | None:
        """Why no file of the project counts at all: it is not trusted, the limit is 0, or one cannot be read."""
        if not self.is_allowed:
            return self.allowed
        if not self.limit.value:
            key = "project_doc_max_bytes"
            return self.limit.is_(MAX_BYTES, yes=f"`{key}` lets it in", no=f"`{key}` is {{actual}}")
        if broken is not None:
            no = f"{broken.path} cannot be read, and then Codex drops every file of the project"
            return absent(file.path, no, f"make {broken.path} readable, or delete it")
        return None

    def _counts(self, file: FileText, left: int) -> Condition:
        folder, _, name = file.path.rpartition("/")
        above = len(self.folders) - 1 - self.folders.index(folder or "/")
        at = f"{above} folder{'s' * (above > 1)} above" if above else "in the folder that Codex is started in"
        sizes = f", after {left:,} of {file.size:,} bytes"
        how = "sent whole" if file.size <= left else f"{_cut_at(file, left)}{sizes}"
        yes = f"{how}: {name}, {at}"
        return Observed("file", file.path, True, yes, "", remedy=f"delete {file.path}")

    def _left_out(self, found: Found, left: int, used: Sequence[str], needed: int) -> None:
        """Nothing of it is sent. `needed`: the bytes that it takes with those of the files before it."""
        file = found.file
        if is_blank(file.text):
            self._row(file, _absent(file, "it is blank"))
        elif not left:
            spent = " and ".join(os.path.relpath(path, self.folders[-1]) for path in used[-2:])
            no = f"{self.limit.value:,} bytes are used up by {spent}, and the nearest file comes last"
            self._lost(file, self._more(file, no, needed), wanted=file.size)
            limit = f"{self.limit.value:,} bytes"
            text = f"nothing of it is sent: the files above it use up {limit}, and Codex does not say so"
            self.diagnostics.append(Diagnostic("warning", "agents-md-dropped", text, file.path, 1))
        else:
            no = f"the first {found.kept:,} bytes, which are all that is left for it, are blank"
            self._lost(file, self._more(file, no, needed), wanted=file.size)

    def _more(self, file: FileText, no: str, needed: int) -> Condition:
        """More bytes would let it in."""
        lever = Lever("settings.project_doc_max_bytes", needed)
        return Observed("file", file.path, False, "", no, on=(lever,), source=self.limit.source)

    def _cut(self, file: FileText, left: int, used: Sequence[str]) -> None:
        above = f"the {len(used)} files above it leave" if len(used) > 1 else "the file above it leaves"
        line = 1 + file.data[:left].count(b"\n")
        limit = f"`project_doc_max_bytes`, {self.limit.value:,} for all files together"
        rest = f"what {above} of {limit}" if used else limit
        text = f"cut in line {line:,}: {left:,} of its {file.size:,} bytes are sent, {rest}"
        self.diagnostics.append(Diagnostic("warning", "truncated", text, file.path, line))

    def _blank_override(self, file: FileText, folder: str) -> None:
        """A blank override hides the file that it was meant to replace (2.6)."""
        hidden = self.workspace.read(f"{folder.rstrip('/')}/{NAME}")
        name = file.path.rpartition("/")[2]
        if name == OVERRIDE and is_blank(file.text) and hidden.found and not is_blank(hidden.text):
            text = f"it is blank, and hides {NAME} beside it all the same: this folder adds nothing"
            self.diagnostics.append(Diagnostic("warning", "blank-override", text, file.path, 1))

    def _passed_over(self, file: FileText, instead: str | None) -> None:
        """A row for what lies there and is not taken."""
        if file.problem == "missing":
            return
        if instead is None:
            self._row(file, _absent(file, "it is blank"))
            return
        name = instead.rpartition("/")[2]
        no = f"{name} beside it is chosen, before either is read"
        if file.found:
            self._row(file, Observed("file", file.path, False, "", no, actual=instead, remedy=f"delete {instead}"))

    def _would_be(self, folder: str, files: Sequence[FileText]) -> None:
        """Where a file would count, if there were one: the root and the folder it is started in."""
        if folder in (self.folders[0], self.folders[-1]):
            path = f"{folder.rstrip('/')}/{NAME}"
            if all(file.path != path or file.problem == "missing" for file in files):
                self.files.append(
                    FileDraft(path, path, _KIND, "always", absent(path, "no such file", f"create {path}"))
                )

    def _all_dropped(self, broken: FileText, looked: Sequence[Sequence[FileText]]) -> None:
        lost = sum(any(file.found for file in files) for files in looked)
        what = "every AGENTS.md of the project is dropped" if lost else "no AGENTS.md of the project would count"
        why = "it is a link to itself" if broken.problem == "loop" else f"it cannot be read: {broken.detail}"
        text = f"{why}; {what}, those of other folders too, and Codex does not say so"
        self.diagnostics.append(Diagnostic("error", "agents-md-unreadable", text, broken.path))

    def _row(
        self, file: FileText, when: Condition, text: str = "", kept: int | None = None, wanted: int | None = None
    ) -> None:
        kept = file.size if kept is None else kept
        cut = bool(text) and kept < file.size
        limited = kept < file.size or wanted is not None
        limits = (Limit("project_doc_max_bytes", self.limit.value, file.size),) if limited else ()
        row = file_row(file, _KIND, "always", when, text, limits=limits, truncated=cut)
        self.files.append(replace(row, stretches=tuple(_stretches(file, kept, text))) if cut else row)


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


def _stopping(files: Sequence[FileText]) -> FileText | None:
    """The name that can be neither looked at nor read, of those that Codex looks at: up to the first file (2.9)."""
    for file in files:
        if file.found:
            return None
        if file.problem not in _PASSED_OVER:
            return file
    return None


def _absent(file: FileText, blank: str) -> Condition:
    path = file.path
    why, remedy = blank, f"write something into {path}"
    if file.problem == "directory":
        why, remedy = "a folder lies there", f"put a file in the place of {path}"
    elif file.problem == "missing":
        why, remedy = "no such file", f"create {path}"
    elif file.problem is not None:
        why, remedy = f"it cannot be read: {file.detail}", f"make {path} a readable file"
    return absent(path, why, remedy)


def nested_files(cwd: str, names: Sequence[str], workspace: Workspace, files: list[FileDraft]) -> list[Diagnostic]:
    """A row and a word for those that lie not too deep. What is looked at here is not to be watched."""
    found = workspace.memo(("codex nested", cwd, tuple(names)), lambda: _below(cwd, names, workspace))
    for path, size in found:
        no = "Codex reads no AGENTS.md below the folder that it is started in"
        folder = path.rpartition("/")[0]
        never = absent(path, no, f"start Codex in {folder}, or move the text into a file above")
        files.append(FileDraft(path, path, "agents-md", "on-demand", never, size))
    if not found:
        return []
    below = "below the folder that Codex is started in"
    text = f"it lies {below}: it is never read, whatever Codex works on"
    if len(found) > 1:
        text = f"it and {len(found) - 1} more lie {below}: they are never read, whatever Codex works on"
    return [Diagnostic("info", "agents-md-below", text, found[0][0], 1)]


def _below(cwd: str, names: Sequence[str], workspace: Workspace) -> list[tuple[str, int]]:
    paths = below(workspace, cwd, lambda path: path.rpartition("/")[2] in names)
    copy = workspace.snapshot()
    return [(path, copy.read(path).size) for path in paths]
