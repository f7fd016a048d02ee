"""Auto memory: where MEMORY.md lies and how much of it is sent (specs/claude-code.md 3.7)."""

from __future__ import annotations

import os
import re

from promptscope_engine.agents.claude_code.materials import InstructionFile
from promptscope_engine.agents.kit.links import entered, followed
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, file_text
from promptscope_engine.workspace import Workspace

LABEL = "user's auto-memory, persists across conversations"
MAX_LINES = 200
MAX_UNITS = 25_000


@frozen
class AutoMemory:
    """MEMORY.md as it is sent; `cut`: (size, limit) where it was cut."""

    file: InstructionFile
    cut: tuple[str, str] | None
    draft: FileDraft


def memory_folder(config: str, project: str, configured: Json = None, home: str = "") -> str:
    """`<config>/projects/<key>/memory`: the key is the path with a dash for all but ASCII letters and digits.

    `configured` is the setting `autoMemoryDirectory`, an absolute path or one below `~`, which takes its place.
    """
    if isinstance(configured, str):
        own = home + configured[1:] if configured == "~" or configured.startswith("~/") else configured
        if own.startswith("/"):
            return os.path.normpath(own)
    return f"{config}/projects/{re.sub(r'[^A-Za-z0-9]', '-', project)}/memory"


def cut(text: str) -> tuple[str, tuple[str, str] | None]:
    """The first 200 lines, then the first 25,000 UTF-16 units up to a line's end; what was cut as (size, limit)."""
    warning = None
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        warning = (f"{len(lines)} lines", f"{MAX_LINES} lines")
        text = "\n".join(lines[:MAX_LINES])
    if utf16_len(text) > MAX_UNITS:
        warning = warning or (_kilobytes(utf16_len("\n".join(lines))), _kilobytes(MAX_UNITS))
        head = utf16_slice(text, 0, MAX_UNITS)
        end = head.rfind("\n")
        text = head[:end] if end > 0 else head
    return text, warning


def _kilobytes(size: int) -> str:
    return f"{size / 1024:.1f}KB"


def gather_memory(folder: str, shown: str, gate: Condition, workspace: Workspace, *, follow: bool) -> AutoMemory:
    """MEMORY.md of the project; topic files beside it are never loaded. `shown`: the folder as the agent writes it."""
    path = f"{folder}/MEMORY.md"
    may_enter = entered(workspace, folder, follow, "Claude Code")
    if follow:
        workspace.allow([folder])
    source = workspace.read(path)
    body = source.text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip()
    text, warning = cut(body)
    no, remedy = "the file is empty or cannot be read", f"write something into {path}"
    if source.problem == "missing":
        no, remedy = "no memory has been written yet", f"create {path}"
    there = Observed("file", path, bool(text), "the file was found", no, remedy=remedy)
    reach = followed(workspace, path, follow) & may_enter
    when = gate & (reach if source.problem == "outside" else reach & there)
    pieces = (file_text(path, text, 1),)
    file = InstructionFile(f"{shown}/MEMORY.md", source.real_path, "memory", LABEL, pieces, when=when)
    draft = FileDraft(
        path,
        source.real_path,
        "memory",
        "always",
        when,
        source.size,
        len(source.text),
        text,
        truncated=warning is not None,
    )
    return AutoMemory(file, warning, draft)
