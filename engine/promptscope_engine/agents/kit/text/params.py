"""Settings as inputs: the `[[switches]]` of agent.toml, which a scenario lays over the settings files.

Each table has the `group` that the screen shows them in, and its `keys`, `below` a table of the settings if it says so.
A key has the words on what it is for, or a table: `help`, and its `type`, a shape of settings_schema.py, else a truth
value. Its other entries are the agent's own.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import FieldInfo, field
from promptscope_engine.inputs.params import Params, fields_of, flatten, param
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Fact, Facts, Levers
from promptscope_engine.prompt.model import Lever, ModeChoice

from .sources import Table, sources_of

P = TypeVar("P", bound=Params)
_TYPES = {
    "bool": bool, "text": str, "int": int, "number": float, "object": dict[str, Any], "list": list[Any],
}  # fmt: skip
_BOUNDED = re.compile(r"(.+) (\d*)\.\.(\d*)")


def keys_of(agent: Table) -> Iterator[tuple[str, str, str, Table]]:
    """(group, title, dotted key, what is said of it) of each."""
    for table in agent["switches"]:
        before = f"{table['below']}." if "below" in table else ""
        for title, said in table["keys"].items():
            yield table["group"], title, f"{before}{title}", {"help": said} if isinstance(said, str) else said


def _add_switches(model: type[Params], agent: Table) -> None:
    """Give a model of settings the switches of an agent: all may be null, other keys are kept."""
    for group, title, key, said in keys_of(agent):
        *tables, name = key.split(".")
        inner: type[Params] = model
        for number, table in enumerate(tables, 1):
            if table not in inner.model_fields:
                inner.model_fields = {**inner.model_fields, table: _table(".".join(tables[:number]), group)}
            inner = inner.model_fields[table].annotation
        inner.model_fields = {**inner.model_fields, name: _switch(title, group, said)}


def _table(key: str, group: str) -> FieldInfo:
    name = key.rpartition(".")[2]
    kind: Any = type(Params)  # which makes classes
    made = kind(name[0].upper() + name[1:], (Params,), {"__doc__": f"`{key}`."}, extra="allow")
    info: FieldInfo = param(made, group, f"`{key}`", title=name)
    return replace(info, annotation=made)


def _switch(title: str, group: str, said: Table) -> FieldInfo:
    shape, plain = said.get("type", "bool"), Fields({})
    kinds, rules = zip(*map(plain.type_of, shape if isinstance(shape, list) else [shape]), strict=True)
    info: FieldInfo = param(None, group, said["help"], title=title, **rules[0])
    return replace(info, annotation=reduce(or_, kinds) | None)


class Fields:
    """Gives models the fields that tables have for them: `[inputs.NAME]` of an agent's folder, in the `group` of most.

    Of its `keys` each has the words on what it is for, or a table: `help`, `type`, `default`, `title`, its own `group`
    and `choices`, pairs of a label and a value, which is null where it is left out. A type is a shape, here also
    `[shape]`, `{shape}`, `shape|shape` and the name of another model, with a `?` where it may be null; else it is
    `text?`. A model that has no class of its own is made, with its `doc`. One of `switches` has those of the agent.
    """

    def __init__(self, agent: Path | Table) -> None:
        self.agent: Table = sources_of(agent).agent if isinstance(agent, Path) else agent
        self.tables = self.agent.get("inputs", {})
        self.types: dict[str, Any] = {**_TYPES}

    def __call__(self, model: type[P]) -> type[P]:
        """The model with its fields."""
        self.types[model.__name__] = model
        model.model_fields = dict(self._fields(self.tables[model.__name__]))
        return model

    def _fields(self, said: Table) -> Iterator[tuple[str, FieldInfo]]:
        for name, each in said["keys"].items():
            table: Table = {"help": each} if isinstance(each, str) else each
            shape = table.get("type", "text?")
            kind, rules = self.type_of(shape)
            given: dict[str, Any] = {"default": table["default"]} if "default" in table else {}
            if given.get("default") in ([], {}):
                given = {"default_factory": type(given["default"])}
            elif not given and isinstance(kind, type) and issubclass(kind, Params):
                given = {"default_factory": kind}
            elif not given and shape.endswith("?"):
                given = {"default": None}
            if group := table.get("group", said.get("group")) if "help" in table else None:
                pairs = [[label, *(value or [None])] for label, *value in table.get("choices", ())]
                given["json_schema_extra"] = {"group": group, **({"choices": pairs} if pairs else {})}
            info: FieldInfo = field(title=table.get("title"), description=table.get("help"), **given, **rules)
            yield name, replace(info, annotation=kind)

    def type_of(self, shape: str) -> tuple[Any, dict[str, int]]:
        """The type of a shape, and pydantic's rules of it."""
        if shape.endswith("?"):
            kind, rules = self.type_of(shape[:-1])
            return kind | None, rules
        if found := _BOUNDED.fullmatch(shape):
            kind, _ = self.type_of(found[1])
            names = ("ge", "le") if kind in (int, float) else ("min_length", "max_length")
            bounds = zip(names, found.groups()[1:], strict=True)
            return kind, {name: int(bound) for name, bound in bounds if bound}
        if shape[0] == "=":
            return Literal[tuple(shape[1:].split("|"))], {}
        if shape[0] in "[{":
            inner: Any = self.type_of(shape[1:-1])[0]
            return (list[inner] if shape[0] == "[" else dict[str, inner]), {}
        if "|" in shape:
            return reduce(or_, (self.type_of(part)[0] for part in shape.split("|"))), {}
        if shape not in self.types:
            self.types[shape] = self._made(shape)
        return self.types[shape], {}

    def _made(self, name: str) -> type[Params]:
        said = self.tables[name]
        has_switches = said.get("switches", False)
        make: Any = type(Params)  # which makes classes
        config = {"extra": "allow"} if has_switches else {}
        made: type[Params] = make(name, (Params,), {"__doc__": said["doc"]}, **config)
        if not has_switches:
            return self(made)
        _add_switches(made, self.agent)
        return made


@cache
def params_of(folder: Path) -> type[Params]:
    """An agent's inputs: the first of its `[inputs]`."""
    fields = Fields(folder)
    made: type[Params] = fields.type_of(next(iter(fields.tables)))[0]
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


def fact_of(row: Table, ok: bool, more: Mapping[str, Any], filled: Mapping[str, object]) -> Fact:
    """What was found out, in the sentences of a row of agent.toml, with `{name}` filled in; `more` is what else it has.

    A row without a `name` is about the file `{path}`. `on` and `off` are the inputs that make it so, or not, with their
    values, or the names of inputs to leave out; `remedy` is for rows without.
    """

    def levers(said: Mapping[str, Json] | list[str]) -> Levers:
        values = said.items() if isinstance(said, dict) else ((name, None) for name in said)
        return tuple(Lever(name, v.format_map(filled) if isinstance(v, str) else v) for name, v in values)

    name, yes, no, remedy = (row.get(key, usual).format_map(filled) for key, usual in _SAID)
    own = {key: levers(row[key]) for key in ("on", "off") if key in row}
    return Fact(row.get("op", "file"), name, ok, yes, no, remedy=remedy, **{**own, **more})


_SAID = (("name", "{path}"), ("yes", ""), ("no", ""), ("remedy", ""))


@cache
def choices_of(params: type[Params]) -> dict[str, tuple[Json, ...]]:
    """The values of every param that has few, for levers."""
    return {each.name: tuple(value for _, value in each.choices) for each in fields_of(params) if each.choices}
