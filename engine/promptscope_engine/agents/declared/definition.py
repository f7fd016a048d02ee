"""The models of a definition file (definition.toml) and of its inputs: validation, reference, schema and `--set`."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator

from promptscope_engine.agents.kit.expressions import WORDS
from promptscope_engine.agents.kit.params import Fields
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import Model
from promptscope_engine.inputs.params import Kind, Params, fields_of, param
from promptscope_engine.inputs.scenario import TOP_LEVEL

Protocol = Literal["anthropic", "chat", "responses"]
Channel = Literal["system", "messages"]

MAX_CHARS = 1_000_000
"""Characters of a definition; a longer prompt needs files of its own."""

MAX_SECTIONS = 500
MAX_TOOLS = 200
MAX_PARAMS = 100
MAX_MODES = 50
"""What is used of each list; the rest is left out, and a diagnostic says so."""

_ORDERED = re.compile(r"@?[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*(?:\.\*)?")
_ID = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_SECTION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_PARAM = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_LONGEST_NAME = 60
_LONGEST_TITLE = 200


def _named(pattern: re.Pattern[str], example: str) -> AfterValidator:
    def check(value: str) -> str:
        if len(value) > _LONGEST_NAME or not pattern.fullmatch(value):
            raise ValueError(f"a name like {example}, of at most {_LONGEST_NAME} letters, digits and signs")
        return value

    return AfterValidator(check)


def _one_line(value: str) -> str:
    if len(value) > _LONGEST_TITLE or _CONTROLS.search(value):
        raise ValueError(f"one line of at most {_LONGEST_TITLE} characters, without any that nobody sees")
    return value


def param_name(name: str) -> str:
    """A name that a param can have. Raises ValueError."""
    if (
        name in WORDS
        or name in ("tool", "file")
        or name in TOP_LEVEL
        or name in _TAKEN
        or hasattr(Model, name)
        or hasattr(BaseModel, name)
    ):
        raise ValueError("this name has a meaning of its own: choose another one")
    if len(name) > _LONGEST_NAME or not _PARAM.fullmatch(name):
        raise ValueError(f"a name like reply_language, of at most {_LONGEST_NAME} letters, digits and _")
    return name


_TAKEN = ("env", "environment", "params", "reads", "mcp_servers", "definition", "edits", "learned")
"""Keys of a scenario, beside TOP_LEVEL, that `--set` means first."""


def _no_coercion(value: Json) -> Json:
    if not isinstance(value, bool | int | str):
        raise ValueError("true, false, a whole number or a text")
    return value


class _Table(Params, strict=True):
    pass


_described = Fields(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")),
    _Table,
    AgentId=Annotated[str, _named(_ID, "support-agent")],
    SectionId=Annotated[str, _named(_SECTION_ID, "rules.refunds")],
    Ordered=Annotated[str, _named(_ORDERED, "rules.refunds, rules.* or @files")],
    ToolName=Annotated[str, _named(re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*"), "find_order")],
    Slug=Annotated[str, _named(_ID, "first-contact")],
    Line=Annotated[str, AfterValidator(_one_line)],
    Plain=Annotated[bool | int | str, BeforeValidator(_no_coercion)],
)


@_described
class ParamTable(_Table):
    """An input, which conditions may ask for and texts may name."""


@_described
class SectionTable(_Table):
    """A section of files elsewhere. Just one of `file` and `glob` says which; `text` is the old way."""


@_described
class ToolTable(_Table):
    """All tools of some files elsewhere. Just one of `file` and `glob` says which; `name` is the old way."""


@_described
class Definition(_Table):
    """A whole definition."""


def schema() -> dict[str, Json]:
    """The JSON schema of a definition, for editors that know TOML."""
    made = Definition.model_json_schema()
    return {"$id": "promptscope.agent.v1", **made}


def kind_of(table: ParamTable) -> Kind:
    """The kind of a param, said or told by its choices or its default."""
    if table.kind is not None:
        return cast(Kind, table.kind)
    if table.choices:
        return "enum"
    match table.default:
        case bool():
            return "bool"
        case int():
            return "int"
        case str():
            return "text"
    return "bool"


KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "object")


def params_of(tables: Mapping[str, ParamTable]) -> type[Params]:
    """The model."""
    fields: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for name, table in tables.items():
        kind, default = kind_of(table), table.default
        kinds[name] = Literal[tuple(table.choices)] if kind == "enum" else {"bool": bool, "int": int}.get(kind, str)
        if default is None:
            default = table.choices[0] if kind == "enum" else {"bool": False, "int": 0}.get(kind, "")
        fields[name] = param(default, table.group, table.help or name, title=table.title)
    return type("DeclaredParams", (Params,), {"__annotations__": kinds, **fields})


def values_of(model: type[Params]) -> dict[str, tuple[Json, ...]]:
    """The values that levers may set: the choices, and for a text nothing."""
    found = {field.name: tuple(value for _, value in field.choices) for field in fields_of(model)}
    texts = {field.name: ("",) for field in fields_of(model) if field.kind == "text"}
    return found | texts
