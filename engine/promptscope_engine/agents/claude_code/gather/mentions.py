"""`@file` mentions in the user's message: each is read before the prompt is sent (specs/claude-code.md 2.1)."""

from __future__ import annotations

import os
import re

from promptscope_engine.agents.claude_code.materials import Mention
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import FileText, Workspace

MAX_LINES = 2_000
"""Lines that one Read gives."""
_MAX_MENTIONS = 50
_TOKEN = re.compile(r'(?:^|(?<=\s))@(?:"([^"\n]+)"|([^\s"]+))')


def find_mentions(
    prompt: str, cwd: str, home: str, workspace: Workspace
) -> tuple[tuple[Mention, ...], tuple[FileDraft, ...]]:
    """The mentioned files that are there, in order, each once. What names no file is just text."""
    found: dict[str, tuple[Mention, FileDraft]] = {}
    for match in _TOKEN.finditer(prompt):
        path = _absolute(match[1] or match[2], cwd, home)
        if path in found or len(found) >= _MAX_MENTIONS or workspace.kind(path) != "file":
            continue
        found[path] = _mention(path, workspace.read(path))
    return tuple(mention for mention, _ in found.values()), tuple(draft for _, draft in found.values())


def _absolute(token: str, cwd: str, home: str) -> str:
    if token.startswith("~/"):
        token = home + token[1:]
    return os.path.normpath(token if token.startswith("/") else f"{cwd}/{token}")


def _mention(path: str, source: FileText) -> tuple[Mention, FileDraft]:
    lines = tuple(source.text.removesuffix("\n").split("\n")) if source.found else ()
    truncated = len(lines) > MAX_LINES
    why = f"it cannot be read: {source.problem} ({source.detail})" if source.problem else ""
    when = Observed("file", path, source.found, "the prompt mentions it", why, remedy=f"make {path} a readable file")
    text = "\n".join(lines[:MAX_LINES])
    draft = FileDraft(
        path, source.real_path, "mention", "on-demand", when, source.size, len(source.text), text, truncated=truncated
    )
    return Mention(path, lines[:MAX_LINES], when), draft
