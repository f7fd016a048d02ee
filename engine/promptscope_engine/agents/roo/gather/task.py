"""The drafted task: what its mentions and commands lead to (specs/roo-user-messages.md 1, 3)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.roo.gates import DRAFTED
from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.mentions.expand import Appended, Expansion, Sources, command_names, expand_pieces
from promptscope_engine.agents.roo.mentions.texts import terminal_text
from promptscope_engine.agents.roo.mentions.tree import DiskTree
from promptscope_engine.agents.roo.params import Editor
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import FileDraft, Piece, label, param_value
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .found import Found, file_diagnostic
from .slash_commands import find_commands

_LOOKS_LIKE_ONE = re.compile(r"[(\[{<\"'`]@(/[^\s)\]}>\"'`]+|problems\b|git-changes\b|terminal\b)")


def find_task(inputs: Inputs, words: str, editor: Editor, ignore: RooIgnore, workspace: Workspace) -> Found[Expansion]:
    """The task's words and what they mention."""
    cwd = inputs.workspace
    commands = find_commands(workspace, cwd, inputs.home, command_names(words))
    sources = Sources(
        cwd=cwd,
        tree=DiskTree(workspace),
        ignore=ignore,
        show_ignored=editor.showRooIgnoredFiles,
        max_read_file_line=editor.maxReadFileLine,
        page=editor.pages.get,
        problems=editor.problems,
        documents=_documents(editor, workspace, cwd),
        include_problems=editor.includeDiagnosticMessages,
        max_problems=editor.maxDiagnosticMessages,
        git=editor.git,
        terminal=None if editor.terminalText is None else terminal_text(editor.terminalText),
        commands=commands.value,
    )
    task = expand_pieces(_as_said(words, editor), sources)
    files = (*commands.files, *_mentioned_files(workspace, cwd, task))
    return Found(task, files, (*commands.diagnostics, *_diagnostics(workspace, cwd, words, task)))


def _as_said(words: str, editor: Editor) -> tuple[Piece, ...]:
    """The first message is the task; in a later one words are feedback on a result."""
    said = param_value("task", words)
    if not editor.laterTurn:
        return label("<task>\n"), said, label("\n</task>")
    lead = FOLDER.pieces("feedback", Scope({}))
    return label("[attempt_completion] Result:\n"), *lead, label("\n<feedback>\n"), said, label("\n</feedback>")


def _documents(editor: Editor, workspace: Workspace, cwd: str) -> dict[str, str | None]:
    """The texts of files with problems, None for a folder; a file that cannot be read is left out."""
    files = {problem.path: workspace.read(resolve(cwd, problem.path)) for problem in editor.problems}
    readable = {path: file for path, file in files.items() if file.found or file.problem == "directory"}
    return {path: file.text if file.found else None for path, file in readable.items()}


def _mentioned_files(workspace: Workspace, cwd: str, task: Expansion) -> Iterator[FileDraft]:
    for each in task.appended:
        if each.kind != "path":
            continue
        for path in each.read:
            shown = _shown(cwd, path)
            lines = [piece.text for piece in each.pieces if piece.origin.path == shown]
            cut = any(piece.origin.path == shown for piece in each.rest)
            yield _mention(workspace, path, shown, DRAFTED, "\n".join(lines), truncated=cut)
        path = _path(cwd, each)
        if each.held_back is not None and workspace.kind(path) == "file":
            yield _mention(workspace, path, _shown(cwd, path), each.held_back, "")


def _mention(
    workspace: Workspace, path: str, shown: str, when: Condition, injected: str, *, truncated: bool = False
) -> FileDraft:
    file = workspace.read(path)
    return file_row(file, "mention", "on-demand", when, injected, shown=shown, truncated=truncated)


def _diagnostics(workspace: Workspace, cwd: str, words: str, task: Expansion) -> Iterator[Diagnostic]:
    for each in task.appended:
        path = _path(cwd, each)
        file = workspace.read(path) if each.kind == "path" else None
        if file is not None and file.problem in ("outside", "too-large"):
            yield file_diagnostic(path, file)
    for match in _LOOKS_LIKE_ONE.finditer(words):
        message = f"@{match[1]} is not a mention: {match[0][0]!r} stands before it, not a space"
        yield Diagnostic("info", "no-mention", message)


def _path(cwd: str, mention: Appended) -> str:
    return resolve(cwd, mention.mention[1:].replace("\\ ", " "))


def _shown(cwd: str, path: str) -> str:
    return posixpath.relpath(path, cwd) if path.startswith(f"{cwd}/") else path
