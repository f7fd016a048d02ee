"""The user's own system text in place of the built-in one (specs/gemini.md 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.selection import offered
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.conditions import Any, Condition, Observed
from promptscope_engine.prompt.drafts import Later, Piece, SectionDraft, builtin, computed, guarded, label
from promptscope_engine.prompt.pieces import Pieces, cut, joined, trimmed_pieces

from .delegation import agent_pieces, skill_pieces

_MOST = 100
"""Placeholders of one kind that are filled in; no prompt has one more than a few times."""
_TOOL_NAME = re.compile(r"\$\{(\w+)_ToolName\}")
_DOLLAR = re.compile(r"\$([$&`'])")


def override(m: Materials) -> SectionDraft:
    """The file with its placeholders filled in, trimmed."""
    there = bool(joined(trimmed_pieces(m.override.pieces)))
    remedy = f"write something into {m.override.path}"
    no = "the file holds only white space" if m.override.pieces else "there is no text to replace it with"
    text = Observed("file", "override", there, "the file holds a text", no, remedy=remedy)
    when = ~m.gates.built_in & text
    return SectionDraft("override", "System prompt override", Later(_filled(m)), None, when, FOLDER.place("system"))


def _filled(m: Materials) -> Pieces:
    """In the client's order: skills, sub-agents, the list of tools, then the names of single tools."""
    text = trimmed_pieces(m.override.pieces)
    text = _replaced(text, "${AgentSkills}", tuple(skill_pieces(m)) if m.skills else ())
    # Here the tool that calls them is not asked for.
    agents = tuple(guarded(agent_pieces(m), m.gates.agents)) if m.agents else ()
    text = _replaced(text, "${SubAgents}", agents)
    if "${AvailableTools}" in joined(text):
        text = _replaced(text, "${AvailableTools}", tuple(_tool_list(m)))
    return trimmed_pieces(_tool_names(m, text))


def _replaced(pieces: Pieces, placeholder: str, block: Pieces) -> Pieces:
    """The pieces with the block wherever the placeholder stands."""
    text = joined(pieces)
    found: list[Piece] = []
    at = 0
    for match in list(re.finditer(re.escape(placeholder), text))[:_MOST]:
        start, end = match.span()
        found += cut(pieces, at, start)
        found += _dollars(block, placeholder, text[:start], text[end:])
        at = end
    return (*found, *cut(pieces, at, len(text)))


def _dollars(block: Pieces, placeholder: str, before: str, behind: str) -> Iterator[Piece]:
    """The block as JavaScript's `replace` puts it in, for which `$&` and others stand for what is replaced (12)."""
    meaning = {"$": "$", "&": placeholder, "`": before, "'": behind}
    for piece in block:
        parts = _DOLLAR.split(piece.text)
        if len(parts) == 1:
            yield piece
            continue
        for number, part in enumerate(parts):
            yield computed("replace", meaning[part] if number % 2 else part, when=piece.when)


def _tool_list(m: Materials) -> Iterator[Piece]:
    """`- name` for each tool of the request, or a sentence that there is none."""
    before: list[Condition] = []
    for name, when in offered(m):
        if before:
            yield label("\n", when=when & Any(tuple(before)))
        yield from guarded((label("- "), computed("tool", name)), when)
        before.append(when)
    yield builtin("override.no_tools", "There is no tool at your disposal.", when=~Any(tuple(before)))


def _tool_names(m: Materials, pieces: Pieces) -> Pieces:
    """`${…_ToolName}` of a tool of the request is its name; any other stays as it is."""
    text = joined(pieces)
    known = dict(offered(m)) if "_ToolName}" in text else {}
    found: list[Piece] = []
    at = 0
    for match in list(_TOOL_NAME.finditer(text))[:_MOST]:
        if match[1] in known:
            when = known[match[1]]
            found += cut(pieces, at, match.start())
            found.append(computed("tool", match[1], when=when))
            found += guarded(cut(pieces, match.start(), match.end()), ~when)
            at = match.end()
    return (*found, *cut(pieces, at, len(text)))
