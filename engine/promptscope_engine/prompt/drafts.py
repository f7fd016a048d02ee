r"""What an agent's package hands over: drafts whose parts still carry their conditions.

An agent gathers materials, then writes down its sections, tools and files with a condition on each; `assembler.py`
evaluates the conditions, counts, and makes the `Assembly`. The constructors below give text its origin, so a
section's function reads top to bottom like the section:

    yield label("====\n\nRULES\n\n")
    yield builtin("rules.base_directory", "- The project base directory is: ")
    yield environment("cwd", cwd)
    yield builtin("rules.codebase_search", "\n- …", when=CODE_INDEX)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.request import AnyRequest, without_parameters

from .conditions import ALWAYS, Condition, Facts
from .derived import Derivation
from .model import (
    Assumption,
    Channel,
    Diagnostic,
    Endpoint,
    Limit,
    Load,
    ModeChoice,
    Origin,
    Section,
    Stability,
    Stretch,
    Tool,
    Variable,
    View,
)

T = TypeVar("T", covariant=True)
U = TypeVar("U")


class LazySequence(Sequence[T]):
    """A row built on first access: most of what an agent could send is absent from a prompt."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = items

    def _made(self) -> tuple[T, ...]:
        if not isinstance(self._items, tuple):
            self._items = tuple(self._items)
        return self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())

    def __getitem__(self, index: Any) -> Any:
        return self._made()[index]


class Span(Struct, frozen=True):
    """A stretch of text of one origin, and the condition under which it is."""

    text: str
    origin: Origin
    when: Condition = ALWAYS

    def under(self, condition: Condition) -> Span:
        """The same span, guarded by one more condition."""
        return Span(self.text, self.origin, condition & self.when)


class Choice(Struct, Generic[T], frozen=True):
    """Values with their conditions: the first whose condition holds counts, else `otherwise`."""

    options: tuple[tuple[Condition, T], ...]
    otherwise: T

    def under(self, facts: Facts) -> T:
        """The value that counts."""
        return next((value for when, value in self.options if when.holds(facts)), self.otherwise)

    def each(self, make: Callable[[T], U]) -> Choice[U]:
        """The same choice among what is made of each value."""
        return Choice(tuple((when, make(value)) for when, value in self.options), make(self.otherwise))


class Place(Struct, frozen=True):
    """Where in the request a section stands: the block of the system field (`message` None), or of a message.

    Neighbours of one block are one text: `opens` is before the first present one, `gap` before each further one,
    `closes` behind the last. `ends` is behind the last present section of a `run`, neighbouring blocks of one kind,
    `between` behind each of its blocks but the last. They are those of the section in question, as exact labels. A
    message of a developer is part of the system prompt, and what a `tool` answers is part of no text.
    """

    block: str = "system"
    message: int | None = None
    role: Literal["user", "assistant", "system", "developer", "tool"] = "user"
    gap: str = ""
    opens: str = ""
    closes: str = ""
    run: str = ""
    ends: str = ""
    between: str = ""

    @property
    def channel(self) -> Channel:
        """The part of the request."""
        if self.role == "tool":
            return "tools"
        return "system" if self.message is None or self.role == "developer" else "messages"

    def joins(self, other: Place) -> bool:
        """Whether a section there and the one before it at `other` are in one block."""
        return (self.block, self.message, self.role) == (other.block, other.message, other.role)


class SectionDraft(Struct, frozen=True, weakref=True):
    """A section that may be in the prompt. `reference` is its key among the measured sizes, if it was measured.

    `edited`: an edit of the scenario changed it; `unedited` are the spans of the agent itself, if its text changed.
    `names` are the client's own, as they were learned.
    """

    id: str
    title: str | Choice[str]
    spans: Sequence[Span]
    heading: str | Choice[str] | None = None
    when: Condition = ALWAYS
    place: Place = Place()
    stability: Stability = "session"
    parent: str | None = None
    reference: str | Choice[str] | None = None
    edited: bool = False
    unedited: Sequence[Span] = ()
    names: tuple[str, ...] = ()


class ParameterDraft(Struct, frozen=True):
    """A parameter that a tool may have."""

    name: str
    required: bool = True
    when: Condition = ALWAYS


EDITED_TOOLS = "edits"
"""The group of the tools that the scenario's edits offer, whatever the agent has under their names."""


class ToolDraft(Struct, frozen=True):
    """A tool that the agent may offer. `description` is what goes into the prompt or onto the wire.

    `listed` is what the prompt says of a tool whose description goes onto the wire: such a tool costs in both places.
    `input_schema` has every parameter that a request may name; those of `parameters` that are absent are left out.
    `wire` makes what is sent of the description and the schema where that is not a name with both.
    `loaded` is what is sent of one that is only named in the prompt once the agent loads it; under the condition of
    that draft it is sent right away. `edited` and `unedited` are as of a section, of the description.
    """

    name: str
    group: str
    description: Sequence[Span]
    when: Condition = ALWAYS
    parameters: tuple[ParameterDraft, ...] = ()
    input_schema: Json | Choice[Json] = None
    variant: str | Choice[str | None] | None = None
    section: str | None = None
    reference: str | None = None
    listed: Sequence[Span] = ()
    wire: Callable[[str, Json], dict[str, Json]] | None = None
    edited: bool = False
    unedited: Sequence[Span] = ()
    server: str | None = None
    loaded: ToolDraft | None = None

    def schema(self, facts: Facts) -> Json:
        """The schema that is sent, without the parameters that are absent."""
        chosen = self.input_schema
        absent = {each.name for each in self.parameters if not each.when.holds(facts)}
        return without_parameters(chosen.under(facts) if isinstance(chosen, Choice) else chosen, absent)


DEFERRED = "deferred"
"""The variant of a tool that is not sent, and that the agent can load."""


class ServerDraft(Struct, frozen=True):
    """An MCP server that the agent knows, as `model.Server` has it; `when`: it answers, and may be used."""

    name: str
    when: Condition
    known: str = ""
    tools: int = 0
    configured: bool = True
    limits: tuple[Limit, ...] = ()


class ProgramDraft(Struct, frozen=True):
    """A hook or a mod, as `model.Program` has it; `when`: it takes part."""

    kind: Literal["hook", "mod"]
    name: str
    path: str
    when: Condition
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


class FileDraft(Struct, frozen=True, weakref=True):
    """A file that was consulted; `injected` is the text that reaches the prompt if `when` holds."""

    path: str
    real_path: str
    kind: str
    load: Load
    when: Condition
    bytes: int = 0
    raw_chars: int = 0
    injected: str = ""
    injected_chars: int | None = None
    truncated: bool = False
    imported_by: str | None = None
    limits: tuple[Limit, ...] = ()
    stretches: tuple[Stretch, ...] = ()


BY_SOURCE = "by its source, not recorded"
"""How sure a point of compaction is that was read and never seen."""


class Window(Struct, frozen=True):
    """The context window in tokens, the part the agent reserves, and where it compacts (None: nowhere that is known).

    `reported`: what the service said that a captured request took. `compaction`: why it compacts nowhere, or how sure
    the point is; "" where nothing has to be said.
    """

    size: int
    reserve: int = 0
    compact_at: int | None = None
    free_by: Literal["expected", "total"] = "expected"
    """What `free` leaves room for: the tokens that the real agent would send, or the request as it is."""
    reported: int | None = None
    compaction: str = ""
    ends_at: int | None = None
    """Where a session without compaction ends: the agent sends nothing any more; None where nobody knows."""


Layout = Callable[[Sequence[tuple[Place, Section]], Sequence[Tool]], AnyRequest]
"""The request made of the sections with a text, in order, and of the present tools."""


class Draft(Struct, frozen=True):
    """Everything an agent says about one scenario. `length` is how the agent counts a text's characters."""

    facts: Facts
    sections: tuple[SectionDraft, ...]
    tools: tuple[ToolDraft, ...]
    files: Sequence[FileDraft]
    window: Window
    layout: Layout
    diagnostics: tuple[Diagnostic, ...] = ()
    variables: tuple[Variable, ...] = ()
    views: tuple[View, ...] = ()
    derived: tuple[Derivation, ...] = ()
    assumed: tuple[Assumption, ...] = ()
    servers: tuple[ServerDraft, ...] = ()
    known: Mapping[str, tuple[str, ...]] = {}
    length: Callable[[str], int] = len
    edited: bool = False
    endpoint: Endpoint | None = None
    programs: tuple[ProgramDraft, ...] = ()

    @property
    def modes(self) -> tuple[ModeChoice, ...]:
        """The modes on offer."""
        return self.facts.modes


# --- spans, by origin ---------------------------------------------------------------------------------------------


def label(text: str, *, when: Condition = ALWAYS) -> Span:
    """An exact heading, tag, separator or short format label."""
    return Span(text, _LABEL, when)


_LABEL = Origin("label")


def builtin(fragment_id: str, text: str, *, when: Condition = ALWAYS) -> Span:
    """Our own wording of the agent's fixed prose."""
    return Span(text, _wording(fragment_id), when)


@lru_cache(maxsize=4096)  # an assembly names a thousand fragments, the next one the same
def _wording(fragment_id: str) -> Origin:
    return Origin("builtin", id=fragment_id)


def param_value(name: str, text: str, *, when: Condition = ALWAYS) -> Span:
    """A value the user set."""
    return Span(text, Origin("param", name=name), when)


def environment(name: str, text: str, *, when: Condition = ALWAYS) -> Span:
    """A fact of the machine."""
    return Span(text, Origin("environment", name=name), when)


def computed(name: str, text: str, *, when: Condition = ALWAYS) -> Span:
    """A value made from others (a number, a list of names, a path put together)."""
    return Span(text, Origin("computed", name=name), when)


def of_server(server: str, *spans: Span) -> tuple[Span, ...]:
    """The spans, as text that is there for an MCP server."""
    return tuple(Span(each.text, replace(each.origin, server=server), each.when) for each in spans)


UNPREDICTABLE = "unpredictable."
"""Before the name of a computed value that differs from run to run."""


def unpredictable(name: str, sample: str, *, when: Condition = ALWAYS) -> Span:
    """A value that nobody can predict (an id, a hash, a clock): `sample` has its form."""
    return computed(f"{UNPREDICTABLE}{name}", sample, when=when)


def file_text(path: str, text: str, start_line: int, *, when: Condition = ALWAYS) -> Span:
    """A verbatim stretch of a file that begins on the 1-based `start_line`."""
    end = start_line + text.count("\n")
    return Span(text, Origin("file", path=path, start_line=start_line, end_line=end), when)


def trimmed_file(path: str, whole: str, trimmed: str, *, when: Condition = ALWAYS) -> Span:
    """A file's text after the agent's trimming; `trimmed` is a stretch of `whole`."""
    # Mostly there is nothing to trim at the start, and to search for a long text takes long.
    before = 0 if whole.startswith(trimmed) else whole.count("\n", 0, whole.find(trimmed))
    return file_text(path, trimmed, 1 + before, when=when)


def traced_lines(path: str, whole: str, value: str, first_line: int, name: str) -> Iterator[Span]:
    """A value parsed out of a file (a YAML scalar), line by line: lines found verbatim keep their file:line.

    The parser folds, unindents and cleans, so each line is looked for from `first_line` on; what is not found
    verbatim is `computed` under `name`.
    """
    lines = whole.split("\n")
    at = first_line - 1
    for number, line in enumerate(value.split("\n")):
        if number:
            yield computed(name, "\n")
        if not line:
            continue
        found = next((n for n in range(at, len(lines)) if line in lines[n]), None)
        if found is None:
            yield computed(name, line)
        else:
            at = found
            yield file_text(path, line, found + 1)


def guarded(spans: Iterable[Span], condition: Condition) -> Iterable[Span]:
    """The spans, each guarded by one more condition. Neighbours that shared a condition share the new one too."""
    if condition is ALWAYS:
        return spans
    found: list[Span] = []
    before: Condition = ALWAYS
    both = condition
    for span in spans:
        if span.when is not before:
            before, both = span.when, condition & span.when
        found.append(Span(span.text, span.origin, both))
    return found
