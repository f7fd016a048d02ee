"""What the instruction files import, and why an import comes to nothing (3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from promptscope_engine.agents.claude_code.materials import InstructionFile
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.paths import target_of
from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .content import Content, process
from .imports import MAX_DEPTH, import_tokens, is_importable

if TYPE_CHECKING:
    from .instruction_files import InstructionFiles, Scope

MAX_SEARCHED = 300_000
"""Characters of text with a `@`: Markdown made to be slow takes seconds for so many."""
_MAX_TOKENS = 20_000
"""`@path` that are followed up: ten for each of the files that may load."""


@dataclass(eq=False, repr=False)
class Imports:
    """Follows the imports of the files; `tokens` counts those that were followed up."""

    files: InstructionFiles
    unsearched: int = field(default_factory=lambda: MAX_SEARCHED)
    tokens: int = 0

    def follow(self, file: InstructionFile, source: FileText, content: Content, scope: Scope) -> None:
        """The targets of a file's @imports, depth-first, each after its importer (3.4)."""
        files, path, workspace = self.files, source.path, self.files.workspace
        whole = "".join(stretch.text for stretch in content.untrimmed) if "@" in content.text else ""
        text = whole[: self.unsearched]
        self.unsearched -= len(text)
        if len(text) < len(whole):
            what = f"imports are looked for in the first {MAX_SEARCHED:,} characters of all instruction files"
            files.diagnostics.append(Diagnostic("warning", "too-many-imports", what, path))
        key = ("claude-code.imports", files.version, len(text))
        tokens = workspace.made_of(source, key, lambda: tuple(dict.fromkeys(import_tokens(text))))
        self.tokens += len(tokens)
        if tokens and self.tokens > _MAX_TOKENS:
            what = f"its imports are not followed: the files so far name more than {_MAX_TOKENS:,}"
            files.diagnostics.append(Diagnostic("warning", "too-many-imports", what, path))
            return
        real = as_named(workspace, source.real_path, (files.cwd, files.home)) if tokens else path
        folder = real.rpartition("/")[0]  # a link's imports are looked for beside its target
        for token in tokens:
            target = target_of(token, folder, files.home)
            if target is None or target in files.seen:
                continue
            kind = workspace.kind(target)
            if lost := _lost(target, kind, path, file.depth):
                if kind or "/" in token or "." in token:
                    files.absent(target, "import", "import", absent(target, *lost), file)
            else:
                self.imported(target, file, scope)

    def imported(self, target: str, file: InstructionFile, scope: Scope) -> None:
        """A target that is read, if it lies in the working directory or external imports are approved."""
        files, gate = self.files, file.gate
        if scope.project and not self.is_inside(target):
            gate = gate & files.gates.external
            if not files.gates.external.holds(files.facts):
                self.unapproved(target, file, gate)
                return
        kind = "claude-rule" if file.kind == "claude-rule" else "import"  # what a rule imports may wait, too
        files.file(target, kind, replace(scope, gate=ALWAYS), base=file.base, importer=file, when=gate)

    def unapproved(self, target: str, file: InstructionFile, gate: Condition) -> None:
        """A target outside of cwd: left out, with what it would cost once it is approved."""
        text = f"external import, outside of {self.files.cwd} and not approved: {target} is not loaded"
        self.files.diagnostics.append(Diagnostic("info", "external-import", text, target))
        source = self.files.workspace.read(target)
        text = process(source.text, self.files.version, within_budget=False).text if source.found else ""
        self.files.drafts.setdefault(target, file_row(source, "import", "import", gate, text, imported_by=file.shown))

    def is_inside(self, path: str) -> bool:
        """The border is cwd, not the repository: an ancestor's imports do not expand below it (3.4). From 2.1.329 on a
        link counts by where it leads."""
        files = self.files
        real, cwd = files.workspace.real_path(path), files.workspace.real_path(files.cwd)
        stays = files.version == V100 or real.startswith(cwd.rstrip("/") + "/")
        return stays and path.startswith(files.cwd.rstrip("/") + "/")


def _lost(target: str, kind: str | None, importer: str, depth: int) -> tuple[str, str] | None:
    """Why an import comes to nothing, and what to do."""
    if kind is None:
        return "no such file: the import is dropped silently", f"create {target}, or correct the import in {importer}"
    if kind != "file":
        return "it is not a file", f"name a file in {importer}"
    if not is_importable(target):
        return "files with this ending are not imported", "rename it to end in .md or .txt"
    if depth >= MAX_DEPTH:
        return f"imports are followed {MAX_DEPTH} levels deep", "import it from a file that loads earlier"
    return None


def as_named(workspace: Workspace, real: str, folders: Sequence[str]) -> str:
    """A real path as it reads from the first of `folders` that it is in: each may be reached through links."""
    for folder in folders:
        base = workspace.real_path(folder).rstrip("/")
        if real.startswith(base + "/"):
            return folder.rstrip("/") + real[len(base) :]
    return real
