"""What was gathered: the parameters of the prompt's builder, and values with what decided them."""

import unicodedata
from collections.abc import Iterable, Mapping
from types import SimpleNamespace

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.kit.sessions.earlier import Said
from promptscope_engine.agents.kit.text.params import choices_of
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.params import CHANNELS, OpenClawParams, PromptParams
from promptscope_engine.agents.openclaw.texts import NEWER
from promptscope_engine.agents.openclaw.tool_policy import Offer
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.model import Lever, Origin, OriginKind
from promptscope_engine.prompt.sourced import Sourced

NAMES = tuple(PromptParams.model_fields)


_MINIMAL = ("sub-agent", "cron")
"""The kinds of sessions with a minimal prompt; up to 2026.2.24 the first alone."""


class Parameter(Struct, frozen=True):
    """A value passed to the builder, None if it is not passed; `because` holds while it is passed."""

    value: Json
    origin: Origin
    because: Condition = ALWAYS

    @property
    def shown(self) -> Span:
        """The value as a span of this origin, present if there is one."""
        return Span(str(self.value or ""), self.origin, self.because)


def parameter(value: Json, name: str, kind: OriginKind = "param", because: Condition = ALWAYS) -> Parameter:
    """A parameter whose origin is `name`."""
    return Parameter(value, Origin(kind, name=name), because)


def of_setting(known: Sourced[Json], example: Json, empty: Json = None) -> Parameter:
    """A setting passed on. `example` is what a lever sets while there is none, `empty` what takes it away."""
    return parameter(known.value, known.source.key, because=known.is_given(example, empty))


def literal(text: str) -> str:
    """A path as it may be in a prompt: without control and format characters and line separators."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") and c not in "\u2028\u2029")


class Prompt(Struct, frozen=True):
    """The parameters: what was gathered, and what the scenario passes in its place (null takes one away)."""

    gathered: Mapping[str, Parameter]
    passed: Mapping[str, Json]

    def passes(self, name: str) -> bool:
        """Whether the scenario decides the parameter."""
        return name in self.passed

    def parameter(self, name: str) -> Parameter:
        """The parameter in force."""
        if name in self.passed:
            return parameter(self.passed[name], f"promptParams.{name}", because=self._is_passed(name))
        return self.gathered.get(name) or parameter(None, f"promptParams.{name}", because=self._is_passed(name))

    def cause(self, name: str, gathered: Condition | None = None) -> Condition:
        """What decides whether there is a value: the scenario, else `gathered`."""
        return self.parameter(name).because if gathered is None or name in self.passed else gathered

    def has(self, name: str, value: Json, gathered: Condition) -> Condition:
        """The parameter has the value."""
        return equals(f"promptParams.{name}", value) if name in self.passed else gathered

    def _is_passed(self, name: str) -> Condition:
        key, value = f"promptParams.{name}", self.value(name)
        example = next(
            (choice for choice in choices_of(OpenClawParams).get(key, ()) if choice not in (None, False)), None
        )
        seen = self.texts(name) if name in ("ownerNumbers", "toolNames") else value
        there = bool(self.text(name) if isinstance(value, str) else seen)
        no = f"`{key}` is {'empty' if value is not None else 'null' if name in self.passed else 'not passed'}"
        return Fact(
            "flag", key, there, f"`{key}` is passed", no,
            on=(Lever(key, example),) if example is not None else None, off=(Lever(key, None),),
            remedy=f"leave `{key}` out of the scenario" if name in self.gathered else f"`--set {key}=TEXT`",
        )  # fmt: skip

    def value(self, name: str) -> Json:
        """The value, None if it is not passed."""
        if name in self.passed:
            return self.passed[name]
        found = self.gathered.get(name)
        return None if found is None else found.value

    def text(self, name: str) -> str | None:
        """The trimmed text, None if it is blank or not passed."""
        value = self.value(name)
        return (js_trim(value) or None) if isinstance(value, str) else None

    def texts(self, name: str) -> list[str]:
        """The trimmed texts of a list, blank ones dropped."""
        value = self.value(name)
        items = value if isinstance(value, list) else []
        return [text for item in items if isinstance(item, str) and (text := js_trim(item))]

    def object(self, name: str) -> Mapping[str, Json]:
        """The value if it is an object, else an empty one."""
        return mapping(self.value(name))

    def says(self, name: str, text: str) -> Span:
        """A stretch of the parameter's text, with its origin."""
        return Span(text, self.parameter(name).origin)

    def spans(self, name: str, gathered: Iterable[Span] | None = None) -> tuple[Span, ...]:
        """The trimmed text of the parameter; `gathered` is written where the scenario passes none."""
        if gathered is not None and name not in self.passed:
            return tuple(gathered)
        text = self.text(name)
        return () if text is None else (self.says(name, text),)


KEY_PARTS = 3
"""Parts that the key of a session has at least: `agent:ID:REST`, and `CHANNEL:group:ID` of a group in its rest."""


class Session(Struct, frozen=True):
    """A parsed session key. `agent_id` is None where it names no agent; `rest` is what follows `agent:<id>:`."""

    key: str
    agent_id: str | None
    rest: str

    @property
    def is_subagent(self) -> bool:
        """`subagent:…`, or the same behind an agent's id, in any case."""
        return self.key.lower().startswith("subagent:") or self.rest.lower().startswith("subagent:")

    @property
    def is_cron(self) -> bool:
        """`agent:<id>:cron:…` only: a bare `cron:x` is no cron session."""
        return self.rest.lower().startswith("cron:")

    @property
    def depth(self) -> int:
        """How many sub-agents deep: `:subagent:` counted, so a bare `subagent:x` is at depth 0."""
        return self.key.lower().count(":subagent:")

    @property
    def kind(self) -> str:
        """One word for a person: sub-agent, cron, group, thread, direct or main."""
        parts = self.rest.lower().split(":")
        if self.is_subagent:
            return "sub-agent"
        if self.is_cron:
            return "cron"
        if "thread" in parts:
            return "thread"
        if "group" in parts or "channel" in parts:
            return "group"
        return "direct" if "direct" in parts else "main"

    @property
    def channel(self) -> str:
        """The channel that the key names: `agent:main:telegram:group:7`; "" of any other session."""
        first, *rest = self.rest.lower().split(":")
        is_chat = not {*rest[:2]}.isdisjoint(("direct", "group", "channel")) or (rest and first in CHANNELS)
        return first if is_chat and not self.is_subagent and not self.is_cron else ""

    def mode(self, version: str) -> str:
        """`minimal` for sub-agents, from 2026.9 on for cron sessions too, else `full`; never `none`."""
        return "minimal" if self.kind in (_MINIMAL if version >= NEWER else _MINIMAL[:1]) else "full"


# --- bootstrap files --------------------------------------------------------------------------------------------------


class Entry(Struct, frozen=True):
    """A bootstrap file. `path` is what the prompt shows, `source` where the text was read (None: a stand-in)."""

    name: str
    path: str
    content: str | None
    when: Condition
    source: str | None = None
    real_path: str = ""
    bytes: int = 0
    withheld: bool = False
    """Whether it is left out here, and not by OpenClaw."""
    absence: str = "no such file"
    """Why there is no text, or why it is not the file's, as a clause."""
    refused: bool = False
    """Whether a file is there that OpenClaw does not read: `content` is what it says instead."""
    whole: str | None = None
    """The file's own text, where `content` is made of it."""

    @property
    def stands_in(self) -> bool:
        """Whether a marker stands in for the file."""
        return self.missing or self.refused

    @property
    def missing(self) -> bool:
        """Whether the file does not exist."""
        return self.content is None and not self.withheld


class Excerpt(Struct, frozen=True):
    """A stretch of an injected text: units `start..end` of the file's text, or, without them, words of the agent's."""

    text: str
    start: int | None = None
    end: int | None = None
    of_file: bool = False
    """Its lines are of the file, though not together."""


class Injection(Struct, frozen=True):
    """What became of a file: no parts, nothing injected. `used`: the total before it.

    `kept`: head, tail and length; of a digest the policy in second place.
    """

    parts: tuple[Excerpt, ...] = ()
    reached: bool = True
    kept: tuple[int, ...] | None = None
    clamped: bool = False
    lost: bool = False
    used: int = 0

    @property
    def is_cut(self) -> bool:
        """It has no room, or not all of it has."""
        return self.lost and (self.kept is not None or not self.reached)

    @property
    def text(self) -> str:
        """The text as it is sent."""
        return "".join(part.text for part in self.parts)

    @property
    def chars(self) -> int:
        """UTF-16 units of what is sent."""
        return sum(utf16_len(part.text) for part in self.parts)


WHOLE = "injected whole"


class Context(Struct, frozen=True):
    """A file of Project Context with what is injected of it (`amount` in words); `why` is false where nothing is.

    `stretches` are the injected parts and those that were cut out between them, each with the reason why a lost one
    is not there (None: it is kept).
    """

    entry: Entry
    injection: Injection
    why: Condition
    amount: str
    stretches: tuple[tuple[Excerpt, Condition | None], ...] = ()

    def said_of(self, when: Condition) -> Condition:
        """The condition; what became of the file is its sentence, unless the file is injected whole."""
        return when if self.amount == WHOLE else Named("file", self.entry.path, when, self.amount)


Answers = SimpleNamespace
"""What is known of one matter, under the names by which texts ask for it: conditions, spans and parameters."""


class Materials(Struct, frozen=True):
    """Everything that sections and tools are written from."""

    version: str
    settings: SettingLevers
    session: Session
    prompt: Prompt
    date: str | None
    offers: tuple[Offer, ...]
    offered: Mapping[str, Condition]
    """Why a tool is there or not, by its lower-cased name; several tools may differ in case."""

    contexts: tuple[Context, ...]
    """The bootstrap files, those without text too."""
    limits: tuple[int, int]
    """The characters that a bootstrap file may have, and all of them together."""
    skills: tuple[Span, ...]
    has_skills: Condition
    bootstrapping: Condition
    """BOOTSTRAP.md is there."""
    speech: Answers
    """Spoken replies: `auto` is off, always, inbound or tagged, `length` the most characters."""
    chat: Answers
    """The channel of the message, or the one that a lever sets, and what it brings along."""
    reactions: Answers
    """Whether the channel is told about reactions, how freely, and its display name."""
    heartbeat: Answers
    """The prompt of a heartbeat: one that is configured, else the built-in one for the default agent."""
    sandbox: Answers
    """What the prompt is told about it; `inside`: the container's folder is shown in place of the host's."""
    runtime: tuple[tuple[str, Parameter], ...]
    """The parts of the runtime line, by name."""
    hashed: Condition
    """Owners are shown hashed."""
    citations_off: Condition
    message: str
    """The drafted message, "" for none."""
    more: Mapping[str, object]
    """What texts of 2026.9 ask for besides, by name."""
    api: str
    """The protocol of the request."""
    window: int | None
    """The model's window in tokens, as far as the catalog says."""
    row_chars: int | None
    """The longest description in the directory of the tools that wait, None if there is no directory."""
    rows: int
    """The rows that it has room for."""
    boundary: str | None
    """The file that moves the boundary of the two parts, as it contains it."""
    history: tuple[Said, ...]
    session_file: str
