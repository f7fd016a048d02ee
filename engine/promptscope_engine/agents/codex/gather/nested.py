"""AGENTS.md files below the working directory: Codex never reads them (specs/codex.md 1.5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

MAX_FOLDERS = 200
MAX_DEPTH = 3
MAX_FILES = 20
_PRUNED = frozenset({"node_modules", "venv", "target", "dist", "build", "__pycache__", "vendor"})


def nested_files(cwd: str, names: Sequence[str], workspace: Workspace, files: list[FileDraft]) -> list[Diagnostic]:
    """A row and a word for those that lie not too deep. What is looked at here is not to be watched."""
    found = workspace.memo(("codex nested", cwd, tuple(names)), lambda: _found(cwd, names, workspace.snapshot()))
    for path, size in found:
        no = "Codex reads no AGENTS.md below the folder that it is started in"
        folder = path.rpartition("/")[0]
        never = Observed(
            "file", path, False, "", no, remedy=f"start Codex in {folder}, or move the text into a file above"
        )
        files.append(FileDraft(path, path, "agents-md", "on-demand", never, size))
    if not found:
        return []
    below = "below the folder that Codex is started in"
    text = f"it lies {below}: it is never read, whatever Codex works on"
    if len(found) > 1:
        text = f"it and {len(found) - 1} more lie {below}: they are never read, whatever Codex works on"
    return [Diagnostic("info", "agents-md-below", text, found[0][0], 1)]


def _found(cwd: str, names: Sequence[str], workspace: Workspace) -> list[tuple[str, int]]:
    queue = deque([(cwd.rstrip("/"), 0)])
    looked = 0
    found: list[str] = []
    while queue and looked < MAX_FOLDERS:
        folder, depth = queue.popleft()
        looked += 1
        for entry in workspace.list(folder or "/").entries:
            path = f"{folder}/{entry.name}"
            if entry.kind == "directory" and depth < MAX_DEPTH and entry.name not in _PRUNED and entry.name[:1] != ".":
                queue.append((path, depth + 1))
            elif depth and entry.kind == "file" and entry.name in names:
                found.append(path)
    return [(path, workspace.read(path).size) for path in found[:MAX_FILES]]
