"""The instruction files: what loads at the start, in which order, and why the rest does not (3.2-3.5)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.gates import IS_LATER, Gates, variable_is_on
from promptscope_engine.agents.claude_code.lookups import NAMES, places
from promptscope_engine.agents.claude_code.materials import InstructionFile
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.globs import names_any, path_patterns
from promptscope_engine.agents.kit.heads import Budget, near_keys
from promptscope_engine.agents.kit.links import as_named, followed
from promptscope_engine.agents.kit.near_misses import near_misses
from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Named, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever, Load
from promptscope_engine.workspace import FileText, Workspace

from .content import Content, process
from .denied import DeniedReads
from .git import Repository
from .head import is_within
from .imports import MAX_DEPTH, import_tokens, is_importable
from .rules import REPEATED, RuleFile, RuleFinder
from .settings import Sources

PROJECT = "project instructions, checked into the codebase"
LOCAL = "user's private project instructions, not checked in"
_MEANT = dict.fromkeys(("paths", "path", "glob", "globs", "applyTo"), "paths")
"""What other agents call the paths of a rule."""
USER = "user's private global instructions for all projects"
MANAGED = "organization-managed policy instructions"

_LARGE, _LARGE_100 = 150_000, 40_000
"""Characters above which the start screen warns (3.2); the file is sent whole all the same."""
_SKIPPED_BYTES = 4 * 1024 * 1024
"""2.1.329 is reported to leave larger files out [I#92980]."""
MAX_FILES = 2_000
MAX_SEARCHED = 1_000_000
_MAX_TOKENS = 20_000
"""`@path` that are followed up: ten for each of the files that may load."""
_LISTED = "rules come in the order in which this machine lists the folder; another machine may list it differently"
_BY_NAME = "rules come in the order in which a machine lists the folder; here they are sorted by name"
_READ = "read a matching file: `reads` simulates it"


@frozen
class Scope:
    """Where a file was found: its label, the setting source that lets it in, whether the project owns it.

    Files of added directories load whatever `--setting-sources` says [recorded 2.1.332]: their source is "".
    """

    label: str
    source: str
    project: bool
    gate: Condition = ALWAYS


@frozen
class _Loaded:
    """A file as it loads from its place, its row and what is to be said of it; `common` are the conditions that it
    shares with its neighbours."""

    common: Condition
    file: InstructionFile
    draft: FileDraft
    content: Content
    diagnostics: tuple[Diagnostic, ...]


@dataclass(eq=False, repr=False)
class InstructionLoader:
    """Collects the files in load order. Each path counts once: the first position wins (3.4)."""

    workspace: Workspace
    version: str
    cwd: str
    home: str
    config: str
    config_shown: str
    managed: str
    gates: Gates
    sources: Sources
    excludes: tuple[Known[str], ...]
    denied: DeniedReads
    repository: Repository | None
    facts: Facts
    follow_links: bool
    in_listed_order: bool
    files: list[InstructionFile] = field(default_factory=list)
    drafts: dict[str, FileDraft] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    is_full: bool = False
    unsearched: int = field(default_factory=lambda: MAX_SEARCHED)
    seen: set[str] = field(default_factory=set)
    real: dict[str, str] = field(default_factory=dict)
    """By the real path of what was read: the first path that led there."""
    budget: Budget = field(default_factory=Budget)
    visited: list[str] = field(default_factory=list)
    """The folders below cwd in which files are read."""
    tokens: int = 0
    """How many `@path` were followed up."""
    read: dict[str, tuple[str, Content, Scope]] = field(default_factory=dict)
    """By shown path: the path, what was read there, and its scope."""
    commons: dict[int, tuple[Scope, Condition]] = field(default_factory=dict)
    """By the scope's identity, the conditions that its files share."""

    # --- in order --------------------------------------------------------------------------------------------------

    def load(self, added: tuple[tuple[str, str], ...], switch: Known[str]) -> None:
        """Everything that loads at the start. `added`: (as typed, absolute) directories of --add-dir; `switch` is the
        variable that lets them in."""
        # 2.1.100 shows managed files under the user's label [recorded].
        # Their imports stay in the working directory, as the project's do [recorded 2.1.332].
        managed = Scope(MANAGED if self.version != V100 else USER, "managed", project=self.version != V100)
        self.file(f"{self.managed}/CLAUDE.md", "claude-md", managed)
        self.rules(self.managed, self.cwd, managed)
        user = Scope(USER, "user", project=False)
        self.file(
            f"{self.config}/CLAUDE.md", "claude-md", user, shown=os.path.normpath(f"{self.config_shown}/CLAUDE.md")
        )
        self.rules(self.config, self.cwd, user, "rules")
        self.chain()
        for typed, folder in added:
            self.added_directory(folder, typed if self.version == V100 else folder, variable_is_on(switch))

    def chain(self) -> None:
        """The directories from the file system's root down to cwd, each with its AGENTS.md last: whether these count,
        the files of all directories decide."""
        folders, starts = self.folders(), []
        for folder in folders:
            starts.append(len(self.files))
            self.directory(folder)
        gate, files = self.fallback(folders), self.files
        self.files = files[: starts[0]]
        for folder, start, end in zip(folders, starts, (*starts[1:], len(files)), strict=True):
            self.files += files[start:end]
            self.agents_md(folder, gate)

    def added_directory(self, folder: str, shown: str, gate: Condition) -> None:
        """The files of a directory of --add-dir, which 2.1.100 shows as typed. Its AGENTS.md and what is below it are
        never read [recorded 2.1.332]."""
        scope = Scope(PROJECT, "", project=True, gate=gate)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            self.file(f"{folder}/{name}", "claude-md", scope, shown=f"{shown}/{name}", optional=name != "CLAUDE.md")
        self.rules(folder, "", scope)
        local = Scope(LOCAL, "local", project=True, gate=gate)
        name = "CLAUDE.local.md"
        self.file(f"{folder}/{name}", "claude-local", local, shown=f"{shown}/{name}", optional=True)

    def folders(self) -> list[str]:
        """From the file system's root down to cwd."""
        return [str(p) for p in reversed(PurePosixPath(self.cwd).parents)] + [self.cwd]

    def directory(self, folder: str, *, lazy: bool = False) -> None:
        """The files of one directory, in order (3.2). `lazy`: below cwd, so only what exists is listed.

        There the private file stands before the rules [recorded 2.1.332].
        """
        project = Scope(PROJECT, "project", project=True, gate=self.outside_worktree(folder))
        base = folder.rstrip("/")
        if lazy and folder not in self.visited:
            self.visited.append(folder)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            self.file(
                f"{base}/{name}", "claude-md", project, optional=lazy or name != "CLAUDE.md" or self.above(folder)
            )
        if not lazy:
            self.rules(base, folder, project)
        self.file(f"{base}/CLAUDE.local.md", "claude-local", Scope(LOCAL, "local", project=True), optional=True)
        if lazy:
            self.rules(base, folder, project)

    def agents_md(self, folder: str, fallback: Condition) -> None:
        """The AGENTS.md of a directory, which count where no CLAUDE.md has been read before them (3.3)."""
        base = folder.rstrip("/")
        scope = Scope(PROJECT, "project", project=True, gate=self.outside_worktree(folder) & fallback)
        for name in ("AGENTS.md", ".claude/AGENTS.md"):
            self.file(f"{base}/{name}", "agents-md", scope, optional=True)

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
        remedy = f"start the agent in {main}"
        return Observed(
            "file",
            folder,
            not skipped,
            "the worktree's own checkout",
            "the worktree has its own copy",
            remedy=remedy,
        )

    def fallback(self, folders: Sequence[str]) -> Condition:
        """AGENTS.md is read by 2.1.329, unless a CLAUDE.md or CLAUDE.local.md of one of the folders is read that has a
        text."""
        gate: Condition = Named(
            "version", "", IS_LATER, "this version reads AGENTS.md", f"{V100} does not read AGENTS.md"
        )
        names = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
        paths = {f"{folder.rstrip('/')}/{name}" for folder in folders for name in names}
        for file in self.files:
            if file.label in (PROJECT, LOCAL) and file.shown in paths:
                no, remedy = f"suppressed by {file.shown}", f"remove {file.shown}, or import AGENTS.md there"
                there = Observed("file", file.shown, False, "", no, actual=file.shown, remedy=remedy)
                gate = gate & Named("file", file.shown, there | ~file.when, "no CLAUDE.md suppresses it", no)
        return gate

    def rules(self, holder: str, base: str, scope: Scope, folder: str = ".claude/rules") -> None:
        """The rules below a directory; those with `paths` wait for a matching file (3.5)."""
        found, left_out = self.found_rules(holder.rstrip("/"), folder, scope)
        for rule in found:
            self.file(rule.path, "claude-rule", scope, shown=rule.shown, base=base, when=rule.when)
        for path, why in left_out.items():
            self.absent(path, "claude-rule", "conditional", why)
        if len(found) > 1 and self.version != V100:
            self.diagnostics.append(
                Diagnostic(
                    "info",
                    "rules-order",
                    _LISTED if self.in_listed_order else _BY_NAME,
                    f"{holder.rstrip('/')}/{folder}",
                )
            )

    def found_rules(self, holder: str, folder: str, scope: Scope) -> tuple[list[RuleFile], Mapping[str, Condition]]:
        """The rule files below a folder, and what is left out. A file that is saved does not change them."""
        own = scope.source == "user"
        # What leads to the working directory or an added one may be a link; on the way to a user's folder it counts.
        if not scope.source and self.version != V100:  # rules of an added one are shown by where they are
            holder = self.workspace.real_path(holder)
        roots = (self.home, holder) if scope.source == "project" else (self.home,)

        def find() -> tuple[list[RuleFile], Mapping[str, Condition]]:
            any_target, listed = own or self.version == V100, self.in_listed_order and self.version != V100
            finder = RuleFinder(self.workspace, self.cwd, roots, any_target, self.follow_links, listed)
            finder.find(f"{holder}/{folder}")
            return finder.found, finder.left_out

        key = (
            "claude-code.rules",
            self.version,
            self.cwd,
            self.home,
            holder,
            folder,
            own,
            self.follow_links,
            self.in_listed_order,
        )
        return self.workspace.memo(key, find, tracked=True)

    # --- one file ---------------------------------------------------------------------------------------------------

    def file(
        self,
        path: str,
        kind: str,
        scope: Scope,
        *,
        shown: str | None = None,
        base: str = "",
        optional: bool = False,
        importer: InstructionFile | None = None,
        when: Condition = ALWAYS,
    ) -> None:
        """A file and, after it, its imports. `optional`: a missing one is not listed."""
        if path in self.seen or shown in self.seen:
            if shown and shown != path:
                self.repeated(path, kind, shown)
            return
        if len(self.files) >= MAX_FILES and self.workspace.kind(path, follow=False) is not None:
            text = f"{MAX_FILES:,} instruction files are shown; the others are left out"
            if not self.is_full:
                self.diagnostics.append(Diagnostic("warning", "too-many-files", text, self.cwd))
            self.is_full = True
            return
        source = self.workspace.read(path)
        if source.problem == "missing":
            if not optional:
                load: Load = "import" if importer else "always"
                self.absent(path, kind, load, absent(path, "no such file", f"create {path}"), importer)
            return
        self.seen |= {path, shown or path}
        if self.real.setdefault(source.real_path, path) != path and source.found:
            self.repeated(path, kind, self.real[source.real_path])
            return
        common = self.common(scope)
        own = (when, followed(self.workspace, path, self.follow_links), self.excluded({path, source.real_path}, scope))
        usual = source.found and own == (ALWAYS, ALWAYS, ALWAYS)  # an import has the gate of its importer
        within = self.within_budget(source)
        key = ("claude-code.loaded", self.version, kind, scope.label, shown, base, within)
        kept: dict[str, _Loaded] = self.workspace.made_of(source, key, dict) if usual else {}
        loaded = kept.get("loaded")
        if loaded is None or loaded.common is not common:
            loaded = kept["loaded"] = self.loaded(
                source, kind, scope, shown or path, base, importer, common, own, within
            )
        self.files.append(loaded.file)
        self.read[loaded.file.shown] = (path, loaded.content, scope)
        self.drafts[loaded.file.shown] = loaded.draft
        self.diagnostics += loaded.diagnostics
        self.imports(loaded.file)

    def repeated(self, path: str, kind: str, other: str) -> None:
        """A link to what is read already: one file counts once, whatever names lead to it [recorded 2.1.332]."""
        why = f"it is the same file as {other}, which is read already"
        self.absent(path, kind, "always", absent(path, why, REPEATED))

    def common(self, scope: Scope) -> Condition:
        """The conditions that all files of a scope share."""
        if id(scope) not in self.commons:
            let_in = self.sources.condition(scope.source) if scope.source else ALWAYS
            condition = self.gates.claude_mds & let_in & scope.gate
            name = f"claude-code.common {len(self.commons)}"
            self.commons[id(scope)] = scope, self.workspace.same(name, condition)
        return self.commons[id(scope)][1]

    def loaded(
        self,
        source: FileText,
        kind: str,
        scope: Scope,
        shown: str,
        base: str,
        importer: InstructionFile | None,
        common: Condition,
        own: tuple[Condition, Condition, Condition],
        within: bool,
    ) -> _Loaded:
        """`own` are the conditions of the file itself: that of its place, that of links, and whether it is excluded."""
        path = source.path
        load: Load = "import" if importer else "always"
        when, through_links, excluded = own
        before = len(self.diagnostics)
        content, readable = self.readable(source, within)
        gate = when & through_links & common & excluded & readable
        loads = gate
        patterns = (
            path_patterns(content.frontmatter["paths"])
            if kind == "claude-rule" and "paths" in content.frontmatter
            else None
        )
        if patterns and not base:
            never = "rules with `paths` of an added directory never load"
            loads = gate = gate & absent(path, never, f"take `paths` out of {path}")
        elif patterns:
            load = "conditional"
            waits = "it waits for a file that matches " + ", ".join(patterns[:4])
            read = Observed("file", path, False, "a matching file was read", waits, actual=list(patterns), remedy=_READ)
            loads = gate & read
        file = InstructionFile(
            shown=shown,
            real=source.real_path,
            kind=kind,
            label=scope.label,
            pieces=content.pieces(path),
            lazy_pieces=content.pieces(path, trimmed=False),
            paths=patterns,
            base=base,
            importer=importer.shown if importer else None,
            depth=importer.depth + 1 if importer else 0,
            when=loads,
            gate=gate,
        )
        self.warn(file, source, content)
        said = tuple(self.diagnostics[before:])
        del self.diagnostics[before:]
        return _Loaded(common, file, self.draft(file, source, load), content, said)

    def within_budget(self, source: FileText) -> bool:
        """Whether there is work left for the file's front matter. It is spent for what is kept, too."""
        return not self.is_skipped(source) and is_within(self.budget, source.text)

    def is_skipped(self, source: FileText) -> bool:
        """Whether the agent leaves the file out for its size (3.1)."""
        return self.version != V100 and source.size > _SKIPPED_BYTES

    def readable(self, source: FileText, within: bool) -> tuple[Content, Condition]:
        """The processed text, and whether there is any."""
        if source.problem == "outside" and self.workspace.leads_outside(source.path):  # `followed` says why
            why = f"left out here: it leads to {source.real_path}; Claude Code would read it"
            self.diagnostics.append(Diagnostic("warning", "outside", why, source.path))
            return Content(()), ALWAYS
        if source.problem:
            why = f"it cannot be read: {source.problem}" + (f" ({source.detail})" if source.detail else "")
            severity = "warning" if source.problem in ("too-large", "outside", "unreadable", "loop") else "info"
            self.diagnostics.append(Diagnostic(severity, source.problem, why, source.path))  # type: ignore[arg-type]
            return Content(()), absent(source.path, why, f"make {source.path} a readable file")
        if self.is_skipped(source):
            why = "files of more than 4 MiB are left out"
            self.diagnostics.append(Diagnostic("warning", "too-large", f"{source.size:,} bytes: {why}", source.path))
            return Content(()), absent(source.path, why, f"shorten {source.path}")
        key = ("claude-code.content", self.version, within)
        make = partial(process, source.text, self.version, within_budget=within)
        content = self.workspace.made_of(source, key, make)
        return content, Observed(
            "file",
            source.path,
            bool(content.text),
            "the file was found",
            "it holds only white space",
            remedy=f"write something into {source.path}",
        )

    def warn(self, file: InstructionFile, source: FileText, content: Content) -> None:
        if content.problem:
            self.diagnostics.append(
                Diagnostic("warning", "bad-frontmatter", content.problem, source.path, content.problem_line)
            )
        if file.kind == "claude-rule":
            self.diagnostics += near_keys(source, content.frontmatter, _MEANT)
        if source.looks_binary:
            self.diagnostics.append(Diagnostic("warning", "binary", "the file holds zero bytes", source.path))
        size, limit = len(content.text), _LARGE_100 if self.version == V100 else _LARGE
        if size > limit:
            text = f"large file: {size:,} characters, the start screen warns above {limit:,}; it is sent whole"
            self.diagnostics.append(Diagnostic("warning", "large-file", text, file.shown))

    def excluded(self, paths: Set[str], scope: Scope) -> Condition:
        """`claudeMdExcludes`, which may name a link or what it leads to, and rules that forbid to read the file, which
        count for a project's own [recorded 2.1.332]; managed files cannot be excluded."""
        if scope.source == "managed":
            return ALWAYS
        hits = [known for known in self.excludes if names_any(known.value, paths, self.workspace.real_path)]
        own = [known.value for known in self.excludes if known.source.overlay and known not in hits]
        condition: Condition = ALWAYS
        for path in sorted(paths) if scope.project and self.version != V100 else ():
            condition = condition & self.denied.permitted(path)
        for hit in hits:
            condition = condition & Setting(
                hit.source,
                hit.value,
                "given",
                False,
                "`claudeMdExcludes` does not name it",
                f"`claudeMdExcludes` names it ({hit.value})",
                on=Lever(hit.source.overlay, own) if hit.source.overlay else None,
            )
        return condition

    def draft(self, file: InstructionFile, source: FileText, load: Load) -> FileDraft:
        outside = self.workspace.leads_outside(source.path) is not None
        shown = source.path if outside else file.shown  # it stays where the switch for links is offered
        kind = "import" if file.importer else file.kind
        return file_row(source, kind, load, file.when, file.text, shown=shown, imported_by=file.importer)

    def absent(self, path: str, kind: str, load: Load, why: Condition, importer: InstructionFile | None = None) -> None:
        """A file that does not load, with its reason."""
        if path not in self.drafts:
            by = importer.shown if importer else None
            self.drafts[path] = FileDraft(path, path, "import" if importer else kind, load, why, imported_by=by)

    def near_misses(self, directories: Sequence[Known[str]]) -> None:
        """Rows of what is not read: in places where files count, and in directories that only settings add."""
        above = [folder for folder in self.folders() if not self.above(folder)]
        for draft in near_misses(
            self.workspace, [*places([*above, *self.visited], self.config, self.home)], self.drafts
        ):
            self.drafts[draft.path] = draft
        for known in directories:
            folder = self.target(known.value, self.cwd)
            for name in (*NAMES, ".claude/CLAUDE.md") if folder else ():
                path = f"{folder}/{name}"
                if self.workspace.kind(path) == "file" and path not in self.drafts:
                    why = f"not loaded: only --add-dir does that, `{known.source.key}` does not"
                    add = f"start Claude Code with --add-dir {known.value}"
                    self.absent(path, "claude-md", "on-demand", absent(path, why, add))

    # --- imports ----------------------------------------------------------------------------------------------------

    def imports(self, file: InstructionFile) -> None:
        """The targets of a file's @imports, depth-first, each after its importer (3.4)."""
        path, content, scope = self.read[file.shown]
        whole = "".join(stretch.text for stretch in content.untrimmed) if "@" in content.text else ""
        text = whole[: self.unsearched]
        self.unsearched -= len(text)
        if len(text) < len(whole):
            what = f"imports are looked for in the first {MAX_SEARCHED:,} characters of all instruction files"
            self.diagnostics.append(Diagnostic("warning", "too-many-imports", what, path))
        key = ("claude-code.imports", self.version, len(text))
        source = self.workspace.read(path)
        tokens = self.workspace.made_of(source, key, lambda: tuple(dict.fromkeys(import_tokens(text))))
        self.tokens += len(tokens)
        if tokens and self.tokens > _MAX_TOKENS:
            what = f"its imports are not followed: the files so far name more than {_MAX_TOKENS:,}"
            self.diagnostics.append(Diagnostic("warning", "too-many-imports", what, path))
            return
        real = as_named(self.workspace, source.real_path, (self.cwd, self.home)) if tokens else path
        folder = real.rpartition("/")[0]  # a link's imports are looked for beside its target
        for token in tokens:
            target = self.target(token, folder)
            if target is None or target in self.seen:
                continue
            kind = self.workspace.kind(target)
            if kind is None:
                if "/" in token or "." in token:
                    why = "no such file: the import is dropped silently"
                    self.dropped(target, file, why, f"create {target}, or correct the import in {path}")
            elif kind != "file":
                self.dropped(target, file, "it is not a file", f"name a file in {path}")
            elif not is_importable(target):
                why = "files with this ending are not imported"
                self.dropped(target, file, why, "rename it to end in .md or .txt")
            elif file.depth >= MAX_DEPTH:
                why = f"imports are followed {MAX_DEPTH} levels deep"
                self.dropped(target, file, why, "import it from a file that loads earlier")
            else:
                self.imported(target, file, scope)

    def dropped(self, target: str, importer: InstructionFile, why: str, remedy: str) -> None:
        """An import that comes to nothing."""
        self.absent(target, "import", "import", absent(target, why, remedy), importer)

    def imported(self, target: str, file: InstructionFile, scope: Scope) -> None:
        gate = file.gate
        if scope.project and not (self.inside(target) and self.stays_inside(target)):
            gate = gate & self.gates.external
            if not self.gates.external.holds(self.facts):
                self.unapproved(target, file, gate)
                return
        kind = "claude-rule" if file.kind == "claude-rule" else "import"  # what a rule imports may wait, too
        self.file(target, kind, replace(scope, gate=ALWAYS), base=file.base, importer=file, when=gate)

    def unapproved(self, target: str, file: InstructionFile, gate: Condition) -> None:
        """A target outside of cwd: left out, with what it would cost once it is approved."""
        text = f"external import, outside of {self.cwd} and not approved: {target} is not loaded"
        self.diagnostics.append(Diagnostic("info", "external-import", text, target))
        source = self.workspace.read(target)
        text = process(source.text, self.version, within_budget=False).text if source.found else ""
        self.drafts.setdefault(target, file_row(source, "import", "import", gate, text, imported_by=file.shown))

    def target(self, token: str, folder: str) -> str | None:
        """The absolute path that a token in a file of `folder` names; None if it cannot be one."""
        if "\0" in token or len(token) > 4096:
            return None
        if token == "~" or token.startswith("~/"):
            return os.path.normpath(self.home + token[1:])
        return os.path.normpath(token if token.startswith("/") else f"{folder}/{token}")

    def inside(self, path: str) -> bool:
        """The border is cwd, not the repository: an ancestor's imports do not expand below it (3.4)."""
        return path.startswith(self.cwd.rstrip("/") + "/")

    def stays_inside(self, path: str) -> bool:
        """From 2.1.329 on an import that is a link counts by where it leads (claude-code-new-facts.md)."""
        real, cwd = self.workspace.real_path(path), self.workspace.real_path(self.cwd)
        return self.version == V100 or real.startswith(cwd.rstrip("/") + "/")
