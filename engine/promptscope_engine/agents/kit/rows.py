"""What is found: the rows of files that an agent looks at, and what is said of them.

Of links that lead out of the announced folders the scenario's `outside_links` says whether they are followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit, Load, SettingSource, Severity
from promptscope_engine.workspace import FileText, Workspace

from .near_misses import ELSEWHERE, WANTED


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


@dataclass(eq=False, repr=False, kw_only=True)
class Found:
    """What gatherers are handed, and add to: rows, what is said of files and settings, and what stops the start."""

    workspace: Workspace
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refusals: list[Diagnostic] = field(default_factory=list)

    def row(self, file: FileText, kind: str, load: Load, when: Condition, injected: str = "", **more: Any) -> None:
        """A file was looked at (see `file_row`)."""
        self.files.append(file_row(file, kind, load, when, injected, **more))

    def say(self, severity: Severity, code: str, text: str, path: str | None = None, line: int | None = None) -> None:
        """A person should know."""
        self.diagnostics.append(Diagnostic(severity, code, text, path, line))

    def warn(self, code: str, text: str, path: str | None = None, line: int | None = None) -> None:
        """A person would not expect it."""
        self.say("warning", code, text, path, line)

    def warn_at(self, source: SettingSource, code: str, text: str) -> None:
        """A person would not expect it of a setting."""
        self.say("warning", code, text, source.path, source.line)

    def may_read(self, path: str, kind: str) -> bool:
        """Whether a file or folder may be looked into; else there is a row (see `may_read`)."""
        return may_read(self.workspace, path, kind, self.files)


# --- links ------------------------------------------------------------------------------------------------------------


_PARAM = "outside_links"


def followed(workspace: Workspace, path: str, follow: bool, reader: str = "the agent") -> Condition:
    """True unless a link takes the path out of the announced folders and is not followed: that is our limit, and
    `reader` would follow it."""
    real = workspace.leads_outside(path)
    if real is None:
        return ALWAYS
    return _switched(follow, f"a link leads to {real}, and such links are followed", f"it leads to {real}", reader)


def entered(workspace: Workspace, folder: str, follow: bool, reader: str) -> Condition:
    """True unless a folder that a file's setting names is outside of the announced ones, and is not entered.

    To be asked before the folder is announced, which a scenario does that enters it.
    """
    if workspace.allows(folder, listing=True):
        return ALWAYS
    where = f"{folder} is outside of the folders that are read"
    return _switched(follow, f"{where}, and such folders are entered", where, reader)


def _switched(follow: bool, yes: str, no: str, reader: str) -> Condition:
    return Observed(
        "flag",
        _PARAM,
        follow,
        yes,
        f"left out here: {no}; {reader} would read it",
        wanted="follow",
        on=(Lever(_PARAM, "follow"),),
        off=(Lever(_PARAM, "refuse"),),
    )


def may_read(workspace: Workspace, path: str, kind: str, files: list[FileDraft]) -> bool:
    """Whether a file or folder may be looked into. A link that is refused becomes a row of `files`."""
    if workspace.kind(path) is None or workspace.allows(path, listing=True):
        return True
    files.append(FileDraft(path, workspace.real_path(path), kind, "on-demand", followed(workspace, path, follow=False)))
    return False


def with_reasons(
    workspace: Workspace, files: Sequence[FileDraft], cwd: str, *, follow: bool, reader: str
) -> Iterator[FileDraft]:
    """The rows of files; that of one that a refused link leads to says so, whatever the agent made of it: nothing was
    read. `reader` is the agent's name and version.

    Some agents show paths relative to `cwd`.
    """
    if follow:
        yield from files
        return
    paths = [file.path if file.path.startswith("/") else os.path.join(cwd, file.path) for file in files]  # noqa: PTH118
    outside = workspace.leading_outside(paths)
    for file, path in zip(files, paths, strict=True):
        yield _with_reason(workspace, file, path, reader) if path in outside else file


def _with_reason(workspace: Workspace, file: FileDraft, path: str, reader: str) -> FileDraft:
    real = workspace.leads_outside(path)
    never = isinstance(file.when, Observed) and file.when.wanted in (WANTED, ELSEWHERE)
    if never or (kind := workspace.kind(path)) is None:
        return file  # whatever the link leads to, the agent does not read it
    is_folders_row = kind == "directory" and isinstance(file.when, Observed) and file.when.name == _PARAM
    if kind != "file" and not is_folders_row:  # to follow the link would not help
        no, remedy = f"a link leads to {real}, which is no file", f"put a file in the place of {path}"
        return replace(file, when=Observed("file", path, False, "a file is there", no, remedy=remedy))
    return replace(file, when=followed(workspace, path, False, reader))
