"""The sections of Gemini CLI's request, in the order of the wire (specs/gemini.md 3, 4)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft

from .delegation import hook_context, skills, sub_agents
from .fixed import (
    core_mandates,
    final_reminder,
    git,
    operational_guidelines,
    plan,
    preamble,
    primary_workflows,
    sandbox,
    tracker,
    yolo,
)
from .memory import memory
from .messages import message_sections
from .override import override
from .session import session_sections


def section_drafts(m: Materials) -> Iterator[SectionDraft]:
    """Every section, the absent ones at their place."""
    yield from system_sections(m)
    yield from session_sections(m)
    yield from message_sections(m)


def system_sections(m: Materials) -> Iterator[SectionDraft]:
    """The system text."""
    yield override(m)
    yield preamble(m)
    yield core_mandates(m)
    yield sub_agents(m)
    yield skills(m)
    yield hook_context(m)
    yield plan(m)
    yield primary_workflows(m)
    yield tracker(m)
    yield operational_guidelines(m)
    yield yolo(m)
    yield sandbox(m)
    yield git(m)
    if m.model.variant == "legacy":
        yield final_reminder(m)
    yield memory(m)
