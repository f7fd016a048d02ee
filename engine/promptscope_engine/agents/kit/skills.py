"""Skills that an agent lists by name and description: which of them its list has room for, and what is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace

from .near_misses import missed, never, nowhere, row

NAME = "SKILL.md"
_MOST_ROWS = 50
_MOST_FOLDERS = 500


def that_fit(costs: Iterable[int], room: int) -> list[bool]:
    """For each of the costs, in order, whether it is taken: one that is too large does not keep a later one out."""
    taken = []
    for cost in costs:
        taken.append(cost <= room)
        room -= cost if cost <= room else 0
    return taken


def near_skills(
    workspace: Workspace, folder: str, *, depth: int = 1, root: bool = False, kind: str = "skill"
) -> list[FileDraft]:
    """The rows of what lies in a folder of skills and is none: a file that is not called SKILL.md or not in a folder of
    its own, one that is too deep, a link that leads nowhere.

    `depth`: how many folders deep a SKILL.md counts. `root`: it counts in the folder itself, too. Nothing is watched.
    """
    copy = workspace.snapshot()
    rows: list[FileDraft] = []
    queue = deque([(folder, 0)])
    looked = 0
    while queue and looked < _MOST_FOLDERS and len(rows) < _MOST_ROWS:
        inner, level = queue.popleft()
        looked += 1
        listing = copy.list(inner)
        if listing.problem and copy.kind(inner) == "directory":
            rows.append(row(copy, inner, kind, never(inner, f"the folder cannot be listed: {listing.detail}")))
        counts = level <= depth and (level > 0 or root)
        whole = any(entry.name == NAME for entry in listing.entries)
        for entry in listing.entries:
            path = f"{inner.rstrip('/')}/{entry.name}"
            if entry.kind == "directory" and level <= depth + 1 and entry.name[:1] != ".":
                queue.append((path, level + 1))
            elif why := _no_skill(copy, path, entry.name, level, counts=counts, whole=whole, depth=depth):
                rows.append(row(copy, path, kind, never(path, *why)))
    return rows


def _no_skill(
    workspace: Workspace, path: str, name: str, level: int, *, counts: bool, whole: bool, depth: int
) -> tuple[str, str] | None:
    """Why a file is no skill, and what to do; None where it is one or has nothing to do with skills."""
    there = workspace.kind(path)
    if there is None and (name == NAME or level == 0):
        return nowhere(workspace, path)
    if there != "file":
        return None
    folder = path.rpartition("/")[0]
    if name == NAME and not counts:
        if level == 0:
            return "it must be in a folder of its own, NAME/SKILL.md", f"move {path} into a folder"
        deep = "a folder directly in" if depth == 1 else f"at most {depth} folders below"
        return f"it is too deep: a skill is {deep} the folder of skills", f"move {folder} up"
    if counts and not whole and (near := missed(name, (NAME,))):
        return near, f"rename {path} to SKILL.md"
    if level == 0 and name != NAME and name.endswith(".md"):
        return "a skill is a folder with a SKILL.md in it", f"move {path} to {path.removesuffix('.md')}/SKILL.md"
    return None


def near_entries(workspace: Workspace, folder: str, kind: str, ending: str = ".md") -> list[FileDraft]:
    """The rows of files in or below a folder of commands or sub-agents whose names end otherwise, and of dead links."""
    copy = workspace.snapshot()
    rows: list[FileDraft] = []
    queue = deque([folder])
    looked = 0
    while queue and looked < _MOST_FOLDERS and len(rows) < _MOST_ROWS:
        inner = queue.popleft()
        looked += 1
        for entry in copy.list(inner).entries:
            path = f"{inner.rstrip('/')}/{entry.name}"
            if entry.kind == "directory":
                queue.append(path)
            elif entry.kind == "link" and copy.kind(path) is None:
                rows.append(row(copy, path, kind, never(path, *nowhere(copy, path))))
            elif not entry.name.endswith(ending) and copy.kind(path) == "file" and entry.name[:1] != ".":
                why = f"only names that end in {ending} count (this is {entry.name})"
                rows.append(row(copy, path, kind, never(path, why, f"rename {path}")))
    return rows
