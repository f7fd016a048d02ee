"""AGENTS.md files below the working directory: Codex never reads them (specs/codex.md 1.5)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.kit.near_misses import below
from promptscope_engine.agents.kit.rows import absent
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace


def nested_files(cwd: str, names: Sequence[str], workspace: Workspace, files: list[FileDraft]) -> list[Diagnostic]:
    """A row and a word for those that lie not too deep. What is looked at here is not to be watched."""
    found = workspace.memo(("codex nested", cwd, tuple(names)), lambda: _found(cwd, names, workspace))
    for path, size in found:
        no = "Codex reads no AGENTS.md below the folder that it is started in"
        folder = path.rpartition("/")[0]
        never = absent(path, no, f"start Codex in {folder}, or move the text into a file above")
        files.append(FileDraft(path, path, "agents-md", "on-demand", never, size))
    if not found:
        return []
    below = "below the folder that Codex is started in"
    text = f"it lies {below}: it is never read, whatever Codex works on"
    if len(found) > 1:
        text = f"it and {len(found) - 1} more lie {below}: they are never read, whatever Codex works on"
    return [Diagnostic("info", "agents-md-below", text, found[0][0], 1)]


def _found(cwd: str, names: Sequence[str], workspace: Workspace) -> list[tuple[str, int]]:
    paths = below(workspace, cwd, lambda path: path.rpartition("/")[2] in names)
    copy = workspace.snapshot()
    return [(path, copy.read(path).size) for path in paths]
