"""Files that a pattern names, found through the door: `*`, `?`, `[…]`, `**`, `{a,b}`, as Node's `fs.glob` has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import translate

from promptscope_engine.workspace import Workspace

MAX_FOLDERS = 2_000
"""Folders looked into for one pattern: `**` in a home directory must not walk all of it."""
MAX_CHOICES = 64


def is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?{[")


def glob(workspace: Workspace, root: str, pattern: str) -> Iterator[str]:
    """Paths relative to `root` that match, in the order of the folders; hidden names only where they are written."""
    seen: set[str] = set()
    budget = [MAX_FOLDERS]
    for choice in _choices(pattern):
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
    if not is_pattern(first):
        if workspace.kind(f"{root}/{prefix}{first}") is not None:
            yield from _walk(workspace, root, prefix + first, rest, budget)
        return
    if budget[0] <= 0:
        return
    budget[0] -= 1
    if first == "**":
        yield from _walk(workspace, root, base, rest, budget)
    matches = re.compile(translate(first)).match
    for entry in workspace.list(f"{root}/{base}" if base else root).entries:
        if entry.name.startswith(".") and not first.startswith("."):
            continue
        if first == "**":
            if entry.kind == "directory":
                yield from _walk(workspace, root, prefix + entry.name, segments, budget)
        elif matches(entry.name):
            yield from _walk(workspace, root, prefix + entry.name, rest, budget)


def _choices(pattern: str) -> list[str]:
    """`{a,b}` written out, at most MAX_CHOICES of them."""
    found = [pattern]
    while len(found) < MAX_CHOICES:
        at = next((i for i, p in enumerate(found) if re.search(r"\{[^{}]*\}", p)), None)
        if at is None:
            break
        inner = re.search(r"\{([^{}]*)\}", found[at])
        assert inner is not None
        before, after = found[at][: inner.start()], found[at][inner.end() :]
        found[at : at + 1] = [before + option + after for option in inner[1].split(",")]
    return found
