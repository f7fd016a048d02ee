"""The inputs that a definition has, as a params model: controls, `--set` and effects follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Kind, Params, fields_of, param

from .definition import ParamTable, kind_of

_Row = tuple[str, str | None, str, str, Kind, tuple[tuple[type, Json], ...], Json]


class NoParams(Params):
    """Of a definition without any."""


def params_of(tables: Mapping[str, ParamTable]) -> type[Params]:
    """The model; the same tables give the same one, so that an edit of a text makes none."""
    rows: list[_Row] = []
    for name, table in tables.items():
        choices = tuple((type(choice), choice) for choice in table.choices)  # 1 and true are equal
        kind = kind_of(table)
        default = _default(kind, table)
        rows.append((name, table.title, table.help, table.group, kind, choices, default))
    return _model(tuple(rows), repr(rows)) if rows else NoParams


def _default(kind: Kind, table: ParamTable) -> Json:
    if table.default is not None:
        return table.default
    return table.choices[0] if kind == "enum" else {"bool": False, "int": 0}.get(kind, "")


@lru_cache
def _model(rows: tuple[_Row, ...], _written: str) -> type[Params]:
    fields: dict[str, Any] = {}
    annotations: dict[str, Any] = {}
    for name, title, text, group, kind, choices, default in rows:
        annotations[name] = _annotation(kind, choices)
        fields[name] = param(default, group, text or name, title=title)
    return type("DeclaredParams", (Params,), {"__annotations__": annotations, **fields})


def _annotation(kind: Kind, choices: tuple[tuple[type, Json], ...]) -> Any:
    if kind == "enum":
        return Literal[tuple(value for _, value in choices)]
    return {"bool": bool, "int": int}.get(kind, str)


def values_of(model: type[Params]) -> dict[str, tuple[Json, ...]]:
    """The values that levers may set: the choices, and for a text nothing."""
    found = {field.name: tuple(value for _, value in field.choices) for field in fields_of(model)}
    texts = {field.name: ("",) for field in fields_of(model) if field.kind == "text"}
    return found | texts
