"""The user's first message of a task: what it is made of, and the sections that show it (specs/roo-user-messages.md).

Two text blocks: the task with its mentions expanded (1, 3), and the environment details (4). Without a task there is
no message; its sections are listed as absent.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed, Test
from promptscope_engine.prompt.drafts import FileDraft, SectionDraft, label, param_value
from promptscope_engine.prompt.leaves import flag, given
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.prompt.pieces import Pieces
from promptscope_engine.workspace import Workspace

from .layout import DETAILS, TASK
from .materials import Mode
from .moment import moment
from .params import Editor, RooParams
from .responses.ignore import IGNORE_FILE, RooIgnore
from .rules_files import file_diagnostic
from .slash_commands import find_commands, sources
from .user_messages.environment_details import Block, detail_blocks
from .user_messages.mention_tree import DiskTree
from .user_messages.mentions import Appended, Expansion, Sources, command_names, expand_pieces
from .workspace_files import Listing, workspace_files

DRAFTED: Condition = Test(
    "flag", "task", "given", True, "a task is drafted", "no task is drafted", off=(Lever("task", ""),)
)

_STEERING = flag("experiments.powerSteering")
_TODOS = flag("settings.todoListEnabled")
_MODIFIED = given("editor.recentlyModified", no="no file has changed since the agent saw it")
_DETAILS = "environment_details"
_LOOKS_LIKE_ONE = re.compile(r"[(\[{<\"'`]@(/[^\s)\]}>\"'`]+|problems\b|git-changes\b|terminal\b)")


@dataclass(frozen=True, slots=True)
class FirstMessage:
    """The sections of the message, the files that mentions and commands lead to, and what to tell about them."""

    sections: tuple[SectionDraft, ...]
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def first_message(
    inputs: Inputs, params: RooParams, workspace: Workspace, asked: str, mode: Mode, instructions: Pieces
) -> FirstMessage:
    """The message for `params.task`. `asked` is the mode's slug as it was asked for, `mode` the one in force;
    `instructions` are the custom instructions that powerSteering repeats."""
    cwd = inputs.workspace
    ignore = RooIgnore(cwd, workspace.read(posixpath.join(cwd, IGNORE_FILE)).text)
    listing = Listing((), did_hit_limit=False)
    if params.task:
        listing = workspace_files(workspace, cwd, inputs.home, params.editor.maxWorkspaceFiles)
    details = detail_blocks(**_facts(inputs, params, ignore, listing, asked, mode, instructions))
    if not params.task:
        absent = [SectionDraft("user.task", "Task", (), "<task>", DRAFTED, TASK), *_detail_sections(details)]
        return FirstMessage(tuple(replace(section, pieces=()) for section in absent))
    commands = find_commands(workspace, cwd, inputs.home, command_names(params.task))
    words = (label("<task>\n"), param_value("task", params.task), label("\n</task>"))
    known = Sources(
        cwd=cwd,
        tree=DiskTree(workspace),
        ignore=ignore,
        commands=dict(sources(commands.found)),
        **_editor_sources(params.editor, workspace, cwd),
    )
    expansion = expand_pieces(words, known)
    return FirstMessage(
        (*_task_sections(expansion), *_detail_sections(details)),
        (*commands.files, *_mentioned_files(workspace, cwd, expansion)),
        (*_told(workspace, cwd, params.task, expansion), *_listing_told(listing, params.editor)),
    )


# --- sections ------------------------------------------------------------------------------------------------------


def _task_sections(expansion: Expansion) -> Iterator[SectionDraft]:
    yield _section("user.task", "Task", expansion.words, "<task>")
    for number, each in enumerate(expansion.appended, start=1):
        name = f"user.mention.{number}"
        mark = "/" if each.kind == "command" else "@"
        title = f"{mark}{each.mention}"
        if not each.pieces:
            yield _section(name, title, (), when=each.held_back or ALWAYS, parent="user.task")
            continue
        pieces = (label("\n\n"), *each.pieces[:-1], *each.rest, each.pieces[-1])
        yield _section(name, title, pieces, parent="user.task")
        if each.held_back is not None:
            yield _section(f"{name}.content", f"what {title} stands for", (), when=each.held_back, parent=name)


def _detail_sections(blocks: Iterable[Block]) -> Iterator[SectionDraft]:
    """A section for each block, under the one that opens the tag; the blank line of absent todos belongs to the end."""
    blank: Pieces = ()
    for block in blocks:
        match block.name:
            case "open":
                yield _section(_DETAILS, "Environment details", block.pieces, block.title)
            case "no_todos":
                blank = tuple(piece.under(~_TODOS) for piece in block.pieces)
            case "close":
                yield _section(f"{_DETAILS}.end", block.title, (*blank, *block.pieces), parent=_DETAILS)
            case name:
                title = "Workspace files" if name == "workspace_files" else block.title
                yield _section(
                    f"{_DETAILS}.{name}", title, block.pieces, f"# {block.title}", _guard(block), parent=_DETAILS
                )


def _guard(block: Block) -> Condition:
    match block.name:
        case "recently_modified":
            return _MODIFIED
        case "running_terminals":
            return _terminals(block.shown, "a terminal of this task is busy", "no terminal of this task is busy")
        case "ended_terminals":
            return _terminals(block.shown, "a process ended in a terminal", "no process ended in a terminal")
        case "power_steering":
            return _STEERING
        case "todos":
            return _TODOS
        case _:
            return ALWAYS


def _terminals(shown: bool, yes: str, no: str) -> Condition:
    return Observed("flag", "editor.terminals", shown, yes, no, off=(Lever("editor.terminals", []),))


def _section(
    name: str,
    title: str,
    pieces: Pieces,
    heading: str | None = None,
    when: Condition = ALWAYS,
    parent: str | None = None,
) -> SectionDraft:
    place = TASK if name.startswith("user.") else DETAILS
    return SectionDraft(name, title, pieces, heading, DRAFTED & when, place, "turn", parent)


# --- what the details and the mentions are made of -----------------------------------------------------------------


def _facts(
    inputs: Inputs,
    params: RooParams,
    ignore: RooIgnore,
    listing: Listing,
    asked: str,
    mode: Mode,
    instructions: Pieces,
) -> dict[str, Any]:
    editor, cwd = params.editor, inputs.workspace
    now = moment(inputs.environment)
    return {
        "cwd": cwd,
        "home": inputs.home,
        "now": now.utc,
        "time_zone": now.zone,
        "utc_offset": now.offset,
        "mode": {"slug": asked, "name": mode.name, "role": mode.role, "instructions": instructions},
        "model": inputs.model or "",
        "visible_files": [resolve(cwd, path) for path in editor.visibleFiles],
        "open_tabs": [resolve(cwd, path) for path in editor.openTabs],
        "ignore": ignore,
        "terminals": [{**t.model_dump(), "cwd": t.cwd or cwd} for t in editor.terminals],
        "recently_modified": editor.recentlyModified,
        "cost": editor.cost,
        "power_steering": params.experiments.powerSteering,
        "files": {"paths": listing.paths, "did_hit_limit": listing.did_hit_limit},
        "todos": [todo.model_dump() for todo in editor.todos],
        "settings": {
            "maxWorkspaceFiles": editor.maxWorkspaceFiles,
            "maxOpenTabsContext": editor.maxOpenTabsContext,
            "showRooIgnoredFiles": editor.showRooIgnoredFiles,
            "todoListEnabled": params.settings.todoListEnabled,
        },
    }


def _editor_sources(editor: Editor, workspace: Workspace, cwd: str) -> dict[str, Any]:
    documents: dict[str, str | None] = {}
    for problem in editor.problems:
        file = workspace.read(resolve(cwd, problem.path))
        if file.found or file.problem == "directory":
            documents[problem.path] = file.text if file.found else None
    return {
        "show_ignored": editor.showRooIgnoredFiles,
        "max_read_file_line": editor.maxReadFileLine,
        "urls": editor.pages,
        "diagnostics": [problem.model_dump() for problem in editor.problems],
        "documents": documents,
        "include_diagnostics": editor.includeDiagnosticMessages,
        "max_diagnostics": editor.maxDiagnosticMessages,
        "git": None if editor.git is None else editor.git.model_dump(),
        "terminal": None if editor.terminalText is None else {"clipboard": "", "selection": editor.terminalText},
    }


def repeated_instructions(sections: Iterable[SectionDraft], facts: Facts) -> Pieces:
    """The custom instructions as powerSteering repeats them: built without settings, so AGENTS.md always counts."""
    facts = facts.after((Lever("settings.useAgentRules", True),))
    present = [section for section in sections if section.when.holds(facts)]
    return tuple(
        replace(piece, when=ALWAYS) for section in present for piece in section.pieces if piece.when.holds(facts)
    )


# --- files and what to tell ----------------------------------------------------------------------------------------


def _mentioned_files(workspace: Workspace, cwd: str, expansion: Expansion) -> Iterator[FileDraft]:
    for each in expansion.appended:
        if each.kind != "path":
            continue
        for path in each.read:
            shown = _shown(cwd, path)
            lines = [piece for piece in each.pieces if piece.origin.path == shown]
            cut = any(piece.origin.path == shown for piece in each.rest)
            yield _draft(workspace, path, shown, DRAFTED, "\n".join(piece.text for piece in lines), truncated=cut)
        path = _path(cwd, each)
        if each.held_back is not None and workspace.kind(path) == "file":
            yield _draft(workspace, path, _shown(cwd, path), each.held_back, "")


def _draft(
    workspace: Workspace, path: str, shown: str, when: Condition, injected: str, *, truncated: bool = False
) -> FileDraft:
    file = workspace.read(path)
    return FileDraft(
        shown, file.real_path, "mention", "on-demand", when, len(file.data), len(file.text), injected, None, truncated
    )


def _told(workspace: Workspace, cwd: str, task: str, expansion: Expansion) -> Iterator[Diagnostic]:
    for each in expansion.appended:
        path = _path(cwd, each)
        file = workspace.read(path) if each.kind == "path" else None
        if file is not None and file.problem in ("outside", "too-large"):
            yield file_diagnostic(path, file)
    for match in _LOOKS_LIKE_ONE.finditer(task):
        message = f"@{match[1]} is no mention: it stands behind {match[0][0]!r}, not behind a space"
        yield Diagnostic("info", "no-mention", message)


def _listing_told(listing: Listing, editor: Editor) -> Iterator[Diagnostic]:
    if listing.did_hit_limit:
        message = f"the workspace has {editor.maxWorkspaceFiles} entries or more; which of them Roo lists is chance"
        yield Diagnostic("info", "workspace-files-limit", message)


def _path(cwd: str, mention: Appended) -> str:
    return resolve(cwd, mention.mention[1:].replace("\\ ", " "))


def _shown(cwd: str, path: str) -> str:
    return posixpath.relpath(path, cwd) if path.startswith(f"{cwd}/") else path
