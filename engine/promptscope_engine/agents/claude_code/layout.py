"""From placed sections to the request: the blocks, their cache breakpoints, and the tools in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.shared.anthropic import Cache, messages, system_blocks
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request, wire_tool

from .materials import Materials
from .variables import is_on
from .versions import V100

PLACEHOLDER = "DeferredToolPlaceholder"


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """The cache breakpoints of one scenario: cache_control by block of the system field, and for the last block of
    the last message. Empty and None where prompt caching is off."""

    system: Mapping[str, Cache]
    message: Cache | None


@dataclass(frozen=True)
class Wire:
    """A `Layout`: knows the breakpoints, and how tools are ordered.

    `empty_system_message`: a message of role `system` without content follows (bare mode of layout B).
    `placeholder`: a deferred-tools placeholder stands before the last tool.
    """

    breakpoints: Breakpoints
    placeholder: bool = False
    empty_system_message: bool = False

    def __call__(self, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
        found = messages(sections)
        if found and self.breakpoints.message:
            found[-1]["content"][-1]["cache_control"] = dict(self.breakpoints.message)
        if self.empty_system_message:
            found.append({"role": "system", "content": []})
        system = system_blocks(sections, self.breakpoints.system)
        return Request(system=system, messages=tuple(found), tools=tuple(self._tools(tools)))

    def _tools(self, tools: Sequence[Tool]) -> list[dict[str, Json]]:
        offered = [wire_tool(t.name, t.description, t.input_schema) for t in tools if t.name != PLACEHOLDER]
        if self.placeholder and offered:
            # Recorded: before the last tool, whichever that is (6).
            offered.insert(len(offered) - 1, {"name": PLACEHOLDER, "defer_loading": True})
        return offered


def wire(gathered: Gathered[Materials]) -> Wire:
    """The layout of a scenario."""
    m, facts = gathered.materials, gathered.facts
    return Wire(
        breakpoints=breakpoints(m, facts),
        # Recorded with --agent: with tool search on it is sent even where nothing is deferred.
        placeholder=m.version != V100 and m.gates.tool_search.holds(facts),
        empty_system_message=m.message_layout == "B" and m.gates.bare.holds(facts),
    )


def breakpoints(m: Materials, facts: Facts) -> Breakpoints:
    """The cache_control of the system blocks and of the last message's last block (specs/claude-code.md 1.1)."""
    if not m.gates.caching.holds(facts):
        return Breakpoints({}, None)
    plain: Cache = {"type": "ephemeral"}
    if m.version != V100 and is_on(m.inputs.env.get("ENABLE_PROMPT_CACHING_1H", "")):  # no effect in 2.1.100
        plain["ttl"] = "1h"
    if m.splits:
        # At the first-party host the static prefix is cached for everyone, and the identity needs no breakpoint.
        everyone: Cache = {**plain, "scope": "global"}
        if m.version == V100:  # the dynamic part has none either (claude-code-new-facts.md)
            return Breakpoints({"static": everyone}, plain)
        return Breakpoints({"static": everyone, "dynamic": plain}, plain)
    return Breakpoints({"identity": plain, "dynamic": plain}, plain)
