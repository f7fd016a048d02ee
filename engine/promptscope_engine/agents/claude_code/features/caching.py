"""What is computed anew and when, and how much of a request stays cached if a file changes (specs/claude-code.md 5).

A session keeps what it computed: `cache_effect` tells what each event does to a section [recorded interactively].
The cache of the service works on the request's beginning: tools, then system, then messages. `forecast` finds the first
changed text; what was cached stays so up to the last breakpoint before it.
"""

from __future__ import annotations

from typing import Literal

from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.features import CacheEffect, Forecast
from promptscope_engine.agents.kit.features import characters_before, in_request
from promptscope_engine.prompt.ids import path_in_id
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.prompt.positions import cached_before, offset_of, tokens_before

Event = Literal["turn", "compact", "clear", "resume"]

EVENTS: dict[str, str] = {
    "turn": "a new turn",
    "compact": "/compact or auto-compaction",
    "clear": "/clear",
    "resume": "a restart with --continue",
}
"""What can happen in a session, as a person names it."""

_BEFORE_BOUNDARY = {
    "intro",
    "system",
    "doing_tasks",
    "executing_actions",
    "using_tools",
    "tone_and_style",
    "harness",
    "artifact",
    "memory_instructions.static",
}

_REPLACEMENTS = {"system_prompt", "agent_prompt", "bare"}


def cache_effect(section: Section, version: str, event: str) -> CacheEffect:
    """What the event does to a present section."""
    match event:
        case "turn":
            return _at_turn(section)
        case "compact":
            return _at_compaction(section, version)
        case "clear":
            fixed = section.stability == "static"
            return CacheEffect("kept" if fixed else "computed", "fixed text" if fixed else "/clear drops every memo")
        case _:
            return _at_resume(section, version)


def _at_turn(section: Section) -> CacheEffect:
    if section.stability == "turn":
        return CacheEffect("computed", "belongs to the turn")
    if section.id.startswith("user_context.file:"):
        return CacheEffect("kept", "an edited file is not sent again: a note with the changed lines follows")
    if "git_status" in section.id:
        return CacheEffect("kept", "git status is a snapshot of the start")
    return CacheEffect("kept", "computed once per session")


def _at_compaction(section: Section, version: str) -> CacheEffect:
    if section.id.startswith("woken:"):
        return CacheEffect("lost", "rules with paths and nested files come back with the next read")
    if section.id.startswith("user_context"):
        return CacheEffect("computed", "the root's files, unscoped rules and auto memory are read again")
    if "git_status" in section.id and version == V100:
        return CacheEffect("kept", "2.1.100 leaves the old git status")
    if section.id == "skills" and version == V100:
        return CacheEffect("dropped", "2.1.100 does not list skills again")
    if section.stability == "static":
        return CacheEffect("kept", "fixed text")
    if section.channel == "messages":
        return CacheEffect("computed", "listings and facts are sent again, in another order")
    return CacheEffect("computed", "compaction drops the memos of the sections")


def _at_resume(section: Section, version: str) -> CacheEffect:
    if section.stability == "turn":
        return CacheEffect("computed", "belongs to the turn")
    if version == V100:
        return CacheEffect("unknown", "what 2.1.100 sends after a restart was not seen")
    return CacheEffect("kept", "replayed from the saved snapshot; changed files arrive in a reminder")


def boundary(assembly: Assembly) -> str | None:
    """The first present section behind the boundary of static and dynamic parts; None where the parts are replaced.

    The boundary never goes over the wire: it decides where the host's blocks split if the cache scope is global (1.1).
    """
    system = [s for s in assembly.sections if s.present and s.channel == "system"]
    fixed = [n for n, section in enumerate(system) if section.id in _BEFORE_BOUNDARY]
    replaced = any(section.id in _REPLACEMENTS for section in system)
    if replaced or not fixed or fixed[-1] + 1 >= len(system):
        return None
    return system[fixed[-1] + 1].id


def forecast(assembly: Assembly, path: str) -> Forecast:
    """How many leading tokens of the request stay cached if the file at `path` (as shown) changes."""
    total = assembly.tokens.expected or 0
    section = _first(assembly, path)
    if section is None:
        if _in_tools(assembly, path):
            return Forecast("tools", 0, 0, total)
        return Forecast(None, total, total, total)
    start = offset_of(assembly, section) + characters_before(section, path)
    return Forecast(
        section.id,
        tokens_before(assembly, section.channel, start),
        cached_before(assembly, section.channel, start),
        total,
    )


def _holds(section: Section, path: str, named: str) -> bool:
    """`named`: the path as ids have it."""
    ids = (f"user_context.file:{named}", f"woken:{named}")
    return any(f.origin.path == path for f in section.fragments) or section.id in ids


def _first(assembly: Assembly, path: str) -> Section | None:
    named = path_in_id(path, assembly.workspace, assembly.home)
    return next((s for s in in_request(assembly) if _holds(s, path, named)), None)


def _in_tools(assembly: Assembly, path: str) -> bool:
    """An agent's file changes the Agent tool of 2.1.100, and tools stand at the very beginning."""
    return assembly.agent_version == V100 and any(
        f.path == path and f.kind == "agent" and f.present for f in assembly.files
    )
