"""Rules and prompts that are named for a mode other than the one in force: one that can be chosen, or none at all.

A slug is compared letter by letter: `.roo/rules-Code` belongs to no built-in mode.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice

from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.prompt.conditions import Condition, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import Workspace

from .found import Found
from .rule_sets import LEGACY_NAMES, tilde
from .rules_files import rule_paths

_MOST = 500
"""Names of one folder that are looked at: there are five built-in modes, and few add more than as many."""


@frozen
class _Named:
    """A file or folder with a mode's slug in its name."""

    slug: str
    kind: str
    path: str
    is_folder: bool = False


def other_modes(
    workspace: Workspace, cwd: str, home: str, known: Sequence[str], counted: Container[str]
) -> Found[None]:
    """Rows for these files. `known` are the slugs of all modes, `counted` those whose files have rows already."""
    places = [place for place in _named_for_modes(workspace, cwd, home) if place.slug not in counted]
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    for place in places:
        paths = rule_paths(workspace, place.path) if place.is_folder else (place.path,)
        shown = tilde(place.path.removeprefix(f"{cwd}/"), home)
        when = _for_mode(place.slug, known, shown)
        files += (FileDraft(path, workspace.real_path(path), place.kind, "conditional", when) for path in paths)
        if place.slug not in known and paths:
            # Modes of another project may lie behind a folder at home.
            severity: Severity = "warning" if place.path.startswith(f"{cwd}/") else "info"
            what = f"{shown} is never read: {_no_mode(place.slug, known)}"
            diagnostics.append(Diagnostic(severity, "unknown-mode-rules", what, paths[0]))
    return Found(None, tuple(files), tuple(diagnostics))


def _named_for_modes(workspace: Workspace, cwd: str, home: str) -> Iterator[_Named]:
    for root in dict.fromkeys((home, cwd)):
        folder = f"{root}/.roo"
        for name in islice(_names(workspace, folder, "rules-"), _MOST):
            if workspace.is_dir(path := f"{folder}/{name}"):
                yield _Named(name.removeprefix("rules-"), "mode-rules", path, is_folder=True)
    yield from _files(workspace, f"{cwd}/.roo", "system-prompt-", "system-prompt-override")
    for legacy in LEGACY_NAMES:
        yield from _files(workspace, cwd, f"{legacy}-", "legacy-rules")


def _files(workspace: Workspace, folder: str, prefix: str, kind: str) -> Iterator[_Named]:
    for name in islice(_names(workspace, folder, prefix), _MOST):
        if workspace.kind(path := f"{folder}/{name}") == "file":
            yield _Named(name.removeprefix(prefix), kind, path)


def _names(workspace: Workspace, folder: str, prefix: str) -> Iterator[str]:
    entries = workspace.list(folder).entries
    return (entry.name for entry in entries if entry.name.startswith(prefix) and entry.name != prefix)


def _for_mode(slug: str, known: Sequence[str], shown: str) -> Condition:
    if slug not in known:
        close = nearest(slug, known, 1)
        rename = f"rename {shown} to {shown.removesuffix(slug)}{close[0]}" if close else f"rename {shown}"
        remedy = f"{rename}, or add a mode with the slug {slug} to .roomodes"
        return Observed("mode", slug, False, "", _no_mode(slug, known), remedy=remedy)
    return Named("mode", slug, mode_is(slug), f"the mode is {slug}", f"only for the mode {slug}: {{inner}}")


def _no_mode(slug: str, known: Sequence[str]) -> str:
    return f"no mode has the slug {slug} (known: {', '.join(known)})"
