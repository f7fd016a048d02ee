"""The models of a definition file and of its inputs: validation, reference, schema, controls and `--set`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator

from promptscope_engine.agents.kit.expressions import WORDS
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import Model, field
from promptscope_engine.inputs.params import Kind, Params, fields_of, param
from promptscope_engine.inputs.scenario import TOP_LEVEL

Protocol = Literal["anthropic", "chat", "responses"]
Channel = Literal["system", "messages"]
Stability = Literal["static", "session", "turn"]
Value = bool | int | str

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

AgentId = Annotated[str, _named(_ID, "support-agent")]
SectionId = Annotated[str, _named(_SECTION_ID, "rules.refunds")]
Ordered = Annotated[str, _named(_ORDERED, "rules.refunds, rules.* or @files")]
ToolName = Annotated[str, _named(re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*"), "find_order")]
Slug = Annotated[str, _named(_ID, "first-contact")]
Line = Annotated[str, AfterValidator(_one_line)]


def _no_coercion(value: Json) -> Json:
    if not isinstance(value, bool | int | str):
        raise ValueError("true, false, a whole number or a text")
    return value


Plain = Annotated[Value, BeforeValidator(_no_coercion)]


class _Table(Model, strict=True):
    pass


class ModeTable(_Table):
    """A mode."""

    slug: Slug = field(description="the name in conditions and on the command line")
    name: Line | None = field(None, description="as it is shown; without it the slug")


class ParamTable(_Table):
    """An input, which conditions may ask for and texts may name."""

    title: Line | None = field(None, description="as it is shown; without it the key")
    help: Line = field("", description="one line on what it does")
    group: Line = field("Prompt", description="the heading of its group in the controls")
    kind: Kind | None = field(
        None, description="`bool`, `enum`, `int` or `text`; without it the choices or the default tell"
    )
    choices: list[Plain] = field(
        default_factory=list, max_length=50, description="the values of an `enum`, the first is the default"
    )
    default: Plain | None = field(None, description="the value unless one is set")


class GroupTable(_Table):
    """Sections in their order, each the text of a file, and what is said of all of them: front matter counts more."""

    order: list[Ordered] = field(
        description="`role` is sections/role.md, `rules.refunds` sections/rules/refunds.md, `rules.*` all of that "
        "folder, `@role` the `[[section]]` with this id"
    )
    when: str | None = field(None, description="the condition under which they are in the prompt")
    place: str | None = field(None, description="`system`, `messages` or a `[places.NAME]`; without it `system`")
    stability: Stability | None = field(None, description="as of a `[[section]]`; without it the text tells")
    opens: str | None = field(None, description='exact text before each: `"# {heading}\\n"`')
    closes: str | None = field(None, description="exact text behind each")


class PlaceTable(_Table):
    """Where sections are in the request."""

    block: Line | None = field(None, description="sections of one block are one text; without it the place's name")
    message: int | None = field(None, ge=0, le=100, description="the message's number; without it the system prompt")
    role: Literal["user", "assistant"] = field("user", description="whose message it is")
    gap: str | None = field(None, max_length=200, description="the text between two sections; without it `gap`")
    opens: str = field("", max_length=10_000, description="exact text before the first one")
    closes: str = field("", max_length=10_000, description="exact text behind the last one")


class ToolsTable(_Table):
    """The tools whose texts are files: tools/NAME.md the description, tools/NAME.json the schema."""

    groups: dict[str, list[ToolName]] = field(
        default_factory=dict, description="names of tools by the heading under which they are listed, in their order"
    )


class SectionTable(_Table):
    """A section of files elsewhere. Just one of `file` and `glob` says which; `text` is the old way."""

    id: SectionId = field(description="a name that stays: budgets, comparisons and `why` go by it")
    title: Line | None = field(None, description="as it is shown; without it the heading or the id")
    heading: Line | None = field(None, description="a line in front of the text")
    text: str | None = field(None, description="the old way: the text itself")
    file: str | None = field(None, description="a file with the text, relative to the definition")
    glob: str | None = field(None, description="files with the text, by name, each a section: `rules/*.md`")
    when: str | None = field(None, description="the condition under which it is in the prompt")
    channel: Channel = field("system", description="`system`: the system prompt, `messages`: the first message")
    stability: Stability = field(
        "session", description="how often it changes, which decides what a cache keeps: `static`, `session`, `turn`"
    )
    fill: bool | None = field(
        None, description="whether `{{name}}` stands for a value; without it in a `text` only, not in files"
    )
    trim: bool = field(True, description="`false` keeps white space around the text")


class ToolTable(_Table):
    """All tools of some files elsewhere. Just one of `file` and `glob` says which; `name` is the old way."""

    name: str | None = field(None, description="the old way: the tool's name, for one that is described here")
    description: str = field("", description="its description for the model, next to `name`")
    input_schema: dict[str, Any] | None = field(None, description="the JSON schema of its input, beside `name`")
    file: str | None = field(None, description="a JSON file with one tool or a list of them, in any usual shape")
    glob: str | None = field(None, description="several such files: `tools/*.json`")
    group: Line = field("agent", description="the heading under which it is listed")
    when: str | None = field(None, description="the condition under which it is offered")


class Definition(_Table):
    """A whole definition."""

    id: AgentId = field(description="the agent's name on the command line")
    name: Line | None = field(None, description="as it is shown; without it the id")
    version: Line = field("1", description="as it is shown")
    versions: list[Line] = field(
        default_factory=list, max_length=100, description="in its place all versions, the oldest first"
    )
    model: Line | None = field(None, description="the model unless one is chosen; it tells window and tokenizer")
    protocol: Protocol | None = field(
        None,
        description="the shape of the request: `anthropic`, `chat` (Chat Completions) or `responses`; without it "
        "`chat` for OpenAI's models, else `anthropic`",
    )
    window: int | None = field(None, ge=1, le=100_000_000, description="tokens; without it the model's")
    reserve: int = field(0, ge=0, le=100_000_000, description="tokens that are kept free for the answer")
    compact_at: int | None = field(None, ge=1, le=100_000_000, description="tokens at which the agent compacts")
    gap: str = field("\n\n", max_length=200, description="the text between two sections")
    default_mode: Slug | None = field(None, description="the mode unless one is chosen; without it the first")
    mode: list[ModeTable] = field(default_factory=list, description="`[[mode]]`: the modes")
    params: dict[str, ParamTable] = field(default_factory=dict, description="`[params.NAME]`: the inputs")
    sections: list[GroupTable] = field(default_factory=list, description="`[[sections]]`: the prompt, in its order")
    places: dict[str, PlaceTable] = field(default_factory=dict, description="`[places.NAME]`: places of sections")
    tools: ToolsTable | None = field(None, description="`[tools]`: the tools that have files of their own")
    section: list[SectionTable] = field(
        default_factory=list,
        description="`[[section]]`: sections of other files; the whole prompt without `[[sections]]`",
    )
    tool: list[ToolTable] = field(
        default_factory=list, description="`[[tool]]`: tools of other files, behind the others"
    )


TABLES: tuple[tuple[str, type[Model]], ...] = (
    ("", Definition),
    ("[[mode]]", ModeTable),
    ("[params.NAME]", ParamTable),
    ("[[sections]]", GroupTable),
    ("[places.NAME]", PlaceTable),
    ("[tools]", ToolsTable),
    ("[[section]]", SectionTable),
    ("[[tool]]", ToolTable),
)
"""The tables of a definition, as they are written."""


def reference() -> str:
    """The README's table of keys, in Markdown."""
    return "| table | key | what it says |\n|---|---|---|\n" + "".join(_rows())


def _rows() -> Iterator[str]:
    for title, table in TABLES:
        where = f"`{title}`" if title else "top"
        for name, info in table.model_fields.items():
            need = " (required)" if info.is_required() else ""
            default = "" if info.is_required() or info.get_default() in _PLAIN else _shown(info)
            yield f"| {where} | `{name}` | {info.description}{need}{default} |\n"
            where = ""


_PLAIN: tuple[Json, ...] = (None, "", [], {})


def _shown(info: Any) -> str:
    default = info.default
    words = {True: "true", False: "false"}.get(default, default) if isinstance(default, bool) else default
    return f"; `{words!r}`".replace("'", '"') if isinstance(words, str) and "\n" in words else f"; `{words}`"


def schema() -> dict[str, Json]:
    """The JSON schema of a definition, for editors that know TOML."""
    made = Definition.model_json_schema()
    return {"$id": "promptscope.agent.v1", **made}


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


class NoParams(Params):
    """Of a definition without any."""


@dataclass(frozen=True)
class _Inputs:
    """Tables, which are the same where they are written the same: 1 and true are equal otherwise."""

    written: str
    tables: Mapping[str, ParamTable] = dataclass_field(compare=False)


def params_of(tables: Mapping[str, ParamTable]) -> type[Params]:
    """The model; the same tables give the same one, so that an edit of a text makes none."""
    written = repr([(name, table.model_dump()) for name, table in tables.items()])
    return _model(_Inputs(written, tables)) if tables else NoParams


@lru_cache
def _model(inputs: _Inputs) -> type[Params]:
    fields: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for name, table in inputs.tables.items():
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
