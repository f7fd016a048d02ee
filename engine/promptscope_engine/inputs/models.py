"""Models that are declared as pydantic's are, and validated by pydantic once there is something to validate.

    class Todo(Model):
        content: str
        status: Literal["open", "done"] = "open"
        tags: list[str] = field(default_factory=list, description="what it is about")

Most commands validate nothing: what is left at its defaults needs no validator, nor does a text where any will do. So a
class here only notes its fields; the pydantic model that has them is made at the first `model_validate`. Names are
pydantic's own. Ordinary pydantic models were measured: importing pydantic alone, without a single model, makes `show`
15 to 39 % slower (processor time of the five agents, median of 7 interleaved runs).

Modules of models have no `from __future__ import annotations`: each annotation would be compiled a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import get_annotations
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, Unpack, cast

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json

if TYPE_CHECKING:
    from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

_REQUIRED: Any = object()


def problems_of(error: ValueError) -> list[dict[str, Any]]:
    """What `model_validate` found, of the ValidationError that it raises: `loc`, `type`, `msg` and `input` of each.

    Who catches that as a ValueError need not import pydantic.
    """
    return cast(list[dict[str, Any]], cast("ValidationError", error).errors(include_url=False))


class FieldInfo(Struct, frozen=True):
    """What a model notes of a field.

    `rules` are pydantic's own (`ge`, `min_length`), `before` and `after` change or refuse (ValueError) a value around
    its validation.
    """

    default: Any = _REQUIRED
    default_factory: Callable[[], Any] | None = None
    annotation: Any = None
    title: str | None = None
    description: str | None = None
    json_schema_extra: Mapping[str, Any] | None = None
    before: Callable[[Any], Any] | None = None
    after: Callable[[Any], Any] | None = None
    rules: Mapping[str, Any] | None = None

    def is_required(self) -> bool:
        """Whether it has no default."""
        return self.default is _REQUIRED and self.default_factory is None

    def get_default(self) -> Any:
        """The default, a new one each time if it is made."""
        return self.default if self.default_factory is None else self.default_factory()


def field(default: Any = _REQUIRED, **given: Any) -> Any:
    """A field of a model: what `FieldInfo` notes, and pydantic's own rules."""
    noted = {name: given.pop(name) for name in FieldInfo.__struct_fields__ if name in given}
    return FieldInfo(default, rules=given, **noted)


class _ModelType(type):
    """Notes the fields of a class when that is made."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Unpack[ConfigDict]
    ) -> _ModelType:
        made: Any = super().__new__(cls, name, bases, namespace)
        if bases:
            made.model_config = {**made.model_config, **config}
            made.model_fields = made.model_fields | dict(_own_fields(made))
        return cast(_ModelType, made)


def _own_fields(model: type) -> Iterator[tuple[str, FieldInfo]]:
    for name, annotation in get_annotations(model, eval_str=True).items():
        value = model.__dict__.get(name, _REQUIRED)
        if value is not _REQUIRED:
            delattr(model, name)  # else nobody would see that an instance lacks it
        info = value if isinstance(value, FieldInfo) else FieldInfo(value)
        yield name, replace(info, annotation=annotation)


class Model(metaclass=_ModelType):
    """Values under the names of its fields, validated and never changed in place.

    What is behind the bases in a class statement is pydantic's configuration. Keys that are no field are an error;
    with `extra="allow"` they are kept in `model_extra`.
    """

    __slots__ = ("__dict__", "model_extra", "model_fields_set")

    model_fields: ClassVar[dict[str, FieldInfo]] = {}
    model_config: ClassVar[ConfigDict] = {"extra": "forbid", "defer_build": True, "allow_inf_nan": False}

    model_fields_set: set[str]
    """The fields that were given, the others have their defaults."""
    model_extra: dict[str, Any] | None

    def __init__(self, **values: Any) -> None:
        """Validate the values; see `model_validate`."""
        made = self.model_validate(values) if values else self.model_unset()
        self._fill(made.__dict__, made.model_fields_set, made.model_extra)

    def model_check(self) -> None:
        """Raise ValueError if values do not go together."""

    # --- made without validation --------------------------------------------------------------------------------

    @classmethod
    def model_unset(cls) -> Self:
        """The model with nothing given. Defaults are never validated."""
        if any(info.is_required() for info in cls.model_fields.values()):
            return cls.model_validate({})
        return cls.model_construct()

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """The model with these values, which are not validated, and defaults for the others."""
        known = cls.model_fields
        found = {name: values[name] if name in values else info.get_default() for name, info in known.items()}
        rest = {name: value for name, value in values.items() if name not in known}
        return cls._made(found, set(values) if _fields_set is None else _fields_set, rest)

    def model_copy(self, *, update: Mapping[str, Any] = MappingProxyType({})) -> Self:
        """A copy with other values, which are not validated."""
        fields = {name: value for name, value in update.items() if name in self.model_fields}
        rest = {name: value for name, value in update.items() if name not in self.model_fields}
        extra = {**(self.model_extra or {}), **rest}
        return self._made({**self.__dict__, **fields}, self.model_fields_set | update.keys(), extra)

    @classmethod
    def _made(cls, values: dict[str, Any], given: set[str], extra: dict[str, Any] | None) -> Self:
        made = cls.__new__(cls)
        made._fill(values, given, extra)
        return made

    def _fill(self, values: dict[str, Any], given: set[str], extra: dict[str, Any] | None) -> None:
        self.__dict__.update(values)
        object.__setattr__(self, "model_fields_set", given)
        object.__setattr__(self, "model_extra", (extra or {}) if self.model_config.get("extra") == "allow" else None)

    # --- by pydantic --------------------------------------------------------------------------------------------

    @classmethod
    def model_validate(cls, values: Any) -> Self:
        """The model with these values. Raises pydantic's ValidationError (see `problems_of`)."""
        return cast(Self, type_adapter(cls).validate_python(values))

    @classmethod
    def model_json_schema(cls, ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
        """The JSON schema of what `model_validate` takes."""
        return type_adapter(cls).json_schema(ref_template=ref_template)

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: Any) -> Any:
        return _validation().core_schema_of(cls, cls._validated, handler)

    @classmethod
    def _validated(cls, value: Any, validate: Callable[[Any], BaseModel]) -> Self:
        if isinstance(value, cls):
            return value
        found = validate(value)
        made = cls._made(found.__dict__, found.model_fields_set, found.model_extra)
        made.model_check()
        return made

    # --- as a value ---------------------------------------------------------------------------------------------

    def model_dump(self, *, exclude_none: bool = False, exclude_unset: bool = False) -> dict[str, Json]:
        """The values as JSON values, for a model of such."""
        return {
            name: value if value is None else _dumped(value, exclude_none=exclude_none, exclude_unset=exclude_unset)
            for name, value in self
            if not (exclude_none and value is None) and not (exclude_unset and name not in self.model_fields_set)
        }

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for name in self.model_fields:
            yield name, self.__dict__[name]
        yield from (self.model_extra or {}).items()

    def __getattr__(self, name: str) -> Any:
        extra = None if name.startswith("__") or name == "model_extra" else self.model_extra
        if extra and name in extra:
            return extra[name]
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and other.__class__ is self.__class__ and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"


def _dumped(value: Any, **excluded: Any) -> Json:
    match value:
        case Model():
            return value.model_dump(**excluded)
        case dict():
            return {name: _dumped(each, **excluded) for name, each in value.items()}
        case list():
            return [_dumped(each, **excluded) for each in value]
        case _:
            return cast(Json, value)


def type_adapter(kind: type) -> TypeAdapter[Any]:
    """Pydantic's validator of a model, or of a dataclass."""
    adapter: TypeAdapter[Any] = _validation().adapter(kind)
    return adapter


def _validation() -> ModuleType:
    from . import validation  # it imports pydantic: see above

    return validation
