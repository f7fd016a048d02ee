"""The files whose text may stand in a request: instruction files, those of the repository, known folders of home."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import PurePosixPath

from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files

MAX_FILES = 5_000
MAX_BYTES = 2 << 20
"""Bytes of a file that is looked into."""

MAX_TOTAL = 96 << 20
"""Bytes of all files together: what a few seconds suffice for."""

MAX_FOLDERS = 1_000
"""Folders of agents that are entered."""

MAX_DEPTH = 6
"""Folders between an agent's own one and a file."""

_KINDS = {
    "CLAUDE.md": "claude-md",
    "CLAUDE.local.md": "claude-md",
    "AGENTS.md": "agents-md",
    "AGENT.md": "agents-md",
    "AGENTS.override.md": "agents-md",
    "AGENTS.local.md": "agents-md",
    "GEMINI.md": "gemini-md",
    "QWEN.md": "qwen-md",
    "SKILL.md": "skill",
    "MEMORY.md": "memory",
    "SOUL.md": "bootstrap",
    "USER.md": "bootstrap",
    "IDENTITY.md": "bootstrap",
    "TOOLS.md": "bootstrap",
    "HEARTBEAT.md": "bootstrap",
    "BOOTSTRAP.md": "bootstrap",
    "CONVENTIONS.md": "rules",
    "copilot-instructions.md": "rules",
    ".cursorrules": "rules",
    ".clinerules": "rules",
    ".windsurfrules": "rules",
    ".roorules": "rules",
}
_INSTRUCTIONS = (".md", ".mdc", ".txt")
_DOT_FOLDERS = (
    *(".claude", ".codex", ".gemini", ".qwen", ".opencode", ".copilot", ".openclaw", ".agents", ".roo", ".cursor"),
    *(".continue", ".clinerules", ".windsurf", ".kiro"),
)
_IN_HOME = (*_DOT_FOLDERS, ".config/opencode", ".config/github-copilot", ".config/claude")
_PASSED_OVER = {"node_modules", ".git", "cache", "logs", "sessions", "todos", "shell-snapshots", "file-history", "tmp"}


@frozen
class Candidate:
    """A file. `kind` as CONTRACT has it, "" for one that is no instruction file."""

    path: str
    kind: str


def kind_of(path: str) -> str:
    """The kind of an instruction file; "" for any other file."""
    folder, name = posixpath.split(path)
    if name in _KINDS:
        return _KINDS[name]
    parts = PurePosixPath(folder).parts
    if name.endswith(_INSTRUCTIONS) and any(part in _DOT_FOLDERS for part in parts):
        if "skills" in parts:  # what a skill brings along is read when it is used
            return ""
        return "memory" if "memory" in parts else "claude-rule" if ".claude" in parts and "rules" in parts else "rules"
    return "rules" if name.endswith(".instructions.md") else ""


def is_usual(path: str) -> bool:
    """Whether agents know instruction files by this name."""
    return posixpath.basename(path) in _KINDS


def candidates(inputs: Inputs, workspace: Workspace) -> tuple[list[Candidate], bool]:
    """The files, those that hold instructions first, and whether the list is complete.

    Nothing that is listed here counts as looked at: only what is found in the request is watched.
    """
    scratch = workspace.snapshot()
    listed = list_files(inputs.workspace, inputs.home, inputs.env, scratch)
    around = [f"{parent}/{name}".replace("//", "/") for parent in _parents(inputs.workspace) for name in _KINDS]
    named = [path for path in around if scratch.kind(path) == "file"]
    folders = [f"{inputs.home}/{name}" for name in _IN_HOME]
    folders += [f"{parent}/{name}" for parent in _parents(inputs.workspace) for name in _DOT_FOLDERS]
    below, entered_all = _below(folders, scratch)
    paths = dict.fromkeys([*named, *listed.absolute(), *below])
    found = [Candidate(path, kind_of(path)) for path in paths]
    found.sort(key=lambda each: not each.kind)  # stable: what is near stays in front
    return found[:MAX_FILES], listed.complete and entered_all and len(found) <= MAX_FILES


def _parents(folder: str) -> list[str]:
    path = PurePosixPath(folder)
    return [str(each) for each in (path, *path.parents)]


def _below(folders: Iterable[str], workspace: Workspace) -> tuple[list[str], bool]:
    """The instruction files of agents' folders, which git may have been told to ignore; whether all were entered."""
    waiting = [(folder, 0) for folder in dict.fromkeys(folders) if workspace.is_dir(folder)]
    found: list[str] = []
    entered = 0
    while waiting and entered < MAX_FOLDERS and len(found) <= MAX_FILES:
        folder, depth = waiting.pop(0)
        entered += 1
        for entry in workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if entry.kind == "directory":
                if depth < MAX_DEPTH and entry.name not in _PASSED_OVER:
                    waiting.append((path, depth + 1))
            elif entry.name.endswith(_INSTRUCTIONS):
                found.append(path)
    return found, not waiting
