"""The order in which instruction files load at the start, and the folders in which they are looked for (3.2-3.5)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from promptscope_engine.agents.claude_code.gates import IS_LATER, variable_is_on
from promptscope_engine.agents.claude_code.lookups import NAMES, places
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.near_misses import near_misses
from promptscope_engine.agents.kit.paths import target_of
from promptscope_engine.agents.kit.rows import absent
from promptscope_engine.agents.kit.walking import upwards
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Observed
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic

from .git import Repository
from .instruction_files import InstructionFiles, Scope
from .rules import RuleFile, RuleFinder

PROJECT = "project instructions, checked into the codebase"
LOCAL = "user's private project instructions, not checked in"
USER = "user's private global instructions for all projects"
MANAGED = "organization-managed policy instructions"
_LISTED = "rules come in the order in which this machine lists the folder; another machine may list it differently"
_BY_NAME = "rules come in the order in which a machine lists the folder; here they are sorted by name"


@dataclass(eq=False, repr=False)
class InstructionLoader:
    """Looks for the files, folder by folder."""

    found: InstructionFiles
    config: str
    config_shown: str
    managed: str
    repository: Repository | None
    in_listed_order: bool
    visited: list[str] = field(default_factory=list)
    """The folders below cwd in which files are read."""

    def load(self, added: tuple[tuple[str, str], ...], switch: Known[str]) -> None:
        """Everything that loads at the start. `added`: (as typed, absolute) directories of --add-dir; `switch` is the
        variable that lets them in."""
        # 2.1.100 shows managed files under the user's label [recorded].
        # Their imports stay in the working directory, as the project's do [recorded 2.1.332].
        managed = Scope(MANAGED if self.found.version != V100 else USER, "managed", project=self.found.version != V100)
        self.found.file(f"{self.managed}/CLAUDE.md", "claude-md", managed)
        self.rules(self.managed, self.found.cwd, managed)
        user = Scope(USER, "user", project=False)
        self.found.file(
            f"{self.config}/CLAUDE.md", "claude-md", user, shown=os.path.normpath(f"{self.config_shown}/CLAUDE.md")
        )
        self.rules(self.config, self.found.cwd, user, "rules")
        self.chain()
        for typed, folder in added:
            self.added_directory(folder, typed if self.found.version == V100 else folder, variable_is_on(switch))

    def chain(self) -> None:
        """The directories from the file system's root down to cwd, each with its AGENTS.md last: whether these count,
        the files of all directories decide."""
        folders, starts = self.folders(), []
        for folder in folders:
            starts.append(len(self.found.files))
            self.directory(folder)
        gate, files = self.fallback(folders), self.found.files
        self.found.files = files[: starts[0]]
        for folder, start, end in zip(folders, starts, (*starts[1:], len(files)), strict=True):
            self.found.files += files[start:end]
            self.agents_md(folder, gate)

    def added_directory(self, folder: str, shown: str, gate: Condition) -> None:
        """The files of a directory of --add-dir, which 2.1.100 shows as typed. Its AGENTS.md and what is below it are
        never read [recorded 2.1.332]."""
        scope = Scope(PROJECT, "", project=True, gate=gate)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            optional = name != "CLAUDE.md"
            self.found.file(f"{folder}/{name}", "claude-md", scope, shown=f"{shown}/{name}", optional=optional)
        self.rules(folder, "", scope)
        local = Scope(LOCAL, "local", project=True, gate=gate)
        name = "CLAUDE.local.md"
        self.found.file(f"{folder}/{name}", "claude-local", local, shown=f"{shown}/{name}", optional=True)

    def folders(self) -> list[str]:
        """From the file system's root down to cwd."""
        return upwards(self.found.cwd)[::-1]

    def directory(self, folder: str, *, lazy: bool = False) -> None:
        """The files of one directory, in order (3.2). `lazy`: below cwd, so only what exists is listed.

        There the private file stands before the rules [recorded 2.1.332].
        """
        project = Scope(PROJECT, "project", project=True, gate=self.outside_worktree(folder))
        base = folder.rstrip("/")
        if lazy and folder not in self.visited:
            self.visited.append(folder)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            self.found.file(
                f"{base}/{name}", "claude-md", project, optional=lazy or name != "CLAUDE.md" or self.above(folder)
            )
        if not lazy:
            self.rules(base, folder, project)
        self.found.file(f"{base}/CLAUDE.local.md", "claude-local", Scope(LOCAL, "local", project=True), optional=True)
        if lazy:
            self.rules(base, folder, project)

    def agents_md(self, folder: str, fallback: Condition) -> None:
        """The AGENTS.md of a directory, which count where no CLAUDE.md has been read before them (3.3)."""
        base = folder.rstrip("/")
        scope = Scope(PROJECT, "project", project=True, gate=self.outside_worktree(folder) & fallback)
        for name in ("AGENTS.md", ".claude/AGENTS.md"):
            self.found.file(f"{base}/{name}", "agents-md", scope, optional=True)

    def above(self, folder: str) -> bool:
        """Whether a directory lies above the repository (or cwd): there only what exists is listed."""
        root = self.repository.root if self.repository else self.found.cwd
        return not (folder == root or folder.startswith(root.rstrip("/") + "/"))

    def outside_worktree(self, folder: str) -> Condition:
        """A linked worktree inside the repository has its own checkout: the outer one's files are skipped (12)."""
        repository = self.repository
        if repository is None or not repository.linked:
            return ALWAYS
        main, own = repository.main_root, repository.root
        inside = folder == main or folder.startswith(main.rstrip("/") + "/")
        skipped = inside and own.startswith(main.rstrip("/") + "/") and not (folder + "/").startswith(own + "/")
        yes, no = "the worktree's own checkout", "the worktree has its own copy"
        return Observed("file", folder, not skipped, yes, no, remedy=f"start the agent in {main}")

    def fallback(self, folders: Sequence[str]) -> Condition:
        """AGENTS.md is read by 2.1.329, unless a CLAUDE.md or CLAUDE.local.md of one of the folders is read that has a
        text."""
        gate: Condition = Named(
            "version", "", IS_LATER, "this version reads AGENTS.md", f"{V100} does not read AGENTS.md"
        )
        names = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
        paths = {f"{folder.rstrip('/')}/{name}" for folder in folders for name in names}
        for file in self.found.files:
            if file.label in (PROJECT, LOCAL) and file.shown in paths:
                no, remedy = f"suppressed by {file.shown}", f"remove {file.shown}, or import AGENTS.md there"
                there = Observed("file", file.shown, False, "", no, actual=file.shown, remedy=remedy)
                gate = gate & Named("file", file.shown, there | ~file.when, "no CLAUDE.md suppresses it", no)
        return gate

    def rules(self, holder: str, base: str, scope: Scope, folder: str = ".claude/rules") -> None:
        """The rules below a directory; those with `paths` wait for a matching file (3.5)."""
        found, left_out = self.found_rules(holder.rstrip("/"), folder, scope)
        for rule in found:
            self.found.file(rule.path, "claude-rule", scope, shown=rule.shown, base=base, when=rule.when)
        for path, why in left_out.items():
            self.found.absent(path, "claude-rule", "conditional", why)
        if len(found) > 1 and self.found.version != V100:
            said, place = _LISTED if self.in_listed_order else _BY_NAME, f"{holder.rstrip('/')}/{folder}"
            self.found.diagnostics.append(Diagnostic("info", "rules-order", said, place))

    def found_rules(self, holder: str, folder: str, scope: Scope) -> tuple[list[RuleFile], Mapping[str, Condition]]:
        """The rule files below a folder, and what is left out. A file that is saved does not change them."""
        files, own = self.found, scope.source == "user"
        # What leads to the working directory or an added one may be a link; on the way to a user's folder it counts.
        if not scope.source and files.version != V100:  # rules of an added one are shown by where they are
            holder = files.workspace.real_path(holder)
        roots = (files.home, holder) if scope.source == "project" else (files.home,)
        how = own or files.version == V100, files.follow_links, self.in_listed_order and files.version != V100

        def find() -> tuple[list[RuleFile], Mapping[str, Condition]]:
            finder = RuleFinder(files.workspace, files.cwd, roots, *how)
            finder.find(f"{holder}/{folder}")
            return finder.found, finder.left_out

        key = ("claude-code.rules", files.cwd, roots, holder, folder, how)
        return files.workspace.memo(key, find, tracked=True)

    def near_misses(self, directories: Sequence[Known[str]]) -> None:
        """Rows of what is not read: in places where files count, and in directories that only settings add."""
        above = [folder for folder in self.folders() if not self.above(folder)]
        for draft in near_misses(
            self.found.workspace, [*places([*above, *self.visited], self.config, self.found.home)], self.found.drafts
        ):
            self.found.drafts[draft.path] = draft
        for known in directories:
            folder = target_of(known.value, self.found.cwd, self.found.home)
            for name in (*NAMES, ".claude/CLAUDE.md") if folder else ():
                path = f"{folder}/{name}"
                if self.found.workspace.kind(path) == "file" and path not in self.found.drafts:
                    why = f"not loaded: only --add-dir does that, `{known.source.key}` does not"
                    add = f"start Claude Code with --add-dir {known.value}"
                    self.found.absent(path, "claude-md", "on-demand", absent(path, why, add))
