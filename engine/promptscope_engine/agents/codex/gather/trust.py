"""Whether a project is trusted: somebody decided so, and for which folder (specs/codex.md 4.3)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal

from promptscope_engine.agents.kit.layered import Layer
from promptscope_engine.agents.kit.settings import below
from promptscope_engine.agents.kit.walking import walk
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.workspace import Workspace

Level = Literal["trusted", "untrusted"]


@frozen
class Decision:
    """What was decided for a folder, None if nothing was, and where."""

    level: Level | None
    source: SettingSource


@frozen
class Trust:
    """The decisions that concern the session: for the folder it starts in, and for those above it."""

    cwd: str
    root: str
    """The folder that a decision is saved for: the repository's root, of a linked worktree the main one's."""
    around: tuple[str, ...]
    layers: tuple[Layer, ...]
    home_file: str
    home_shown: str
    raw: str

    def of(self, folder: str) -> Decision:
        """The decision for a folder: its own, else that for the repository."""
        own = (folder, self.raw) if folder == self.cwd else (folder,)
        for path in (*own, *self.around):
            for layer in reversed(self.layers):
                level = below(layer.values, ("projects", path, "trust_level"))
                if level in ("trusted", "untrusted"):
                    return Decision(level, layer.source(("projects", path, "trust_level")))
        missing = SettingSource("projects", self.home_file, self.home_shown, is_set=False)
        return Decision(None, missing)

    def is_(self, level: Level, folder: str, yes: str, no: str) -> Condition:
        """The folder was decided to be so. The lever decides for the repository."""
        found = self.of(folder)
        other = "trusted" if level == "untrusted" else "untrusted"
        to_trusted, to_untrusted = self._lever(found, "trusted"), self._lever(found, "untrusted")
        levers = {"trusted": to_trusted, "untrusted": to_untrusted}
        place = f" ({found.source.place})" if found.level and found.source.place else ""
        return Observed(
            "flag", "trust", found.level == level, f"{yes}{place}", f"{no}{place}",
            on=(levers[level],), off=(levers[other],), source=found.source,
        )  # fmt: skip

    def _lever(self, found: Decision, level: Level) -> Lever:
        if level == "trusted" and found.level is None:
            return Lever("args.trust", True)
        decided = {path: {"trust_level": level} for path in dict.fromkeys((self.cwd, self.raw, self.root))}
        return Lever("settings.projects", decided)


def trust(
    inputs: Inputs, workspace: Workspace, cwd: str, layers: Sequence[Layer], home_file: str, home_shown: str
) -> Trust:
    """The decisions of the layers; `--trust` decides for the repository."""
    searched = walk(workspace, cwd, [".git"], lambda marker: is_repository(marker, workspace))
    own = searched.folders[0] if searched.marker else None
    main = main_repository(own, workspace) if own else None
    around = tuple(dict.fromkeys(filter(None, (own, main))))
    root = main or own or cwd
    return Trust(cwd, root, around, tuple(layers), home_file, home_shown, inputs.workspace)


def is_repository(marker: str, workspace: Workspace) -> bool:
    """A `.git` folder without HEAD is none: for trust and for settings it is not there, AGENTS.md and skills end at it
    [recorded 0.169.0]. Whatever else marks a project's root counts."""
    if not marker.endswith("/.git") or workspace.kind(marker) != "directory":
        return True
    return workspace.kind(f"{marker}/HEAD") is not None


def saved(trust: Trust) -> Layer:
    """What `--trust` writes down, where nothing was decided before."""
    return Layer({"projects": {trust.root: {"trust_level": "trusted"}}})


def unsaved(trust: Trust) -> str:
    """Why `--trust` keeps Codex from starting: it does not take back what was decided [0.169.0]."""
    found = trust.of(trust.cwd)
    if found.level != "untrusted":
        return ""
    return f"--trust does not take back that the project is untrusted ({found.source.place}): change it there"


def main_repository(root: str, workspace: Workspace) -> str | None:
    """The main repository of a linked worktree: where its `.git` file leads.

    Git's folder there has to name the main repository, and this worktree in turn [recorded 0.169.0]. A file that may
    not be opened here is taken at its word.
    """
    path = f"{root.rstrip('/')}/.git"
    if workspace.kind(path) != "file":
        return None
    head, _, target = workspace.read(path).text.partition("gitdir:")
    if head.strip() or not target.strip():
        return None
    git_dir = _resolved(root, target)
    before, _, after = git_dir.partition("/.git/worktrees/")
    if not after:
        return None
    for name, wanted in (("commondir", f"{before}/.git"), ("gitdir", path)):
        file = workspace.read(f"{git_dir}/{name}")
        if workspace.kind(file.path) != "file" or (file.found and _resolved(git_dir, file.text) != wanted):
            return None
    return before


def _resolved(folder: str, text: str) -> str:
    return os.path.normpath(os.path.join(folder, text.strip().partition("\n")[0]))  # noqa: PTH118
