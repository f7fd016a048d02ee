"""Where instruction files are looked for, and in which order they load, at the start and with a read."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.globs import path_matcher
from promptscope_engine.agents.claude_code.materials import InstructionFile, LazyLoaded
from promptscope_engine.agents.claude_code.texts import FOLDER, IS_LATER, Gates, variable_is_on
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.disk.rows import Place, absent, followed, locked, missed, near_misses, never, nowhere
from promptscope_engine.agents.kit.disk.walking import target_of, upwards
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.leaves import by_reading
from promptscope_engine.prompt.model import Diagnostic, Load, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace

from .agents_md import BOTH, FALLBACK, READ_BOTH, mode_of, reads_agents_md, reads_own
from .instruction_files import REPEATED, InstructionFiles, Scope, as_named
from .session import Session
from .settings import MANAGED as MANAGED_LAYER

NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")
_KIND = "claude-md"


_NOT_IN_FOLDER = {"CLAUDE.override.md": "Claude Code knows no file of this name"}
_NOT_IN_DOT_CLAUDE = {
    "CLAUDE.local.md": "CLAUDE.local.md counts beside .claude, not in it",
    "rules.md": "rules are the .md files of the folder .claude/rules",
}
_NOT_IN_CONFIG = {
    "CLAUDE.local.md": "in ~/.claude only CLAUDE.md counts; CLAUDE.local.md belongs to a project",
    "AGENTS.md": "in ~/.claude only CLAUDE.md counts",
}
_NOT_SETTINGS = {
    "settings.local.json": (
        "settings.local.json counts in a project's .claude; the user's own are in ~/.claude/settings.json"
    ),
}
"""Files that a person may expect to count where others do, each with why it does not."""


def places(folders: Sequence[str], config: str, home: str) -> Iterator[Place]:
    """`folders` are those whose files load, from the outermost one that is the user's own."""
    for folder in folders:
        base = folder.rstrip("/")
        if base != home:
            yield Place(folder, _KIND, NAMES, others=_NOT_IN_FOLDER)
            yield Place(f"{base}/.claude", _KIND, ("CLAUDE.md", "AGENTS.md"), others=_NOT_IN_DOT_CLAUDE)
    yield Place(config, _KIND, ("CLAUDE.md",), others=_NOT_IN_CONFIG)
    if f"{home}/.claude" == config and home not in folders:  # started there it is a project's
        yield Place(config, "settings", others=_NOT_SETTINGS)
    if home not in folders:
        yield Place(
            home, _KIND, others={name: f"the user's own file is ~/.claude/CLAUDE.md, not ~/{name}" for name in NAMES}
        )


_MAX_DEPTH = 16
_MAX_RULES = 2_000


class RuleFile(Struct, frozen=True):
    """A rule: where it is, the path it is shown under, and what a link on the way means for it."""

    path: str
    shown: str
    when: Condition = ALWAYS


@dataclass(eq=False, repr=False)
class RuleFinder:
    """Walks a `rules` folder: 2.1.100 by name, later versions in the file system's order [recorded 2.1.332]."""

    workspace: Workspace
    cwd: str
    roots: tuple[str, ...]
    """Folders that may be links themselves: what is in them is shown as if they were none."""
    any_target: bool
    """Links are followed wherever they lead: the user's own in every version, all others in 2.1.100 only."""
    follow: bool
    in_listed_order: bool
    found: list[RuleFile] = field(default_factory=list)
    left_out: dict[str, Condition] = field(default_factory=dict)
    """Folders and files that are not read, each with its reason."""
    _walked: set[str] = field(default_factory=set)

    def find(self, folder: str) -> None:
        """All of the folder's `*.md` files."""
        if self.workspace.kind(folder) == "directory":
            self._walk(folder, 0)
        else:  # in a folder that is locked nothing can be looked at
            self.left_out |= {each.path: each.when for each in locked(self.workspace, folder, "claude-rule")}

    def _walk(self, directory: str, depth: int) -> None:
        real = self.workspace.real_path(directory)
        if real in self._walked:
            self._leave_out(directory, f"it leads to {self._shown(real)}, which is read already", REPEATED)
            return
        if not self._may_enter(directory, self._shown(real)):
            return
        self._walked.add(real)
        if depth > _MAX_DEPTH or len(self.found) >= _MAX_RULES:
            why = "the folders are nested too deeply or there are too many rules"
            self._leave_out(directory, why, "move the rules up, or merge them")
            return
        listing = self.workspace.list(directory)
        if listing.problem not in (None, "missing", "too-many"):
            why = f"the folder cannot be listed: {listing.detail or listing.problem}"
            self._leave_out(directory, why, f"make {directory} readable")
        for entry in listing.listed if self.in_listed_order else listing.entries:
            path = f"{directory}/{entry.name}"
            kind = self.workspace.kind(path) if entry.kind == "link" else entry.kind
            if kind == "directory":
                self._walk(path, depth + 1)
            elif kind == "file" and entry.name.endswith(".md"):
                self._file(path)
            elif kind is None and entry.name.endswith(".md"):
                self.left_out[path] = never(path, *nowhere(self.workspace, path))
            elif kind == "file" and (near := missed(entry.name, (), ".md")):
                self.left_out[path] = never(path, near, f"rename {path}")

    def _file(self, path: str) -> None:
        shown = self._shown(self.workspace.real_path(path))
        if shown == path:
            self.found.append(RuleFile(path, path))
        elif self._may_enter(path, shown):
            self.found.append(RuleFile(path, shown, followed(self.workspace, path, self.follow)))

    def _may_enter(self, path: str, shown: str) -> bool:
        """Whether a file or folder is read if there is a link on the way to it [recorded].

        2.1.100 follows every link; later versions follow the user's own, and those that stay in the working directory.
        """
        if shown == path or shown.startswith(self.cwd.rstrip("/") + "/"):
            return True
        if not self.any_target:
            why = f"it leads to {shown}: this version does not follow a link of rules out of the working directory"
            remedy = f"put a copy in the place of the link {path}"
            self.left_out[path] = never(path, why, remedy, is_near=False)
            return False
        around, _, name = self.cwd.rpartition("/")
        if around and name and shown.rpartition("/")[0] == around and self.workspace.is_dir(path):
            self.workspace.allow([shown])  # a folder beside the workspace, as recorded sessions have it
        if self.workspace.allows(path, listing=True):
            return True
        self.left_out[path] = followed(self.workspace, path, follow=False)
        return False

    def _shown(self, real: str) -> str:
        return as_named(self.workspace, real, (self.cwd, *self.roots))

    def _leave_out(self, path: str, why: str, remedy: str) -> None:
        self.left_out[path] = absent(path, why, remedy)


PROJECT = "project instructions, checked into the codebase"
LOCAL = "user's private project instructions, not checked in"
USER = "user's private global instructions for all projects"
MANAGED = "organization-managed policy instructions"
_LISTED = "rules come in the order in which this machine lists the folder; another machine may list it differently"
_BY_NAME = "rules come in the order in which a machine lists the folder; here they are sorted by name"


_IMPORTS = ("@AGENTS.md", "@./AGENTS.md")
"""The text of a CLAUDE.md that says nothing of its own."""


class InstructionLoader(InstructionFiles):
    """Looks for the files, folder by folder.

    `visited`: folders below cwd in which files are read. `done`: files that reads have loaded.
    """

    def __init__(self, session: Session, gates: Gates, facts: Facts) -> None:
        super().__init__(session, gates, facts)
        self.mode = mode_of(session.settings) if self.version != V100 else Sourced(FALLBACK, SettingSource(""))
        self.own = reads_own(self.mode)
        self.counts: Condition = ALWAYS
        """What has to hold for the AGENTS.md of the start."""
        self.visited: list[str] = []
        self.done: set[str] = set()

    def load(self) -> None:
        """Everything that loads at the start."""
        session = self.session
        # 2.1.100 shows managed files under the user's label [recorded].
        # Their imports stay in the working directory, as the project's do [recorded 2.1.332].
        managed = Scope(MANAGED if self.version != V100 else USER, "managed", project=self.version != V100)
        self.file(f"{session.managed}/CLAUDE.md", "claude-md", managed)
        self.of_settings(managed)
        self.rules(session.managed, self.cwd, managed)
        user = Scope(USER, "user", project=False, gate=self.own)
        shown = posixpath.normpath(f"{session.written}/CLAUDE.md")
        self.file(f"{session.config}/CLAUDE.md", "claude-md", user, shown=shown)
        self.rules(session.config, self.cwd, user, "rules")
        self.chain()
        let_in = variable_is_on(session.variable("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"))
        for typed, folder in zip(session.params.args.addDir, session.added, strict=True):
            self.added_directory(folder, typed if self.version == V100 else folder, let_in & self.own)
        self.agents_md(self.cwd, self.counts)

    def of_settings(self, scope: Scope) -> None:
        """`claudeMd` of an organisation's settings, trimmed; its imports stay as they are [asked of 2.1.332]."""
        known = self.session.settings.of(MANAGED_LAYER).known("claudeMd")
        if self.version != V100 and isinstance(known.value, str):
            text = replace(known.span(), text=known.value.strip())
            self.order.append(
                InstructionFile("<managed-settings>", _KIND, scope.label, (text,), when=self.common(scope))
            )

    def chain(self) -> None:
        """The directories from the root down to cwd. All other files decide whether AGENTS.md counts.

        The ones of a directory come before the next directory; those of cwd are the last of all, see `load`.
        """
        folders, starts = self.folders(), []
        for folder in folders:
            starts.append(len(self.order))
            self.directory(folder)
        self.counts, files = self.fallback(folders), self.order
        self.order = files[: starts[0]]
        for folder, start, end in zip(folders, starts, (*starts[1:], len(files)), strict=True):
            self.order += files[start:end]
            if folder != self.cwd:
                self.agents_md(folder, self.counts)
        if self.version != V100:
            self.diagnostics += self._thin(folders)

    def _thin(self, folders: Sequence[str]) -> Iterator[Diagnostic]:
        """Of each CLAUDE.md that only imports the AGENTS.md beside it: whether AGENTS.md would be read without it."""
        own = [file for file in self._own(folders) if file.when.holds(self.facts)]
        thin = [file for file in own if file.text in _IMPORTS and file.shown.endswith("/CLAUDE.md")]
        further = next((file.shown for file in own if file not in thin and self.mode.value == FALLBACK), "")
        for file in thin:
            beside = f"{file.shown.rpartition('/')[0]}/AGENTS.md"
            if self.workspace.kind(beside) != "file":
                continue
            if self.mode.value not in (FALLBACK, BOTH):
                yield FOLDER.note("thin-import-needed", file.shown, 1, why=f"`{self.mode.source.key}` leaves it out")
            elif further:
                yield FOLDER.note("thin-import-needed", file.shown, 1, why=f"{further} takes its place")
            else:
                yield FOLDER.note("thin-import", file.shown, 1)

    def added_directory(self, folder: str, shown: str, gate: Condition) -> None:
        """The files of an --add-dir directory but AGENTS.md; 2.1.100 shows them as typed [recorded 2.1.332]."""
        scope = Scope(PROJECT, "", project=True, gate=gate)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            optional = name != "CLAUDE.md"
            self.file(f"{folder}/{name}", "claude-md", scope, shown=f"{shown}/{name}", optional=optional)
        self.rules(folder, "", scope)
        local = Scope(LOCAL, "local", project=True, gate=gate)
        name = "CLAUDE.local.md"
        self.file(f"{folder}/{name}", "claude-local", local, shown=f"{shown}/{name}", optional=True)

    def folders(self) -> list[str]:
        """From the file system's root down to cwd."""
        return upwards(self.cwd)[::-1]

    def directory(self, folder: str, *, lazy: bool = False) -> None:
        """The files of one directory. `lazy`: below cwd, where the private file is before the rules [recorded]."""
        start = ALWAYS if lazy else self.own
        project = Scope(PROJECT, "project", project=True, gate=self.outside_worktree(folder) & start)
        base = folder.rstrip("/")
        if lazy and folder not in self.visited:
            self.visited.append(folder)
        for name in ("CLAUDE.md", ".claude/CLAUDE.md"):
            optional = lazy or name != "CLAUDE.md" or self.above(folder)
            self.file(f"{base}/{name}", "claude-md", project, optional=optional)
        if not lazy:
            self.rules(base, folder, project)
        local = Scope(LOCAL, "local", project=True, gate=start)
        self.file(f"{base}/CLAUDE.local.md", "claude-local", local, optional=True)
        if lazy:
            self.rules(base, folder, project)

    def agents_md(self, folder: str, fallback: Condition) -> None:
        """The AGENTS.md of a directory, which count where no CLAUDE.md has been read before them."""
        base = folder.rstrip("/")
        scope = Scope(PROJECT, "project", project=True, gate=self.outside_worktree(folder) & fallback)
        before = len(self.order)
        for name in ("AGENTS.md", ".claude/AGENTS.md"):
            self.file(f"{base}/{name}", "agents-md", scope, optional=True)
        for at, file in enumerate(self.order[before:], before):
            others = (other for other in self.order if other.kind != file.kind and other.label in (PROJECT, LOCAL))
            same = next((other for other in others if other.paths is None and other.text == file.text), None)
            if file.kind == "agents-md" and file.text and same:
                once = FOLDER.reason("same_text", path=file.shown, other=same.shown)
                self.order[at] = replace(file, when=file.when & once)
                self.drafts[file.shown] = replace(self.drafts[file.shown], when=self.drafts[file.shown].when & once)

    def above(self, folder: str) -> bool:
        """Whether a directory is above the repository (or cwd): there only what exists is listed."""
        root = self.session.root or self.cwd
        return not (folder == root or folder.startswith(root.rstrip("/") + "/"))

    def outside_worktree(self, folder: str) -> Condition:
        """A linked worktree inside the repository has its own checkout: the outer one's files are skipped."""
        repository = self.session.repository
        if repository is None or not repository.linked:
            return ALWAYS
        main, own = repository.main_root, repository.root
        inside = folder == main or folder.startswith(main.rstrip("/") + "/")
        skipped = inside and own.startswith(main.rstrip("/") + "/") and not (folder + "/").startswith(own + "/")
        return FOLDER.reason("worktree", not skipped, path=folder, main=main)

    def fallback(self, folders: Sequence[str]) -> Condition:
        """What has to hold for AGENTS.md to be read.

        Usually none of the folders has a CLAUDE.md or CLAUDE.local.md with text; a mode may say otherwise.
        """
        yes, no = "this version reads AGENTS.md", f"{V100} does not read AGENTS.md"
        gate: Condition = Named("version", "", IS_LATER, yes, no) & reads_agents_md(self.mode)
        if self.mode.value == BOTH:
            return gate
        for file in self._own(folders):
            no, remedy = f"{file.shown} is read in its place", f"delete {file.shown}, or import AGENTS.md there"
            there = Fact("file", file.shown, False, "", no, actual=file.shown, remedy=remedy, on=(READ_BOTH,))
            gate = gate & Named("file", file.shown, there | ~file.when, "no CLAUDE.md suppresses it", no)
        return gate

    def _own(self, folders: Sequence[str]) -> list[InstructionFile]:
        """Each CLAUDE.md and CLAUDE.local.md of these folders."""
        names = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
        paths = {f"{folder.rstrip('/')}/{name}" for folder in folders for name in names}
        return [file for file in self.order if file.label in (PROJECT, LOCAL) and file.shown in paths]

    def rules(self, holder: str, base: str, scope: Scope, folder: str = ".claude/rules") -> None:
        """The rules below a directory; those with `paths` wait for a matching file."""
        session, top = self.session, holder.rstrip("/")
        # What leads to the working directory or an added one may be a link; on the way to a user's folder it counts.
        if not scope.source and self.version != V100:  # rules of an added one are shown by where they are
            top = self.workspace.real_path(top)
        roots = (self.home, top) if scope.source == "project" else (self.home,)
        any_target = scope.source == "user" or self.version == V100
        listed = session.inputs.in_listed_order and self.version != V100
        finder = RuleFinder(self.workspace, self.cwd, roots, any_target, session.follow, listed)
        finder.find(f"{top}/{folder}")
        for rule in finder.found:
            self.file(rule.path, "claude-rule", scope, shown=rule.shown, base=base, when=rule.when)
        for path, why in finder.left_out.items():
            self.absent(path, "claude-rule", "conditional", why)
        if len(finder.found) > 1 and self.version != V100:
            said, place = _LISTED if session.inputs.in_listed_order else _BY_NAME, f"{holder.rstrip('/')}/{folder}"
            self.diagnostics.append(Diagnostic("info", "rules-order", said, place))

    def near_misses(self) -> None:
        """Rows of what is not read: in places where files count, and in directories that only settings add."""
        session = self.session
        above = [folder for folder in self.folders() if not self.above(folder)]
        where = [*places([*above, *self.visited], session.config, self.home)]
        self.drafts |= {draft.path: draft for draft in near_misses(self.workspace, where, self.drafts)}
        for known in session.settings.items("permissions.additionalDirectories"):
            folder = target_of(known.value, self.cwd, self.home)
            for name in (*NAMES, ".claude/CLAUDE.md") if folder else ():
                path = f"{folder}/{name}"
                if self.workspace.kind(path) == "file" and path not in self.drafts:
                    why = FOLDER.reason("only_added", path=path, key=known.source.key, folder=known.value)
                    self.absent(path, "claude-md", "on-demand", why)

    # --- what a read loads --------------------------------------------------------------------------------------------

    def load_lazily(self, reads: Iterable[str]) -> tuple[LazyLoaded, ...]:
        """What the reads load, each file once per session, in order [recorded 2.1.332].

        For each read: the user's rules, then the directories between cwd and the file, outer first, each with its
        rules, then those of cwd and above; AGENTS.md beside them. The agent reads in parallel, so files less deep tend
        to come first; those of one depth are nearly always in the order of the reads. The draft of a loaded file says
        which read loaded it.
        """
        loaded: list[LazyLoaded] = []
        paths = [read if read.startswith("/") else f"{self.cwd.rstrip('/')}/{read}" for read in reads]
        for path in sorted(paths, key=lambda path: len(folders_between(self.cwd, path))):
            if not self._is_working(path):
                continue
            self.real.clear()  # a file that the start has read by another name loads again
            loaded += self._woken((rule for rule in self.order if rule.label in (USER, MANAGED)), path)
            for folder in folders_between(self.cwd, path):
                before = len(self.order)
                self.directory(folder, lazy=True)
                self.agents_md(folder, self.fallback([*self.folders(), folder]))
                fresh = [f for f in self.order[before:] if f.paths is None and f.when.holds(self.facts)]
                fresh = [file for file in fresh if file.shown not in self.done]
                self.done.update(file.shown for file in fresh)
                loaded += [LazyLoaded(file, path) for file in fresh]
                loaded += self._woken((rule for rule in self.order if rule.base == folder), path)
            loaded += self._woken(self.order, path)
        for file, read in ((item.file, item.read) for item in loaded):
            reason = by_reading(read)
            load: Load = "conditional" if file.paths else ("import" if file.importer else "on-demand")
            self.drafts[file.shown] = replace(self.drafts[file.shown], when=reason, load=load)
        # What was found on the way is not part of the start.
        names = {item.file.shown for item in loaded if item.file.paths is None}
        self.order = [file for file in self.order if file.shown not in names]
        return tuple(loaded)

    def _woken(self, rules: Iterable[InstructionFile], path: str) -> list[LazyLoaded]:
        """Those of the rules that the file wakes; each is woken once."""
        waiting = (rule for rule in rules if rule.paths and rule.shown not in self.done and rule.text)
        woken = [rule for rule in waiting if path_matcher(rule.paths or (), rule.base)(path)]
        self.done.update(rule.shown for rule in woken)
        return [LazyLoaded(rule, path) for rule in woken if rule.gate.holds(self.facts)]

    def _is_working(self, path: str) -> bool:
        """Whether the file is in the working directory or an added one: others load nothing [recorded 2.1.332]."""
        real_path = self.workspace.real_path
        folders = (real_path(folder).rstrip("/") + "/" for folder in (self.cwd, *self.session.added))
        return real_path(path).startswith(tuple(folders))


def folders_between(cwd: str, path: str) -> list[str]:
    """The directories below cwd that lead to the file, outer first."""
    try:
        parts = PurePosixPath(path).relative_to(cwd).parts[:-1]
    except ValueError:
        return []
    if ".." in parts:
        return []
    return [str(PurePosixPath(cwd, *parts[: n + 1])) for n in range(len(parts))]
