"""Roo's request: one system text, and the first message of a task as two text blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import one_system_block
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.wire.request import Request


def request_layout(sections: Sequence[Section], tools: Sequence[Tool]) -> Request:
    """The task with its expansions, then the environment details; no message where no task is drafted."""
    system = one_system_block(sections, tools).system
    present = [section for section in sections if section.present and section.channel == "messages"]
    if not present:
        return Request(system=system)
    task = _block(section for section in present if section.id.startswith("user."))
    details = _block(section for section in present if not section.id.startswith("user."))
    return Request(system=system, messages=({"role": "user", "content": [task, details]},))


def _block(sections: Iterable[Section]) -> Json:
    return {"type": "text", "text": "".join(section.text for section in sections)}
