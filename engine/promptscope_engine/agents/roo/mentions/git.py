"""The texts of `@git-changes` and of a mentioned commit (specs/roo-user-messages.md, section 3.5)."""

from __future__ import annotations

from promptscope_engine.agents.roo.params import Git
from promptscope_engine.agents.roo.terminal import truncate_output
from promptscope_engine.javascript.text import js_trim

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
    full, short, subject, author, date = (fields + ["undefined"] * 5)[:5]
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
