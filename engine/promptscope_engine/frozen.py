"""Frozen dataclasses that cost little to define.

`dataclass(frozen=True)` writes six methods as source text and compiles each: with two hundred classes that was half of
what a command took to start. Here all methods are closures; `__init__` is written and compiled (0.3 ms) once a class
has had a few instances, which most never have. Otherwise they are dataclasses: `fields`, `replace`, `match`.

A class whose instances change, and are neither compared nor printed, is a `dataclass(eq=False, repr=False)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from inspect import get_annotations  # dataclasses imports it anyway
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import Any, TypeVar, dataclass_transform, overload

_Class = TypeVar("_Class")


@overload
def frozen(cls: type[_Class]) -> type[_Class]: ...
@overload
def frozen(*, slots: bool = True, eq: bool = True, weakref: bool = False) -> Callable[[type[_Class]], type[_Class]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, *, slots: bool = True, eq: bool = True, weakref: bool = False) -> Any:
    """Make a class a frozen dataclass. Without `slots` it can have cached properties, without `eq` it is compared by
    identity; with `weakref` it can be referred to weakly."""

    def made(cls: type) -> type:
        result: type = _defined(cls, slots=slots, weakref=weakref)
        methods = [_init(result), _repr, _refuse_to_set, _refuse_to_delete, *(_comparison(result) if eq else ())]
        for method in methods:
            if method.__name__ not in cls.__dict__:
                setattr(result, method.__name__, method)
        return result

    return made if cls is None else made(cls)


def _defined(cls: type, *, slots: bool, weakref: bool) -> type:
    """The class as a dataclass without methods.

    `dataclass` looks three times into each annotation that is text, for what is no ordinary field: a fifth of its work.
    Where none can be meant, it is given other annotations meanwhile.
    """
    # For a class without a docstring it asks for a signature, which is parsed from text the first time: 3 to 9 ms.
    cls.__doc__ = cls.__doc__ or cls.__name__
    define = dataclass(init=False, repr=False, eq=False, slots=slots, weakref_slot=weakref)
    written = get_annotations(cls)
    if any(not isinstance(each, str) or "Var" in each or "KW_ONLY" in each for each in written.values()):
        return define(cls)
    cls.__annotations__ = dict.fromkeys(written, object)
    result: type = define(cls)
    cls.__annotations__ = result.__annotations__ = written
    for each in fields(result):
        each.type = written.get(each.name, each.type)
    return result


FEW = 20
"""Instances after which compiling pays off."""


def _init(cls: type) -> Callable[..., None]:
    made, known = 0, fields(cls)

    def __init__(self: object, *args: object, **given: object) -> None:  # noqa: N807 - it becomes the method
        nonlocal made
        made += 1
        if made > FEW or not _assigned(self, known, args, given):
            init = _written(cls)
            setattr(cls, "__init__", init)  # noqa: B010 - mypy allows no plain assignment to a method
            init(self, *args, **given)

    return __init__


def _assigned(self: object, known: tuple[Field[Any], ...], args: tuple[object, ...], given: dict[str, object]) -> bool:
    """Set every field. False if the arguments do not fit: the written method says how."""
    names = [each.name for each in known if each.init]
    values = {**dict(zip(names, args, strict=False)), **given}
    if len(values) != len(args) + len(given) or not values.keys() <= set(names):
        return False
    for each in known:
        if each.name in values:
            value = values[each.name]
        elif each.default_factory is not MISSING:
            value = each.default_factory()
        elif each.default is not MISSING:
            value = each.default
        else:
            return False
        object.__setattr__(self, each.name, value)
    return True


def _written(cls: type) -> Callable[..., None]:
    """The method that sets the fields, as `dataclass` writes it; a slot sets itself, a third faster."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    parameters, body = ["self"], []
    for each in fields(cls):
        default, value = _defaulted(each, known)
        if each.init:
            parameters.append(each.name + default)
        slot = getattr(cls, each.name, None)
        if isinstance(slot, MemberDescriptorType):
            known[f"_set_{each.name}"] = slot.__set__
            body.append(f"    _set_{each.name}(self, {value})\n")
        else:
            body.append(f"    _set(self, {each.name!r}, {value})\n")
    source = f"def __init__({', '.join(parameters)}):\n{''.join(body) or '    pass'}"
    exec(source, known)  # names of fields alone, as in `dataclass`
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _defaulted(each: Field[Any], known: dict[str, Any]) -> tuple[str, str]:
    """The parameter's default and the field's value, in source; what they name is added to `known`."""
    if each.default_factory is not MISSING:
        known[f"_make_{each.name}"] = each.default_factory
        if not each.init:
            return "", f"_make_{each.name}()"
        return "=_MISSING", f"_make_{each.name}() if {each.name} is _MISSING else {each.name}"
    if each.default is not MISSING:
        known[f"_default_{each.name}"] = each.default
        return f"=_default_{each.name}", each.name
    return "", each.name


def _comparison(cls: type) -> tuple[Callable[..., Any], Callable[..., Any]]:
    names = [each.name for each in fields(cls) if each.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    return __eq__, __hash__


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in _shown(self.__class__)])
    return f"{self.__class__.__qualname__}({shown})"


@cache
def _shown(cls: type) -> tuple[str, ...]:
    """The fields that are written, found when an instance is."""
    return tuple(each.name for each in fields(cls) if each.repr)


def _refuse_to_set(self: object, name: str, value: object) -> None:  # noqa: ARG001 - a method's shape
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_repr.__name__ = "__repr__"
_refuse_to_set.__name__ = "__setattr__"
_refuse_to_delete.__name__ = "__delattr__"
