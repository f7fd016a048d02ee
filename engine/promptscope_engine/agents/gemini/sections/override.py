"""The user's own system text in place of the built-in one (specs/gemini.md 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.selection import offered
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.conditions import Any, Condition, Observed
from promptscope_engine.prompt.drafts import Later, Piece, SectionDraft, builtin, computed, guarded, label
from promptscope_engine.prompt.pieces import Pieces, cut, joined, replaced, replaced_in_javascript, trimmed_pieces

from .delegation import agent_pieces, skill_pieces

_MOST = 100
"""Placeholders of one kind that are filled in; no prompt has one more than a few times."""
_TOOL_NAME = re.compile(r"\$\{(\w+)_ToolName\}")


def override(m: Materials) -> SectionDraft:
    """The file with its placeholders filled in, trimmed."""
    there = bool(joined(trimmed_pieces(m.override.pieces)))
    remedy = f"write something into {m.override.path}"
    no = "the file holds only white space" if m.override.pieces else "there is no text to replace it with"
    text = Observed("file", "override", there, "the file holds a text", no, remedy=remedy)
    when = ~m.gates["built_in"] & text
    return SectionDraft("override", "System prompt override", Later(_filled(m)), None, when, FOLDER.place("system"))


def _filled(m: Materials) -> Pieces:
    """In the client's order: skills, sub-agents, the list of tools, then the names of single tools."""
    text = trimmed_pieces(m.override.pieces)
    text = replaced_in_javascript(text, "${AgentSkills}", tuple(skill_pieces(m)) if m.skills else (), _MOST)
    # Here the tool that calls them is not asked for.
    agents = tuple(guarded(agent_pieces(m), m.gates["agents"])) if m.agents else ()
    text = replaced_in_javascript(text, "${SubAgents}", agents, _MOST)
    if "${AvailableTools}" in joined(text):
        text = replaced_in_javascript(text, "${AvailableTools}", tuple(_tool_list(m)), _MOST)
    return trimmed_pieces(_tool_names(m, text))


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
    found = [match for match in list(_TOOL_NAME.finditer(text))[:_MOST] if match[1] in known]
    return replaced(pieces, [(*match.span(), _tool_name(pieces, match, known[match[1]])) for match in found])


def _tool_name(pieces: Pieces, match: re.Match[str], offered: Condition) -> Pieces:
    return (computed("tool", match[1], when=offered), *guarded(cut(pieces, *match.span()), ~offered))
