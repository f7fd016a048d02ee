"""The texts of `@problems`, `@git-changes`, a commit and `@terminal` (specs/roo-user-messages.md 3.4 to 3.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, repeat

from promptscope_engine.agents.roo.params import Git, Problem
from promptscope_engine.agents.roo.terminal import truncate_output
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


_LINE_LIMIT = 500
_NO_REPOSITORY = "This folder belongs to no git repository"
_NO_CHANGES = "The working directory has no changes"


def working_state_text(git: Git | None) -> str:
    """What changed since the last commit, from what git prints; None: no repository."""
    if git is None:
        return _NO_REPOSITORY
    if not js_trim(git.status):
        return _NO_CHANGES
    text = js_trim(f"Working directory changes:\n\n{git.status}\n\n{git.diff}")
    return truncate_output(text, _LINE_LIMIT)


def commit_text(git: Git | None, mentioned: str) -> str:
    """A commit from what git prints, by the hash as mentioned.

    Its `info` is six lines or more: the hash, its short form, the subject, the author, the date and the body.
    """
    if git is None:
        return _NO_REPOSITORY
    commit = git.commits.get(mentioned)
    if commit is None:
        return f"The commit could not be read: fatal: bad object {mentioned}"
    fields = js_trim(commit.info).split("\n")
    full, short, subject, author, date = islice(chain(fields, repeat("undefined")), 5)
    # The body's first line only: the way the fields are split drops the others.
    body = fields[5] if len(fields) > 5 else ""
    lines = [
        f"Commit: {short} ({full})",
        f"Author: {author}",
        f"Date: {date}",
        f"\nMessage: {subject}",
        f"\nDescription:\n{body}" if body else "",
        "\nFiles Changed:",
        js_trim(commit.stats),
        "\nFull Changes:",
        f"\n{js_trim(commit.diff)}",
    ]
    return truncate_output("\n".join(lines), _LINE_LIMIT)


def terminal_text(selection: str, before: str = "") -> str:
    """What the last command printed, of what copying the whole terminal gives; "" where it is what the clipboard held
    `before`."""
    copied = js_trim(selection)
    if copied == before:
        return ""
    *lines, prompt = copied.split("\n")
    prompt = js_trim(prompt)
    if not prompt:
        return copied
    starts = [index for index, line in enumerate(lines) if js_trim(line).startswith(prompt)]
    return "\n".join(lines[starts[-1] if starts else 0 :])
