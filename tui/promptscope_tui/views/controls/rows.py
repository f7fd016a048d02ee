"""The rows of Controls: agent, mode, model, what is set or derived, then every other param in its group."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from rich.cells import cell_len

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.insight.effects import Effect
from promptscope_engine.prompt.conditions import show
from promptscope_engine.prompt.model import DerivedParam
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import GoTo, Snapshot, SwitchKey, as_json
from promptscope_tui.text.spans import BLANK, NO_MATCH, Row, Span, Tone, pad, paragraph, row, signed
from promptscope_tui.text.words import contains
from promptscope_tui.views.subjects import Cursor, Subject, SwitchSubject

ON, OFF = "◉ ", "○ "


SLOT = "slot"
"""The key of the row in which a value is edited."""

VARIABLES = "variables"
"""The key of the row that unfolds the environment variables."""

_SET = "Set or derived"


class Looking(Struct, frozen=True):
    """How a person looks at the rows.

    `param` is the one whose value is being edited, if any, `problem` what is wrong with what was typed; `variables`:
    whether the environment variables are unfolded; `needle`: the words that are searched, by which a folded one is
    found, too.
    """

    param: str = ""
    problem: str = ""
    variables: bool = False
    needle: str = ""


_AT_REST = Looking()


class _Now(Struct, frozen=True):
    """What the rows of fields are made of, beside their values."""

    effects: Mapping[SwitchKey, Effect]
    inputs: AgentInputs
    width: int


def control_rows(snapshot: Snapshot, inputs: AgentInputs, width: int, looking: Looking = _AT_REST) -> list[Row]:
    """All rows of Controls, for a width in cells."""
    needle = looking.needle.strip()
    rows = list(_scenario_rows(snapshot, inputs, width))
    if needle:  # the modes and the model, without their headings
        rows = [row for row in rows if row.key is not None and contains(row.plain, needle)]
    now = _Now(snapshot.effects, inputs, width)
    first = True
    for group, fields in _grouped(inputs):
        if needle and not (fields := [field for field in fields if contains(_said_of(field), needle)]):
            continue
        is_folded = group == _VARIABLES and not looking.variables and not needle
        if group == _VARIABLES:
            rows += [BLANK, _fold(len(fields), is_folded)]
        else:
            rows += [BLANK, _title(group or "Other", "f" if first else "")]
        first = False
        for field in () if is_folded else fields:
            if field.name == looking.param:
                rows += _slot(field, looking, width)
            else:
                rows += _field_rows(field, inputs.value(field.name), now, is_short=group == _SET)
    return rows or [NO_MATCH]


def _said_of(field: ParamField) -> str:
    """What a field is found by: its names and its explanation."""
    return f"{field.title} {field.name} {field.group} {field.help}"


_VARIABLES = "Environment variables"


def _grouped(inputs: AgentInputs) -> Iterator[tuple[str, list[ParamField]]]:
    """The fields in the order of the rows: what is set or derived, the others by group, the variables last."""
    groups: dict[str, list[ParamField]] = {_SET: []}
    variables: list[ParamField] = []
    for field in sorted_by_group(inputs.fields):
        if is_set(field, inputs):
            groups[_SET].append(field)
        elif is_variable(field):
            variables.append(field)
        else:
            groups.setdefault(field.group, []).append(field)
    yield from ((group, fields) for group, fields in groups.items() if fields)
    if variables:
        yield _VARIABLES, variables


def is_variable(field: ParamField) -> bool:
    """Whether it is an environment variable."""
    return field.name.startswith("env.")


def is_set(field: ParamField, inputs: AgentInputs) -> bool:
    """Whether a value was given, or the agent makes one of the other inputs. A variable it goes without is not set."""
    if inputs.value(field.name) != field.default:
        return True
    derived = inputs.derived.get(field.name)
    return derived is not None and derived.computed is not None and not is_variable(field)


def _fold(count: int, is_folded: bool) -> Row:
    words = Span(_VARIABLES.upper(), "title"), Span(f"  {count}", "faint")
    return row(Span("▸ " if is_folded else "▾ ", "faint"), *words, key=VARIABLES)


def same_rows(one: Snapshot, other: Snapshot) -> bool:
    """Whether the rows of both are the same, as after a save that changes no effect."""
    if one.scenario is not other.scenario or one.effects is not other.effects:
        return False
    return _choices(one) == _choices(other)


def _choices(snapshot: Snapshot) -> tuple[object, ...]:
    """What the rows show of an assembly."""
    shown = snapshot.assembly
    return (shown.agent, shown.shown_version, shown.mode, shown.modes, shown.model, shown.derived) if shown else ()


def _slot(field: ParamField, looking: Looking, width: int) -> Iterator[Row]:
    """The row of a value that is being edited: an empty line for the editor, then its help, or what is wrong."""
    yield row("  ", Span(field.title, "accent"))
    said = Span(f"{looking.problem}  ", "error") if looking.problem else Span(f"{field.help}  ", "dim")
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


def is_switch(field: ParamField) -> bool:
    """Whether the values are on and off, and perhaps none: one row is enough."""
    values = [value for _, value in field.choices]
    on_off = not field.free and bool(values) and all(value is None or isinstance(value, bool) for value in values)
    return field.kind == "bool" or on_off


def next_value(field: ParamField, inputs: AgentInputs) -> Json:
    """What enter makes of a switch: the opposite of what counts now, and from there back to what was not set."""
    value, derived = inputs.value(field.name), inputs.derived.get(field.name)
    computed = derived.computed if derived else None
    if value is None:
        return computed is not True
    back = value is not computed if isinstance(computed, bool) else value is False
    has_none = any(choice is None for _, choice in field.choices)
    return None if has_none and back else value is not True


def _field_rows(field: ParamField, value: Json, now: _Now, *, is_short: bool) -> Iterator[Row]:
    """The rows of a field; where it is short a choice has one, and its values are in a picker."""
    derived = now.inputs.derived.get(field.name)
    if is_switch(field):
        yield _switch(field, value, now)
    elif field.is_flag and not is_short:
        yield row("  ", Span(field.title, "dim"), key=SwitchSubject(field.name) if field.free else None)
        for label, choice in field.choices:
            words = _derived(field, label, now) if choice is None else label
            yield _choice(now.effects, SwitchSubject(field.name, as_json(choice)), choice == value, words, indent="  ")
        if field.free:
            other = all(choice != value for _, choice in field.choices)
            yield _radio(f"other: {value}" if other else "other…", other, Span(""), SwitchSubject(field.name), "  ")
    else:
        yield _setting(field, value, now)
    if value is None and (place := place_of(derived)):
        yield row("    ", Span(place, "faint"))


def _switch(field: ParamField, value: Json, now: _Now) -> Row:
    """On or off, with what the other one would do; whether it is but derived, or not set, is said beside it."""
    derived = now.inputs.derived.get(field.name)
    counts = value if value is not None else derived.computed if derived else None
    label = next((label for label, choice in field.choices if choice is None), "")
    state = "" if value is not None else _derived(field, label, now).partition(":")[0]
    mark = Span(ON if counts is True else OFF, "accent" if counts is True else "faint")
    words = Span(field.title, "text" if counts is True else "dim"), Span(f"  {state}" if state else "", "faint")
    after = SwitchSubject(field.name, as_json(next_value(field, now.inputs)))
    return row(mark, *words, right=[cost(now.effects, after)], key=SwitchSubject(field.name))


def place_of(derived: DerivedParam | None) -> str:
    """The settings file that sets a value, with its line; "" where none does."""
    source = derived.why.condition.source if derived and derived.why.condition else None
    return source.place if source and source.path and source.is_set else ""


def _setting(field: ParamField, value: Json, now: _Now) -> Row:
    """A value that is typed."""
    room = max(now.width - cell_len(field.title) - 4, 6)
    said = now.inputs.label(field.name, value) if field.choices else _short(field, value)
    words = _derived(field, said, now) if value is None else said
    tone: Tone = "param" if value != field.default else "faint" if value is None else "dim"
    right = Span(pad(words, room).rstrip(), tone)
    return row("  ", Span(field.title), right=[right], key=SwitchSubject(field.name))


def _derived(field: ParamField, otherwise: str, now: _Now) -> str:
    """What the agent makes of an input that is not set.

    `otherwise` for one that it does not compute, and where null is a value of its own.
    """
    found = now.inputs.derived.get(field.name)
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
    return _radio(label, on, Span("") if on else cost(effects, value), value, indent)


def _radio(words: str, on: bool, effect: Span, key: SwitchSubject, indent: str = "") -> Row:
    mark = Span(indent + (ON if on else OFF), "accent" if on else "faint")
    return row(mark, Span(words, "text" if on else "dim"), right=[effect], key=key)


def cost(effects: Mapping[SwitchKey, Effect], value: SwitchSubject) -> Span:
    """What setting a value would add or save; "…" while that is not known, and for the one that is set."""
    effect = effects.get((value.param, str(value.value)))
    return Span("✗", "error") if effect and effect.error else signed(effect.tokens if effect else None)


def subject_of(key: object, inputs: AgentInputs | None) -> Subject | None:
    """What Why explains of the row with this key, in Controls or in any table: of a switch, what flipping it does."""
    if isinstance(key, SwitchSubject) and key.value is None and inputs:
        field = inputs.field(key.param)
        if field and is_switch(field):
            return SwitchSubject(key.param, as_json(next_value(field, inputs)))
    if isinstance(key, GoTo):
        return Cursor(str(key.key)) if key.tab == "prompt" else subject_of(key.key, inputs)
    return key if isinstance(key, Subject) else None
