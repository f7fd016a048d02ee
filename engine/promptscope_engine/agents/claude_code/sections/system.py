"""What Python makes of the system array; agent.toml has the order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import AgentMemory, Materials, SubAgent
from promptscope_engine.agents.claude_code.scope import memory_cut, scope_of, text
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Later, Piece, Place, SectionDraft, computed

DYNAMIC = Place("dynamic", gap="\n\n")


def system_sections(m: Materials) -> list[SectionDraft]:
    """Every section of the system array, the absent ones at their place."""
    scope, delegated = scope_of(m), m.gates.delegated
    leads = m.gates.agent_body & ~gates.SYSTEM_PROMPT & ~delegated
    made = {
        "layout": lambda: FOLDER.sections(scope, group=f"system.{m.layout}"),
        "agents_memory": lambda: _agents_memory(m, "agent", m.main_agent, leads),
        "subagents_memory": lambda: _agents_memory(m, "subagent", m.sub_agent, delegated),
        "cache_breaker": lambda: [_cache_breaker()],
    }
    sections = list(FOLDER.sections(scope, made, "system"))
    if not m.splits:  # one block for all that follows the identity
        sections = [replace(each, place=DYNAMIC) if each.place.block == "static" else each for each in sections]
    return sections


def _cache_breaker() -> SectionDraft:
    """A text that changes so that nothing behind it is cached: said to stand beside git status, and never recorded."""
    never = "no recorded request has one: it is told of builds that the maker tests with"
    when = Observed(
        "flag", "cacheBreaker", False, "", never, remedy="nothing: no setting of a released build puts one in"
    )
    return SectionDraft("cache_breaker", "Cache breaker", (), when=when, place=DYNAMIC, stability="turn")


def _agents_memory(m: Materials, who: str, agent: SubAgent | None, when: Condition) -> Iterator[SectionDraft]:
    """What an agent is told of a memory of its own, and the memory's index."""
    if agent is None or agent.memory is None:
        return
    name, pieces = f"{who}_memory", Later(_memory_told(m, agent.memory, agent.memory_scope))
    when = when & m.gates.auto_memory
    yield SectionDraft(name, "The agent's own memory", pieces, None, when, DYNAMIC, reference=name)


def _memory_told(m: Materials, memory: AgentMemory, scope: str) -> Iterator[Piece]:
    yield from text(m, "memory.long", of_agent=True, **{"memory.folder": computed("memory.folder", memory.folder)})
    index = {
        "refused": memory.refused,
        "empty": not memory.pieces,
        "text": memory.pieces,
        "cut": memory.cut is not None,
        "told": tuple(memory_cut(m, memory.cut)) if memory.cut else (),
    }
    scopes = {name: name == scope for name in ("project", "user", "local")}
    yield from text(m, "memory.of_agent", scope=scopes, index=index)
