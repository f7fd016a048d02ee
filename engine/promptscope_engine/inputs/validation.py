"""The part of `models` that is pydantic's: a model with the same fields, its validator and its schema."""

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter, create_model
from pydantic_core import core_schema


@lru_cache(maxsize=256)  # the inputs of an agent's definition become a new model with each edit
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The validator of a model or a dataclass."""
    return TypeAdapter(kind, config={"title": kind.__name__}) if hasattr(kind, "model_fields") else TypeAdapter(kind)


def core_schema_of(model: Any, validated: Callable[..., Any], handler: Any) -> Any:
    """Pydantic's schema of a model, whose values `validated` makes of those of its twin."""
    return core_schema.no_info_wrap_validator_function(validated, handler.generate_schema(_twin(model)))


@lru_cache(maxsize=256)
def _twin(model: Any) -> type[BaseModel]:
    """The pydantic model with the same fields."""
    fields: dict[str, Any] = {name: _for_pydantic(info) for name, info in model.model_fields.items()}
    return create_model(
        model.__name__, __config__=model.model_config, __module__=model.__module__, __doc__=model.__doc__, **fields
    )


def _for_pydantic(info: Any) -> tuple[Any, Any]:
    """A field's `FieldInfo` as annotation and pydantic's own."""
    annotation: Any = info.annotation
    if info.before is not None:
        annotation = Annotated[annotation, BeforeValidator(info.before)]
    if info.after is not None:
        annotation = Annotated[annotation, AfterValidator(info.after)]
    default: dict[str, Any] = {}
    if (make := info.default_factory) is not None:
        # Of a type itself pydantic would want the signature, which is parsed from its docstring: 8 ms the first time.
        default = {"default_factory": lambda: make()}
    elif not info.is_required():
        default = {"default": info.default}
    more: Any = None if info.json_schema_extra is None else dict(info.json_schema_extra)
    made = Field(
        title=info.title, description=info.description, json_schema_extra=more, **default, **(info.rules or {})
    )
    return annotation, made
