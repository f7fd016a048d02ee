"""Sections and tools to the wire."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.kit.built_in import system_text
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request, wire_tool


def layout(sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
    """One system text, and the tools."""
    return Request(system_text(sections), tools=tuple(wire_tool(t.name, t.description, t.input_schema) for t in tools))
