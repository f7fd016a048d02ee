"""The files that a pattern names, as npm's package `glob` finds them with `dot`."""

from collections.abc import Iterator, Sequence
from itertools import islice, repeat

from promptscope_engine.workspace import Workspace

from . import picomatch
from .glob import expand_braces, is_pattern
from .text import resolve

MOST = 20_000
"""Entries that are looked at: a search of a whole disk ends here."""


def globbed(workspace: Workspace, folder: str, pattern: str, *, most: int) -> list[str]:
    """The files that a pattern names from a folder on, by name in each folder."""
    steps = repeat(None, MOST)
    paths = (path for each in expand_braces(pattern) for path in _globbed(workspace, folder, each.split("/"), steps))
    return list(dict.fromkeys(islice(paths, most)))


def _globbed(workspace: Workspace, at: str, parts: Sequence[str], steps: Iterator[None]) -> Iterator[str]:
    """One step for each folder or file: `**` goes into folders, and into no links to folders."""
    if next(steps, _SPENT) is _SPENT:
        return
    if not parts:
        yield from [at] if workspace.kind(at) == "file" else []
        return
    head, *rest = parts
    if head == "**":
        yield from _globbed(workspace, at, rest, steps)
        for entry in workspace.list(at).entries:
            if entry.kind == "directory" or not rest:
                below = parts if entry.kind == "directory" else ()
                yield from _globbed(workspace, resolve(at, entry.name), below, steps)
    elif is_pattern(head) or "(" in head:
        for entry in workspace.list(at).entries:
            if picomatch.names(head, entry.name):
                yield from _globbed(workspace, resolve(at, entry.name), rest, steps)
    else:
        yield from _globbed(workspace, resolve(at, head), rest, steps)


_SPENT = object()
