"""The tables of a definition file, and the model of its inputs."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator

from promptscope_engine.agents.kit.text.expressions import WORDS
from promptscope_engine.agents.schema.shared import Group, Line, Mode, Place, Slug, Stability, Tools, named
from promptscope_engine.agents.schema.table import Table
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import Model, field
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

_ID = r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*"
_SECTION_ID = r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*"
_PARAM = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONGEST_NAME = 60


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


Plain = Annotated[bool | int | str, BeforeValidator(_no_coercion)]


class ParamTable(Table):
    """An input, which conditions may ask for and texts may name."""

    title: Line | None = None
    """as it is shown; without it the key"""
    help: Line = ""
    """one line on what it does"""
    group: Line = "Prompt"
    """the heading of its group in the controls"""
    kind: Literal["bool", "enum", "int", "text", "object"] | None = None
    """`bool`, `enum`, `int` or `text`; without it the choices or the default tell"""
    choices: list[Plain] = field(default_factory=list, max_length=50)
    """the values of an `enum`, the first is the default"""
    default: Plain | None = None
    """the value unless one is set"""


class SectionTable(Table):
    """A section of files elsewhere. Just one of `file` and `glob` says which; `text` is the old way."""

    id: Annotated[str, named(_SECTION_ID, "rules.refunds")]
    """a name that stays: budgets, comparisons and `why` go by it"""
    title: Line | None = None
    """as it is shown; without it the heading or the id"""
    heading: Line | None = None
    """a line in front of the text"""
    text: str | None = None
    """the old way: the text itself"""
    file: str | None = None
    """a file with the text, relative to the definition"""
    glob: str | None = None
    """files with the text, by name, each a section: `rules/*.md`"""
    when: str | None = None
    """the condition under which it is in the prompt"""
    channel: Channel = "system"
    """`system`: the system prompt, `messages`: the first message"""
    stability: Stability = "session"
    """how often it changes, which decides what a cache keeps: `static`, `session`, `turn`"""
    fill: bool | None = None
    """whether `{{name}}` is replaced by its value; by default in a `text`, not in files"""
    trim: bool = True
    """`false` keeps white space around the text"""


class ToolTable(Table):
    """All tools of some files elsewhere. Just one of `file` and `glob` says which; `name` is the old way."""

    name: str | None = None
    """the old way: the tool's name, for one that is described here"""
    description: str = ""
    """its description for the model, next to `name`"""
    input_schema: dict[str, Any] | None = None
    """the JSON schema of its input, beside `name`"""
    file: str | None = None
    """a JSON file with one tool or a list of them, in any usual shape"""
    glob: str | None = None
    """several such files: `tools/*.json`"""
    group: Line = "agent"
    """the heading under which it is listed"""
    when: str | None = None
    """the condition under which it is offered"""


class Definition(Table):
    """A whole definition."""

    id: Annotated[str, named(_ID, "support-agent")]
    """the agent's name on the command line"""
    name: Line | None = None
    """as it is shown; without it the id"""
    version: Line = "1"
    """as it is shown"""
    versions: list[Line] = field(default_factory=list, max_length=100)
    """in its place all versions, the oldest first"""
    model: Line | None = None
    """the model unless one is chosen; it tells window and tokenizer"""
    protocol: Protocol | None = None
    """the shape of the request: `anthropic`, `chat` (Chat Completions) or `responses`; without it `chat` for OpenAI's
    models, else `anthropic`"""
    window: int | None = field(None, ge=1, le=100_000_000)
    """tokens; without it the model's"""
    reserve: int = field(0, ge=0, le=100_000_000)
    """tokens that are kept free for the answer"""
    compact_at: int | None = field(None, ge=1, le=100_000_000)
    """tokens at which the agent compacts"""
    gap: str = field("\n\n", max_length=200)
    """the text between two sections"""
    default_mode: Slug | None = None
    """the mode unless one is chosen; without it the first"""
    mode: list[Mode] = field(default_factory=list)
    """`[[mode]]`: the modes"""
    params: dict[str, ParamTable] = field(default_factory=dict)
    """`[params.NAME]`: the inputs"""
    sections: list[Group] = field(default_factory=list)
    """`[[sections]]`: the prompt, in its order"""
    places: dict[str, Place] = field(default_factory=dict)
    """`[places.NAME]`: places of sections"""
    tools: Tools | None = None
    """`[tools]`: the tools that have files of their own"""
    section: list[SectionTable] = field(default_factory=list)
    """`[[section]]`: sections of other files; the whole prompt without `[[sections]]`"""
    tool: list[ToolTable] = field(default_factory=list)
    """`[[tool]]`: tools of other files, behind the others"""


def kind_of(table: ParamTable) -> Kind:
    """The kind of a param, said or told by its choices or its default."""
    if table.kind is not None:
        return table.kind
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
