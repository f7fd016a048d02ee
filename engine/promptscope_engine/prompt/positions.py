"""How many expected tokens of a request are before a place: what the cache of the service goes by.

The service caches a request from its beginning: tools, then system, then messages. Sections know what the real agent
would send (`expected_tokens`); blocks and breakpoints are of the request. Here the two meet: joined in order, the
sections of a channel are the texts of its blocks.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .model import Assembly, Section

_CHANNELS = ("system", "messages")


class Block(Struct, frozen=True):
    """A text block of the request. `at`: its channel and indices, e.g. ("messages", 0, 2); tokens are expected ones.

    `start`, `end`: its characters in the channel's joined text. `before`, `after`: tokens of the request up to it and
    with it, tools included.
    """

    at: tuple[str | int, ...]
    start: int
    end: int
    before: int
    after: int
    cache: Mapping[str, Json] | None


def tool_tokens(assembly: Assembly) -> int:
    """The tokens of the request's tools, with which every cached prefix begins."""
    return sum(tool.expected_tokens or 0 for tool in assembly.tools_beside)


def blocks(assembly: Assembly) -> tuple[Block, ...]:
    """The text blocks of system and messages, in the order of the wire."""
    found: list[Block] = []
    seen: dict[str, int] = {"system": 0, "messages": 0}
    for block in assembly.request.blocks():
        if block.field == "tools":
            continue
        channel, text = block.field, str(block.value.get("text", ""))
        start, end = seen[channel], seen[channel] + len(text)
        seen[channel] = end
        before, after = tokens_before(assembly, channel, start), tokens_before(assembly, channel, end)
        found.append(Block((channel, *block.at), start, end, before, after, block.value.get("cache_control")))
    return tuple(found)


def tokens_before(assembly: Assembly, channel: str, offset: int) -> int:
    """Tokens of the request before a character of a channel's joined text; inside of a section by its share."""
    tokens: float = tool_tokens(assembly)
    for current in _CHANNELS:
        at = 0
        for section in _present(assembly, current):
            length = sum(len(fragment.text) for fragment in section.fragments)
            part = 1.0 if current != channel or at + length <= offset else max(offset - at, 0) / max(length, 1)
            tokens += (section.expected_tokens or 0) * part
            at += length
        if current == channel:
            break
    return round(tokens)


def offset_of(assembly: Assembly, section: Section) -> int:
    """The character of its channel's joined text at which a present section begins."""
    before = 0
    for other in _present(assembly, section.channel):
        if other is section:
            break
        before += sum(len(fragment.text) for fragment in other.fragments)
    return before


def _present(assembly: Assembly, channel: str) -> Iterator[Section]:
    return (s for s in assembly.sections if s.present and s.channel == channel)


def cached_before(assembly: Assembly, channel: str, offset: int) -> int:
    """Tokens up to the last breakpoint that ends at or before a character of a channel's joined text."""
    rank = _CHANNELS.index(channel)
    cached = 0
    for block in blocks(assembly):
        here = _CHANNELS.index(str(block.at[0]))
        if block.cache is not None and (here < rank or (here == rank and block.end <= offset)):
            cached = block.after
    return cached
