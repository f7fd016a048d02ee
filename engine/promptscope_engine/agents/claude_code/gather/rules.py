"""The rule files below a `rules` folder (specs/claude-code.md 3.5, claude-code-new-facts.md on links)."""

from __future__ import annotations

from dataclasses import dataclass, field

from promptscope_engine.agents.claude_code.gather.instruction_imports import as_named
from promptscope_engine.agents.kit.near_misses import missed, never, nowhere
from promptscope_engine.agents.kit.rows import absent, followed
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.workspace import Workspace

_MAX_DEPTH = 16
_MAX_RULES = 2_000
REPEATED = "remove the link, or put a copy in its place"


@frozen
class RuleFile:
    """A rule: where it lies, the path it is shown under, and what a link on the way means for it."""

    path: str
    shown: str
    when: Condition = ALWAYS


@dataclass(eq=False, repr=False)
class RuleFinder:
    """Walks one `rules` folder. 2.1.100 sorts by name in each directory; later versions take the files as the system
    lists them [recorded 2.1.332]."""

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
            why = f"the folder cannot be listed: {listing.problem} {listing.detail}".strip()
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
