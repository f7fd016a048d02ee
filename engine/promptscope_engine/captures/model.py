"""A capture: the requests that one run of an agent made, as they were sent.

On the disk it is JSON Lines: one `Header`, a `Recorded` for each request in the order of arrival, one `End`. Each line
is an object whose `type` names it; `promptscope schema capture` describes all three.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json

SCHEMA = "promptscope.capture.v1"

Protocol = Literal["anthropic", "responses", "chat", "gemini"]
Label = Literal["main", "title", "router", "sub-agent", "memory", "count", "other"]
Grade = Literal["unredirected", "redirected", "unknown"]
Source = Literal["capture", "har", "claude-tap", "claude-trace", "lhar", "claude-session", "body", "prompt"]
Login = Literal["dummy", "kept"]


@dataclass(frozen=True)
class Fidelity:
    """How near a recorded request is to one that goes to the real service.

    `grade`: equal to an unredirected one, known to differ, or not known. `notes` say in what it differs.
    """

    grade: Grade = "unknown"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Header:
    """The first line. `agent` is an id or the name of a program; `prompt` what was typed, where the command tells.

    `login`: `dummy` where a made-up key took the place of the person's own, None where nothing was started.
    `variables`: those of the run that the agent is known to look at, without keys; None where nobody noted them.
    """

    agent: str = "unknown"
    agent_version: str | None = None
    source: Source = "capture"
    started: str | None = None
    command: tuple[str, ...] = ()
    cwd: str | None = None
    home: str | None = None
    prompt: str | None = None
    upstream: str | None = None
    login: Login | None = None
    variables: dict[str, str] | None = None
    fidelity: Fidelity = field(default_factory=Fidelity)
    type: Literal["capture"] = "capture"
    schema: str = SCHEMA


@dataclass(frozen=True)
class Usage:
    """What the service says a request took, in tokens; None where it does not say."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


@dataclass(frozen=True)
class Answer:
    """The reply to a request. `usage` is None where nobody but promptscope answered."""

    status: int
    usage: Usage | None = None


@dataclass(frozen=True)
class Recorded:
    """A request. `index` is 1-based; `path` has no key in its query; `headers` are those of the allow-list.

    `body` is the JSON as sent, apart from `masked` keys; `text` is a body that is not JSON. `bytes` is its size when
    decoded. `protocol` is None for anything that no model answers.
    """

    index: int
    method: str
    path: str
    protocol: Protocol | None
    label: Label = "other"
    time: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: Json = None
    text: str | None = None
    bytes: int = 0
    masked: int = 0
    response: Answer | None = None
    note: str = ""
    type: Literal["request"] = "request"


@dataclass(frozen=True)
class End:
    """The last line. `main` is the index of the main request; `refused` counts connections elsewhere by host.

    `exit` is the command's exit code, None if it was ended or none was started. `left_out` counts the requests that
    did not fit into the file.
    """

    outcome: str = ""
    time: str | None = None
    exit: int | None = None
    main: int | None = None
    refused: dict[str, int] = field(default_factory=dict)
    left_out: int = 0
    type: Literal["end"] = "end"


@dataclass(frozen=True)
class Capture:
    """All of it. `problems` say what of a file could not be kept, and where."""

    header: Header
    requests: tuple[Recorded, ...]
    end: End = field(default_factory=End)
    problems: tuple[str, ...] = ()

    @property
    def is_prompt(self) -> bool:
        """Whether it is a pasted system prompt: a text without tools, messages and request."""
        return self.header.source == "prompt"

    @property
    def main(self) -> Recorded | None:
        """The first main request."""
        return next((request for request in self.requests if request.label == "main"), None)

    def request(self, index: int) -> Recorded | None:
        """The request of this number."""
        return next((request for request in self.requests if request.index == index), None)


class CaptureError(ValueError):
    """A file of which nothing could be kept. `line` is 1-based, None where none is to blame."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(f"line {line}: {message}" if line else message)


class Block(Struct, frozen=True):
    """A part of a message or of the system prompt. `kind` is `text`, or what else the protocol calls it.

    `text` is what the model reads of it: a call's and a result's JSON where there is no text, nothing of an image.
    """

    text: str
    kind: str = "text"
    cache: Mapping[str, Json] | None = None


class Message(Struct, frozen=True):
    """Consecutive blocks of one role."""

    role: str
    blocks: tuple[Block, ...]


class SentTool(Struct, frozen=True):
    """A tool as it was sent. `schema` is None for one that the service itself provides; `kind` is its type.

    `deferred`: the model is given it when it searches for it. `cache`: the breakpoint behind it.
    """

    name: str
    description: str
    schema: Json
    kind: str
    deferred: bool = False
    cache: Mapping[str, Json] | None = None


class Content(Struct, frozen=True):
    """A request's text and tools in the order in which they were sent. `keys` are those of its body."""

    protocol: Protocol
    model: str | None = None
    system: tuple[Block, ...] = ()
    messages: tuple[Message, ...] = ()
    tools: tuple[SentTool, ...] = ()
    keys: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """The blocks of the system prompt, then those of the messages."""
        yield from self.system
        for message in self.messages:
            yield from message.blocks


# --- for the readers of the protocols ---------------------------------------------------------------------------------


def objects(value: Json) -> list[dict[str, Json]]:
    """The objects of a list; none of anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def word(value: Json) -> str:
    """A text; "" for anything else."""
    return value if isinstance(value, str) else ""


def cache_of(block: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The breakpoint that a block carries."""
    mark = block.get("cache_control")
    return mark if isinstance(mark, dict) else None


def leading(messages: list[Message], *roles: str) -> tuple[tuple[Block, ...], tuple[Message, ...]]:
    """The blocks of the messages that come first and are of these roles, and all other messages."""
    first = sum(1 for _ in takewhile(lambda message: message.role in roles, messages))
    return tuple(block for message in messages[:first] for block in message.blocks), tuple(messages[first:])
