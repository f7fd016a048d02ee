"""From resolved sections to the request: which block each section stands in, and where the cache breakpoints are.

A section names its block through its `Place`: sections of one block that follow each other are one text. Nothing is
put between them: a blank line between two sections is part of a fragment (see `spaced`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import SectionDraft, label
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request

Role = Literal["user", "system"]
Cache = dict[str, Json]

PLACEHOLDER = "DeferredToolPlaceholder"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a section stands. `message` is None in the system array, else the number of the message (0, 1, …)."""

    block: str
    message: int | None = None
    role: Role = "user"


@dataclass(frozen=True, slots=True)
class Placed:
    """A section and its place."""

    draft: SectionDraft
    place: Place


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """The cache breakpoints of one scenario: cache_control by block of the system array, and for the last block of
    the last message. Empty and None where prompt caching is off."""

    system: Mapping[str, Cache]
    message: Cache | None


def spaced(sections: Iterable[Placed], facts: Facts, separator: str = "\n\n") -> Iterator[Placed]:
    """The sections of one block with `separator` before each present one but the first present one."""
    first = True
    for placed in sections:
        if not placed.draft.when.holds(facts):
            yield placed
        elif first:
            first = False
            yield placed
        else:
            yield replace(placed, draft=replace(placed.draft, pieces=(label(separator), *placed.draft.pieces)))


def wrapped(
    placed: Sequence[Placed], before: str = "<system-reminder>\n", after: str = "\n</system-reminder>"
) -> list[Placed]:
    """The sections of one block between an opening and a closing text, put on the first and the last of them."""
    drafts = [p.draft for p in placed]
    drafts[0] = replace(drafts[0], pieces=(label(before), *drafts[0].pieces))
    drafts[-1] = replace(drafts[-1], pieces=(*drafts[-1].pieces, label(after)))
    return [Placed(draft, p.place) for draft, p in zip(drafts, placed, strict=True)]


@dataclass(frozen=True)
class Wire:
    """A `Draft.layout`: knows the places of the sections, the breakpoints, and how tools are ordered.

    `empty_system_message`: a message of role `system` without content follows (bare mode of layout B).
    `placeholder`: a deferred-tools placeholder stands before the last tool.
    """

    places: Mapping[str, Place]
    breakpoints: Breakpoints
    placeholder: bool = False
    empty_system_message: bool = False

    def __call__(self, sections: Sequence[Section], tools: Sequence[Tool]) -> Request:
        present = [(self.places[s.id], s) for s in sections if s.present and s.fragments]
        system = [
            self._block(text, self.breakpoints.system.get(block))
            for block, text in _blocks((p, s) for p, s in present if p.message is None)
        ]
        messages: list[dict[str, Json]] = []
        in_messages = [(p, s) for p, s in present if p.message is not None]
        for (_, role), group in groupby(in_messages, key=lambda pair: (pair[0].message, pair[0].role)):
            content = [self._block(text, None) for _, text in _blocks(group)]
            messages.append({"role": role, "content": content})
        if messages and self.breakpoints.message:
            messages[-1]["content"][-1]["cache_control"] = dict(self.breakpoints.message)
        if self.empty_system_message:
            messages.append({"role": "system", "content": []})
        return Request(system=tuple(system), messages=tuple(messages), tools=tuple(self._tools(tools)))

    @staticmethod
    def _block(text: str, cache: Cache | None) -> dict[str, Json]:
        block: dict[str, Json] = {"type": "text", "text": text}
        if cache is not None:
            block["cache_control"] = dict(cache)
        return block

    def _tools(self, tools: Sequence[Tool]) -> list[dict[str, Json]]:
        offered: list[dict[str, Json]] = [
            {"name": t.name, "description": t.description, "input_schema": t.input_schema}
            for t in tools
            if t.present and t.name != PLACEHOLDER
        ]
        if self.placeholder and offered:
            # Recorded: before the last tool, whichever that is (6).
            offered.insert(len(offered) - 1, {"name": PLACEHOLDER, "defer_loading": True})
        return offered


def _blocks(pairs: Iterable[tuple[Place, Section]]) -> Iterator[tuple[str, str]]:
    for block, group in groupby(pairs, key=lambda pair: pair[0].block):
        yield block, "".join(section.text for _, section in group)
