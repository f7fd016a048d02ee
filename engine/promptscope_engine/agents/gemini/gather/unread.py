"""Files that a person may expect to count, and that the client does not read (specs/gemini.md 5.1, 5.2, 9.2, 13)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from promptscope_engine.agents.gemini.lookups import MOVE_THE_BOUNDARY, places
from promptscope_engine.agents.kit.near_misses import near_misses
from promptscope_engine.agents.kit.walking import beyond, walk
from promptscope_engine.javascript.path import join
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import Workspace

from .extensions import MANIFEST
from .imports import is_usable
from .memory import KIND
from .places import Places

_OTHERS = ("AGENTS.md",)
"""Names of context files that other agents read without being told."""
_MOST = 20


@dataclass(eq=False, repr=False)
class Unread:
    """The rows of such files, and what is said of them."""

    workspace: Workspace
    places: Places
    known: Collection[str] = ()
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def gather(self, names: Sequence[str], markers: Sequence[str], known: Collection[str]) -> None:
        """`names`: those of context files, `markers`: what ends the search for them; `known`: the files that count all
        the same, as something else."""
        self.known = known
        self._other_names(names)
        usable = [marker for marker in markers if is_usable(marker)]
        walked = walk(self.workspace, self.places.cwd, usable)
        own = self.places.own

        def above(_: Workspace, folder: str) -> Iterator[str]:
            return iter([join(folder, name) for name in names] if folder != own else ())

        self.files += beyond(self.workspace, walked, KIND, above, known, MOVE_THE_BOUNDARY)
        near = [*places(walked.folders, names, own, self.places.home)]
        self.files += near_misses(self.workspace, near, {*(file.path for file in self.files), *known})
        if self.places.project == self.places.own:  # started in the home folder, where all of them are read
            return
        for name in names:
            path = join(self.places.project, name)
            target = join(self.places.cwd, name)
            why = "context files are not looked for in the workspace's .gemini"
            self._row(path, KIND, "warning", why, f"move it to {self.places.shown(target)}")
        for path in self._in_folder(f"{self.places.project}/policies", ".toml"):
            why = "the policies of a workspace are not read"
            self._row(path, "policy", "warning", why, f"move it to {self.places.own}/policies")
        for path in self._in_folder(f"{self.places.project}/extensions", ""):
            why = "the extensions of a workspace are not read"
            self._row(f"{path}/{MANIFEST}", "extension", "warning", why, f"move it to {self.places.own}/extensions")

    def _other_names(self, names: Sequence[str]) -> None:
        for name in _OTHERS:
            if name not in names:
                why, remedy = "`context.fileName` does not name it", f"name {name} in `context.fileName`"
                self._row(join(self.places.cwd, name), KIND, "info", why, remedy)

    def _in_folder(self, folder: str, ending: str) -> Iterator[str]:
        entries = [entry for entry in self.workspace.list(folder).entries if entry.name.endswith(ending)]
        return (f"{folder}/{entry.name}" for entry in entries[:_MOST])

    def _row(self, path: str, kind: str, severity: Severity, why: str, remedy: str) -> None:
        """A row that says why the file does not count, if there is one."""
        if path in self.known or self.workspace.kind(path) != "file":
            return
        when = Observed("file", path, False, "", why, remedy=remedy)
        self.files.append(FileDraft(path, self.workspace.real_path(path), kind, "always", when))
        text = f"{self.places.shown(path)} is not read: {why}"
        self.diagnostics.append(Diagnostic(severity, "file-not-read", text, path, 1))
