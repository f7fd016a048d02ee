"""Ids of sections that name a file: the same on every machine, so that budgets, edits and comparisons carry over."""

from collections.abc import Iterable

from msgspec.structs import replace

from .drafts import SectionDraft
from .memo import KeptWith

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


def with_portable_ids(sections: Iterable[SectionDraft], workspace: str, home: str) -> tuple[SectionDraft, ...]:
    """The sections; where an id or a parent's names an absolute path (`memory.project:/…`), with `path_in_id` there."""

    def made(section: SectionDraft) -> SectionDraft:
        parent = section.parent and _portable(section.parent, workspace, home)
        return replace(section, id=_portable(section.id, workspace, home), parent=parent)

    found = list(sections)
    named = [n for n, each in enumerate(found) if ":/" in each.id or ":/" in (each.parent or "")]
    placed = _PLACED.each([found[n] for n in named], (workspace, home), made)
    for number, section in zip(named, placed, strict=True):
        found[number] = section
    return tuple(found)


def _portable(section_id: str, workspace: str, home: str) -> str:
    name, _, path = section_id.partition(":")
    return f"{name}:{path_in_id(path, workspace, home)}" if path.startswith("/") else section_id
