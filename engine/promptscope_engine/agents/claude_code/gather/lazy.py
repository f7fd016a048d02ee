"""Lazy loading: what a simulated read loads (specs/claude-code.md 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.globs import path_matcher
from promptscope_engine.agents.claude_code.materials import InstructionFile, LazyLoaded
from promptscope_engine.prompt.conditions import Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Load

from .instructions import MANAGED, USER, InstructionLoader


def load_lazily(
    loader: InstructionLoader, reads: Iterable[str], added: Sequence[str], facts: Facts, done: set[str]
) -> tuple[LazyLoaded, ...]:
    """What the reads load, in order [recorded 2.1.332]. For each: the user's rules, the directories between cwd and the
    file, outer first, each with its rules, then those of cwd and above; AGENTS.md stand beside them.

    The agent reads them at the same time, and looks through the folders of each: the less deep a file is, the sooner.
    Files of one depth are nearly always in the order of the reads.

    Each file once per session: `done` are those that others have loaded, and these are added to it. The draft of a
    loaded file then says which read loaded it.
    """
    cwd = loader.found.cwd
    loaded: list[LazyLoaded] = []
    paths = [read if read.startswith("/") else f"{cwd.rstrip('/')}/{read}" for read in reads]
    for path in sorted(paths, key=lambda path: len(folders_between(cwd, path))):
        if not _is_working(loader, path, added):
            continue
        loader.found.real.clear()  # a file that the start has read by another name loads again

        own = (rule for rule in loader.found.files if rule.label in (USER, MANAGED))
        loaded += _woken(own, path, done, facts)
        for folder in folders_between(cwd, path):
            before = len(loader.found.files)
            loader.directory(folder, lazy=True)
            loader.agents_md(folder, loader.fallback([*loader.folders(), folder]))
            fresh = [
                f
                for f in loader.found.files[before:]
                if f.paths is None and f.when.holds(facts) and f.shown not in done
            ]
            done.update(f.shown for f in fresh)
            loaded += [LazyLoaded(f, path) for f in fresh]
            loaded += _woken((rule for rule in loader.found.files if rule.base == folder), path, done, facts)
        loaded += _woken(loader.found.files, path, done, facts)
    for item in loaded:
        loader.found.drafts[item.file.shown] = _explained(loader, item)
    # What was found on the way is not part of the start.
    names = {item.file.shown for item in loaded if item.file.paths is None}
    loader.found.files = [f for f in loader.found.files if f.shown not in names]
    return tuple(loaded)


def _woken(rules: Iterable[InstructionFile], path: str, done: set[str], facts: Facts) -> list[LazyLoaded]:
    """Those of the rules that the file wakes; each is woken once."""
    woken = [
        rule
        for rule in rules
        if rule.paths and rule.shown not in done and rule.text and path_matcher(rule.paths, rule.base)(path)
    ]
    done.update(rule.shown for rule in woken)
    return [LazyLoaded(rule, path) for rule in woken if rule.gate.holds(facts)]


def _is_working(loader: InstructionLoader, path: str, added: Sequence[str]) -> bool:
    """Whether the file is really in the working directory or an added one: others load nothing [recorded 2.1.332]."""
    real = loader.found.workspace.real_path(path)
    folders = (loader.found.workspace.real_path(folder).rstrip("/") + "/" for folder in (loader.found.cwd, *added))
    return real.startswith(tuple(folders))


def folders_between(cwd: str, path: str) -> list[str]:
    """The directories below cwd that lead to the file, outer first."""
    try:
        parts = PurePosixPath(path).relative_to(cwd).parts[:-1]
    except ValueError:
        return []
    if ".." in parts:
        return []
    return [str(PurePosixPath(cwd, *parts[: n + 1])) for n in range(len(parts))]


def _explained(loader: InstructionLoader, item: LazyLoaded) -> FileDraft:
    """The file's draft with the read that loaded it as its reason."""
    draft = loader.found.drafts[item.file.shown]
    reason = Observed("file", item.file.shown, True, f"loaded by reading {item.read}", "")
    load: Load = "conditional" if item.file.paths else ("import" if item.file.importer else "on-demand")
    return replace(draft, when=reason, load=load)
