"""From placed sections to the request (specs/gemini.md 1): one system text, the contents, the declarations."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.kit.anthropic import messages, system_text
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request, wire_tool


def request_layout(sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
    """`systemInstruction` as the one block of `system`, `contents` as `messages`, declarations as `tools`."""
    declared = tuple(wire_tool(tool.name, tool.description, tool.input_schema) for tool in tools)
    return Request(system_text(sections), tuple(messages(sections)), declared)
