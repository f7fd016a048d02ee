"""The environment details that end every user message (specs/roo-user-messages.md 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.roo.materials import Details, Materials, Terminals
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.javascript.path import to_posix
from promptscope_engine.prompt.conditions import Any
from promptscope_engine.prompt.drafts import Later, Piece, SectionDraft, computed, environment, label, param_value
from promptscope_engine.prompt.pieces import Pieces, trimmed_end

from .custom_instructions import repeated_instructions

_STATUS_NAMES = {"pending": "Pending", "in_progress": "In Progress", "completed": "Completed"}


def environment_details(materials: Materials) -> Iterator[SectionDraft]:
    """The block of the first message."""
    return details_sections(materials.details, materials.mode.role, Later(repeated_instructions(materials)))


def details_sections(details: Details, role: Pieces, instructions: Sequence[Piece]) -> Iterator[SectionDraft]:
    """The block's parts between its tags. `role` and `instructions` are what powerSteering repeats."""
    heading = f"# Current Workspace Directory ({to_posix(details.cwd)}) Files"
    names = {
        "details": _shown(details) | {"files_heading": label(f"\n\n{heading}\n")},
        "role": role,
        "instructions": instructions,
        "some_instructions": lambda: Any(tuple(dict.fromkeys(piece.when for piece in instructions))),
    }
    for section in FOLDER.sections(Scope(names), group="environment_details"):
        its_heading_has_a_path = section.id == "environment_details.workspace_files"
        yield replace(section, heading=heading) if its_heading_has_a_path else section


def _shown(details: Details) -> dict[str, object]:
    """The details as pieces and conditions."""
    hours, minutes = divmod(abs(details.time.offset), 60)
    todos = enumerate(details.todos, start=1)
    return {
        "visible_files": computed("editor.files", details.visible_files),
        "open_tabs": computed("editor.files", details.open_tabs),
        "recently_modified": [param_value("editor.recentlyModified", path) for path in details.recently_modified],
        "running": _terminals(details.running),
        "ended": _terminals(details.ended),
        "utc": environment("date", details.time.utc),
        "zone": environment("timezone", details.time.zone),
        "offset": label(f", UTC{'-' if details.time.offset < 0 else '+'}{hours}:{minutes:02}"),
        "cost": param_value("editor.cost", details.cost),
        "slug": param_value("mode", details.slug),
        "mode_name": computed("mode.name", details.mode_name),
        "model": param_value("model", details.model),
        "on_desktop": details.on_desktop,
        "listing": trimmed_end((computed("workspace_files", details.listing),)),
        "todos": [
            {"number": label(f"| {n} | "), "cells": param_value("editor.todos", _cells(*each))} for n, each in todos
        ],
    }


def _terminals(terminals: Terminals) -> dict[str, object]:
    return {"text": param_value("editor.terminals", terminals.text), "when": terminals.when}


def _cells(content: str, status: str) -> str:
    # Newlines are not escaped and break the table (section 4, the reminder).
    escaped = content.replace("\\", "\\\\").replace("|", "\\|")
    return f"{escaped} | {_STATUS_NAMES.get(status, status)}"
