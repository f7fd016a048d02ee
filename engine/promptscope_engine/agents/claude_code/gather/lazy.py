"""Lazy loading: what a simulated read loads (specs/claude-code.md 3.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.materials import LazyLoaded
from promptscope_engine.agents.kit.globs import path_matcher
from promptscope_engine.prompt.conditions import Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Load

from .instructions import InstructionLoader


def load_lazily(loader: InstructionLoader, reads: Iterable[str], facts: Facts) -> tuple[LazyLoaded, ...]:
    """What the reads load, in order: per read the directories between cwd and the file, outer first, then rules.

    Each file once per session. The draft of a loaded file then says which read loaded it.
    """
    loaded: list[LazyLoaded] = []
    done: set[str] = set()
    suppressed_by = loader.suppressed_by()
    for read in reads:
        path = read if read.startswith("/") else f"{loader.cwd.rstrip('/')}/{read}"
        if _through_link(loader, path):
            continue
        for folder in _between(loader.cwd, path):
            before = len(loader.files)
            loader.directory(folder, suppressed_by or _claude_md_in(loader, folder), lazy=True)
            fresh = [f for f in loader.files[before:] if f.paths is None and f.when.holds(facts)]
            loaded += [LazyLoaded(f, path) for f in fresh]
        for rule in tuple(loader.files):
            if rule.paths and rule.shown not in done and path_matcher(rule.paths, rule.base)(path):
                done.add(rule.shown)
                if rule.text and rule.gate.holds(facts):
                    before = len(loader.files)
                    loader.imports(rule)
                    loaded.append(LazyLoaded(rule, path))
                    loaded += [LazyLoaded(f, path) for f in loader.files[before:] if f.when.holds(facts)]
    for item in loaded:
        loader.drafts[item.file.shown] = _explained(loader, item)
    # What was found on the way is not part of the start.
    names = {item.file.shown for item in loaded if item.file.paths is None}
    loader.files = [f for f in loader.files if f.shown not in names]
    return tuple(loaded)


def _through_link(loader: InstructionLoader, path: str) -> bool:
    """A file below cwd that is reached through a linked folder loads nothing (claude-code-new-facts.md)."""
    folder, cwd = str(PurePosixPath(path).parent), loader.cwd.rstrip("/")
    if not folder.startswith(cwd + "/") or ".." in PurePosixPath(folder).parts:
        return False
    return loader.workspace.real_path(folder) != loader.workspace.real_path(cwd).rstrip("/") + folder[len(cwd) :]


def _between(cwd: str, path: str) -> list[str]:
    """The directories below cwd that lead to the file, outer first."""
    try:
        parts = PurePosixPath(path).relative_to(cwd).parts[:-1]
    except ValueError:
        return []
    if ".." in parts:
        return []
    return [str(PurePosixPath(cwd, *parts[: n + 1])) for n in range(len(parts))]


def _claude_md_in(loader: InstructionLoader, folder: str) -> str | None:
    """The CLAUDE.md that suppresses the AGENTS.md beside it."""
    beside = (f"{folder}/{name}" for name in ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"))
    return next((path for path in beside if loader.workspace.kind(path) == "file"), None)


def _explained(loader: InstructionLoader, item: LazyLoaded) -> FileDraft:
    """The file's draft with the read that loaded it as its reason."""
    draft = loader.drafts[item.file.shown]
    reason = Observed("file", item.file.shown, True, f"loaded by reading {item.read}", "")
    load: Load = "conditional" if item.file.paths else ("import" if item.file.importer else "on-demand")
    return replace(draft, when=reason, load=load)
