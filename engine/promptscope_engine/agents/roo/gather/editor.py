"""What the environment details say: the time, the editor's state, and the workspace's files as Roo shows them."""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from promptscope_engine.agents.roo.gather.found import patterns_diagnostics
from promptscope_engine.agents.roo.ignore import RooIgnore, format_files_list
from promptscope_engine.agents.roo.params import Editor, Terminal
from promptscope_engine.agents.roo.terminal import compress_output
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.inputs.scenario import Environment
from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
from promptscope_engine.javascript.json import number
from promptscope_engine.javascript.text import relative, resolve, to_posix
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, computed, environment, label, param_value
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.prompt.spans import trimmed_end
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

EXCLUDED = frozenset(
    ("node_modules", "__pycache__", "env", "venv", "dist", "out", "bundle", "vendor", "tmp", "temp", "deps", "pkg",
     "Pods", ".git")
)  # fmt: skip
"""Folders that are neither listed nor entered, wherever they are."""

_EXCLUDED_PATHS = re.compile(r"(?:^|/)(?:target/dependency|build/dependencies)$")
"""Folders that are not entered by their last two names. Roo's own walk compares one name, so it lists them."""

_IGNORE_FILES = (".rgignore", ".ignore", ".gitignore")
"""A file of an earlier kind decides before one of a later kind, in whatever folder they are."""

_MOST_FOLDERS = 5_000
"""Our own bound in place of Roo's ten seconds."""

_LONGEST = 1_024
"""Characters of the path of a folder that is still entered: each look at a path takes the longer the deeper it is."""


class Listing(Struct, frozen=True):
    """Absolute paths, those of folders end in `/`, and whether the limit was reached."""

    paths: tuple[str, ...]
    did_hit_limit: bool
    left_out: tuple[tuple[str, str], ...] = ()
    """Ignore files of which not all patterns are used, and what is left out."""


def workspace_files(workspace: Workspace, cwd: str, home: str, limit: int) -> Listing:
    """At most `limit` entries below `cwd`, folders first; the root and the home folder are not searched."""
    if limit == 0:
        return Listing((), did_hit_limit=False)
    if cwd in ("/", resolve("/", home)):
        return Listing((cwd,), did_hit_limit=False)
    key = ("roo.workspace_files", cwd, home, limit)
    return workspace.memo(key, lambda: _workspace_files(_Walk(workspace, cwd, home), limit), tracked=True)


def listing_diagnostics(listing: Listing, limit: int) -> Iterator[Diagnostic]:
    """A listing at its limit cannot be predicted; of a very long ignore file not all is used."""
    if listing.did_hit_limit:
        yield FOLDER.note("workspace-files-limit", limit=limit)
    for file, left_out in listing.left_out:
        yield from patterns_diagnostics(file, left_out)


def _workspace_files(walk: _Walk, limit: int) -> Listing:
    files = _first(walk.files(), limit)
    folders = _first(walk.folders(), limit - len(files))
    paths = [*sorted(folders), *sorted(files)][:limit]
    hit = len(paths) >= limit
    if hit:
        # Folders at the top that did not make it take the places of as many entries at the end.
        missing = [folder for folder in walk.folders(deep=False) if folder not in paths][:limit]
        paths = [*paths[: limit - len(missing)], *missing]
    return Listing(tuple(paths), hit, tuple(walk.left_out.items()))


def _first(paths: Iterator[str], count: int) -> list[str]:
    return [path for path, _ in zip(paths, range(count), strict=False)]


class _Walk:
    """Walks one workspace; each folder's ignore files are read when it is entered."""

    def __init__(self, workspace: Workspace, cwd: str, home: str) -> None:
        self._workspace, self._cwd = workspace, cwd
        self._around: dict[tuple[str, str], tuple[tuple[str, IgnorePatterns], ...]] = {}
        self.left_out: dict[str, str] = {}
        """Ignore files that hold too many patterns, and what is left out of them."""
        self._repository = repository_root(cwd, workspace)
        last = [posixpath.join(home, ".config/git/ignore")]
        if self._repository is not None:
            last.insert(0, posixpath.join(self._repository, ".git/info/exclude"))
        self._last = [patterns for file in last if (patterns := self._read(file))]

    def files(self) -> Iterator[str]:
        """The list of ripgrep: files and links to files, level by level."""
        queue = deque([self._cwd])
        entered = {self._workspace.real_path(self._cwd)}
        while queue and len(entered) < _MOST_FOLDERS:
            folder = queue.popleft()
            for entry in self._workspace.list(folder).entries:
                path = posixpath.join(folder, entry.name)
                kind = entry.kind if entry.kind != "link" else self._workspace.kind(path)
                if kind == "directory":
                    closed = entry.name.startswith(".") or entry.name in EXCLUDED or _EXCLUDED_PATHS.search(path)
                    real = path if entry.kind == "directory" else self._workspace.real_path(path)
                    # A link back into what was entered already would never end.
                    shut = closed or real in entered or len(path) > _LONGEST
                    if not shut and not self._ignored(path, is_folder=True):
                        entered.add(real)
                        queue.append(path)
                elif kind == "file" and not self._ignored(path, is_folder=False):
                    yield path

    def folders(self, *, deep: bool = True) -> Iterator[str]:
        """Roo's own walk: no links; hidden folders are listed and not entered. Without `deep` the top level alone."""
        stack = [self._cwd]
        listed = 0
        while stack and listed < _MOST_FOLDERS:
            folder = stack.pop()
            inner: list[str] = []
            for entry in self._workspace.list(folder).entries:
                path = posixpath.join(folder, entry.name)
                if entry.kind != "directory" or entry.name in EXCLUDED or self._ignored(path, is_folder=True):
                    continue
                listed += 1
                yield f"{path}/"
                if deep and not entry.name.startswith(".") and len(path) <= _LONGEST:
                    inner.append(path)
            stack += reversed(inner)

    def _ignored(self, path: str, *, is_folder: bool) -> bool:
        """Whether an ignore file says so: by kind, then the deepest folder first, then git's own lists."""
        folder = posixpath.dirname(path)
        for name in _IGNORE_FILES:
            for base, patterns in self._files_around(name, folder):
                verdict = patterns.decide(posixpath.relpath(path, base) + ("/" if is_folder else ""))
                # What is in a hidden folder is never asked for: the walks do not enter it.
                if verdict is not None:
                    return verdict
        if self._repository is None:
            return False
        way = posixpath.relpath(path, self._repository) + ("/" if is_folder else "")
        verdicts = (patterns.decide(way) for patterns in self._last)
        return bool(next((verdict for verdict in verdicts if verdict is not None), False))

    def _files_around(self, name: str, folder: str) -> tuple[tuple[str, IgnorePatterns], ...]:
        """The ignore files of a kind that count in a folder, with theirs, the innermost first."""
        asked: list[str] = []
        while (name, folder) not in self._around and folder not in asked:
            asked.append(folder)
            folder = posixpath.dirname(folder)
        around = self._around.get((name, folder), ())
        for inner in reversed(asked):
            # A .gitignore counts in a repository only, up to its root.
            root, counts = self._repository, name != ".gitignore"
            counts = counts or (root is not None and f"{inner}/".startswith(f"{root.rstrip('/')}/"))
            patterns = self._read(posixpath.join(inner, name)) if counts else None
            around = ((inner, patterns), *around) if patterns else around
            self._around[name, inner] = around
        return around

    def _read(self, file: str) -> IgnorePatterns | None:
        lines, left_out = within_limits(self._workspace.read(file).text.split("\n", MAX_LINES))
        if left_out:
            self.left_out[file] = left_out
        return read_patterns(lines, "git") if lines else None


class LocalTime(Struct, frozen=True):
    """`utc` is ISO 8601 with milliseconds and Z, `zone` an IANA name, `offset` minutes east."""

    utc: str
    zone: str
    offset: int


def local_time(environment: Environment) -> LocalTime:
    """The environment's date in its time zone; a date without an offset is meant in that zone."""
    name = environment.timezone or "UTC"
    zone: tzinfo | None = None
    with suppress(ZoneInfoNotFoundError, ValueError, OSError):  # where it is not known, the date's own offset counts
        zone = ZoneInfo(name)
    try:
        given = datetime.fromisoformat(environment.date or "")
    except ValueError:
        given = datetime.fromtimestamp(0, UTC)
    there = given.replace(tzinfo=zone or UTC) if given.tzinfo is None else given.astimezone(zone or given.tzinfo)
    offset = (there.utcoffset() or timedelta()) // timedelta(minutes=1)
    utc = there.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
    return LocalTime(f"{utc}Z", name, offset)


OutputLimits = tuple[int, int]
"""Roo's settings terminalOutputLineLimit and terminalOutputCharacterLimit."""

DEFAULT_LIMITS: OutputLimits = (500, 50_000)


class Session(Struct, frozen=True):
    """What the details say besides the editor's state: the mode as it was asked for, its name, and the model."""

    slug: str
    mode_name: str
    model: str
    time: LocalTime
    cwd: str
    limits: OutputLimits = DEFAULT_LIMITS


def details(
    editor: Editor, session: Session, home: str | None, ignore: RooIgnore | None, listing: Listing
) -> dict[str, object]:
    """The environment details by the names in their texts. `ignore` is None only without .rooignore handling."""
    cwd, limits = session.cwd, session.limits
    visible = [relative(cwd, resolve(cwd, path)) for path in editor.visibleFiles][: editor.maxWorkspaceFiles]
    tabs = [to_posix(relative(cwd, resolve(cwd, path))) for path in editor.openTabs][: editor.maxOpenTabsContext]
    # This task's terminals, then background ones, never another task's.
    seen = [t for t in editor.terminals if t.task == "own"] + [t for t in editor.terminals if t.task is None]
    busy = [terminal for terminal in seen if terminal.busy]
    ended = [terminal for terminal in seen if not terminal.busy and terminal.processes]
    files = ""
    if editor.maxWorkspaceFiles:
        # The guard against writing is not passed on, so that no shields show here.
        show = editor.showRooIgnoredFiles
        files = format_files_list(cwd, listing.paths, listing.did_hit_limit, ignore=ignore, show_ignored=show)
    hours, minutes = divmod(abs(session.time.offset), 60)
    return {
        "directory": environment("cwd", to_posix(cwd)),
        "visible_files": computed("editor.files", _editor_files(visible, ignore, "(No visible files)")),
        "open_tabs": computed("editor.files", _editor_files(tabs, ignore, "(No open tabs)")),
        "recently_modified": [param_value("editor.recentlyModified", path) for path in editor.recentlyModified],
        "running": _terminals("".join(_printed(t, cwd, limits) for t in busy), busy, "terminal of this task is busy"),
        "ended": _terminals("".join(_printed(t, cwd, limits) for t in ended), ended, "process ended in a terminal"),
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


def todo_rows(todos: Iterable[tuple[str, str]]) -> list[dict[str, Span]]:
    """The rows of the table of todos, of their contents and statuses; a status that Roo does not know stays."""
    rows = []
    for place, (content, status) in enumerate(todos, start=1):
        # Newlines are not escaped and break the table.
        escaped = content.replace("\\", "\\\\").replace("|", "\\|")
        cells = f"{escaped} | {_STATUS_NAMES.get(status, status)}"
        rows.append({"number": label(f"| {place} | "), "cells": param_value("editor.todos", cells)})
    return rows


def _editor_files(paths: list[str], ignore: RooIgnore | None, none: str) -> str:
    """The files of the editor, `none` where there are none.

    With .rooignore handling the list is put into a template as it is: commas join it, and since an empty list
    is true in JavaScript it prints as nothing in place of the note.
    """
    if ignore is None:
        return "\n".join(map(to_posix, paths)) or none
    return ",".join(path for path in paths if not ignore.ignores(path))


def _terminals(text: str, found: Sequence[Terminal], what: str) -> dict[str, object]:
    when = FOLDER.reason("terminals", bool(found), {"off": (Lever("editor.terminals", []),)}, what=what)
    return {"text": param_value("editor.terminals", text), "when": when}


def _printed(terminal: Terminal, cwd: str, limits: OutputLimits) -> str:
    """What a terminal that is busy printed so far, or what the processes that ended in one did."""
    state, processes, command = "Active" if terminal.busy else "Inactive", terminal.processes, terminal.command
    head = f"\n## Terminal {terminal.id} ({state})\n### Working Directory: `{terminal.cwd or cwd}`"
    if terminal.busy:
        if command is None:
            command = processes[0].command if processes else ""
        output = "".join(process.output for process in processes) + terminal.output
        shown = f"\n### New Output\n{compress_output(output, *limits)}" if output else ""
        return f"{head}\n### Original command: `{command}`{shown}"
    outputs = [
        f"\n### New Output\nCommand: `{process.command}`\n{compress_output(process.output, *limits)}"
        for process in processes
        if process.output
    ]
    return head + "".join(outputs) if outputs else ""


_AS_WRITTEN = 1e21
"""From here on `toFixed` writes a number as it is."""


def _dollars(cost: float) -> str:
    """Two decimals of the exact binary value, half away from zero, as JavaScript's `toFixed`."""
    if cost >= _AS_WRITTEN:
        return number(cost)
    return str(Decimal(cost + 0.0).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _on_desktop(cwd: str, home: str | None) -> Condition:
    yes = home is not None and resolve("/", cwd) == resolve(home, "Desktop")
    return FOLDER.reason("on_desktop" if yes else "not_on_desktop", yes, path=cwd)
