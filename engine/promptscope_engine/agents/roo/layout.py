"""Roo's request: one system text, and the first message of a task as two text blocks."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.kit.anthropic import messages, system_text
from promptscope_engine.prompt.drafts import Place
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request


def request_layout(sections: Sequence[tuple[Place, Section]], _tools: Sequence[Tool]) -> Request:
    """The task with its expansions, then the environment details; no message where no task is drafted."""
    return Request(system=system_text(sections), messages=tuple(messages(sections)))
