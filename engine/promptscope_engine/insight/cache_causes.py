"""What made a cache miss, as far as two requests show it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from promptscope_engine.captures.model import Recorded
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Channel

CACHING: dict[str, Any] = tomllib.loads(Path(__file__).with_name("caching.toml").read_text("utf-8"))
_CHANGING = re.compile(
    r"\d+|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|[ap]m)\b",
    re.IGNORECASE,
)
_SHOWN, _VALUE = 3, 60
"""Names that are told, and characters of a value."""
CHANNELS: tuple[Channel, ...] = ("tools", "system", "messages")
"""In the order in which a service reads them."""


Change = Literal["shorter", "conversation", "put in", "left out", "changed"]


class CacheCause(Struct, frozen=True):
    """A cause: its `kind` in a word, and a sentence."""

    kind: str
    says: str


class Unit(Struct, frozen=True):
    """A tool, a block of the system prompt, or one of a message.

    `id` is as in an observed prompt, `name` the tool's or the role, `mark` the breakpoint behind it.
    """

    channel: Channel
    id: str
    name: str
    kind: str
    text: str
    mark: Mapping[str, Json] | None

    @property
    def content(self) -> tuple[str, ...]:
        """What a service reads of it."""
        return self.channel, self.name, self.kind, self.text


class Pair:
    """Two requests in units: `ones` of the first, `others` of the second."""

    def __init__(
        self, before: Recorded, after: Recorded, ones: Sequence[Unit], others: Sequence[Unit], seconds: float | None
    ) -> None:
        self.before, self.after, self.ones, self.others, self.seconds = before, after, ones, others, seconds
        self.protocol = before.protocol or "anthropic"

    @cached_property
    def parting(self) -> int | None:
        """The first unit that differs; None where the second begins with all of the first."""
        for at, one in enumerate(self.ones):
            if at >= len(self.others) or self.others[at].content != one.content:
                return at
        return None

    def change(self, at: int) -> Change:
        """What the difference at a place is: the second ends there, has a unit more or less, or another text."""
        if at >= len(self.others):
            return "shorter"
        one, other = self.ones[at], self.others[at]
        earlier, later = ({unit.content for unit in units[at:]} for units in (self.ones, self.others))
        is_first = at == next((n for n, unit in enumerate(self.ones) if unit.channel == "messages"), -1)
        if is_first and not earlier & later:
            return "conversation"
        if one.content in later:
            return "put in"
        return "left out" if other.content in earlier or one.content[:3] != other.content[:3] else "changed"

    @property
    def marks(self) -> list[int]:
        """How many units each breakpoint of the first request is behind."""
        return [at + 1 for at, unit in enumerate(self.ones) if unit.mark]

    @property
    def cached_to(self) -> int:
        """How many units of the first request were cached: to the last breakpoint, or all where there are none."""
        return max(self.marks, default=0) if self.protocol == "anthropic" else len(self.ones)

    def kept_to(self, at: int | None, found: Sequence[CacheCause]) -> int:
        """How many of its units can be read, by the place where they part and by the causes."""
        if any(each.kind in ("model", "expired", "looked back") for each in found):
            return 0
        ends = [at if at is not None else len(self.ones)]
        for each in found:
            if each.kind.startswith("setting"):
                later = CHANNELS[CHANNELS.index(_channel_of(each.kind.partition(" ")[2])) :]
                ends.append(next((n for n, unit in enumerate(self.ones) if unit.channel in later), len(self.ones)))
        if self.protocol != "anthropic":
            return min(ends)
        return max((mark for mark in self.marks if mark <= min(ends)), default=0)


def causes(pair: Pair, at: int | None, path: str | None) -> tuple[CacheCause, ...]:
    """What the requests show, what loses most first. `at`: the unit where they part; `path`: the file that is in."""
    found = [*_settings(pair), *_expired(pair), *_marked(pair)]
    if at is not None and at < pair.cached_to:
        found += [_parted(pair, at, path)]
    elif at is None:
        found += _looked_back(pair)
    return tuple(found)


# --- beside the text ----------------------------------------------------------------------------------------------


def _channel_of(key: str) -> Channel:
    return next(channel for channel in CHANNELS if key in CACHING["keys"][channel])


def _settings(pair: Pair) -> Iterator[CacheCause]:
    one, other = (each.body if isinstance(each.body, dict) else {} for each in (pair.before, pair.after))
    for channel in CHANNELS:
        for key in CACHING["keys"][channel]:
            if one.get(key) == other.get(key):
                continue
            if key == "model":
                yield CacheCause("model", f"another model: {_short(one.get(key))} → {_short(other.get(key))}")
            else:
                says = f"`{key}` changed: {_short(one.get(key))} → {_short(other.get(key))}"
                yield CacheCause(f"setting {key}", says)


def _short(value: Json) -> str:
    text = "not set" if value is None else value if isinstance(value, str) else _plain(value)
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 1]}…"


def _plain(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    return str(value)


def _expired(pair: Pair) -> Iterator[CacheCause]:
    hour = any((unit.mark or {}).get("ttl") == "1h" for unit in pair.ones)
    lives = CACHING["lives"].get("1h" if hour else pair.protocol)
    if lives is not None:
        yield from expired(pair.seconds, lives)


def expired(seconds: float | None, lives: float) -> Iterator[CacheCause]:
    """The time that passed, where an entry does not live so long."""
    if seconds is not None and seconds > lives:
        yield CacheCause("expired", f"{span(seconds)} between the requests: an entry lives {span(lives)}")


def span(seconds: float) -> str:
    """`40 s`, `5 min`, `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    shown = [(hours, "h"), (minutes, "min")] if hours or minutes else [(rest, "s")]
    return " ".join(f"{count} {unit}" for count, unit in shown if count) or "0 s"


def _marked(pair: Pair) -> Iterator[CacheCause]:
    """Breakpoints are gone, or ask for another time."""
    if pair.protocol != "anthropic":
        return
    ones, others = (
        {str((unit.mark or {}).get("ttl", "5m")) for unit in units if unit.mark} for units in (pair.ones, pair.others)
    )
    if ones and not others:
        yield CacheCause("breakpoints", "the second request has no breakpoint, so nothing is read")
    elif ones and ones != others:
        words = " → ".join(" and ".join(sorted(each)) for each in (ones, others))
        yield CacheCause("breakpoints", f"breakpoints ask for another time to live: {words}")


def _looked_back(pair: Pair) -> Iterator[CacheCause]:
    """More blocks were added behind the last breakpoint than the service looks at."""
    most = CACHING["looks_back"].get(pair.protocol)
    reads = [at + 1 for at, unit in enumerate(pair.others) if unit.mark and at + 1 >= pair.cached_to]
    added = min(reads, default=pair.cached_to) - pair.cached_to
    if most is not None and added > most:
        says = f"{added} blocks came behind the last breakpoint: the service looks back {most}"
        yield CacheCause("looked back", says)


# --- the text -----------------------------------------------------------------------------------------------------


def _parted(pair: Pair, at: int, path: str | None) -> CacheCause:
    """What changed at the place where they part."""
    change, one = pair.change(at), pair.ones[at]
    if "tools" in (one.channel, *(other.channel for other in pair.others[at : at + 1])):
        return _tools(pair)
    match change:
        case "shorter":
            gone = len(pair.ones) - at
            return CacheCause(change, f"the second request ends here: {gone} blocks of the first are gone")
        case "conversation":
            says = "the conversation was compacted or cleared: it begins with another message"
            return CacheCause(change, says)
        case "put in":
            return CacheCause(change, f"{_what(pair.others[at])} was put in front of earlier ones")
        case "left out":
            return CacheCause(change, f"{_what(one)} is left out")
    return _line(one, pair.others[at], path)


def _what(unit: Unit) -> str:
    """What a block is, in words."""
    if unit.kind in _BLOCKS:
        return _BLOCKS[unit.kind]
    return "a reminder" if unit.text.lstrip().startswith("<") else "a block"


_BLOCKS = {
    "thinking": "earlier thinking",
    "redacted_thinking": "earlier thinking",
    "image": "an image",
    "tool_result": "a tool result",
    "tool_use": "a tool call",
}


def _tools(pair: Pair) -> CacheCause:
    """What changed among the tools: which came and went, their order, or one of them."""
    ones, others = (
        {unit.name: unit.text for unit in units if unit.channel == "tools"} for units in (pair.ones, pair.others)
    )
    came, went = ([name for name in these if name not in those] for these, those in ((others, ones), (ones, others)))
    if came:
        listed = "\n".join(unit.text for unit in pair.ones if unit.channel == "messages")
        loaded = [name for name in came if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", listed)]
        if loaded == came:
            return CacheCause("tool loaded", f"{_names(came, 'tool')} loaded, which the first request only names")
        also = f"; {_names(went, 'tool')} gone" if went else ""
        return CacheCause("tools", f"{_names(came, 'tool')} new{_of_servers(came)}{also}")
    if went:
        return CacheCause("tools", f"{_names(went, 'tool')} gone{_of_servers(went)}")
    changed = [name for name in ones if ones[name] != others[name]]
    if not changed:
        return CacheCause("tool order", "the tools are in another order")
    return CacheCause("tool changed", f"{_names(changed, 'tool')} described otherwise")


def _of_servers(names: Sequence[str]) -> str:
    servers = sorted({name.split("__")[1] for name in names if name.startswith("mcp__") and name.count("__") > 1})
    return f" (MCP server {', '.join(servers)})" if servers else ""


def _names(names: Sequence[str], what: str) -> str:
    """`the tool Bash is`, `3 tools are` with the first names."""
    if len(names) == 1:
        return f"the {what} {names[0]} is"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{len(names)} {what}s ({', '.join(names[:_SHOWN])}{more}) are"


def _line(one: Unit, other: Unit, path: str | None) -> CacheCause:
    """What changed in a text: by the first line that differs."""
    before, after = next(
        ((a, b) for a, b in zip(one.text.split("\n"), other.text.split("\n"), strict=False) if a != b), ("", "")
    )
    if _CHANGING.sub("0", before) == _CHANGING.sub("0", after) and before:
        for told in CACHING["line"]:
            if all(re.search(told["pattern"], line, re.IGNORECASE) for line in (before, after)):
                return CacheCause(told["kind"], told["says"])
    if path:
        return CacheCause("file", f"{path} changed")
    if one.channel == "system":
        return CacheCause("system", "the system prompt changed")
    if one.kind == "tool_result":
        sizes = f"{len(one.text):,} → {len(other.text):,} characters"
        return CacheCause("result", f"an earlier tool result was replaced: {sizes}")
    return CacheCause("message", f"an earlier message of the {one.name or 'user'} changed")
