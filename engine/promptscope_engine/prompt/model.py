"""What is answered: an `Assembly` and its parts, as frozen structs.

`to_dict()` gives the JSON shape that CONTRACT promises (`promptscope.assembly.v1`). Nothing here decides anything;
see `conditions.py` for why a part is present and `assembler.py` for how the parts are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from math import isfinite
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.option import written
from promptscope_engine.wire.request import AnyRequest

SCHEMA = "promptscope.assembly.v1"

Channel = Literal["system", "messages", "tools"]
OriginKind = Literal["builtin", "label", "file", "param", "environment", "computed", "learned", "sent", "edit"]
Stability = Literal["static", "session", "turn"]
Confidence = Literal["exact", "stand-in", "estimated"]
Load = Literal["always", "conditional", "on-demand", "import"]
Severity = Literal["error", "warning", "info"]
Op = Literal["all", "any", "not", "flag", "mode", "tool", "file", "mcp", "version", "model"]


class Origin(Struct, frozen=True):
    """Where a stretch of text comes from. Only the fields of its kind are set.

    builtin: `id` of our wording of the agent's fixed prose · label: an exact heading, tag or separator ·
    file: `path` (as `SourceFile.path`; a relative one is below the workspace) and 1-based inclusive lines ·
    param, environment, computed: `name` · learned: the agent's own wording in the place of ours, with its `id`,
    in `name` in how many runs it was seen, and in `variant` the digest of our text · sent: text of a captured request
    that is in no file · edit: text of the scenario's edit number `index`, counted from 0. `server`, of any kind: it is
    there for that MCP server, and would go with it.
    """

    kind: OriginKind
    id: str | None = None
    name: str | None = None
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    index: int | None = None
    server: str | None = None
    variant: str | None = None


class Lever(Struct, frozen=True):
    """One switch to set: `param` is a dotted name below `params`, or `mode`, `model`, `agent_version`."""

    param: str
    value: Json

    @property
    def option(self) -> str:
        """The option that sets it on a command line, quoted for a shell."""
        return written(self.param, self.value)


class Assumption(Struct, frozen=True):
    """What was assumed since nothing says otherwise: one word or a few, and the switches for the opposite."""

    text: str
    otherwise: tuple[Lever, ...]


class SettingSource(Struct, frozen=True):
    """What a person edits to change a setting. `key` is dotted, as in the file at `path` (None: not from a file).

    `shown` is the path as a sentence has it (`~/…`). `line` is 1-based, None where the file lacks the key (then
    `is_set` is False) or the line is not certain. `overlay` is the param that simulates the edit, None if no
    switch does.
    """

    key: str
    path: str | None = None
    shown: str = ""
    line: int | None = None
    is_set: bool = True
    overlay: str | None = None

    @property
    def place(self) -> str:
        """`in ~/x.json:12`, `not set in ~/x.json`, or "" for a setting that comes from no file."""
        return self._placed("", "not set ") if self.shown else ""

    @property
    def remedy(self) -> str:
        """What a person does where no switch simulates it."""
        return self._placed(f"edit `{self.key}` ", f"set `{self.key}` ") if self.shown else f"change `{self.key}`"

    def _placed(self, there: str, missing: str) -> str:
        where = f"{self.shown}:{self.line}" if self.line else self.shown
        return f"{there if self.is_set else missing}in {where}"


class Verdict(Struct, frozen=True):
    """A node of an evaluated condition. `text` states what is the case, whatever was wanted.

    `source` is the setting behind a leaf; `remedy` what would change a leaf that no switch changes. Where another file
    takes a file's place, or brings it in, the leaf's op is `file` and `actual` is the other one's path.
    """

    op: Op
    name: str
    wanted: Json
    actual: Json
    ok: bool
    text: str
    children: tuple[Verdict, ...] = ()
    source: SettingSource | None = None
    remedy: str = ""


@dataclass(frozen=True)
class Reason:
    """Why something is there or not: a line to read, the tree behind it, and what to set together to flip it.

    `condition` is None where nothing decides. `remedy` says what would flip it where no lever does, "" otherwise.
    """

    # Factories, not defaults: a default would be a class attribute, and __getattr__ would never be asked.
    text: str
    condition: Verdict | None = field(default_factory=lambda: None)
    levers: tuple[Lever, ...] = field(default_factory=tuple)
    remedy: str = field(default_factory=str)

    @classmethod
    def later(cls, ok: bool, make: Callable[[], Reason]) -> Reason:
        """A reason whose verdict is known and whose words are made when someone first reads one of them."""
        reason = object.__new__(cls)
        reason.__dict__.update(_ok=ok, _make=make)
        return reason

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        make = own.get("_make")
        if make is not None and not name.startswith("__"):
            made: Reason = make()  # by two threads at once, if they ask at once: it goes away when all is there
            own.update(text=made.text, condition=made.condition, levers=made.levers, remedy=made.remedy)
            own.pop("_make", None)
        if name not in own:
            raise AttributeError(name)
        return own[name]

    @property
    def ok(self) -> bool:
        """Whether it speaks of something present."""
        known: bool | None = self.__dict__.get("_ok")
        return (self.condition is None or self.condition.ok) if known is None else known

    @property
    def because(self) -> str:
        """The line without the word that says whether it is there."""
        return self.text.removeprefix("present: ").removeprefix("absent: ")


class Fragment(Struct, frozen=True):
    """A stretch of text with one origin. `why` is None where it is unconditionally in its section."""

    text: str
    origin: Origin
    why: Reason | None = None


class AbsentFragment(Struct, frozen=True):
    """A stretch that a section could have and lacks; `at` is the index in `fragments` before which it would be."""

    text: str
    origin: Origin
    why: Reason
    at: int


class Section(Struct, frozen=True):
    """A part of the prompt, present or not, at the place where it is or would be.

    `parent` is the id of the section it is nested in (shown only; the text of a parent does not hold its children's).
    `tokens`, `expected_tokens` are None only in an assembly made with `cached_only` and nothing in the cache.
    `edited`: an edit of the scenario changed its text or its place, put it in or took it out. `names` are what the
    client itself calls it, as it was learned (docs/learn.md#names-of-sections).
    """

    id: str
    title: str
    heading: str | None
    channel: Channel
    present: bool
    why: Reason
    stability: Stability
    tokens: int | None
    expected_tokens: int | None
    chars: int
    confidence: Confidence
    reference_tokens: int | None
    fragments: tuple[Fragment, ...]
    absent: tuple[AbsentFragment, ...] = ()
    parent: str | None = None
    edited: bool = False
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the section."""
        return "".join(fragment.text for fragment in self.fragments)

    def expected_of(self, tokens: int | None) -> int | None:
        """The tokens of a part of its text as the agent sends it: a stand-in weighs what the real wording does."""
        if tokens is None or not self.tokens or not self.expected_tokens:
            return tokens
        return round(tokens * self.expected_tokens / self.tokens)


class Parameter(Struct, frozen=True):
    """A tool's parameter; one that is absent because a gate is closed has `present` False and its reason."""

    name: str
    required: bool
    present: bool = True
    why: Reason | None = None


class ToolTokens(Struct, frozen=True):
    """What a tool costs in the prompt's text and in the request's `tools` field.

    `loaded`: what it would add once the agent loads it; None for one that isn't deferred, or isn't counted yet.
    """

    prompt: int | None
    schema: int | None
    expected: int | None
    loaded: int | None = None


class Tool(Struct, frozen=True):
    """A tool of the agent, present or not. `section` is the section that holds its description, if one does.

    `parameters` are those the model is told about, `absent_parameters` those that a closed gate keeps from it.
    `edited`: an edit of the scenario changed it, put it in or took it out.
    """

    name: str
    group: str
    present: bool
    why: Reason
    description: str
    input_schema: Json
    parameters: tuple[Parameter, ...]
    variant: str | None
    tokens: ToolTokens
    confidence: Confidence
    reference_tokens: int | None
    section: str | None = None
    absent_parameters: tuple[Parameter, ...] = ()
    learned: bool = False
    """Whether description and schema are the agent's own wording, learned on this machine."""
    learned_from: Origin | None = None
    """Where the first learned text in it is from; None if there is none."""
    edited: bool = False
    server: str | None = None
    """The MCP server whose tool it is."""
    waits: Reason | None = None
    """Of one that is present but only named in the prompt: why it isn't sent until the agent loads it, and levers."""

    @property
    def expected_tokens(self) -> int | None:
        """The tokens that the real agent would send."""
        return self.tokens.expected


class ServerTokens(Struct, frozen=True):
    """What an MCP server costs: its `text` in sections of the prompt (instructions, names of tools), its `tools`.

    `deferred` is what those of its tools would take that are loaded when the agent asks for them. They are not sent.
    """

    text: int | None
    tools: int | None
    deferred: int | None

    @property
    def expected(self) -> int | None:
        """What of the prompt is there for the server."""
        return None if self.text is None or self.tools is None else self.text + self.tools


class Server(Struct, frozen=True):
    """An MCP server of the agent. `present`: it answers, and may be used here.

    `known` says where it is known from what it offers, "" where nobody has asked it. `tools` are those that it offers,
    of which `deferred` are loaded when the agent asks for them. One that is not `configured` is another agent's. What
    is wanted of `limits` is 0 where nobody knows how long its texts are.
    """

    name: str
    present: bool
    why: Reason
    known: str
    tools: int
    deferred: int
    tokens: ServerTokens
    configured: bool = True
    limits: tuple[Limit, ...] = ()


class Limit(Struct, frozen=True):
    """A limit that the agent holds against a file or a server: its name, what it allows, what there was to fit in."""

    name: str
    allowed: int
    wanted: int


class Stretch(Struct, frozen=True):
    """A stretch of a truncated file: 1-based lines, characters as the agent counts them, and whether it was kept.

    `partial_start`, `partial_end`: it begins or ends within a line, whose other part belongs to the neighbour.
    """

    start_line: int
    end_line: int
    chars: int
    kept: bool
    partial_start: bool = False
    partial_end: bool = False


def texts_of(sections: Iterable[Section]) -> list[str]:
    """The texts that sections are joined of."""
    return [fragment.text for section in sections for fragment in section.fragments]


class SourceFile(Struct, frozen=True):
    """A file that was consulted, in load order. `present`: it counts in this prompt. Sizes as CONTRACT defines them.

    `limits` are those that apply to it; `stretches` are all of a truncated file's text in order, () for others.
    `times`: how often the prompt has its text; `injected_chars` and `tokens` are those of all copies.
    """

    path: str
    real_path: str
    kind: str
    load: Load
    present: bool
    why: Reason
    bytes: int
    raw_chars: int
    injected_chars: int
    truncated: bool
    tokens: int | None
    imported_by: str | None = None
    limits: tuple[Limit, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    times: int = 1


ProgramKind = Literal["hook", "mod"]


class Program(Struct, frozen=True):
    """A program of the person's or a stranger's that the agent runs and that may write to the prompt.

    hook: a command that is run on an `event` whose subject `matcher` fits ("": all), configured in `path` at `line`;
    `adds` is what of its output reaches the prompt ("": nothing) · mod: a module of a plugin at `path`, loaded into the
    agent, which hooks `events`; `order` is its place from the outermost, from 1.
    `name` is what a person knows it by: a command, a plugin's id, which is `id` as well. `source` is whose it is.
    `covers`: what a mod may rewrite or drop, as patterns of `CHANNEL:SECTION`, `tool:NAME` and `file:KIND`; one that
    begins with - is excepted. `digest` is that of a mod's text, with the local files that it imports.
    `present`: it takes part.
    """

    kind: ProgramKind
    name: str
    path: str
    present: bool
    why: Reason
    source: str = ""
    line: int | None = None
    event: str = ""
    matcher: str = ""
    adds: str = ""
    events: tuple[str, ...] = ()
    order: int | None = None
    id: str = ""
    covers: tuple[str, ...] = ()
    digest: str = ""


class Diagnostic(Struct, frozen=True):
    """Something the user should know: never a crash, always a place where one is known.

    `tokens`: those that are lost or at risk, None where no figure applies.
    """

    severity: Severity
    code: str
    message: str
    path: str | None = None
    line: int | None = None
    tokens: int | None = None

    @property
    def place(self) -> str:
        """`path:line`, `path`, or "" for what is about no file."""
        return f"{self.path or ''}{f':{self.line}' if self.line else ''}"


OVERFULL = "window-too-small"
"""The code of the diagnostic on a first request that does not fit its window."""


class TokenSummary(Struct, frozen=True):
    """The budget. `total` counts the request as it is, `expected` what the real agent would send.

    `expected` is the total of a prompt wherever one is shown: the sum of the expected tokens of its present sections
    and of those of its tools that no section describes, also by channel. `by_channel` adds up to `total`.
    `band` bounds `expected` where the tokenizer is an estimate (low, high); `compact_at` is None if it is not known
    that the agent compacts, and `compaction` says why, or how sure the point is; at `ends_at` a session ends that is
    never compacted (None: not known, or it is compacted); all in tokens. Counts are None only
    with `cached_only`. `reported`: what the service said that a captured request took, what it read from its cache and
    wrote to it included; None where nobody said it.
    """

    tokenizer: str
    exact: bool
    total: int | None
    expected: int | None
    band: tuple[int, int] | None
    by_channel: dict[str, int | None]
    window: int
    reserve: int
    compact_at: int | None
    free: int | None
    expected_by_channel: dict[str, int | None] = {}
    reported: int | None = None
    compaction: str = ""
    ends_at: int | None = None


class FileLimit(Struct, frozen=True):
    """The only files that a mode may edit: those whose path `pattern`, a regular expression of JavaScript, matches.

    `description` is the author's word for them, None without one. `tools` are held to it. `source` is where it is
    written, None for a built-in mode.
    """

    pattern: str
    description: str | None = None
    tools: tuple[str, ...] = ()
    source: SettingSource | None = None


class ModeChoice(Struct, frozen=True):
    """A mode that the agent offers here: built in, or from a file.

    `edits_only`: which files it may edit, None if nothing is said.
    """

    slug: str
    name: str
    groups: tuple[str, ...] = ()
    source: str = "built in"
    edits_only: FileLimit | None = None


class Variable(Struct, frozen=True):
    """An environment variable that is set and that the agent reads. `source` has no path if the process set it."""

    name: str
    value: str
    source: SettingSource


class View(Struct, frozen=True):
    """Another prompt of the same session, as a sub-agent's: `lever` shows it.

    `section` and `path` are the section and the file that tell about it; `path` is None for what is built in.
    """

    title: str
    lever: Lever
    section: str
    path: str | None = None


class DerivedParam(Struct, frozen=True):
    """An input that the agent computes from others: `value` is in force, `computed` is what the agent makes of them.

    `why` is the arrow from the others to `computed`; `overridden`: it was set by hand, whatever the agent computes.
    """

    param: str
    value: Json
    computed: Json
    overridden: bool
    why: Reason


class Endpoint(Struct, frozen=True):
    """Where a request goes, and what decides that. `url` is empty if nobody knows; `{…}` is known at run time."""

    method: str
    url: str
    why: str


class Assembly(Struct, frozen=True, dict=True):
    """The whole answer for one scenario. `edited`: the scenario's `edits` took part."""

    agent: str
    agent_version: str
    mode: str | None
    model: str | None
    workspace: str
    home: str
    sections: tuple[Section, ...]
    tools: tuple[Tool, ...]
    files: tuple[SourceFile, ...]
    request: AnyRequest
    tokens: TokenSummary
    diagnostics: tuple[Diagnostic, ...] = ()
    modes: tuple[ModeChoice, ...] = ()
    variables: tuple[Variable, ...] = ()
    views: tuple[View, ...] = ()
    derived: tuple[DerivedParam, ...] = ()
    assumed: tuple[Assumption, ...] = ()
    known: Mapping[str, tuple[str, ...]] = {}
    """Names that were found for a param to choose from, by its dotted name."""
    servers: tuple[Server, ...] = ()
    programs: tuple[Program, ...] = ()
    """Hooks and mods, in the order of their files."""
    learned: bool = False
    """Whether wording learned on this machine took part."""
    learned_version: str | None = None
    """The version that was learned on this machine and is shown, modelled or not; None where none took part."""
    edited: bool = False
    endpoint: Endpoint | None = None
    """Where the request goes; None where that is not modelled."""
    schema: str = SCHEMA

    @property
    def shown_version(self) -> str:
        """The version that is shown: a learned one, else the modelled one that was used."""
        return self.learned_version or self.agent_version

    def with_diagnostics(self, diagnostics: tuple[Diagnostic, ...]) -> Assembly:
        """The same with other diagnostics; a request that nobody asked for yet is not laid out for that."""
        return replace(self, diagnostics=diagnostics)

    def to_dict(self) -> dict[str, Json]:
        """The assembly as JSON values, keys as in CONTRACT."""
        plain = to_json(self)
        return {"schema": plain.pop("schema"), **plain}

    def derivation(self, param: str) -> DerivedParam | None:
        """What the agent makes of an input; None of one that it does not compute."""
        return next((each for each in self.derived if each.param == param), None)

    def section(self, section_id: str) -> Section | None:
        """The section with this id."""
        return self._by_id.get(section_id)

    def server(self, name: str) -> Server | None:
        """The MCP server of this name."""
        return next((each for each in self.servers if each.name == name), None)

    def children(self, section_id: str) -> Iterator[Section]:
        """The sections nested in one."""
        return iter(self._children.get(section_id, ()))

    def family(self, section: Section) -> Iterator[Section]:
        """A section, then everything nested in it, in order."""
        yield section
        for child in self.children(section.id):
            yield from self.family(child)

    @cached_property
    def _by_id(self) -> dict[str, Section]:
        return {section.id: section for section in reversed(self.sections)}  # the first of an id counts

    @cached_property
    def _children(self) -> dict[str | None, list[Section]]:
        found: dict[str | None, list[Section]] = {}
        for section in self.sections:
            found.setdefault(section.parent, []).append(section)
        return found

    @property
    def tools_beside(self) -> tuple[Tool, ...]:
        """The present tools that no section describes: they are sent in the request's own field."""
        return tuple(tool for tool in self.tools if tool.present and tool.section is None)

    def shortened(self, text: str) -> str:
        """A title or a sentence with its paths shortened."""
        for folder, short in ((self.workspace, ""), (self.home, "~/")):
            if base := folder.rstrip("/"):
                text = text.replace(base + "/", short)
        return text

    @property
    def system_text(self) -> str:
        """The whole system prompt."""
        return "".join(s.text for s in self.sections if s.present and s.channel == "system")


def when_asked(lay_out: Callable[[], AnyRequest]) -> AnyRequest:
    """An assembly's request that is laid out when it is first asked for.

    Most uses of an assembly do without it, and for thousands of files it takes longer than everything else after a
    save.
    """
    return cast(AnyRequest, _Later(lay_out))


class _Later:
    """A request that is laid out once, for all copies of an assembly."""

    def __init__(self, lay_out: Callable[[], AnyRequest]) -> None:
        self._lay_out = lay_out

    @cached_property
    def made(self) -> AnyRequest:
        return self._lay_out()

    def __eq__(self, other: object) -> bool:
        return self.made == (other.made if isinstance(other, _Later) else other)

    __hash__ = None  # type: ignore[assignment]


def _request(assembly: Assembly, given: Callable[[Assembly], Any] = Assembly.__dict__["request"].__get__) -> AnyRequest:
    """The attribute `request` of an assembly, which may have been given as `_Later`."""
    value = given(assembly)
    return cast(AnyRequest, value.made if isinstance(value, _Later) else value)


setattr(Assembly, "request", property(_request))  # noqa: B010 - set within the class it would be the field's default


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The fields of a struct or a dataclass, in their order; () for other types."""
    if issubclass(kind, Struct):
        return kind.__struct_fields__
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()


def to_json(value: object) -> Json:
    """Structs, dataclasses, tuples and mappings as JSON values; an `Origin` drops the fields that are not of its kind.

    A number without an end, which a settings file may hold (`1e999`), is null, as JavaScript writes it. Values that are
    one object become one mapping, as reasons that many parts share: nobody may change what is answered.
    """
    return _plain(value, {})


_PLAIN = frozenset((str, int, bool, type(None)))
"""What is JSON already: most of the tens of thousands of values of an assembly."""


def _plain(value: Any, known: dict[int, tuple[object, Json]]) -> Json:
    """`known`: what was made of structs and dataclasses, by their identity."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is float:
        return value if isfinite(value) else None
    if names := field_names(kind):
        found = known.get(id(value))
        if found is None:
            parts = {name: getattr(value, name) for name in names}
            made = {name: part if type(part) in _PLAIN else _plain(part, known) for name, part in parts.items()}
            if kind is Origin:
                made = {name: part for name, part in made.items() if part is not None}
            known[id(value)] = found = (value, made)
        return found[1]
    if issubclass(kind, dict):
        return {str(name): _plain(part, known) for name, part in value.items()}
    if issubclass(kind, (list, tuple)):
        return [part if type(part) in _PLAIN else _plain(part, known) for part in value]
    return value
