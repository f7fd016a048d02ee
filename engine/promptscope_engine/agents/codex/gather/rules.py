"""Command prefixes that the user has allowed: `$CODEX_HOME/rules/*.rules` (specs/codex.md 6.3).

Rules lie beside any settings that count: the user's, and those of a repository that is trusted [source].
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

MAX_CHARS = 64 * 1024
"""Of one file; rules are collected one confirmation at a time."""
MAX_FILES = 100

Prefix = tuple[str, ...]


def approved_prefixes(
    folders: Sequence[str], workspace: Workspace, files: list[FileDraft], diagnostics: list[Diagnostic]
) -> tuple[Prefix, ...]:
    """The allowed prefixes, shorter ones first. `folders`: those of the settings."""
    found: dict[Prefix, None] = {}
    for path in _files(folders, workspace):
        file = workspace.read(path)
        if not file.found:
            continue
        try:
            rules = dict.fromkeys(_rules(file.text))
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
            text = f"its rules cannot be read: {error}"[:200]
            diagnostics.append(Diagnostic("warning", "bad-rules", text, path, getattr(error, "lineno", None)))
            rules = {}
        found |= rules
        there = Observed(
            "file", path, bool(rules), "it allows commands", "it allows no command", remedy=f"allow a command in {path}"
        )
        files.append(FileDraft(path, file.real_path, "rules", "conditional", there, file.size, len(file.text)))
    return tuple(sorted(found, key=lambda prefix: (len(prefix), sum(map(len, prefix)), prefix)))


def _files(folders: Sequence[str], workspace: Workspace) -> Iterator[str]:
    for folder in folders:
        names = [entry.name for entry in workspace.list(f"{folder}/rules").entries if entry.name.endswith(".rules")]
        yield from (f"{folder}/rules/{name}" for name in names[:MAX_FILES])


def _rules(text: str) -> Iterator[Prefix]:
    """The patterns of `prefix_rule(pattern=[…], decision="allow")`; a rule without a decision allows."""
    if len(text) > MAX_CHARS:
        raise ValueError(f"{len(text):,} characters are more than are read here")
    for statement in ast.parse(text).body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "prefix_rule":
            continue
        given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        pattern = given.get("pattern")
        if given.get("decision", "allow") != "allow" or not isinstance(pattern, list) or not pattern:
            continue
        firsts = pattern[0] if isinstance(pattern[0], list) else [pattern[0]]
        rest = tuple(_word(word) for word in pattern[1:])
        yield from ((str(first), *rest) for first in firsts)


def _word(word: object) -> str:
    """A word of a pattern; several alternatives as one."""
    return f"[{'|'.join(map(str, word))}]" if isinstance(word, list) else str(word)
