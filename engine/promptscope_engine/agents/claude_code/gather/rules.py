"""The rule files below a `rules` folder (specs/claude-code.md 3.5)."""

from __future__ import annotations

from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.workspace import Workspace

_MAX_DEPTH = 16
_MAX_RULES = 2_000


def rule_files(
    workspace: Workspace, folder: str, version: str, cwd: str
) -> tuple[list[str], list[tuple[str, str, str]]]:
    """(paths of the `*.md` files sorted by name in each directory, [(what is left out, why, what to do)]).

    2.1.100 sorts; 2.1.329 takes the file system's order, which differs between machines, so we sort as well.
    """
    found: list[str] = []
    skipped: list[tuple[str, str, str]] = []
    visited: set[str] = set()

    def walk(directory: str, depth: int) -> None:
        if depth > _MAX_DEPTH or len(found) >= _MAX_RULES:
            why = "the folders are nested too deeply or there are too many rules"
            skipped.append((directory, why, "move the rules up, or merge them"))
            return
        listing = workspace.list(directory)
        if listing.problem not in (None, "missing", "too-many"):
            why = f"the folder cannot be listed: {listing.problem} {listing.detail}".strip()
            skipped.append((directory, why, f"make {directory} readable"))
        for entry in listing.entries:
            path = f"{directory}/{entry.name}"
            kind = workspace.kind(path) if entry.kind == "link" else entry.kind
            if kind == "directory" and entry.kind == "link":
                linked(path, depth)
            elif kind == "directory":
                walk(path, depth + 1)
            elif kind == "file" and entry.name.endswith(".md"):
                found.append(path)

    def linked(path: str, depth: int) -> None:
        """A symlinked folder: 2.1.100 follows it and shows the files under their real path (12)."""
        if version != V100:
            why = "this version does not follow a link to a folder of rules"
            skipped.append((path, why, f"replace the link {path} by a folder"))
            return
        real = workspace.disk.realpath(path)
        if real in visited:
            return
        visited.add(real)
        if str(PurePosixPath(real).parent) in {str(p) for p in PurePosixPath(cwd).parents}:
            workspace.allow([real])  # a folder beside the workspace or its parents: the user linked to it
        walk(real, depth + 1)

    if workspace.kind(folder) is not None:
        if workspace.kind(folder, follow=False) == "link":
            linked(folder, 0)
        else:
            walk(folder, 0)
    return found, skipped
