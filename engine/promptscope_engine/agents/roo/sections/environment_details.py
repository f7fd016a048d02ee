"""The environment details that end every user message (specs/roo-user-messages.md, section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from promptscope_engine.agents.roo.terminal import compress_output
from promptscope_engine.javascript.path import relative, resolve, to_posix
from promptscope_engine.prompt.drafts import Piece, builtin, computed, environment, label, param_value
from promptscope_engine.prompt.pieces import Pieces, cut, joined, trimmed_end

from .files_list import format_files_list

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from promptscope_engine.agents.roo.ignore import RooIgnore

    Terminal = Mapping[str, Any]
    Todo = Mapping[str, Any]

DEFAULT_SETTINGS: dict[str, Any] = {
    "maxWorkspaceFiles": 200,
    "maxOpenTabsContext": 20,
    "terminalOutputLineLimit": 500,
    "terminalOutputCharacterLimit": 50_000,
    "showRooIgnoredFiles": False,
    "todoListEnabled": True,
}
"""The agent's settings that count here, under its own names."""

_MODIFIED_NOTE = "These files have changed since you last saw them (read one again before you edit it):"
_DESKTOP_NOTE = "(The files of the desktop are not listed by themselves. Call list_files if you need to see them.)"
_NO_LISTING_NOTE = "(The files of the workspace are left out here. Call list_files if you need to see them.)"

_NO_TODOS = "There is no todo list for this task yet. Make one with `update_todo_list` if the task has many steps."
_TODOS_INTRO = "These reminders are of your own making, so that you keep to your tasks:"
_TODOS_OUTRO = (
    "IMPORTANT: Whenever the state of a task changes, say so with the `update_todo_list` tool, without waiting."
)
_STATUS_NAMES = {"pending": "Pending", "in_progress": "In Progress", "completed": "Completed"}


@dataclass(frozen=True)
class Block:
    """A stretch of the details that stands or falls as a whole; the shown ones, joined, are the text."""

    name: str
    title: str
    pieces: Pieces
    shown: bool = True
    """Whether it stands in this message: all blocks are made, so that the absent ones have their place."""


def environment_details(**facts: Any) -> str:
    """The text block, tags included, made of these facts alone: those of `detail_blocks`."""
    return "".join(joined(block.pieces) for block in detail_blocks(**facts) if block.shown)


def detail_blocks(
    *,
    cwd: str,
    now: str,
    time_zone: str,
    utc_offset: int,
    mode: Mapping[str, Any],
    model: str,
    home: str | None = None,
    visible_files: Sequence[str] = (),
    open_tabs: Sequence[str] = (),
    ignore: RooIgnore | None = None,
    terminals: Sequence[Terminal] = (),
    recently_modified: Sequence[str] = (),
    cost: float = 0,
    power_steering: bool = False,
    files: Mapping[str, Any] | None = None,
    todos: Sequence[Todo] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> tuple[Block, ...]:
    """The details, block by block in their order, from the opening tag to the closing one.

    Paths: `cwd`, `home`, `visible_files` and `open_tabs` are absolute, `recently_modified` relative. `ignore`
    is None only for an agent without .rooignore handling. `terminals` are `[{id, cwd, busy, task, command?,
    output?, processes?}]`, `task` being `"own"`, another task's id or None (in the background), `processes`
    `[{command, output}]` the finished ones, newest first. `now` is ISO 8601 in UTC with milliseconds,
    `utc_offset` minutes east, `cost` dollars. `mode` is `{slug, name, role?, instructions?}` as resolved; its
    role and instructions, texts or pieces, are shown with `power_steering`. `files` is `{paths, did_hit_limit}`
    with absolute paths, None for a message without a listing. `todos` are `[{id, content, status}]`; `settings` go
    over DEFAULT_SETTINGS.
    """
    setting = {**DEFAULT_SETTINGS, **(settings or {})}
    visible = [relative(cwd, path) for path in visible_files][: setting["maxWorkspaceFiles"]]
    tabs = [to_posix(relative(cwd, path)) for path in open_tabs][: setting["maxOpenTabsContext"]]
    listing = () if files is None else _listing(cwd, home, files, ignore, setting)
    blocks = [
        _block("visible_files", "VSCode Visible Files", _editor_files(visible, ignore, "(No visible files)")),
        _block("open_tabs", "VSCode Open Tabs", _editor_files(tabs, ignore, "(No open tabs)")),
        _block("recently_modified", "Recently Modified Files", *_modified(recently_modified)),
        *_terminal_blocks(terminals, setting),
        _block("time", "Current Time", *_time(now, time_zone, utc_offset)),
        _block("cost", "Current Cost", label("$"), param_value("editor.cost", _dollars(cost))),
        _block("mode", "Current Mode", *_mode(mode, model)),
        Block("power_steering", "Role and instructions of the mode", _steering(mode), power_steering),
        _block("workspace_files", f"Current Workspace Directory ({to_posix(cwd)}) Files", *listing),
    ]
    return tuple(_framed(blocks, tuple(_reminder(todos)), setting["todoListEnabled"]))


def _block(name: str, heading: str, *pieces: Piece) -> Block:
    return Block(name, heading, (label(f"\n\n# {heading}\n"), *pieces), bool(pieces))


def _framed(blocks: list[Block], reminder: Pieces, with_reminder: bool) -> Iterator[Block]:
    """The blocks between the tags, trimmed as a whole: the first has no empty line before it, the last none behind."""
    last = max(at for at, block in enumerate(blocks) if block.shown)
    yield Block("open", "<environment_details>", (label("<environment_details>\n"),))
    for at, block in enumerate(blocks):
        pieces = cut(block.pieces, 2, len(joined(block.pieces))) if at == 0 else block.pieces
        yield replace(block, pieces=trimmed_end(pieces) if at == last else pieces)
    yield Block("todos", "Reminders", (label("\n"), *reminder), with_reminder)
    # Without the reminder an empty line stays in its place.
    yield Block("no_todos", "No reminders", (label("\n"),), not with_reminder)
    yield Block("close", "</environment_details>", (label("\n</environment_details>"),))


def _editor_files(paths: list[str], ignore: RooIgnore | None, none: str) -> Piece:
    """The files of the editor, `none` where there are none.

    With .rooignore handling the list is put into a template as it is: commas join it, and since an empty list
    is true in JavaScript it prints as nothing in place of the note (section 4, points 1 and 2).
    """
    if ignore is None:
        return computed("editor.files", "\n".join(map(to_posix, paths)) or none)
    return computed("editor.files", ",".join(path for path in paths if not ignore.ignores(path)))


def _modified(paths: Sequence[str]) -> Iterator[Piece]:
    if paths:
        yield builtin("environment_details.modified_note", _MODIFIED_NOTE)
    for path in paths:
        yield label("\n")
        yield param_value("editor.recentlyModified", path)


def _terminal_blocks(terminals: Sequence[Terminal], setting: Mapping[str, Any]) -> Iterator[Block]:
    """What runs and what has ended: this task's terminals, then background ones, never another task's."""
    seen = [t for t in terminals if t["task"] == "own"] + [t for t in terminals if t["task"] is None]
    busy = [terminal for terminal in seen if terminal["busy"]]
    ended = [terminal for terminal in seen if not terminal["busy"] and terminal.get("processes")]
    running = "".join(_active(t, setting) for t in busy)
    completed = "".join(_inactive(t, setting) for t in ended)
    yield _terminal_block("running_terminals", "Actively Running Terminals", running, bool(busy))
    title = "Inactive Terminals with Completed Process Output"
    yield _terminal_block("ended_terminals", title, completed, bool(ended))


def _terminal_block(name: str, heading: str, text: str, shown: bool) -> Block:
    return Block(name, heading, (label(f"\n\n# {heading}"), param_value("editor.terminals", text)), shown)


def _terminal_head(terminal: Terminal, state: str) -> str:
    return f"\n## Terminal {terminal['id']} ({state})\n### Working Directory: `{terminal['cwd']}`"


def _active(terminal: Terminal, setting: Mapping[str, Any]) -> str:
    processes = terminal.get("processes") or []
    running = terminal.get("command")
    command = running if running is not None else (processes[0]["command"] if processes else "")
    output = "".join(process["output"] for process in processes) + (terminal.get("output") or "")
    shown = f"\n### New Output\n{_compressed(output, setting)}" if output else ""
    return f"{_terminal_head(terminal, 'Active')}\n### Original command: `{command}`{shown}"


def _inactive(terminal: Terminal, setting: Mapping[str, Any]) -> str:
    outputs = [
        f"\n### New Output\nCommand: `{process['command']}`\n{_compressed(process['output'], setting)}"
        for process in terminal["processes"]
        if process["output"]
    ]
    return _terminal_head(terminal, "Inactive") + "".join(outputs) if outputs else ""


def _compressed(output: str, setting: Mapping[str, Any]) -> str:
    return compress_output(output, setting["terminalOutputLineLimit"], setting["terminalOutputCharacterLimit"])


def _time(now: str, zone: str, offset: int) -> Iterator[Piece]:
    hours, minutes = divmod(abs(offset), 60)
    yield builtin("environment_details.time", "The current time in ISO 8601 (UTC)")
    yield label(": ")
    yield environment("date", now)
    yield label("\nUser time zone: ")
    yield environment("timezone", zone)
    yield label(f", UTC{'-' if offset < 0 else '+'}{hours}:{minutes:02}")


def _dollars(cost: float) -> str:
    """Two decimals of the exact binary value, half away from zero, as JavaScript's `toFixed`."""
    return str(Decimal(cost + 0.0).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _mode(mode: Mapping[str, Any], model: str) -> Iterator[Piece]:
    yield label("<slug>")
    yield param_value("mode", mode["slug"])
    yield label("</slug>\n<name>")
    yield computed("mode.name", mode["name"])
    yield label("</name>\n<model>")
    yield param_value("model", model)
    # The final newline makes two blank lines before the files (section 4, point 10).
    yield label("</model>\n")


def _steering(mode: Mapping[str, Any]) -> Pieces:
    role, instructions = _as_pieces("role", mode.get("role")), _as_pieces("instructions", mode.get("instructions"))
    pieces = (label("<role>"), *role, label("</role>\n"))
    if not joined(instructions):
        return pieces
    return (*pieces, label("<custom_instructions>"), *instructions, label("</custom_instructions>\n"))


def _as_pieces(name: str, text: str | Pieces | None) -> Pieces:
    return (computed(f"mode.{name}", text or ""),) if text is None or isinstance(text, str) else text


def _listing(
    cwd: str,
    home: str | None,
    files: Mapping[str, Any],
    ignore: RooIgnore | None,
    setting: Mapping[str, Any],
) -> Pieces:
    if home is not None and resolve("/", cwd) == resolve(home, "Desktop"):
        return (builtin("environment_details.desktop_note", _DESKTOP_NOTE),)
    if setting["maxWorkspaceFiles"] == 0:
        return (builtin("environment_details.no_listing_note", _NO_LISTING_NOTE),)
    # The guard against writing is not passed on, so that no shields show here (section 4, point 10).
    show = setting["showRooIgnoredFiles"]
    text = format_files_list(cwd, files["paths"], files["did_hit_limit"], ignore=ignore, show_ignored=show)
    return (computed("workspace_files", text),)


def _reminder(todos: Sequence[Todo] | None) -> Iterator[Piece]:
    if not todos:
        yield builtin("environment_details.no_todos", _NO_TODOS)
        return
    yield label("====\n\nREMINDERS\n\n")
    yield builtin("environment_details.todos_intro", _TODOS_INTRO)
    yield label("\n\n| # | Content | Status |\n|---|---------|--------|\n")
    for number, todo in enumerate(todos, start=1):
        yield label(f"| {number} | ")
        yield param_value("editor.todos", _cell(todo))
        yield label(" |\n")
    yield label("\n\n")
    yield builtin("environment_details.todos_outro", _TODOS_OUTRO)
    yield label("\n")


def _cell(todo: Todo) -> str:
    # Newlines are not escaped and break the table (section 4, the reminder).
    content = todo["content"].replace("\\", "\\\\").replace("|", "\\|")
    return f"{content} | {_STATUS_NAMES.get(todo['status'], todo['status'])}"
