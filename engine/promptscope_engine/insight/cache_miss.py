"""Why a cache missed: where two requests part, and how much of the first one was written again.

A service keeps what it has read as a prefix: tools, then the system prompt, then the messages. What follows the first
difference is read again; where breakpoints say what is kept, from the last one before it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import Caches
from promptscope_engine.agents.kit.sessions.earlier import begins
from promptscope_engine.captures.model import Capture, Content, Recorded, Usage
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Channel, Section, to_json
from promptscope_engine.tokens.counter import Counter

from .cache_causes import CACHING, CHANNELS, CacheCause, Pair, Unit, causes

SCHEMA = "promptscope.cache.v1"
SLACK = 256
"""Tokens that a service may read less than it has: entries have a grain, and counts are rounded."""
_HEADING = re.compile(r"^(?:#{1,4} +(?=\S)|(?=<[a-zA-Z]))([^\n]{1,80})", re.MULTILINE)
_LINE, _BEFORE = 200, 40
"""Characters of a line that are told, and how many of them are before what differs."""


class Parting(Struct, frozen=True):
    """The first place where two requests differ.

    `part` names the tool, section or message, `line` the line in its block, from 1; `before` and `after` are that line
    on both sides, "" where there is none. `path`: the file that the second one's text is in.
    """

    channel: Channel
    part: str
    line: int
    before: str
    after: str
    path: str | None = None


class CacheMiss(Struct, frozen=True):
    """What the second of two requests could read of what the first had cached.

    `before` and `after` are their numbers, of a transcript the lines of the answers. `seconds` are between them.
    `held`: tokens that were cached; `read` and `written`: what the service reports. `again`: tokens of `held` that had
    to be written again, `estimated` where the service says nothing. `parting` is None where the second begins with all
    of the first; `place` says where reading stopped, in words.
    """

    before: int
    after: int
    again: int
    estimated: bool
    held: int
    read: int | None = None
    written: int | None = None
    seconds: float | None = None
    parting: Parting | None = None
    place: str = ""
    causes: tuple[CacheCause, ...] = ()

    @property
    def missed(self) -> bool:
        """Whether anything had to be written again."""
        return self.again > 0


class CacheReport(Struct, frozen=True):
    """What `diff --cache` finds in a file: each pair of consecutive requests."""

    file: str
    pairs: tuple[CacheMiss, ...]
    schema: str = SCHEMA

    @property
    def again(self) -> int:
        """All tokens that were written again."""
        return sum(pair.again for pair in self.pairs)

    def to_dict(self) -> dict[str, Json]:
        """As JSON values (`promptscope schema cache`)."""
        plain = to_json(self)
        return {"schema": plain.pop("schema"), "again": self.again, **plain}


def consecutive(capture: Capture) -> Iterator[tuple[Recorded, Recorded]]:
    """Each request to a model with the one before it in the same conversation: the one that shares most messages.

    A main request that shares none, as after a compaction, goes with the last main one.
    """
    earlier: list[tuple[Recorded, frozenset[tuple[str, ...]]]] = []
    for request in capture.requests:
        if request.protocol is None or request.body is None or request.label in _ASIDE:
            continue
        said = frozenset(unit.content for unit in _units(_content(request)) if unit.channel == "messages")
        shared = [(len(said & theirs), at) for at, (_, theirs) in enumerate(earlier)]
        mains = [(0, at) for at, (one, _) in enumerate(earlier) if one.label == request.label == "main"]
        _, at = max([each for each in shared if each[0]] or mains, default=(0, -1))
        if at >= 0:
            yield earlier[at][0], request
        earlier = [*earlier[-_RECENT:], (request, said)]


_ASIDE = ("count", "title", "router", "memory")
_RECENT = 20
"""Requests back in which the one before is looked for: sub-agents may run beside each other."""


def cache_miss(before: Recorded, after: Recorded, counter: Counter, assembly: Assembly | None = None) -> CacheMiss:
    """What the second request could read of the first. `assembly`: the second as observed, for titles and files."""
    ones, others = (tuple(_units(_content(each))) for each in (before, after))
    pair = Pair(before, after, ones, others, seconds_between(before.time, after.time))
    at = pair.parting
    parting = None if at is None else _parting(pair, at, assembly)
    known, usage = (each.response.usage if each.response else None for each in (before, after))
    held, read = _held(known, pair.protocol), usage.cache_read if usage else None
    found, estimated = causes(pair, at, parting.path if parting else None), False
    if held is not None and read is not None:
        again = held - read if held - read > SLACK else 0
    else:
        counts = [0, *accumulate(counter.count(unit.text) for unit in ones)]
        held, estimated = counts[pair.cached_to], True
        again = held - counts[pair.kept_to(at, found)]
    if again and not found:
        found = (CacheCause("unknown", _NO_CAUSE),)
    return CacheMiss(
        before=before.index,
        after=after.index,
        again=again,
        estimated=estimated,
        held=held,
        read=read,
        written=usage.cache_write if usage else None,
        seconds=pair.seconds,
        parting=parting,
        place=parting.part if parting else "",
        causes=found if again else (),
    )


_NO_CAUSE = "nothing that was cached differs, and it is in time: the service no longer had it"


def seconds_between(one: str | None, other: str | None) -> float | None:
    """The seconds between two times; None where one of them is none."""
    try:
        return max((datetime.fromisoformat(other or "") - datetime.fromisoformat(one or "")).total_seconds(), 0.0)
    except (ValueError, TypeError):  # one with and one without a zone cannot be compared
        return None


def _held(usage: Usage | None, protocol: str) -> int | None:
    """What is cached behind a request: Anthropic says it, elsewhere it is all that was sent."""
    if usage is None:
        return None
    if protocol == "anthropic":
        told = usage.cache_read is not None or usage.cache_write is not None
        return (usage.cache_read or 0) + (usage.cache_write or 0) if told else None
    return usage.input


def _content(request: Recorded) -> Content:
    assert request.protocol is not None
    return content_of(request.protocol, request.path, request.body)


def _units(content: Content) -> Iterator[Unit]:
    """The tools, system blocks and messages' blocks in the order in which a service reads them.

    A tool that is deferred is no part of what is read, nor is what the service takes out.
    """
    for tool in content.tools:
        if not tool.deferred:
            text = f"{tool.description}\n{json.dumps(tool.schema, indent=2, ensure_ascii=False)}"
            yield Unit("tools", f"tools.{tool.name}", tool.name, "tool", text, tool.cache)
    taken = tuple(CACHING["passed_over"].get(content.protocol, ()))
    for number, block in enumerate(content.system):
        if not (taken and block.text.startswith(taken)):
            yield Unit("system", f"system.{number}", "", block.kind, block.text, block.cache)
    for number, message in enumerate(content.messages):
        for place, block in enumerate(message.blocks):
            yield Unit("messages", f"messages.{number}.{place}", message.role, block.kind, block.text, block.cache)


# --- where they part ----------------------------------------------------------------------------------------------


def _parting(pair: Pair, at: int, assembly: Assembly | None) -> Parting:
    """The place in words: the tool, the section of the system prompt, the message."""
    one, other = (units[at] if at < len(units) else None for units in (pair.ones, pair.others))
    unit = min(filter(None, (other, one)), key=lambda each: CHANNELS.index(each.channel))
    before, after = (each.text if each else "" for each in (one, other))
    line, was, now = first_difference(before, after) if pair.change(at) == "changed" else (1, before, after)
    offset = sum(len(each) + 1 for each in after.split("\n")[: line - 1])
    title, path = _section(assembly, unit.id, offset) if assembly and other else (_heading(unit.text, offset), None)
    names = {"tools": unit.name, "system": title or f"block {unit.id.rpartition('.')[2]}"}
    number = unit.id.split(".")[1]
    part = names.get(unit.channel) or f"{number} {unit.name}"
    return Parting(unit.channel, f"{unit.channel} › {part}", line, *_around(was, now), path=path)


def first_difference(before: str, after: str) -> tuple[int, str, str]:
    """The number of the first line that differs, and that line on both sides."""
    ones, others = before.split("\n"), after.split("\n")
    at = next((n for n, (one, other) in enumerate(zip(ones, others, strict=False)) if one != other), None)
    if at is None:
        at = min(len(ones), len(others))
    return at + 1, ones[at] if at < len(ones) else "", others[at] if at < len(others) else ""


def _around(one: str, other: str) -> tuple[str, str]:
    """Two texts where they differ: of long ones a stretch that begins a little before."""
    one, other = (each.strip().partition("\n")[0] for each in (one, other))
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = same - _BEFORE if max(len(one), len(other)) > _LINE and same > _BEFORE else 0
    dots = "…" * (start > 0)
    return (
        f"{dots}{one[start : start + _LINE]}" if one else "",
        f"{dots}{other[start : start + _LINE]}" if other else "",
    )


def _heading(text: str, offset: int) -> str:
    """The last heading or tag of a text up to a character, else how it begins."""
    found = [*_HEADING.finditer(text, 0, max(offset, 1) + _LINE)]
    before = [each[1].strip() for each in found if each.start() <= offset]
    return before[-1] if before else begins(text)


def _section(assembly: Assembly, block: str, offset: int) -> tuple[str, str | None]:
    """The title of the section of a block in which a character is, and the file that it is in."""
    for section in assembly.sections:
        if section.id != block and not section.id.startswith((f"{block}.", f"{block}-")):
            continue
        for part in section.fragments:
            if offset < len(part.text):
                path = part.origin.path
                return section.title, path and path.removeprefix(f"{assembly.workspace}/")
            offset -= len(part.text)
    return "", None


class Crossing(Struct, frozen=True):
    """The sections that were in front of the boundary and aren't any more, those that are now, and their tokens.

    The tokens are expected ones of the later assembly, None until they are counted.
    """

    lost: tuple[str, ...]
    """Titles of what isn't cached any more."""
    won: tuple[str, ...]
    """Titles of what is cached since."""
    tokens: int | None


def crossing(before: Assembly, after: Assembly, agent: Describes) -> Crossing | None:
    """What crossed it; None if nothing did, or if the agent has no boundary."""
    if not isinstance(agent, Caches) or agent.boundary(before) != agent.boundary(after):
        return None  # the boundary is another section: where an agent has no line of its own, the first that may change
    was, now = sides(before, agent), sides(after, agent)
    if was is None or now is None:
        return None
    kept = {section.id for section in was[0]}
    known = kept | {section.id for section in was[1]}
    lost = [s for s in now[1] if s.id in kept or (s.id not in known and s.parent in kept)]
    won = [s for s in now[0] if s.id in known - kept]
    counts = [section.expected_tokens for section in (*lost, *won)]
    tokens = None if None in counts else sum(count or 0 for count in counts)
    return Crossing(_titles(lost), _titles(won), tokens) if lost or won else None


def _titles(sections: Sequence[Section]) -> tuple[str, ...]:
    return tuple(section.title for section in sections)


def sides(assembly: Assembly, agent: Caches) -> tuple[Sequence[Section], Sequence[Section]] | None:
    """The present sections of the system text in front of the boundary, and those behind it."""
    first = agent.boundary(assembly)
    system = [section for section in assembly.sections if section.present and section.channel == "system"]
    at = next((n for n, section in enumerate(system) if section.id == first), None)
    return None if at is None else (system[:at], system[at:])
