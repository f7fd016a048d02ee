"""What the environment details say: the time, and the editor's state as Roo shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal

from promptscope_engine.agents.roo.gather.workspace_files import Listing
from promptscope_engine.agents.roo.ignore import RooIgnore, format_files_list
from promptscope_engine.agents.roo.params import Editor, Terminal
from promptscope_engine.agents.roo.terminal import compress_output
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.scenario import Environment
from promptscope_engine.javascript.json import number
from promptscope_engine.javascript.path import relative, resolve, to_posix
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Piece, computed, environment, label, param_value
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.pieces import trimmed_end


@frozen
class LocalTime:
    """`utc` is ISO 8601 with milliseconds and Z, `zone` an IANA name, `offset` minutes east."""

    utc: str
    zone: str
    offset: int


def local_time(environment: Environment) -> LocalTime:
    """The environment's date in its time zone; a date without an offset is meant in that zone."""
    name = environment.timezone or "UTC"
    zone = _zone(name)
    try:
        given = datetime.fromisoformat(environment.date or "")
    except ValueError:
        given = datetime.fromtimestamp(0, UTC)
    there = given.replace(tzinfo=zone or UTC) if given.tzinfo is None else given.astimezone(zone or given.tzinfo)
    offset = (there.utcoffset() or timedelta()) // timedelta(minutes=1)
    utc = there.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
    return LocalTime(f"{utc}Z", name, offset)


def _zone(name: str) -> tzinfo | None:
    """The zone, if the machine knows it: else the date's own offset counts."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@frozen
class Session:
    """What the details say besides the editor's state: the mode as it was asked for, its name, and the model."""

    slug: str
    mode_name: str
    model: str
    time: LocalTime


OutputLimits = tuple[int, int]
"""Roo's settings terminalOutputLineLimit and terminalOutputCharacterLimit."""

DEFAULT_LIMITS: OutputLimits = (500, 50_000)


def details(
    editor: Editor,
    session: Session,
    cwd: str,
    home: str | None,
    ignore: RooIgnore | None,
    listing: Listing,
    limits: OutputLimits = DEFAULT_LIMITS,
) -> dict[str, object]:
    """What the details of a workspace say, by the names that their texts have for it.

    `ignore` is None only for an agent without .rooignore handling.
    """
    visible = [relative(cwd, resolve(cwd, path)) for path in editor.visibleFiles][: editor.maxWorkspaceFiles]
    tabs = [to_posix(relative(cwd, resolve(cwd, path))) for path in editor.openTabs][: editor.maxOpenTabsContext]
    # This task's terminals, then background ones, never another task's.
    seen = [t for t in editor.terminals if t.task == "own"] + [t for t in editor.terminals if t.task is None]
    busy = [terminal for terminal in seen if terminal.busy]
    ended = [terminal for terminal in seen if not terminal.busy and terminal.processes]
    files = ""
    if editor.maxWorkspaceFiles:
        # The guard against writing is not passed on, so that no shields show here (point 10).
        show = editor.showRooIgnoredFiles
        files = format_files_list(cwd, listing.paths, listing.did_hit_limit, ignore=ignore, show_ignored=show)
    hours, minutes = divmod(abs(session.time.offset), 60)
    return {
        "directory": environment("cwd", to_posix(cwd)),
        "visible_files": computed("editor.files", _editor_files(visible, ignore, "(No visible files)")),
        "open_tabs": computed("editor.files", _editor_files(tabs, ignore, "(No open tabs)")),
        "recently_modified": [param_value("editor.recentlyModified", path) for path in editor.recentlyModified],
        "running": _terminals("".join(_active(t, cwd, limits) for t in busy), busy, "terminal of this task is busy"),
        "ended": _terminals("".join(_inactive(t, cwd, limits) for t in ended), ended, "process ended in a terminal"),
        "utc": environment("date", session.time.utc),
        "zone": environment("timezone", session.time.zone),
        "offset": label(f", UTC{'-' if session.time.offset < 0 else '+'}{hours}:{minutes:02}"),
        "cost": param_value("editor.cost", _dollars(editor.cost)),
        "slug": param_value("mode", session.slug),
        "mode_name": computed("mode.name", session.mode_name),
        "model": param_value("model", session.model),
        "on_desktop": _on_desktop(cwd, home),
        "listing": trimmed_end((computed("workspace_files", files),)),
        "todos": todo_rows((todo.content, todo.status) for todo in editor.todos),
    }


_STATUS_NAMES = {"pending": "Pending", "in_progress": "In Progress", "completed": "Completed"}


def todo_rows(todos: Iterable[tuple[str, str]]) -> list[dict[str, Piece]]:
    """The rows of the table of todos, of their contents and statuses; a status that Roo does not know stays."""
    rows = []
    for place, (content, status) in enumerate(todos, start=1):
        # Newlines are not escaped and break the table (section 4, the reminder).
        escaped = content.replace("\\", "\\\\").replace("|", "\\|")
        cells = f"{escaped} | {_STATUS_NAMES.get(status, status)}"
        rows.append({"number": label(f"| {place} | "), "cells": param_value("editor.todos", cells)})
    return rows


def _editor_files(paths: list[str], ignore: RooIgnore | None, none: str) -> str:
    """The files of the editor, `none` where there are none.

    With .rooignore handling the list is put into a template as it is: commas join it, and since an empty list
    is true in JavaScript it prints as nothing in place of the note (points 1 and 2).
    """
    if ignore is None:
        return "\n".join(map(to_posix, paths)) or none
    return ",".join(path for path in paths if not ignore.ignores(path))


def _terminals(text: str, found: Sequence[Terminal], what: str) -> dict[str, object]:
    name, yes, no = "editor.terminals", f"a {what}", f"no {what}"
    when = Observed(
        "flag", name, bool(found), yes, no, off=(Lever(name, []),), remedy=f"add to `{name}`, such that {yes}"
    )
    return {"text": param_value(name, text), "when": when}


def _terminal_head(terminal: Terminal, cwd: str, state: str) -> str:
    return f"\n## Terminal {terminal.id} ({state})\n### Working Directory: `{terminal.cwd or cwd}`"


def _active(terminal: Terminal, cwd: str, limits: OutputLimits) -> str:
    processes = terminal.processes
    command = terminal.command
    if command is None:
        command = processes[0].command if processes else ""
    output = "".join(process.output for process in processes) + terminal.output
    shown = f"\n### New Output\n{compress_output(output, *limits)}" if output else ""
    return f"{_terminal_head(terminal, cwd, 'Active')}\n### Original command: `{command}`{shown}"


def _inactive(terminal: Terminal, cwd: str, limits: OutputLimits) -> str:
    outputs = [
        f"\n### New Output\nCommand: `{process.command}`\n{compress_output(process.output, *limits)}"
        for process in terminal.processes
        if process.output
    ]
    return _terminal_head(terminal, cwd, "Inactive") + "".join(outputs) if outputs else ""


def _dollars(cost: float) -> str:
    """Two decimals of the exact binary value, half away from zero, as JavaScript's `toFixed`."""
    if cost >= 1e21:  # `toFixed` writes these as they are
        return number(cost)
    return str(Decimal(cost + 0.0).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _on_desktop(cwd: str, home: str | None) -> Condition:
    yes = home is not None and resolve("/", cwd) == resolve(home, "Desktop")
    remedy = "open a folder below the desktop" if yes else "open the desktop folder itself"
    return Observed("file", cwd, yes, "the workspace is the desktop", "the workspace is not the desktop", remedy=remedy)
