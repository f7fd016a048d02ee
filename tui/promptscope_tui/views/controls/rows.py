"""The rows of Controls: agent, mode, model, then every param in its group, each with its effect."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct
from rich.cells import cell_len

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.insight.effects import Effect
from promptscope_engine.prompt.conditions import show
from promptscope_engine.prompt.model import DerivedParam
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import GoTo, Snapshot, SwitchKey, as_json
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row, signed
from promptscope_tui.views.subjects import Cursor, Subject, SwitchSubject

ON, OFF = "◉ ", "○ "


SLOT = "slot"
"""The key of the row in which a value is edited."""


class Editing(Struct, frozen=True):
    """The value that is being edited, and what is wrong with what was typed."""

    param: str
    problem: str


class _Now(Struct, frozen=True):
    """What the rows of fields are made of, beside their values."""

    effects: Mapping[SwitchKey, Effect]
    derived: Mapping[str, DerivedParam]
    width: int


def control_rows(snapshot: Snapshot, inputs: AgentInputs, width: int, editing: Editing | None = None) -> list[Row]:
    """All rows of Controls, for a width in cells."""
    rows = list(_scenario_rows(snapshot, inputs, width))
    derived = {each.param: each for each in snapshot.assembly.derived} if snapshot.assembly else {}
    now = _Now(snapshot.effects, derived, width)
    for group, fields in groupby(sorted_by_group(inputs.fields), key=lambda f: f.group):
        rows += [BLANK, _title(group or "Other", "f" if group == inputs.fields[0].group else "")]
        for field in fields:
            if editing and field.name == editing.param:
                rows += _slot(field, editing, width)
            else:
                rows += _field_rows(field, inputs.value(field.name), now)
    return rows


def same_rows(one: Snapshot, other: Snapshot) -> bool:
    """Whether the rows of both are the same, as after a save that changes no effect."""
    if one.scenario is not other.scenario or one.effects is not other.effects:
        return False
    return _choices(one) == _choices(other)


def _choices(snapshot: Snapshot) -> tuple[object, ...]:
    """What the rows show of an assembly."""
    shown = snapshot.assembly
    return (shown.agent, shown.shown_version, shown.mode, shown.modes, shown.model, shown.derived) if shown else ()


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
    version = assembly.shown_version if assembly else snapshot.scenario.agent_version or ""
    yield _title("Agent", "a")
    yield row("  ", Span(inputs.agent.name), Span(f" {version}", "dim"), key=SwitchSubject("agent"))
    yield BLANK
    yield _title("Mode", "m")
    modes = assembly.modes if assembly else ()
    mode = assembly.mode if assembly else snapshot.scenario.mode
    for slug in (choice.slug for choice in modes):
        yield _choice(snapshot.effects, SwitchSubject("mode", as_json(slug)), slug == mode, slug)
    if not modes:
        yield row("  ", Span(mode or "the default", "text" if mode else "faint"), key=SwitchSubject("mode"))
    yield BLANK
    yield _title("Model", "M")
    chosen = snapshot.scenario.model
    model = chosen or (assembly.model if assembly else None)  # the agent has a default, or one in its settings
    yield row(
        "  ",
        Span(pad(model, width - 3).rstrip() if model else "not set", "param" if chosen else "faint"),
        key=SwitchSubject("model"),
    )


def _field_rows(field: ParamField, value: Json, now: _Now) -> Iterator[Row]:
    itself = SwitchSubject(field.name)
    if field.kind == "bool":
        flipped = SwitchSubject(field.name, as_json(value is not True))
        yield _radio(field.title, value is True, _effect(now.effects, flipped), itself)
    elif field.is_flag:
        yield row("  ", Span(field.title, "dim"))
        for label, choice in field.choices:
            words = _derived(field, label, now) if choice is None else label
            yield _choice(now.effects, SwitchSubject(field.name, as_json(choice)), choice == value, words, indent="  ")
        if field.free:
            other = all(choice != value for _, choice in field.choices)
            yield _radio(f"other: {value}" if other else "other…", other, Span(""), itself, indent="  ")
    else:
        yield _setting(field, value, now)


def _setting(field: ParamField, value: Json, now: _Now) -> Row:
    """A value that is typed."""
    room = max(now.width - cell_len(field.title) - 4, 6)
    words = _derived(field, _short(field, value), now) if value is None else _short(field, value)
    tone: Tone = "param" if value != field.default else "faint" if value is None else "dim"
    right = Span(pad(words, room).rstrip(), tone)
    return row("  ", Span(field.title), right=[right], key=SwitchSubject(field.name))


def _derived(field: ParamField, otherwise: str, now: _Now) -> str:
    """What the agent makes of an input that is not set.

    `otherwise` for one that it does not compute, and where null is a value of its own.
    """
    found = now.derived.get(field.name)
    if found is None or field.default is not None or isinstance(found.computed, list | dict):
        return otherwise
    if found.overridden and found.value == found.computed:  # some tell only what counts, and that was set by hand
        return "derived"
    return f"derived: {show(found.computed)}".replace("\n", " ")


def _short(field: ParamField, value: Json) -> str:
    if field.kind == "object":
        return f"{len(value)} set" if value else "none"
    return '""' if value == "" else show(value).replace("\n", " ")


def _choice(effects: Mapping[SwitchKey, Effect], value: SwitchSubject, on: bool, label: str, indent: str = "") -> Row:
    """One of several values, with what choosing it would cost or save."""
    return _radio(label, on, Span("") if on else _effect(effects, value), value, indent)


def _radio(words: str, on: bool, effect: Span, key: SwitchSubject, indent: str = "") -> Row:
    mark = Span(indent + (ON if on else OFF), "accent" if on else "faint")
    return row(mark, Span(words, "text" if on else "dim"), right=[effect], key=key)


def _effect(effects: Mapping[SwitchKey, Effect], value: SwitchSubject) -> Span:
    effect = effects.get((value.param, str(value.value)))
    return Span("✗", "error") if effect and effect.error else signed(effect.tokens if effect else None)


def subject_of(key: object, inputs: AgentInputs | None) -> Subject | None:
    """What Why explains of the row with this key, in Controls or in any table: of a switch, what flipping it does."""
    if isinstance(key, SwitchSubject) and key.value is None and inputs:
        field = inputs.field(key.param)
        if field and field.kind == "bool":
            return SwitchSubject(key.param, json.dumps(inputs.value(key.param) is not True))
    if isinstance(key, GoTo):
        return Cursor(str(key.key)) if key.tab == "prompt" else subject_of(key.key, inputs)
    return key if isinstance(key, Subject) else None
