"""Settings as inputs: the `[[switches]]` of agent.toml, which a scenario lays over the settings files.

Each table has the `group` that the screen shows them in, and its `keys`, `below` a table of the settings if it says so.
A key has the words on what it is for, or a table: `help`, and its `type`, a shape of settings_schema.py, else a truth
value. Its other entries are the agent's own.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import FieldInfo, field
from promptscope_engine.inputs.params import Params, fields_of, flatten, param
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.model import ModeChoice

from .sources import Table, sources_of

P = TypeVar("P", bound=Params)
_TYPES = {"bool": bool, "text": str, "int": int, "number": float, "[text]": list[str], "object": dict[str, Any]}
_AT_LEAST = re.compile(r"int (\d+)\.\.")


def keys_of(agent: Table) -> Iterator[tuple[str, str, str, Table]]:
    """(group, title, dotted key, what is said of it) of each."""
    for table in agent["switches"]:
        before = f"{table['below']}." if "below" in table else ""
        for title, said in table["keys"].items():
            yield table["group"], title, f"{before}{title}", {"help": said} if isinstance(said, str) else said


def with_switches(folder: Path) -> Callable[[type[P]], type[P]]:
    """Give a model of settings the switches of an agent's folder: all may be null, other keys are kept."""

    def given(model: type[P]) -> type[P]:
        for group, title, key, said in keys_of(sources_of(folder).agent):
            *tables, name = key.split(".")
            inner: type[Params] = model
            for number, table in enumerate(tables, 1):
                if table not in inner.model_fields:
                    inner.model_fields = {**inner.model_fields, table: _table(".".join(tables[:number]), group)}
                inner = inner.model_fields[table].annotation
            inner.model_fields = {**inner.model_fields, name: _switch(title, group, said)}
        return model

    return given


def _table(key: str, group: str) -> FieldInfo:
    name = key.rpartition(".")[2]
    kind: Any = type(Params)  # which makes classes
    made = kind(name[0].upper() + name[1:], (Params,), {"__doc__": f"`{key}`."}, extra="allow")
    info: FieldInfo = param(made, group, f"`{key}`", title=name)
    return replace(info, annotation=made)


def _switch(title: str, group: str, said: Table) -> FieldInfo:
    shape = said.get("type", "bool")
    least = _AT_LEAST.fullmatch(shape) if isinstance(shape, str) else None
    rules: dict[str, Any] = {"ge": int(least[1])} if least else {}
    info: FieldInfo = param(None, group, said["help"], title=title, **rules)
    kinds = map(_type, shape if isinstance(shape, list) else ["int" if least else shape])
    return replace(info, annotation=reduce(or_, kinds) | None)


def _type(shape: str) -> Any:
    return Literal[tuple(shape[1:].split("|"))] if shape[0] == "=" else _TYPES[shape]


def with_fields(folder: Path) -> Callable[[type[P]], type[P]]:
    """Give a model the fields that `[models.NAME]` of an agent's folder has for it.

    Of its `keys` each has the words on what it is for, or a table: `help`, `type`, `default` and `choices`, pairs of a
    label and a value, which is null where it is left out. A type is a shape, here also `[shape]`, `{shape}` and the
    name of another model, with a `?` where it may be null; else it is `text?`.
    """

    def given(model: type[P]) -> type[P]:
        models = sources_of(folder).agent["models"]
        model.model_fields = dict(_fields(models[model.__name__], models))
        return model

    return given


def _fields(said: Table, models: Table) -> Iterator[tuple[str, FieldInfo]]:
    for name, each in said["keys"].items():
        table: Table = {"help": each} if isinstance(each, str) else each
        shape = table.get("type", "text?")
        has_default = "default" in table or shape.endswith("?")
        info: FieldInfo = field(table.get("default")) if has_default else field()
        if "help" in table:
            pairs: list[list[Json]] = table.get("choices", [])
            choices = {label: value[0] if value else None for label, *value in pairs} or None
            info = param(None, said["group"], table["help"], choices=choices)
        yield name, replace(info, annotation=_annotation(shape, models))


def _annotation(shape: str, models: Table) -> Any:
    if shape.endswith("?"):
        return _annotation(shape[:-1], models) | None
    if shape[0] in "[{":
        inner: Any = _annotation(shape[1:-1], models)
        return list[inner] if shape[0] == "[" else dict[str, inner]
    if shape not in models:
        return _type(shape)
    kind: Any = type(Params)  # which makes classes
    made = kind(shape, (Params,), {"__doc__": models[shape]["doc"]})
    made.model_fields = dict(_fields(models[shape], models))
    return made


def facts_of(
    inputs: Inputs,
    mode: str | None,
    modes: tuple[ModeChoice, ...],
    model: str | None,
    found: Mapping[str, Condition] | None = None,
) -> Facts:
    """The facts of a scenario, of which an agent settled mode and model; `found` are conditions that it gathered."""
    flat = flatten(inputs.params.model_dump())
    return Facts(flat, choices_of(type(inputs.params)), mode, modes, model, inputs.agent_version, found or {})


@cache
def choices_of(params: type[Params]) -> dict[str, tuple[Json, ...]]:
    """The values of every param that has few, for levers."""
    return {each.name: tuple(value for _, value in each.choices) for each in fields_of(params) if each.choices}
