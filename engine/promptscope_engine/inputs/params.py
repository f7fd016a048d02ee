"""An agent's inputs as a model whose fields carry what a screen needs to draw a switch.

    class RooParams(Params):
        diffEnabled: bool = param(True, "Editing", "…")

`fields_of(RooParams)` lists them flat (`settings.todoListEnabled`), and `flatten`, `with_value` read and change the
values under the same dotted names.
"""

import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeVar

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .errors import ScenarioError, unknown
from .models import Model, field, problems_of

Kind = Literal["bool", "enum", "int", "text", "object"]
P = TypeVar("P", bound="Params")


class Params(Model):
    """Base of an agent's params: unknown keys are an error, the agents' own names are kept."""


class ParamField(Struct, frozen=True):
    """One input: dotted `name`, how to edit it, and its words. `choices` are (label, value), for bool and enum.

    `free`: the choices are only the usual ones, any other text will do as well. `required`: it has no default, and is
    to be given with the others of its object.
    """

    name: str
    title: str
    group: str
    kind: Kind
    default: Json
    help: str
    choices: tuple[tuple[str, Json], ...] = ()
    free: bool = False
    required: bool = False

    @property
    def is_flag(self) -> bool:
        """Whether the values are few, so that each one's effect can be shown before it is chosen."""
        return self.kind in ("bool", "enum")

    def resolve_label(self, value: Json) -> Json:
        """The value of the choice whose label was written, else what was written.

        YAML makes true and false of `on` and `off`: where neither is a choice, the labels are meant.
        """
        labels = dict(self.choices)
        if any(value == choice and type(value) is type(choice) for choice in labels.values()):
            return value
        label = ("off", "on")[value] if isinstance(value, bool) else value
        return labels.get(label, value) if isinstance(label, str) else value


def param(
    default: Any,
    group: str,
    help: str,
    *,
    title: str | None = None,
    choices: Mapping[str, Json] | None = None,
    **rules: Any,
) -> Any:
    """A field with a group, one line of help, and named choices where the type alone does not list them.

    `title` is the field's own name unless given.
    """
    extra: dict[str, Any] = {"group": group}
    if choices is not None:
        extra["choices"] = [[label, value] for label, value in choices.items()]
    given = {"default_factory": default} if isinstance(default, type) else {"default": default}
    return field(**given, title=title, description=help, json_schema_extra=extra, **rules)


def variable(name: str, help: str, *values: str, group: str = "Environment") -> ParamField:
    """An environment variable as an input called `env.NAME`; null takes it away.

    `values` are the usual ones: a variable that has some is a switch, and any other text will do as well.
    """
    choices: tuple[tuple[str, Json], ...] = (("not set", None), *((value, value) for value in values))
    kind: Kind = "enum" if values else "text"
    return ParamField(f"env.{name}", name, group, kind, None, help, choices if values else (), free=True)


@cache
def fields_of(model: type[Model], prefix: str = "", group: str = "") -> tuple[ParamField, ...]:
    """Every input of a params model, flat, in the model's order. A nested model without choices is opened up."""
    return tuple(_fields(model, prefix, group))


def _fields(model: type[Model], prefix: str, group: str) -> Iterator[ParamField]:
    for name, info in model.model_fields.items():
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        here = str(extra.get("group") or group)
        # The model of a field that is one, or may be null; a list or mapping of models is edited as a whole.
        inner = _first_model(_union_parts(info.annotation))
        named = extra.get("choices")
        if inner is not None and named is None:
            yield from _fields(inner, f"{prefix}{name}.", here)
            continue
        kind, choices = _kind_of(info.annotation)
        free = isinstance(named, list) and kind == "text"
        if isinstance(named, list):
            kind, choices = "enum", tuple((str(c[0]), c[1]) for c in named if isinstance(c, list))
        required = info.is_required()
        default = None if required else info.get_default()
        if isinstance(default, Model):
            default = default.model_dump()
        words = info.title or name, here, kind, default, info.description or ""
        yield ParamField(prefix + name, *words, choices, free, required)


def _first_model(parts: Iterable[Any]) -> type[Model] | None:
    return next((part for part in parts if isinstance(part, type) and issubclass(part, Model)), None)


def _union_parts(annotation: Any) -> tuple[Any, ...]:
    union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.get_args(annotation) if union else (annotation,)


def _kind_of(annotation: Any) -> tuple[Kind, tuple[tuple[str, Json], ...]]:
    values: list[Json] = []
    for part in _union_parts(annotation):
        if part is bool:
            values += [True, False]
        elif typing.get_origin(part) is Literal:
            values += typing.get_args(part)
        elif part is type(None):
            values.append(None)
        else:
            return ("int" if part is int else "text" if part is str else "object"), ()
    words = {True: "on", False: "off", None: "not set"}
    kind: Kind = "bool" if set(map(repr, values)) == {"True", "False"} else "enum"
    return kind, tuple((words[v] if v is None or isinstance(v, bool) else str(v), v) for v in values)


def flatten(values: Mapping[str, Json], prefix: str = "") -> dict[str, Json]:
    """Nested values under dotted names; a nested mapping is under its own name too."""
    flat: dict[str, Json] = {}
    for name, value in values.items():
        flat[prefix + name] = value
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{name}.")
    return flat


def with_value(values: Mapping[str, Json], name: str, value: Json) -> dict[str, Json]:
    """A copy of nested values in which the dotted `name` has the value; missing levels are made."""
    head, _, rest = name.partition(".")
    changed = dict(values)
    if rest:
        inner = values.get(head)
        value = with_value(inner if isinstance(inner, Mapping) else {}, rest, value)
    changed[head] = value
    return changed


def nested(values: Mapping[str, Json]) -> dict[str, Json]:
    """Values under dotted names as the tree that they are in."""
    tree: dict[str, Json] = {}
    for name, value in values.items():
        tree = with_value(tree, name, value)
    return tree


def resolve_labels(fields: Iterable[ParamField], values: Mapping[str, Json]) -> dict[str, Json]:
    """Nested values in which each choice that was written as its label has become its value."""
    return _resolved({field.name: field for field in fields if field.choices}, values, "")


def _resolved(fields: Mapping[str, ParamField], values: Mapping[str, Json], prefix: str) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for name, value in values.items():
        field = fields.get(f"{prefix}{name}")
        if field is not None:
            made[name] = field.resolve_label(value)
        elif isinstance(value, Mapping):
            made[name] = _resolved(fields, value, f"{prefix}{name}.")
        else:
            made[name] = value
    return made


def validate(model: type[P], values: Mapping[str, Json], where: str = "params") -> P:
    """The params as the model has them; a choice may be written as its label.

    Raises ScenarioError for an unknown key or a value that does not fit, naming the nearest valid ones.
    """
    return of_values(model, resolve_labels(fields_of(model), values), where)


def of_values(model: type[P], values: Mapping[str, Json], where: str = "params") -> P:
    """`validate` for values none of which is a label."""
    try:
        return model.model_validate(values) if values else model.model_unset()
    except ValueError as error:
        fields = fields_of(model)
        mistake = _no_choice(error, fields, where) or _elsewhere(error, fields, where)
        raise mistake or scenario_error(error, model, where) from None


def _no_choice(error: ValueError, fields: Iterable[ParamField], where: str) -> ScenarioError | None:
    """The first problem, if it is a word in the place of a choice that has only labels: the object has no such form."""
    first = problems_of(error)[0]
    name, wanted = ".".join(map(str, first["loc"])), first["input"]
    field = next((field for field in fields if field.name == name), None)
    if field is None or not isinstance(wanted, str) or not any(isinstance(value, dict) for _, value in field.choices):
        return None
    return unknown("choice", wanted, dict(field.choices), where=f"{where}.{name}")


def _elsewhere(error: ValueError, fields: Iterable[ParamField], where: str) -> ScenarioError | None:
    """The first problem, if it is an unknown key that is a field of another object."""
    first = problems_of(error)[0]
    if first["type"] != "extra_forbidden":
        return None
    place = [str(part) for part in first["loc"]]
    named = [field.name for field in fields if field.name.rpartition(".")[2].lower() == place[-1].lower()]
    if not named:
        return None
    return ScenarioError(f"unknown key {place[-1]!r}", where=".".join([where, *place]), nearest=named)


def scenario_error(error: ValueError, model: type[Model], where: str = "") -> ScenarioError:
    """The first problem as a ScenarioError."""
    first = problems_of(error)[0]
    place = [str(part) for part in first["loc"]]
    dotted = ".".join([where, *place] if where else place)
    if first["type"] == "extra_forbidden":
        parent: type[Model] | None = model
        for part in place[:-1]:
            info = parent.model_fields.get(part) if parent else None
            # An index into a list, or a key of a mapping, is no field: the model in there stays the same.
            parent = _model_within(info.annotation) if info else parent
        known = list(parent.model_fields) if parent else []
        return unknown("key", place[-1], known, where=dotted)
    message = first["msg"][0].lower() + first["msg"][1:]
    return ScenarioError(f"{message}, not {first['input']!r}"[:400], where=dotted)


def _model_within(annotation: Any) -> type[Model] | None:
    """The model of a field, or of its items."""
    inner = typing.get_args(annotation)
    return _first_model((annotation,)) or next(filter(None, map(_model_within, inner)), None)
