"""Ids of sections that name a file: the same on every machine, so that budgets, edits and comparisons carry over."""

from __future__ import annotations

from dataclasses import replace

from .drafts import SectionDraft
from .kept import KeptWith

_PLACED: KeptWith[SectionDraft, SectionDraft] = KeptWith()


def path_in_id(path: str, workspace: str, home: str) -> str:
    """An absolute path as an id holds it: relative to the workspace, `~/…` below home, as it is elsewhere."""
    for folder, instead in ((workspace, "."), (home, "~")):
        base = folder.rstrip("/")
        if path == (base or "/"):
            return instead
        if path.startswith(f"{base}/"):
            inner = path[len(base) + 1 :]
            return inner if instead == "." else f"{instead}/{inner}"
    return path


def with_portable_id(section: SectionDraft, workspace: str, home: str) -> SectionDraft:
    """The section; if its id or its parent's names an absolute path (`memory.project:/…`), with `path_in_id` there."""
    if ":/" not in section.id and ":/" not in (section.parent or ""):
        return section

    def made() -> SectionDraft:
        parent = section.parent
        if parent is not None and ":/" in parent:
            parent = _portable(parent, workspace, home)
        return replace(section, id=_portable(section.id, workspace, home), parent=parent)

    return _PLACED.get(section, (workspace, home), made)


def _portable(section_id: str, workspace: str, home: str) -> str:
    name, colon, path = section_id.partition(":")
    return f"{name}:{path_in_id(path, workspace, home)}" if colon and path.startswith("/") else section_id
