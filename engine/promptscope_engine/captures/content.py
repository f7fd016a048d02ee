"""What a request body says, whatever its protocol: system blocks, messages, tools."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .model import Protocol


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
    first = 0
    while first < len(messages) and messages[first].role in roles:
        first += 1
    return tuple(block for message in messages[:first] for block in message.blocks), tuple(messages[first:])
