"""The environment details that end every user message (specs/roo-user-messages.md 4).

Every part but the first begins with the empty line that divides it from what stands before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from promptscope_engine.agents.roo.clock import LocalTime
from promptscope_engine.agents.roo.gates import DRAFTED, FILES_LISTED, TODO_LIST
from promptscope_engine.agents.roo.materials import Details, Materials, Terminals
from promptscope_engine.javascript.path import to_posix
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Test
from promptscope_engine.prompt.drafts import (
    Later,
    Piece,
    Place,
    SectionDraft,
    builtin,
    computed,
    environment,
    guarded,
    label,
    param_value,
)
from promptscope_engine.prompt.leaves import above, flag
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.pieces import Pieces, trimmed_end

from .custom_instructions import repeated_instructions

PARENT = "environment_details"
DETAILS = Place("details", 0)

POWER_STEERING = flag("experiments.powerSteering")
LISTED = above("editor.maxWorkspaceFiles", 0)

_MODIFIED_NOTE = "These files have changed since you last saw them (read one again before you edit it):"
_DESKTOP_NOTE = "(The files of the desktop are not listed by themselves. Call list_files if you need to see them.)"
_NO_LISTING_NOTE = "(The files of the workspace are left out here. Call list_files if you need to see them.)"

_NO_TODOS = "There is no todo list for this task yet. Make one with `update_todo_list` if the task has many steps."
_TODOS_INTRO = "These reminders are of your own making, so that you keep to your tasks:"
_TODOS_OUTRO = (
    "IMPORTANT: Whenever the state of a task changes, say so with the `update_todo_list` tool, without waiting."
)
_STATUS_NAMES = {"pending": "Pending", "in_progress": "In Progress", "completed": "Completed"}


def _listed(name: str, what: str) -> Condition:
    """The list in the param `name` is not empty."""
    yes, no, off = f"`{name}` is not empty", f"`{name}` is empty", (Lever(name, []),)
    return Test("flag", name, "given", True, yes, no, off=off, remedy=f"add {what} to `{name}`")


MODIFIED = _listed("editor.recentlyModified", "a file")
HAS_TODOS = _listed("editor.todos", "a todo")


def environment_details(materials: Materials) -> Iterator[SectionDraft]:
    """The block of the first message."""
    return details_sections(materials.details, materials.mode.role, Later(repeated_instructions(materials)))


def details_sections(details: Details, role: Pieces, instructions: Sequence[Piece]) -> Iterator[SectionDraft]:
    """The block's parts between its tags. `role` and `instructions` are what powerSteering repeats."""
    yield _section("", "Environment details", "<environment_details>", [label("<environment_details>\n")])
    yield _part("visible_files", "VSCode Visible Files", [computed("editor.files", details.visible_files)], gap="")
    yield _part("open_tabs", "VSCode Open Tabs", [computed("editor.files", details.open_tabs)])
    yield _part("recently_modified", "Recently Modified Files", _modified(details.recently_modified), MODIFIED)
    yield _terminals("running_terminals", "Actively Running Terminals", details.running)
    yield _terminals("ended_terminals", "Inactive Terminals with Completed Process Output", details.ended)
    yield _part("time", "Current Time", _time(details.time))
    yield _part("cost", "Current Cost", [label("$"), param_value("editor.cost", details.cost)])
    yield _part("mode", "Current Mode", _mode(details))
    title = "Role and instructions of the mode"
    yield _section("power_steering", title, f"# {title}", _steering(role, instructions), POWER_STEERING)
    heading = f"Current Workspace Directory ({to_posix(details.cwd)}) Files"
    yield _part("workspace_files", heading, _listing(details), FILES_LISTED, title="Workspace files")
    yield _section("todos", "Reminders", "# Reminders", chain([label("\n")], _reminder(details.todos)), TODO_LIST)
    # Without the reminder an empty line stays in its place.
    closing = (label("\n", when=~TODO_LIST), label("\n</environment_details>"))
    yield _section("end", "</environment_details>", None, closing)


def _part(
    name: str,
    heading: str,
    pieces: Iterable[Piece],
    when: Condition = ALWAYS,
    *,
    title: str | None = None,
    gap: str = "\n\n",
) -> SectionDraft:
    return _section(name, title or heading, f"# {heading}", chain([label(f"{gap}# {heading}\n")], pieces), when)


def _section(
    name: str, title: str, heading: str | None, pieces: Iterable[Piece], when: Condition = ALWAYS
) -> SectionDraft:
    own, parent = (f"{PARENT}.{name}", PARENT) if name else (PARENT, None)
    return SectionDraft(own, title, Later(pieces), heading, DRAFTED & when, DETAILS, "turn", parent)


def _modified(paths: tuple[str, ...]) -> Iterator[Piece]:
    yield builtin("environment_details.modified_note", _MODIFIED_NOTE)
    for path in paths:
        yield label("\n")
        yield param_value("editor.recentlyModified", path)


def _terminals(name: str, heading: str, terminals: Terminals) -> SectionDraft:
    pieces = (label(f"\n\n# {heading}"), param_value("editor.terminals", terminals.text))
    return _section(name, heading, f"# {heading}", pieces, terminals.when)


def _time(time: LocalTime) -> Iterator[Piece]:
    hours, minutes = divmod(abs(time.offset), 60)
    yield builtin("environment_details.time", "The current time in ISO 8601 (UTC)")
    yield label(": ")
    yield environment("date", time.utc)
    yield label("\nUser time zone: ")
    yield environment("timezone", time.zone)
    yield label(f", UTC{'-' if time.offset < 0 else '+'}{hours}:{minutes:02}")


def _mode(details: Details) -> Iterator[Piece]:
    yield label("<slug>")
    yield param_value("mode", details.slug)
    yield label("</slug>\n<name>")
    yield computed("mode.name", details.mode_name)
    yield label("</name>\n<model>")
    yield param_value("model", details.model)
    yield label("</model>")
    # The final newline makes two blank lines before the files (point 10); without them the end is trimmed.
    yield label("\n", when=POWER_STEERING | FILES_LISTED)


def _steering(role: Pieces, instructions: Sequence[Piece]) -> Iterator[Piece]:
    some = Any(tuple(dict.fromkeys(piece.when for piece in instructions)))
    yield label("<role>")
    yield from role
    yield label("</role>")
    yield label("\n", when=some | FILES_LISTED)
    yield label("<custom_instructions>", when=some)
    yield from instructions
    yield label("</custom_instructions>", when=some)
    yield label("\n", when=some & FILES_LISTED)


def _listing(details: Details) -> Pieces:
    """The files, or why they are left out; nothing trails behind the last part (point 10)."""
    pieces = (
        builtin("environment_details.desktop_note", _DESKTOP_NOTE, when=details.on_desktop),
        builtin("environment_details.no_listing_note", _NO_LISTING_NOTE, when=~details.on_desktop & ~LISTED),
        computed("workspace_files", details.listing, when=~details.on_desktop & LISTED),
    )
    return trimmed_end(pieces)


def _reminder(todos: tuple[tuple[str, str], ...]) -> Iterator[Piece]:
    yield builtin("environment_details.no_todos", _NO_TODOS, when=~HAS_TODOS)
    yield from guarded(_todo_table(todos), HAS_TODOS)


def _todo_table(todos: tuple[tuple[str, str], ...]) -> Iterator[Piece]:
    yield label("====\n\nREMINDERS\n\n")
    yield builtin("environment_details.todos_intro", _TODOS_INTRO)
    yield label("\n\n| # | Content | Status |\n|---|---------|--------|\n")
    for number, (content, status) in enumerate(todos, start=1):
        yield label(f"| {number} | ")
        yield param_value("editor.todos", _cell(content, status))
        yield label(" |\n")
    yield label("\n\n")
    yield builtin("environment_details.todos_outro", _TODOS_OUTRO)
    yield label("\n")


def _cell(content: str, status: str) -> str:
    # Newlines are not escaped and break the table (section 4, the reminder).
    escaped = content.replace("\\", "\\\\").replace("|", "\\|")
    return f"{escaped} | {_STATUS_NAMES.get(status, status)}"
