"""Structs for pydantic, which cannot describe them: dataclasses with the same fields take their place."""

from dataclasses import MISSING, field, fields, is_dataclass, make_dataclass
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs
from pydantic import TypeAdapter

from .models import Model, type_adapter


def adapter(of: type) -> TypeAdapter[Any]:
    """What validates and describes values of structs, which may have further keys."""
    return TypeAdapter(_plain(of, {}, closed=False))


def closed(of: type) -> TypeAdapter[Any]:
    """The same of values that have no other keys than the fields; of a model, which says so itself, its own."""
    return type_adapter(of) if issubclass(of, Model) else TypeAdapter(_plain(of, {}, closed=True))


def _plain(kind: Any, known: dict[type, type], *, closed: bool) -> Any:
    """A type with dataclasses in place of the structs in it; `known` has those made."""
    if isinstance(kind, type) and (issubclass(kind, Struct) or is_dataclass(kind)):
        return known[kind] if kind in known else _dataclass(kind, known, closed=closed)
    if isinstance(kind, type) and issubclass(kind, dict) and kind is not dict:
        return dict[str, Any]
    parts = tuple(_plain(part, known, closed=closed) for part in get_args(kind))
    if not parts or get_origin(kind) is Literal:
        return kind
    return reduce(or_, parts) if get_origin(kind) in (Union, UnionType) else get_origin(kind)[parts]


def _dataclass(kind: type, known: dict[type, type], *, closed: bool) -> type:
    """A dataclass with the fields of a struct or dataclass. Their types come last, since they may name it."""
    every: Any = structs.fields(kind) if issubclass(kind, Struct) else fields(kind)  # type: ignore[arg-type]
    made: Any = make_dataclass(kind.__name__, [(each.name, Any, field(**_default(each))) for each in every])
    made.__doc__ = kind.__doc__
    if closed:
        made.__pydantic_config__ = {"extra": "forbid"}
    known[kind] = made
    hints = get_type_hints(kind)
    for each in fields(made):
        each.type = _plain(hints[each.name], known, closed=closed)
    return made  # type: ignore[no-any-return]


def _default(of: Any) -> dict[str, Any]:
    values = {name: getattr(of, name) for name in ("default", "default_factory")}
    return {name: value for name, value in values.items() if value is not MISSING and value is not NODEFAULT}
