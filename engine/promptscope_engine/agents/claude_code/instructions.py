"""The chain of instruction files: what loads at the start, in which order, and why the rest does not (3.2-3.5)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.glob import glob_matches
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Load
from promptscope_engine.workspace import FileText, Workspace

from .content import Content, process
from .gates import Gates, env_switch
from .git import Repository
from .imports import BINARY, MAX_DEPTH, import_tokens
from .materials import InstructionFile
from .models import V100, V329
from .patterns import parse_paths
from .rules import rule_files
from .settings import Sources

PROJECT = "project instructions, checked into the codebase"
LOCAL = "user's private project instructions, not checked in"
USER = "user's private global instructions for all projects"
MANAGED = "organization-managed policy instructions"

_LARGE = {V100: 40_000, V329: 150_000}
"""Characters above which the start screen warns (3.2); the file is sent whole all the same."""
_SKIPPED_BYTES = 4 * 1024 * 1024
"""2.1.329 is reported to leave larger files out [I#92980]."""
_MAX_FILES = 2_000
_OTHER_SPELLINGS = ("claude.md", "Claude.md", "CLAUDE.MD", "agents.md", "Agents.md")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file was found: its label, the setting source that lets it in, whether the project owns it."""

    label: str
    source: str
    project: bool
    gate: Condition = ALWAYS


@dataclass
class Chain:
    """Collects the files in load order. Each path counts once: the first position wins (3.4)."""

    workspace: Workspace
    version: str
    cwd: str
    home: str
    config: str
    managed: str
    gates: Gates
    sources: Sources
    excludes: tuple[str, ...]
    repository: Repository | None
    approved: bool
    """Whether imports of project files may leave cwd."""
    files: list[InstructionFile] = field(default_factory=list)
    drafts: dict[str, FileDraft] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    read: dict[str, tuple[str, Content, Place]] = field(default_factory=dict)
    """By shown path: the path, what was read there, and the place."""

    # --- the chain --------------------------------------------------------------------------------------------------

    def load(self, added: tuple[tuple[str, str], ...], env: Mapping[str, str]) -> None:
        """Everything that loads at the start. `added`: (as typed, absolute) directories of --add-dir."""
        # 2.1.100 shows managed files under the user's label [recorded].
        managed = Place(MANAGED if self.version == V329 else USER, "managed", project=False)
        self.file(f"{self.managed}/CLAUDE.md", "claude-md", managed)
        self.rules(self.managed, self.cwd, managed)
        user = Place(USER, "user", project=False)
        self.file(f"{self.config}/CLAUDE.md", "claude-md", user)
        self.rules(self.config, self.cwd, user, folder="rules")
        silencer = self.silencer()
        for folder in self.folders():
            self.directory(folder, silencer)
        switch = env_switch(env, "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD")
        for typed, folder in added:
            place = Place(PROJECT, "project", project=True, gate=switch)
            shown = typed if self.version == V100 else folder  # 2.1.100 shows the directory as typed (12)
            for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
                self.file(f"{folder}/{name}", "claude-md", place, shown=f"{shown}/{name}")
            self.rules(folder, folder, place)

    def folders(self) -> list[str]:
        """From the file system's root down to cwd."""
        return [str(p) for p in reversed(PurePosixPath(self.cwd).parents)] + [self.cwd]

    def directory(self, folder: str, silencer: str | None, *, lazy: bool = False) -> None:
        """The files of one directory, in order (3.2). `lazy`: below cwd, so only what exists is listed."""
        project = Place(PROJECT, "project", project=True, gate=self.outside_worktree(folder))
        base = folder.rstrip("/")
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            self.file(
                f"{base}/{name}", "claude-md", project, optional=lazy or name != "CLAUDE.md" or self.above(folder)
            )
        self.rules(base, folder, project)
        agents = replace(project, gate=project.gate & self.fallback(f"{base}/AGENTS.md", silencer))
        self.file(f"{base}/AGENTS.md", "agents-md", agents, optional=True)
        self.file(f"{base}/CLAUDE.local.md", "claude-local", Place(LOCAL, "local", project=True), optional=True)
        for name in _OTHER_SPELLINGS:
            self.other_spelling(f"{base}/{name}")

    def above(self, folder: str) -> bool:
        """Whether a directory lies above the repository (or cwd): there only what exists is listed."""
        root = self.repository.root if self.repository else self.cwd
        return not (folder == root or folder.startswith(root.rstrip("/") + "/"))

    def outside_worktree(self, folder: str) -> Condition:
        """A linked worktree inside the repository has its own checkout: the outer one's files are skipped (12)."""
        repository = self.repository
        if repository is None or not repository.linked:
            return ALWAYS
        main, own = repository.main_root, repository.root
        inside = folder == main or folder.startswith(main.rstrip("/") + "/")
        skipped = inside and own.startswith(main.rstrip("/") + "/") and not (folder + "/").startswith(own + "/")
        return Observed("file", folder, not skipped, "the worktree's own checkout", "the worktree has its own copy")

    def silencer(self) -> str | None:
        """The project file that turns AGENTS.md off for the whole chain: a CLAUDE.md or CLAUDE.local.md on it (3.3)."""
        for folder in self.folders():
            for name in ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"):
                path = f"{folder.rstrip('/')}/{name}"
                if self.workspace.kind(path) == "file" and not path.startswith(self.config + "/"):
                    return path
        return None

    def fallback(self, path: str, silencer: str | None) -> Condition:
        """AGENTS.md is read by 2.1.329 where nothing silences it."""
        reads = Observed(
            "version", "", self.version == V329, "this version reads AGENTS.md", "2.1.100 does not read AGENTS.md"
        )
        quiet = Observed(
            "file",
            path,
            silencer is None,
            "no CLAUDE.md stands on the chain",
            f"silenced by {silencer}",
            actual=silencer,
        )
        return reads & quiet

    def rules(self, holder: str, base: str, place: Place, folder: str = ".claude/rules") -> None:
        """The rules below a directory; those with `paths` wait for a matching file (3.5)."""
        found, skipped = rule_files(self.workspace, f"{holder.rstrip('/')}/{folder}", self.version, self.cwd)
        for path in found:
            self.file(path, "claude-rule", place, base=base)
        for path, why in skipped:
            self.absent(path, "claude-rule", "conditional", Observed("file", path, False, "", why))
        if len(found) > 1 and self.version == V329:
            self.diagnostics.append(
                Diagnostic(
                    "info",
                    "rules-order",
                    "this version reads rules in the file system's order; they are shown sorted by name",
                    f"{holder.rstrip('/')}/{folder}",
                )
            )

    # --- one file ---------------------------------------------------------------------------------------------------

    def file(
        self,
        path: str,
        kind: str,
        place: Place,
        *,
        shown: str | None = None,
        base: str = "",
        optional: bool = False,
        importer: InstructionFile | None = None,
        when: Condition = ALWAYS,
    ) -> None:
        """A file and, after it, its imports. `optional`: a missing one is not listed."""
        if path in self.seen or len(self.files) >= _MAX_FILES:
            return
        load: Load = "import" if importer else "always"
        source = self.workspace.read(path)
        if source.problem == "missing":
            if not optional:
                self.absent(path, kind, load, Observed("file", path, False, "", "there is no such file"), importer)
            return
        self.seen.add(path)
        conditions = [
            self.gates.claude_mds,
            self.sources.condition(place.source),
            place.gate,
            self.excluded(path, place),
        ]
        gate = when
        for condition in conditions:
            gate = condition if gate is ALWAYS else gate & condition
        content, readable = self.readable(source)
        gate = gate & readable
        awake = gate
        patterns = (
            parse_paths(content.frontmatter["paths"])
            if kind == "claude-rule" and "paths" in content.frontmatter
            else None
        )
        if patterns:
            load = "conditional"
            waits = "it waits for a file that matches " + ", ".join(patterns[:4])
            awake = gate & Observed("file", path, False, "a matching file was read", waits, actual=list(patterns))
        file = InstructionFile(
            shown=shown or path,
            real=source.real_path,
            kind=kind,
            label=place.label,
            pieces=content.pieces(path),
            paths=patterns,
            base=base,
            importer=importer.shown if importer else None,
            depth=importer.depth + 1 if importer else 0,
            when=awake,
            gate=gate,
        )
        self.files.append(file)
        self.read[file.shown] = (path, content, place)
        self.drafts[file.shown] = self.draft(file, source, load)
        self.warn(file, source, content)
        if content.text and patterns is None:
            self.imports(file)

    def readable(self, source: FileText) -> tuple[Content, Condition]:
        """The processed text, and whether there is any."""
        if source.problem:
            why = f"it cannot be read: {source.problem}" + (f" ({source.detail})" if source.detail else "")
            severity = "warning" if source.problem in ("too-large", "outside", "unreadable", "loop") else "info"
            self.diagnostics.append(Diagnostic(severity, source.problem, why, source.path))  # type: ignore[arg-type]
            return Content(()), Observed("file", source.path, False, "", why)
        if self.version == V329 and source.size > _SKIPPED_BYTES:
            why = "files of more than 4 MiB are left out"
            self.diagnostics.append(Diagnostic("warning", "too-large", f"{source.size:,} bytes: {why}", source.path))
            return Content(()), Observed("file", source.path, False, "", why)
        content = self.workspace.memo(("claude-code.content", source.path, source.data), lambda: process(source.text))
        return content, Observed(
            "file", source.path, bool(content.text), "the file was found", "it holds only white space"
        )

    def warn(self, file: InstructionFile, source: FileText, content: Content) -> None:
        if content.problem:
            self.diagnostics.append(
                Diagnostic("warning", "bad-frontmatter", content.problem, source.path, content.problem_line)
            )
        if source.looks_binary:
            self.diagnostics.append(Diagnostic("warning", "binary", "the file holds zero bytes", source.path))
        size, limit = len(content.text), _LARGE[self.version]
        if size > limit:
            text = f"large file: {size:,} characters, the start screen warns above {limit:,}; it is sent whole"
            self.diagnostics.append(Diagnostic("warning", "large-file", text, file.shown))

    def excluded(self, path: str, place: Place) -> Condition:
        """`claudeMdExcludes`; managed files cannot be excluded."""
        if not self.excludes or place.source == "managed":
            return ALWAYS
        hit = next((pattern for pattern in self.excludes if glob_matches(pattern, path)), None)
        return Observed(
            "flag",
            "settings.claudeMdExcludes",
            hit is None,
            "`claudeMdExcludes` does not name it",
            f"`claudeMdExcludes` names it ({hit})",
            actual=list(self.excludes),
        )

    def draft(self, file: InstructionFile, source: FileText, load: Load) -> FileDraft:
        return FileDraft(
            path=file.shown,
            real_path=file.real,
            kind="import" if file.importer else file.kind,
            load=load,
            when=file.when,
            bytes=source.size,
            raw_chars=len(source.text),
            injected=file.text,
            imported_by=file.importer,
        )

    def absent(self, path: str, kind: str, load: Load, why: Condition, importer: InstructionFile | None = None) -> None:
        """A file that does not load, with its reason."""
        if path not in self.drafts:
            by = importer.shown if importer else None
            self.drafts[path] = FileDraft(path, path, "import" if importer else kind, load, why, imported_by=by)

    def other_spelling(self, path: str) -> None:
        """Names are case-sensitive: `claude.md` is not read (3.2)."""
        name = PurePosixPath(path).name
        proper = "CLAUDE.md" if name.lower() == "claude.md" else "AGENTS.md"
        if self.workspace.kind(path) == "file" and self.workspace.kind(path.removesuffix(name) + proper) != "file":
            self.absent(
                path, "claude-md", "always", Observed("file", path, False, "", f"only the name {proper} counts")
            )

    # --- imports ----------------------------------------------------------------------------------------------------

    def imports(self, file: InstructionFile) -> None:
        """The targets of a file's @imports, depth-first, each after its importer (3.4)."""
        path, content, place = self.read[file.shown]
        tokens = self.workspace.memo(("claude-code.imports", content.text), lambda: import_tokens(content.text))
        for token in tokens:
            target = self.target(token, path)
            if target is None or target in self.seen:
                continue
            kind = self.workspace.kind(target)
            if kind is None:
                if "/" in token or "." in token:
                    why = "there is no such file: the import is dropped silently"
                    self.absent(target, "import", "import", Observed("file", target, False, "", why), file)
            elif kind != "file":
                self.absent(target, "import", "import", Observed("file", target, False, "", "it is not a file"), file)
            elif PurePosixPath(target).suffix.lower() in BINARY:
                why = "its ending is that of a binary file"
                self.absent(target, "import", "import", Observed("file", target, False, "", why), file)
            elif file.depth >= MAX_DEPTH:
                why = f"imports are followed {MAX_DEPTH} levels deep"
                self.absent(target, "import", "import", Observed("file", target, False, "", why), file)
            else:
                self.imported(target, file, place)

    def imported(self, target: str, file: InstructionFile, place: Place) -> None:
        gate = file.gate
        if place.project and not self.inside(target):
            gate = gate & self.gates.external
            if not self.approved:
                self.unapproved(target, file)
                return
        self.file(target, "import", replace(place, gate=ALWAYS), importer=file, when=gate)

    def unapproved(self, target: str, file: InstructionFile) -> None:
        """A target outside of cwd: left out, with what it would cost once it is approved."""
        text = f"external import, outside of {self.cwd} and not approved: {target} is not loaded"
        self.diagnostics.append(Diagnostic("info", "external-import", text, target))
        source = self.workspace.read(target)
        draft = FileDraft(
            path=target,
            real_path=source.real_path,
            kind="import",
            load="import",
            when=self.gates.external,
            bytes=source.size,
            raw_chars=len(source.text),
            injected=process(source.text).text if source.found else "",
            imported_by=file.shown,
        )
        self.drafts.setdefault(target, draft)

    def target(self, token: str, importer: str) -> str | None:
        """The absolute path that a token names; None if it cannot be one."""
        if "\0" in token or len(token) > 4096:
            return None
        if token == "~" or token.startswith("~/"):
            return os.path.normpath(self.home + token[1:])
        return os.path.normpath(PurePosixPath(importer).parent / token)

    def inside(self, path: str) -> bool:
        """The border is cwd, not the repository: an ancestor's imports do not expand below it (3.4)."""
        return path == self.cwd or path.startswith(self.cwd.rstrip("/") + "/")


def texts(settings: Mapping[str, Json], key: str) -> Iterator[str]:
    """The strings of a list setting."""
    value = settings.get(key)
    yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))
