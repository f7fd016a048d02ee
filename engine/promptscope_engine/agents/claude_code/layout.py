"""From placed sections to the request: the blocks, their cache breakpoints, and the tools in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.anthropic import Cache, messages, system_blocks
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request, wire_tool

from .materials import Materials
from .selection import PLACEHOLDER
from .versions import V100


class Wire(Struct, frozen=True):
    """A `Layout`: knows the breakpoints, and how tools are ordered.

    `system`: the cache_control by block of the system field, `message`: that of the last block of the last message;
    empty and None where prompt caching is off. `empty_system_message`: a message of role `system` without content
    follows (bare mode of layout B). `cached_role`: the last message of this role has the breakpoint; None: the last
    one of all.
    """

    system: Mapping[str, Cache]
    message: Cache | None
    empty_system_message: bool = False
    cached_role: str | None = None

    def __call__(self, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
        found = messages(sections)
        cached = [message for message in found if self.cached_role in (None, message["role"])]
        if cached and self.message:
            cached[-1]["content"][-1]["cache_control"] = dict(self.message)
        if self.empty_system_message:
            found.append({"role": "system", "content": []})
        system = system_blocks(sections, self.system)
        return Request(system=system, messages=tuple(found), tools=tuple(self._tools(tools)))

    def _tools(self, tools: Sequence[Tool]) -> list[dict[str, Json]]:
        offered = [wire_tool(t.name, t.description, t.input_schema) for t in tools]
        held = next((tool for tool in offered if tool["name"] == PLACEHOLDER), None)
        if held is None:
            return offered
        # Recorded: before the last tool, whichever that is; it is never the only one.
        others = [tool for tool in offered if tool is not held]
        return [*others[:-1], {**held, "defer_loading": True}, *others[-1:]]


def wire(gathered: Gathered[Materials]) -> Wire:
    """The layout of a scenario."""
    m, facts = gathered.materials, gathered.facts
    betas = m.gates.betas.holds(facts)
    return Wire(
        *breakpoints(m, facts),
        empty_system_message=m.gates.messages == "B" and betas and m.gates.bare.holds(facts),
        cached_role=None if betas else "user",
    )


def breakpoints(m: Materials, facts: Facts) -> tuple[dict[str, Cache], Cache | None]:
    """The cache_control of the system blocks and of the last message's last block."""
    if not m.gates.caching.holds(facts):
        return {}, None
    plain: Cache = {"type": "ephemeral"}
    if m.gates.hour_cache.holds(facts):
        plain["ttl"] = "1h"
    if not m.splits:
        return {"identity": plain, "dynamic": plain}, plain
    # At the first-party host the static prefix is cached for everyone, and the identity needs no breakpoint. In 2.1.100
    # the dynamic part has none either.
    everyone: Cache = {**plain, "scope": "global"}
    return {"static": everyone, **({} if m.version == V100 else {"dynamic": plain})}, plain
