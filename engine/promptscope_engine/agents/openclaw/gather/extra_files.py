"""Files that a pattern names: `*`, `?`, `[…]`, `**`, `{a,b}`, as Node's `fs.glob` has them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.javascript.glob import expand_braces, is_pattern
from promptscope_engine.javascript.picomatch import names
from promptscope_engine.workspace import Workspace

MAX_FOLDERS = 2_000
"""Folders looked into for one pattern: `**` in a home directory must not walk all of it."""
MAX_CHOICES = 64
_NO_NEGATION = re.compile(r"\A!(?!\()")
"""Node's patterns have no negation as a whole, and write that of a set in two ways."""


def glob(workspace: Workspace, root: str, pattern: str) -> Iterator[str]:
    """Paths relative to `root` that match, in the order of the folders; hidden names only where they are written."""
    seen: set[str] = set()
    budget = [MAX_FOLDERS]
    for choice in expand_braces(pattern, MAX_CHOICES) if not pattern.endswith("/") else ():
        segments = [s for s in choice.split("/") if s not in ("", ".")]
        if ".." in segments:
            continue
        for path in _walk(workspace, root, "", segments, budget):
            if path not in seen:
                seen.add(path)
                yield path


def _walk(workspace: Workspace, root: str, base: str, segments: list[str], budget: list[int]) -> Iterator[str]:
    if not segments:
        yield base
        return
    first, rest = segments[0], segments[1:]
    prefix = f"{base}/" if base else ""
    if not is_pattern(first) and "(" not in first:
        if workspace.kind(f"{root}/{prefix}{first}") is not None:
            yield from _walk(workspace, root, prefix + first, rest, budget)
        return
    if budget[0] <= 0:
        return
    budget[0] -= 1
    if first == "**":
        yield from _walk(workspace, root, base, rest, budget)
    wanted = _NO_NEGATION.sub(r"\\!", first.replace("[!", "[^"))
    for entry in workspace.list(f"{root}/{base}" if base else root).entries:
        if entry.name.startswith(".") and not first.startswith("."):
            continue
        if first == "**" and entry.kind == "directory":
            yield from _walk(workspace, root, prefix + entry.name, segments, budget)
        elif (first == "**" and not rest) or (first != "**" and names(wanted, entry.name)):
            yield from _walk(workspace, root, prefix + entry.name, rest, budget)
