"""The text of `@problems` (specs/roo-user-messages.md, section 3.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from promptscope_engine.agents.roo.params import Problem
from promptscope_engine.javascript.path import relative, resolve, to_posix
from promptscope_engine.javascript.text import js_trim

_LABELS = {"error": "Error", "warning": "Warning"}
"""The severities that are shown, the worse one first."""

_RANKS = {severity: rank for rank, severity in enumerate(_LABELS)}
_NO_PROBLEMS = "The editor reports neither errors nor warnings."


def problems_text(
    cwd: str, reported: Sequence[Problem], documents: Mapping[str, str | None], include: bool, limit: int | None
) -> str:
    """The errors and warnings of the workspace by file.

    `reported` are in the editor's order; `documents` are texts by path, None for a folder; a path that is absent
    cannot be opened. `include` is the setting includeDiagnosticMessages, `limit` maxDiagnosticMessages, 0 or less or
    None for no limit.
    """
    if not include:
        return _NO_PROBLEMS
    problems = [problem for problem in reported if problem.severity in _LABELS]
    shown = problems
    if limit is not None and limit > 0:
        shown = sorted(problems, key=lambda p: (_RANKS[p.severity], p.line))[:limit]
    files: dict[str, list[Problem]] = {}
    for problem in shown:
        files.setdefault(problem.path, []).append(problem)
    text = js_trim("".join(_file_text(cwd, path, found, documents) for path, found in files.items()))
    omitted = len(problems) - len(shown)
    if omitted:
        text += f"\n\n... {omitted} more problems are left out, so that they do not fill the context"
    return text or _NO_PROBLEMS


def _file_text(cwd: str, path: str, problems: Iterable[Problem], documents: Mapping[str, str | None]) -> str:
    head = f"\n\n{to_posix(relative(cwd, resolve(cwd, path)))}"
    return head + "".join(_line(problem, documents) for problem in sorted(problems, key=lambda p: p.line))


def _line(problem: Problem, documents: Mapping[str, str | None]) -> str:
    source = f"{problem.source} " if problem.source else ""
    place = _place(problem.path, problem.line, documents)
    return f"\n- [{source}{_LABELS[problem.severity]}] {place} : {problem.message}"


def _place(path: str, line: int, documents: Mapping[str, str | None]) -> str:
    """The number and text of a line; a folder says line 1, whatever the problem says."""
    if path not in documents:
        return f"{line + 1} | (unavailable)"
    document = documents[path]
    if document is None:
        return "1 | (directory)"
    lines = re.split(r"\r\n|\r|\n", document)
    return f"{line + 1} | {lines[line] if line < len(lines) else '(unavailable)'}"
