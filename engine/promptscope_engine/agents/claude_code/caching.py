"""What is computed anew and when, and how much of a request stays cached if a file changes (specs/claude-code.md 5).

A session keeps what it computed: `fates` tells what each event does to each section [recorded interactively]. The
cache of the service works on the request's beginning: tools, then system, then messages. `forecast` finds the first
changed text; what was cached stays so up to the last breakpoint before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from promptscope_engine.model import Assembly, Json, Section

from .models import V100

Event = Literal["turn", "compact", "clear", "resume"]
What = Literal["kept", "computed", "dropped", "lost", "unknown"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What an event does to a section: sent as before, computed anew, dropped, lost until something wakes it."""

    section: str
    what: What
    why: str


def fates(assembly: Assembly, event: Event) -> tuple[Fate, ...]:
    """The fate of every present section."""
    return tuple(_fate(s, assembly.agent_version, event) for s in assembly.sections if s.present)


def _fate(section: Section, version: str, event: Event) -> Fate:
    match event:
        case "turn":
            return _at_turn(section)
        case "compact":
            return _at_compaction(section, version)
        case "clear":
            fixed = section.stability == "static"
            return Fate(
                section.id, "kept" if fixed else "computed", "fixed text" if fixed else "/clear drops every memo"
            )
        case "resume":
            return _at_resume(section, version)


def _at_turn(section: Section) -> Fate:
    if section.stability == "turn":
        return Fate(section.id, "computed", "belongs to the turn")
    if section.id.startswith("user_context.file:"):
        return Fate(section.id, "kept", "an edited file is not sent again: a note with the changed lines follows")
    if "git_status" in section.id:
        return Fate(section.id, "kept", "git status is a snapshot of the start")
    return Fate(section.id, "kept", "computed once per session")


def _at_compaction(section: Section, version: str) -> Fate:
    if section.id.startswith("woken:"):
        return Fate(section.id, "lost", "rules with paths and nested files come back with the next read")
    if section.id.startswith("user_context"):
        return Fate(section.id, "computed", "the root's files, unscoped rules and auto memory are read again")
    if "git_status" in section.id and version == V100:
        return Fate(section.id, "kept", "2.1.100 leaves the old git status")
    if section.id == "skills" and version == V100:
        return Fate(section.id, "dropped", "2.1.100 does not list skills again")
    if section.stability == "static":
        return Fate(section.id, "kept", "fixed text")
    if section.channel == "messages":
        return Fate(section.id, "computed", "listings and facts are sent again, in another order")
    return Fate(section.id, "computed", "compaction drops the memos of the sections")


def _at_resume(section: Section, version: str) -> Fate:
    if section.stability == "turn":
        return Fate(section.id, "computed", "belongs to the turn")
    if version == V100:
        return Fate(section.id, "unknown", "what 2.1.100 sends after a restart was not seen")
    return Fate(section.id, "kept", "replayed from the saved snapshot; changed files arrive in a reminder")


@dataclass(frozen=True, slots=True)
class Forecast:
    """If a file changed before the next session: tokens in front of the change, and those a breakpoint keeps cached.

    `section` is the first one that changes (`tools` for a tool's description), None if nothing of the request does.
    """

    section: str | None
    unchanged: int
    cached: int
    total: int


def forecast(assembly: Assembly, path: str, count: Callable[[str], int]) -> Forecast:
    """How many leading tokens of the request stay cached if the file at `path` (as shown) changes."""
    tools = sum(count(str(tool)) for tool in assembly.request.tools)
    blocks = _blocks(assembly, count)
    total = tools + sum(tokens for _, _, tokens in blocks)
    section = _first(assembly, path)
    if section is None:
        if _in_tools(assembly, path):
            return Forecast("tools", 0, 0, total)
        return Forecast(None, total, total, total)
    unchanged, cached, seen = tools, 0, 0
    start = _offset(assembly, section, path)
    for block, text, tokens in blocks:
        if seen + len(text) > start:
            unchanged += count(text[: start - seen])
            break
        seen += len(text)
        unchanged += tokens
        if "cache_control" in block:
            cached = unchanged
    return Forecast(section.id, unchanged, cached, total)


def _blocks(assembly: Assembly, count: Callable[[str], int]) -> list[tuple[dict[str, Json], str, int]]:
    request = assembly.request
    found = [*request.system, *(block for message in request.messages for block in message["content"])]
    return [(block, block["text"], count(block["text"])) for block in found]


def _holds(section: Section, path: str) -> bool:
    return any(f.origin.path == path for f in section.fragments) or section.id in (
        f"user_context.file:{path}",
        f"woken:{path}",
    )


def _first(assembly: Assembly, path: str) -> Section | None:
    order = ("system", "messages")
    present = [s for s in assembly.sections if s.present and s.channel in order]
    present.sort(key=lambda s: order.index(s.channel))
    return next((s for s in present if _holds(s, path)), None)


def _offset(assembly: Assembly, section: Section, path: str) -> int:
    """Characters of the request's texts before the first fragment that the file gives."""
    at = 0
    for channel in ("system", "messages"):
        for other in assembly.sections:
            if not other.present or other.channel != channel:
                continue
            if other is not section:
                at += len(other.text)
                continue
            for fragment in other.fragments:
                if fragment.origin.path == path:
                    break
                at += len(fragment.text)
            return at
    return at


def _in_tools(assembly: Assembly, path: str) -> bool:
    """An agent's file changes the Agent tool of 2.1.100, and tools stand at the very beginning."""
    return assembly.agent_version == V100 and any(
        f.path == path and f.kind == "agent" and f.present for f in assembly.files
    )
