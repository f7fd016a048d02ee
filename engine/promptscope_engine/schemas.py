"""The published JSON schemas of what goes in and comes out, and what in an agent's files fits none.

What is described is imported when it is asked for.
"""

from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace
from pydantic import TypeAdapter

from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.lint import mistake_of
from promptscope_engine.agents.kit.text.sources import FolderError, Layer, read_words
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.schema.file import FormerKeyError, mistakes_in
from promptscope_engine.agents.schema.table import json_schema
from promptscope_engine.formats.document import Json, toml
from promptscope_engine.formats.toml import toml_line
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.inputs.structs import adapter
from promptscope_engine.prompt.model import Diagnostic

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


def unfit(folder: Folder, layer: Layer | None = None) -> list[Diagnostic]:
    """What in agent.toml and learn.toml of a built-in agent fits no table, or in the agent.toml of a layer over it.

    A warning is for a word of an earlier version. Raises ScenarioError for a layer that cannot be one, and FolderError
    for a file that cannot be read.
    """
    found: list[Diagnostic] = []
    if layer:
        layer.files()  # raises for a link out of it
    for name, what in _OF_AGENTS[: 1 if layer else None]:
        file = (layer.folder if layer else folder.path) / name
        if file.is_file():
            at, top, _ = _OTHERS[what]
            table = getattr(import_module(f"promptscope_engine.{at}"), top)
            text = read_words(file)
            errors = [*mistakes_in(str(file), text, table, whole=layer is None)]
            found += map(_told, errors)
            if what == "built-in" and all(isinstance(error, FormerKeyError) for error in errors):
                found += _first_message(folder, file, text)
    return found


_OF_AGENTS: tuple[tuple[str, Schema], ...] = (("agent.toml", "built-in"), ("learn.toml", "learn"))


def _told(error: ScenarioError) -> Diagnostic:
    told = mistake_of(error)
    return replace(told, severity="warning") if isinstance(error, FormerKeyError) else told


def _first_message(folder: Folder, file: Path, text: str) -> Iterator[Diagnostic]:
    """That it is in an input which is not there."""
    own = toml(text)
    param = own.get("first_message", {}).get("param")
    tables = [table for each in (folder.agent, own) for table in each.get("inputs", {}).values()]
    inputs = [name for table in tables for name in table.get("keys", ())]
    if param is not None and param not in inputs:
        line, message = toml_line(text, ("first_message", "param")), f"`first_message.param`: unknown input {param!r}"
        yield mistake_of(FolderError(file, line, message, nearest(param, inputs)))


def _answer(name: str, title: str, of: type, **more: Json) -> dict[str, Json]:
    """The schema of what `to_dict` gives: the fields, the schema's own name, and what is worked out of them."""
    made = adapter(of).json_schema(mode="serialization")
    first: dict[str, Json] = {"schema": {"const": name}, **more}
    made["properties"] = first | {key: field for key, field in made["properties"].items() if key not in first}
    made["required"] = [*first, *(key for key in made["required"] if key not in first)]
    return {"$schema": _DIALECT, "$id": name, **made, "title": title}
