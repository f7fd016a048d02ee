"""The rows of Controls: agent, mode, model, then every param in its group, each with its effect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.prompt.conditions import show
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row, signed

from .subjects import (
    BlockSubject,
    ChangeSubject,
    DiagnosticSubject,
    FileSubject,
    Subject,
    SwitchSubject,
    ToolSubject,
)

ON, OFF = "◉ ", "○ "


@dataclass(frozen=True, slots=True)
class Choose:
    """Opens a picker: `agent`, `mode` or `model`."""

    action: str


@dataclass(frozen=True, slots=True)
class Toggle:
    """Flips a boolean."""

    param: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values, as JSON."""

    param: str
    value: str

    @property
    def plain(self) -> Json:
        """The value itself."""
        return json.loads(self.value)


@dataclass(frozen=True, slots=True)
class Edit:
    """Opens the editor of a text, number or object."""

    param: str


_NOTHING = Span("")

ControlKey = Choose | Toggle | Choice | Edit

SLOT = "slot"
"""The key of the row in which a value is edited."""


@dataclass(frozen=True, slots=True)
class Editing:
    """The value that is being edited, and what is wrong with what was typed."""

    param: str
    problem: str


def control_rows(snapshot: Snapshot, inputs: AgentInputs, width: int, editing: Editing | None = None) -> list[Row]:
    """All rows of Controls, for a width in cells."""
    rows = list(_scenario_rows(snapshot, inputs, width))
    for group, fields in groupby(sorted_by_group(inputs.fields), key=lambda f: f.group):
        rows += [BLANK, _title(group or "Other", "f" if group == inputs.fields[0].group else "")]
        for field in fields:
            if editing and field.name == editing.param:
                rows += _slot(field, editing, width)
                continue
            rows += _field_rows(snapshot, inputs, field, width)
    return rows


def _slot(field: ParamField, editing: Editing, width: int) -> Iterator[Row]:
    """The row of a value that is being edited: an empty line for the editor, then its help, or what is wrong."""
    yield row("  ", Span(field.title, "accent"))
    said = Span(f"{editing.problem}  ", "error") if editing.problem else Span(f"{field.help}  ", "dim")
    yield paragraph(Span(" " * width), said, Span("enter sets it, esc cancels", "faint"), indent=2, key=SLOT)


def sorted_by_group(fields: tuple[ParamField, ...]) -> list[ParamField]:
    """The fields by group, groups in the order of their first field."""
    order = {group: n for n, group in enumerate(dict.fromkeys(f.group for f in fields))}
    return sorted(fields, key=lambda f: order[f.group])


def _title(words: str, key: str = "") -> Row:
    return row(Span(words.upper(), "title"), right=[Span(key, "faint")])


def _scenario_rows(snapshot: Snapshot, inputs: AgentInputs, width: int) -> Iterator[Row]:
    assembly = snapshot.assembly
    if assembly is not None and assembly.agent != inputs.agent.id:
        assembly = None  # another agent's, while this one's is being assembled
    version = assembly.agent_version if assembly else snapshot.scenario.agent_version or ""
    yield _title("Agent", "a")
    yield row("  ", Span(inputs.agent.name), Span(f" {version}", "dim"), key=Choose("agent"))
    yield BLANK
    yield _title("Mode", "m")
    modes = assembly.modes if assembly else ()
    mode = assembly.mode if assembly else snapshot.scenario.mode
    for choice in modes:
        on = choice.slug == mode
        key = Choice("mode", json.dumps(choice.slug))
        yield _radio(choice.slug, on, _effect(snapshot, "mode", choice.slug, on), key)
    if not modes:
        yield row("  ", Span(mode or "the default", "text" if mode else "faint"), key=Choose("mode"))
    yield BLANK
    yield _title("Model", "M")
    model = snapshot.scenario.model
    yield row(
        "  ",
        Span(pad(model, width - 3).rstrip() if model else "not set", "param" if model else "faint"),
        key=Choose("model"),
    )


def _field_rows(snapshot: Snapshot, inputs: AgentInputs, field: ParamField, width: int) -> Iterator[Row]:
    value = inputs.value(field.name)
    if field.kind == "bool":
        on = value is True
        effect = snapshot.effect(field.name, not on)
        yield _radio(
            field.title,
            on,
            _span(effect.tokens if effect else None, effect is not None and effect.error),
            Toggle(field.name),
        )
    elif field.is_flag:
        yield row("  ", Span(field.title, "dim"))
        for label, choice in field.choices:
            on = choice == value
            key = Choice(field.name, json.dumps(choice, sort_keys=True))
            yield _radio(label, on, _effect(snapshot, field.name, choice, on), key, indent="  ")
        if field.free:
            other = all(choice != value for _, choice in field.choices)
            yield _radio(f"other: {value}" if other else "other…", other, _NOTHING, Edit(field.name), indent="  ")
    else:
        room = max(width - cell_len(field.title) - 4, 6)
        words = _short(field, value)
        tone: Tone = "param" if inputs.changed(field) else "faint" if words == "not set" else "dim"
        shown = Span(pad(words, room).rstrip(), tone)
        yield row("  ", Span(field.title), right=[shown], key=Edit(field.name))


def _short(field: ParamField, value: Json) -> str:
    if field.kind == "object":
        return f"{len(value)} set" if value else "none"
    return '""' if value == "" else show(value).replace("\n", " ")


def _radio(words: str, on: bool, effect: Span, key: ControlKey, indent: str = "") -> Row:
    mark = Span(indent + (ON if on else OFF), "accent" if on else "faint")
    return row(mark, Span(words, "text" if on else "dim"), right=[effect], key=key)


def _effect(snapshot: Snapshot, param: str, value: Json, on: bool) -> Span:
    if on:
        return Span("", "faint")
    effect = snapshot.effect(param, value)
    return _span(effect.tokens if effect else None, effect is not None and effect.error)


def _span(tokens: int | None, error: str | bool | None) -> Span:
    return Span("✗", "error") if error else signed(tokens)


def subject_of(key: object, inputs: AgentInputs | None) -> Subject | None:
    """What Why explains of the row with this key, in Controls or in any table."""
    match key:
        case ToolSubject() | FileSubject() | ChangeSubject() | DiagnosticSubject() | BlockSubject():
            return key
        case Toggle(param) if inputs:
            return SwitchSubject(param, json.dumps(inputs.value(param) is not True))
        case Choice(param, value):
            return SwitchSubject(param, value)
        case Edit(param) | Choose(param):
            return SwitchSubject(param)
    return None
