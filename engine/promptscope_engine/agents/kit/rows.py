"""The rows of files that an agent looks at."""

from __future__ import annotations

from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Limit, Load
from promptscope_engine.workspace import FileText


def file_row(
    file: FileText,
    kind: str,
    load: Load,
    when: Condition,
    injected: str = "",
    *,
    limits: tuple[Limit, ...] = (),
    truncated: bool | None = None,
    imported_by: str | None = None,
    shown: str | None = None,
    chars: int | None = None,
) -> FileDraft:
    """A file that was read, with the text that reaches the prompt if `when` holds; `limits` are those that cut it.

    `chars`: how long the agent takes the whole file for, where it does not count characters.
    """
    return FileDraft(
        shown or file.path, file.real_path, kind, load, when, file.size,
        len(file.text) if chars is None else chars, injected,
        truncated=bool(limits) if truncated is None else truncated, imported_by=imported_by, limits=limits,
    )  # fmt: skip


def absent(path: str, why: str, remedy: str) -> Observed:
    """A file does not count, and what a person would do about it."""
    return Observed("file", path, False, "", why, remedy=remedy)
