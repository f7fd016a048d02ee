"""The published JSON schemas of what goes in and what comes out. What is described is imported when it is asked for."""

from dataclasses import MISSING, field, fields, is_dataclass, make_dataclass
from functools import reduce
from importlib import import_module
from operator import or_
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs
from pydantic import TypeAdapter

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario

Schema = Literal["scenario", "assembly", "diff", "check", "capture", "verify", "cache", "agent"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(what: Schema, agent_id: str | None = None) -> dict[str, Json]:
    """The JSON schema of an input or an output, or of a file that defines an agent.

    With an agent's id, `params` of a scenario has that agent's own inputs. Without, it is the file in `schemas/`.

    Raises ScenarioError for an unknown agent.
    """
    made: dict[str, Json]
    if what == "scenario":
        made = Scenario.model_json_schema()
        if agent_id:
            params = load_agent(agent_id).params.model_json_schema(ref_template="#/$defs/{model}")
            made.setdefault("$defs", {}).update(params.pop("$defs", {}))
            made["properties"]["params"] = params
        return {"$schema": _DIALECT, "$id": "promptscope.scenario.v1", **made}
    at, names, more = _OTHERS[what]
    module = import_module(f"promptscope_engine.{at}")
    if what == "agent":
        made = module.schema()
        return made
    of: Any = reduce(or_, (getattr(module, name) for name in names.split()))
    if what == "capture":
        made = TypeAdapter(of).json_schema(mode="serialization")
        return {"$schema": _DIALECT, "$id": module.SCHEMA, "title": "Capture", "$defs": made.pop("$defs"), **made}
    return _answer(module.SCHEMA, what.title(), of, **more)


_OTHERS: dict[Schema, tuple[str, str, dict[str, Json]]] = {
    "assembly": ("prompt.model", "Assembly", {}),
    "diff": ("insight.comparison", "Comparison", {"differs": {"type": "boolean"}}),
    "check": ("checks.findings", "CheckReport", {}),
    "verify": ("insight.verification", "Verification", {"differs": {"type": "boolean"}}),
    "cache": ("insight.cache_miss", "CacheReport", {"again": {"type": "integer"}}),
    "capture": ("captures.model", "Header Recorded End", {}),
    "agent": ("agents.declared.definition", "", {}),
}
"""Where each is, the types that it describes, and what is worked out of them. Each module has the name as `SCHEMA`."""


def _answer(name: str, title: str, of: type, **more: Json) -> dict[str, Json]:
    """The schema of what `to_dict` gives: the fields, the schema's own name, and what is worked out of them."""
    made = adapter(of).json_schema(mode="serialization")
    first: dict[str, Json] = {"schema": {"const": name}, **more}
    made["properties"] = first | {key: field for key, field in made["properties"].items() if key not in first}
    made["required"] = [*first, *(key for key in made["required"] if key not in first)]
    return {"$schema": _DIALECT, "$id": name, **made, "title": title}


def adapter(of: type) -> TypeAdapter[Any]:
    """What validates and describes the JSON of an answer."""
    return TypeAdapter(_plain(of, {}))


def _plain(kind: Any, known: dict[type, type]) -> Any:
    """A type with dataclasses in place of the structs in it, which pydantic cannot describe; `known` has those made."""
    if isinstance(kind, type) and (issubclass(kind, Struct) or is_dataclass(kind)):
        return known[kind] if kind in known else _dataclass(kind, known)
    if isinstance(kind, type) and issubclass(kind, dict) and kind is not dict:
        return dict[str, Any]
    parts = tuple(_plain(part, known) for part in get_args(kind))
    if not parts or get_origin(kind) is Literal:
        return kind
    return reduce(or_, parts) if get_origin(kind) in (Union, UnionType) else get_origin(kind)[parts]


def _dataclass(kind: type, known: dict[type, type]) -> type:
    """A dataclass with the fields of a struct or dataclass. Their types come last, since they may name it."""
    every: Any = structs.fields(kind) if issubclass(kind, Struct) else fields(kind)  # type: ignore[arg-type]
    made = make_dataclass(kind.__name__, [(each.name, Any, field(**_default(each))) for each in every])
    made.__doc__ = kind.__doc__
    known[kind] = made
    hints = get_type_hints(kind)
    for each in fields(made):
        each.type = _plain(hints[each.name], known)
    return made


def _default(of: Any) -> dict[str, Any]:
    values = {name: getattr(of, name) for name in ("default", "default_factory")}
    return {name: value for name, value in values.items() if value is not MISSING and value is not NODEFAULT}
