"""The instruction files that load: what is read of each, the conditions under which it does, and its row (3.1-3.4)."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from functools import partial

from promptscope_engine.agents.claude_code.gates import Gates
from promptscope_engine.agents.claude_code.globs import names_any, path_patterns
from promptscope_engine.agents.claude_code.materials import InstructionFile
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.heads import Budget, near_keys
from promptscope_engine.agents.kit.rows import absent, file_row, followed
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever, Load
from promptscope_engine.workspace import FileText, Workspace

from .content import Content, process
from .denied import DeniedReads
from .head import is_within
from .instruction_imports import Imports
from .rules import REPEATED
from .settings import Sources

_MEANT = dict.fromkeys(("paths", "path", "glob", "globs", "applyTo"), "paths")
"""What other agents call the paths of a rule."""
_LARGE, _LARGE_100 = 150_000, 40_000
"""Characters above which the start screen warns (3.2); the file is sent whole all the same."""
_SKIPPED_BYTES = 4 * 1024 * 1024
"""2.1.329 is reported to leave larger files out [I#92980]."""
MAX_FILES = 2_000
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
class InstructionFiles:
    """Collects the files in load order. Each path counts once: the first position wins (3.4)."""

    workspace: Workspace
    version: str
    cwd: str
    home: str
    gates: Gates
    sources: Sources
    excludes: tuple[Known[str], ...]
    denied: DeniedReads
    facts: Facts
    follow_links: bool
    files: list[InstructionFile] = field(default_factory=list)
    drafts: dict[str, FileDraft] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    is_full: bool = False
    seen: set[str] = field(default_factory=set)
    real: dict[str, str] = field(default_factory=dict)
    """By the real path of what was read: the first path that led there."""
    budget: Budget = field(default_factory=Budget)
    commons: dict[int, tuple[Scope, Condition]] = field(default_factory=dict)
    """By the scope's identity, the conditions that its files share."""
    imports: Imports = field(init=False)

    def __post_init__(self) -> None:
        self.imports = Imports(self)

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
        within = not self.is_skipped(source) and is_within(self.budget, source.text)  # spent for what is kept, too
        key = ("claude-code.loaded", self.version, kind, scope.label, shown, base, within)
        kept: dict[str, _Loaded] = self.workspace.made_of(source, key, dict) if usual else {}
        loaded = kept.get("loaded")
        if loaded is None or loaded.common is not common:
            loaded = kept["loaded"] = self.loaded(
                source, kind, scope, shown or path, base, importer, common, own, within
            )
        self.files.append(loaded.file)
        self.drafts[loaded.file.shown] = loaded.draft
        self.diagnostics += loaded.diagnostics
        self.imports.follow(loaded.file, source, loaded.content, scope)

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
        no, remedy = "it holds only white space", f"write something into {source.path}"
        return content, Observed("file", source.path, bool(content.text), "the file was found", no, remedy=remedy)

    def warn(self, file: InstructionFile, source: FileText, content: Content) -> None:
        if content.problem:
            problem = Diagnostic("warning", "bad-frontmatter", content.problem, source.path, content.problem_line)
            self.diagnostics.append(problem)
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
            yes, no = "`claudeMdExcludes` does not name it", f"`claudeMdExcludes` names it ({hit.value})"
            on = Lever(hit.source.overlay, own) if hit.source.overlay else None
            condition = condition & Setting(hit.source, hit.value, "given", False, yes, no, on=on)
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
