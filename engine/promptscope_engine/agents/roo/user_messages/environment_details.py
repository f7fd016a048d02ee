"""The environment details that end every user message (specs/roo-user-messages.md, section 4)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from promptscope_engine.agents.roo.responses.files_list import format_files_list
from promptscope_engine.agents.roo.responses.paths import relative, resolve, to_posix
from promptscope_engine.agents.roo.user_messages.terminal_output import compress_output
from promptscope_engine.jstext import js_trim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from promptscope_engine.agents.roo.responses.ignore import RooIgnore

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


def environment_details(
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
) -> str:
    """The text block, tags included, made of these facts alone.

    Paths: `cwd`, `home`, `visible_files` and `open_tabs` are absolute, `recently_modified` relative. `ignore`
    is None only for an agent without .rooignore handling. `terminals` are `[{id, cwd, busy, task, command?,
    output?, processes?}]`, `task` being `"own"`, another task's id or None (in the background), `processes`
    `[{command, output}]` the finished ones, newest first. `now` is ISO 8601 in UTC with milliseconds,
    `utc_offset` minutes east, `cost` dollars. `mode` is `{slug, name, role?, instructions?}` as resolved; its
    role and instructions are shown with `power_steering`. `files` is `{paths, did_hit_limit}` with absolute
    paths, None for a message without a listing. `todos` are `[{id, content, status}]`; `settings` go over
    DEFAULT_SETTINGS.
    """
    setting = {**DEFAULT_SETTINGS, **(settings or {})}
    visible = [relative(cwd, path) for path in visible_files][: setting["maxWorkspaceFiles"]]
    tabs = [to_posix(relative(cwd, path)) for path in open_tabs][: setting["maxOpenTabsContext"]]
    parts = [
        f"# VSCode Visible Files\n{_editor_files(visible, ignore, '(No visible files)')}",
        f"# VSCode Open Tabs\n{_editor_files(tabs, ignore, '(No open tabs)')}",
    ]
    if recently_modified:
        parts.append("\n".join(["# Recently Modified Files", _MODIFIED_NOTE, *recently_modified]))
    parts += _terminal_parts(terminals, setting)
    parts.append(f"# Current Time\nThe current time in ISO 8601 (UTC): {now}\n{_zone_line(time_zone, utc_offset)}")
    parts.append(f"# Current Cost\n${_dollars(cost)}")
    parts.append(_mode_part(mode, model, power_steering))
    if files is not None:
        listing = _listing(cwd, home, files, ignore, setting)
        parts.append(f"# Current Workspace Directory ({to_posix(cwd)}) Files\n{listing}")
    details = js_trim("".join(f"\n\n{part}" for part in parts))
    reminder = _reminder(todos) if setting["todoListEnabled"] else ""
    return f"<environment_details>\n{details}\n{reminder}\n</environment_details>"


def _editor_files(paths: list[str], ignore: RooIgnore | None, none: str) -> str:
    """The files of the editor as text, `none` where there are none.

    With .rooignore handling the list is put into a template as it is: commas join it, and since an empty list
    is true in JavaScript it prints as nothing in place of the note (section 4, points 1 and 2).
    """
    if ignore is None:
        return "\n".join(map(to_posix, paths)) or none
    return ",".join(path for path in paths if not ignore.ignores(path))


def _terminal_parts(terminals: Sequence[Terminal], setting: Mapping[str, Any]) -> list[str]:
    """What runs and what has ended: this task's terminals, then background ones, never another task's."""
    seen = [t for t in terminals if t["task"] == "own"] + [t for t in terminals if t["task"] is None]
    busy = [terminal for terminal in seen if terminal["busy"]]
    ended = [terminal for terminal in seen if not terminal["busy"] and terminal.get("processes")]
    parts = []
    if busy:
        parts.append("# Actively Running Terminals" + "".join(_active(t, setting) for t in busy))
    if ended:
        heading = "# Inactive Terminals with Completed Process Output"
        parts.append(heading + "".join(_inactive(t, setting) for t in ended))
    return parts


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


def _zone_line(name: str, offset: int) -> str:
    hours, minutes = divmod(abs(offset), 60)
    return f"User time zone: {name}, UTC{'-' if offset < 0 else '+'}{hours}:{minutes:02}"


def _dollars(cost: float) -> str:
    """Two decimals of the exact binary value, half away from zero, as JavaScript's `toFixed`."""
    return str(Decimal(cost + 0.0).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _mode_part(mode: Mapping[str, Any], model: str, power_steering: bool) -> str:
    lines = [f"<slug>{mode['slug']}</slug>", f"<name>{mode['name']}</name>", f"<model>{model}</model>"]
    if power_steering:
        lines.append(f"<role>{mode.get('role') or ''}</role>")
        if mode.get("instructions"):
            lines.append(f"<custom_instructions>{mode['instructions']}</custom_instructions>")
    # The final newline makes two blank lines before the files (section 4, point 10).
    return "# Current Mode\n" + "".join(f"{line}\n" for line in lines)


def _listing(
    cwd: str,
    home: str | None,
    files: Mapping[str, Any],
    ignore: RooIgnore | None,
    setting: Mapping[str, Any],
) -> str:
    if home is not None and resolve("/", cwd) == resolve(home, "Desktop"):
        return _DESKTOP_NOTE
    if setting["maxWorkspaceFiles"] == 0:
        return _NO_LISTING_NOTE
    # The guard against writing is not passed on, so that no shields show here (section 4, point 10).
    show_ignored = setting["showRooIgnoredFiles"]
    return format_files_list(cwd, files["paths"], files["did_hit_limit"], ignore=ignore, show_ignored=show_ignored)


def _reminder(todos: Sequence[Todo] | None) -> str:
    if not todos:
        return _NO_TODOS
    rows = [f"| {number} | {_cell(todo)} |" for number, todo in enumerate(todos, start=1)]
    head = ["| # | Content | Status |", "|---|---------|--------|"]
    return "\n".join(["====", "", "REMINDERS", "", _TODOS_INTRO, "", *head, *rows, "", "", _TODOS_OUTRO, ""])


def _cell(todo: Todo) -> str:
    # Newlines are not escaped and break the table (section 4, the reminder).
    content = todo["content"].replace("\\", "\\\\").replace("|", "\\|")
    return f"{content} | {_STATUS_NAMES.get(todo['status'], todo['status'])}"
