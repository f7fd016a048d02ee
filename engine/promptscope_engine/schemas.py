"""The published JSON schemas of what goes in and what comes out. What is described is imported when it is asked for."""

from functools import reduce
from importlib import import_module
from operator import or_
from typing import Any, Literal

from pydantic import TypeAdapter

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.schema.table import json_schema
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.inputs.structs import adapter

Schema = Literal["scenario", "assembly", "diff", "check", "capture", "verify", "cache", "agent", "built-in", "learn"]

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
    if what in _FILES:
        return json_schema(getattr(module, names), what)
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
    "agent": ("agents.declared.definition", "Definition", {}),
    "built-in": ("agents.schema.built_in", "BuiltIn", {}),
    "learn": ("learning.script", "Script", {}),
}
"""Where each is, the types that it describes, and what is worked out of them. Each module has the name as `SCHEMA`."""
_FILES = ("agent", "built-in", "learn")
"""Those of files that people write, with the table that a whole file is."""


def _answer(name: str, title: str, of: type, **more: Json) -> dict[str, Json]:
    """The schema of what `to_dict` gives: the fields, the schema's own name, and what is worked out of them."""
    made = adapter(of).json_schema(mode="serialization")
    first: dict[str, Json] = {"schema": {"const": name}, **more}
    made["properties"] = first | {key: field for key, field in made["properties"].items() if key not in first}
    made["required"] = [*first, *(key for key in made["required"] if key not in first)]
    return {"$schema": _DIALECT, "$id": name, **made, "title": title}
