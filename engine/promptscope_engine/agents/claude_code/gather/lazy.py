"""Lazy loading: what a read wakes, and which rules can never fire (specs/claude-code.md 3.5, 3.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.materials import InstructionFile, Materials, Woken
from promptscope_engine.prompt.conditions import Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Load

from .instructions import Chain
from .patterns import matches


def which_rules(materials: Materials, path: str) -> tuple[InstructionFile, ...]:
    """The conditional rules that reading `path` (absolute, or relative to cwd) wakes, in load order."""
    absolute = _absolute(path, materials.cwd)
    return tuple(rule for rule in materials.instructions if rule.paths and matches(rule.paths, rule.base, absolute))


def dead_rules(materials: Materials, files: Iterable[str]) -> tuple[InstructionFile, ...]:
    """The conditional rules that none of `files` (the repository's files) wakes: they can never fire."""
    waiting = [rule for rule in materials.instructions if rule.paths]
    for file in files:
        if not waiting:
            break
        absolute = _absolute(file, materials.cwd)
        waiting = [rule for rule in waiting if not matches(rule.paths or (), rule.base, absolute)]
    return tuple(waiting)


def _absolute(path: str, cwd: str) -> str:
    return path if path.startswith("/") else f"{cwd.rstrip('/')}/{path}"


def wake(chain: Chain, reads: Iterable[str], silencer: str | None, facts: Facts) -> tuple[Woken, ...]:
    """What the reads wake, in order: per read the directories between cwd and the file, outer first, then rules.

    Each file once per session. A woken file's draft then says which read woke it.
    """
    woken: list[Woken] = []
    done: set[str] = set()
    for read in reads:
        path = _absolute(read, chain.cwd)
        for folder in _between(chain.cwd, path):
            before = len(chain.files)
            chain.directory(folder, _nested_silencer(chain, folder, silencer), lazy=True)
            fresh = [f for f in chain.files[before:] if f.paths is None and f.when.holds(facts)]
            woken += [Woken(f, path) for f in fresh]
        for rule in tuple(chain.files):
            if rule.paths and rule.shown not in done and matches(rule.paths, rule.base, path):
                done.add(rule.shown)
                if rule.text and rule.gate.holds(facts):
                    before = len(chain.files)
                    chain.imports(rule)
                    woken.append(Woken(rule, path))
                    woken += [Woken(f, path) for f in chain.files[before:] if f.when.holds(facts)]
    for item in woken:
        chain.drafts[item.file.shown] = _explained(chain, item)
    # What was found on the way is not part of the start.
    names = {item.file.shown for item in woken if item.file.paths is None}
    chain.files = [f for f in chain.files if f.shown not in names]
    return tuple(woken)


def _between(cwd: str, path: str) -> list[str]:
    """The directories below cwd that lead to the file, outer first."""
    try:
        parts = PurePosixPath(path).relative_to(cwd).parts[:-1]
    except ValueError:
        return []
    if ".." in parts:
        return []
    return [str(PurePosixPath(cwd, *parts[: n + 1])) for n in range(len(parts))]


def _nested_silencer(chain: Chain, folder: str, silencer: str | None) -> str | None:
    """A nested AGENTS.md is silenced by the chain, or by a CLAUDE.md beside it."""
    beside = (f"{folder}/{name}" for name in ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"))
    return silencer or next((path for path in beside if chain.workspace.kind(path) == "file"), None)


def _explained(chain: Chain, item: Woken) -> FileDraft:
    """The file's draft with the read that woke it as its reason."""
    draft = chain.drafts[item.file.shown]
    reason = Observed("file", item.file.shown, True, f"woken by reading {item.read}", "")
    load: Load = "conditional" if item.file.paths else ("import" if item.file.importer else "on-demand")
    return replace(draft, when=reason, load=load)
