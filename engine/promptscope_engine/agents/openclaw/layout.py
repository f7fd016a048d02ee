"""OpenClaw's request: one system text, the conversation, and the tools in the order of their creation."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.kit.anthropic import messages, system_text
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request, wire_tool


def request_layout(sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
    """The request as it goes over the wire."""
    wired = tuple(wire_tool(t.name, t.description, t.input_schema) for t in tools)
    return Request(system=system_text(sections), messages=tuple(messages(sections)), tools=wired)
